"""Who has records of a result drawn, looks at them, and reports on them: the supervisor; auditors have the same ones read again."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny, first_denial
from projects.core.models import Project
from projects.core.rules import has_role, in_state
from projects.processing.runs.selectors import results_are_sound, tables_of_run
from projects.processing.runs.shares import share_files_of
from projects.verification.rules import VALUES_SEEN, may_see_values
from projects.workflow import Role

from .enums import InspectionOutcome
from .models import ResultSample
from .selectors import run_inspected

MOST = 500
WAITING = (InspectionOutcome.READING, InspectionOutcome.OPEN)


class InspectionReason(Reason):
    NO_RESULT = "no_result_to_inspect", _("There is no result of the current data to draw records from.")
    ALTERED = (
        "inspected_result_altered",
        _("The stored result is not what the run wrote any more; nobody is shown it."),
    )
    IN_SHARES = (
        "inspected_result_in_shares",
        _("This result is handed out in shares, each holder their own; no records are drawn from it."),
    )
    WAITS = "result_sample_waits", _("Report on the sample that was drawn first.")
    TABLE = "result_sample_table", _("The result has no such table with records.")
    SIZE = "result_sample_size", _("Between 1 and %(most)s can be drawn.")
    KEPT = "result_sample_kept", _("The records of this sample are read already, or are being read.")
    NOT_THERE = (
        "result_sample_not_there",
        _("The records of this sample are not ready; have them read again."),
    )
    NOT_DRAWN = "result_sample_not_drawn", _("Nothing was drawn for this sample.")
    NOT_LOOKED = "result_sample_not_looked", _("Look at the records that were drawn first.")
    REPORTED = "result_sample_reported", _("This sample has been reported on already.")
    FOUND = (
        "result_sample_found",
        _(
            "State in how many of the %(most)s that were looked through something was found, and what; or that nothing was."
        ),
    )
    DIFFERS = "result_sample_differs", _("The result has not as many records or persons as at the draw.")


def may_draw(user: Person, project: Project) -> Verdict:
    """The supervisor, from the verification on for as long as the result is released; one sample of a result at a
    time, so that nobody draws until one pleases."""
    verdict = first_denial(has_role(user, project, Role.SUPERVISOR), in_state(project, *VALUES_SEEN))
    if not verdict:
        return verdict
    run = run_inspected(project)
    if run is None or all(one.result is None for one in tables_of_run(run).values()):
        return deny(InspectionReason.NO_RESULT)
    if share_files_of(run.pk):
        return deny(InspectionReason.IN_SHARES)
    if not results_are_sound(run):
        return deny(InspectionReason.ALTERED)
    waiting = ResultSample.objects.filter(run=run, outcome__in=WAITING)
    return deny(InspectionReason.WAITS) if waiting.exists() else ALLOW


def may_inspect(user: Person, sample: ResultSample) -> Verdict:
    """The supervisor, and auditors who repeat the draw, while the project goes on and its result is there."""
    verdict = may_see_values(user, sample.project)
    if not verdict:
        return verdict
    if sample.outcome == InspectionOutcome.FAILED:
        return deny(InspectionReason.NOT_DRAWN)
    return ALLOW if is_there(sample) else deny(InspectionReason.ALTERED)


def is_there(sample: ResultSample) -> bool:
    """Whether the file from which was drawn lies there as it was."""
    written = tables_of_run(sample.run).get(sample.of_table)
    return (
        written is not None
        and written.result is not None
        and written.result.destroyed_at is None
        and written.result.sha256 == sample.sha256
    )


def may_look(user: Person, sample: ResultSample) -> Verdict:
    """At the rows, while they lie ready."""
    verdict = may_inspect(user, sample)
    if not verdict:
        return verdict
    ready = sample.is_kept and sample.kept_until is not None and sample.kept_until > timezone.now()
    return ALLOW if ready else deny(InspectionReason.NOT_THERE)


def may_read(user: Person, sample: ResultSample, under_way: bool) -> Verdict:
    """Have the same records read again, once they do not lie ready and no job is ``under_way``."""
    verdict = may_inspect(user, sample)
    if not verdict:
        return verdict
    return deny(InspectionReason.KEPT) if under_way or may_look(user, sample) else ALLOW


def may_report(user: Person, sample: ResultSample) -> Verdict:
    """The supervisor, once a supervisor has looked; whatever became of the project meanwhile."""
    verdict = has_role(user, sample.project, Role.SUPERVISOR)
    if not verdict:
        return verdict
    if sample.outcome != InspectionOutcome.OPEN:
        done = sample.outcome in (InspectionOutcome.NOTHING, InspectionOutcome.FOUND)
        return deny(InspectionReason.REPORTED if done else InspectionReason.NOT_THERE)
    return ALLOW if sample.looked else deny(InspectionReason.NOT_LOOKED)
