"""Who assesses the copies of a release that has ended: the supervisor, whatever state the project is in by now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny, first_denial
from projects.core.models import Project
from projects.core.rules import has_role
from projects.jobs.enums import JobStatus
from projects.jobs.selectors import latest_job
from projects.releases.models import Release
from projects.workflow import Role

from ..models import LaterReassessment
from ..reasons import MonitoringReason
from .enums import LATER_MEASURE_JOB, LaterOutcome, Question
from .selectors import StillOut, can_be_measured, out_of


class LaterReason(Reason):
    NOT_ENDED = (
        "release_not_ended",
        _("This release has not ended; it has re-assessments of its own."),
    )
    NOTHING_OUT = "nothing_out", _("No copy of this release is out.")
    STILL_OUT = "still_out", _("A copy of this release is still out.")
    MISSED = (
        "target_missed",
        _("What was measured misses a target, so the supervisor concludes about it."),
    )
    BYTES_GONE = (
        "bytes_gone",
        _(
            "Nothing can be measured any more: the released file, or the data that it was made from, are destroyed."
        ),
    )
    NOBODY_TO_ASK = (
        "nobody_to_ask",
        _("No known recipient has a copy; whoever fetched what was public cannot be asked."),
    )
    ANSWER_NEEDED = "answer_needed", _("Answer every question with yes or no.")
    WORDS_NEEDED = "words_needed", _("An answer of yes needs words: %(questions)s")
    MISUSE_SEEN = (
        "misuse_seen",
        _("There are signs of misuse, so something has to be done: recall the copies or report an incident."),
    )
    INCIDENT_NEEDED = "incident_needed", _("Say what happened, and how severe it is.")


def may_assess(user: Person, project: Project) -> Verdict:
    """The supervisor, in every state: copies are out after the project has ended as well."""
    return has_role(user, project, Role.SUPERVISOR)


def may_begin(user: Person, release: Release) -> Verdict:
    """The supervisor, before the clock does, of a release that has ended with copies out."""
    verdict = may_assess(user, release.project)
    return verdict and can_begin(release)


def can_begin(release: Release) -> Verdict:
    """Whether there is anything to assess, and nobody does so already."""
    if release.ended_at is None:
        return deny(LaterReason.NOT_ENDED)
    if LaterReassessment.objects.filter(release=release, concluded_at=None).exists():
        return deny(MonitoringReason.ALREADY_OPEN)
    return ALLOW if out_of(release) else deny(LaterReason.NOTHING_OUT)


def can_end(later: LaterReassessment) -> Verdict:
    """Whether it ends by itself: nobody has concluded, and no copy is out any more; what was public always is. That a target was missed
    is for somebody to conclude about."""
    if later.concluded_at is not None:
        return deny(MonitoringReason.CONCLUDED)
    if later.met is False:
        return deny(LaterReason.MISSED)
    return deny(LaterReason.STILL_OUT) if out_of(later.release) else ALLOW


def may_measure(user: Person, later: LaterReassessment) -> Verdict:
    """The supervisor, as long as there are bytes to measure."""
    verdict = _may_assess(user, later)
    return verdict and (ALLOW if can_be_measured(later.release) else deny(LaterReason.BYTES_GONE))


def may_conclude(user: Person, later: LaterReassessment) -> Verdict:
    """The supervisor; whether nothing may be done, :func:`may_conclude_so` says."""
    return _may_assess(user, later)


def awaits_measurement(later: LaterReassessment) -> bool:
    """Whether the released file can be measured again and was not; one whose last measurement failed waits for none."""
    if later.measured_at is not None or not can_be_measured(later.release):
        return False
    job = latest_job(later.project, LATER_MEASURE_JOB, later.pk)
    return job is None or job.status != JobStatus.FAILED


def _may_assess(user: Person, later: LaterReassessment) -> Verdict:
    concluded = deny(MonitoringReason.CONCLUDED) if later.concluded_at is not None else ALLOW
    return first_denial(may_assess(user, later.project), concluded)


def may_conclude_so(
    outcome: LaterOutcome,
    answers: Mapping[str, Mapping[str, Any]],
    out: StillOut,
    *,
    kind: str,
    severity: str,
    unmeasured: bool,
) -> Verdict:
    """Whether the questions are answered and the conclusion follows: misuse is not left as it is, nor what can be measured and was not
    (``unmeasured``: copies can be asked for, or an incident reported, before), and somebody is there who can be asked. ``kind`` and ``severity`` of the incident are asked for where one is reported."""
    given = {one: answers.get(one.value, {}) for one in Question}
    if any(not isinstance(said.get("yes"), bool) for said in given.values()):
        return deny(LaterReason.ANSWER_NEEDED)
    silent = [
        str(one.label) for one, said in given.items() if said["yes"] and not said.get("words", "").strip()
    ]
    if silent:
        return deny(LaterReason.WORDS_NEEDED, questions=" ".join(silent))
    if outcome == LaterOutcome.NOTHING and given[Question.MISUSE]["yes"]:
        return deny(LaterReason.MISUSE_SEEN)
    if outcome == LaterOutcome.NOTHING and unmeasured:
        return deny(MonitoringReason.NOT_MEASURED)
    if outcome == LaterOutcome.RECALL and not out.copies:
        return deny(LaterReason.NOBODY_TO_ASK)
    if outcome == LaterOutcome.INCIDENT and not (kind and severity):
        return deny(LaterReason.INCIDENT_NEEDED)
    return ALLOW
