"""What monitoring does when a project moves: plan the first look back, end a release that is re-opened,
and tell the projects that share data of the same source (5.6.2 d)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import replace

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from approvals.governance.person import Person
from approvals.sentences import Sentence
from projects.core.models import Project
from projects.core.numbers import count
from projects.core.pages import Pointer, points_from
from projects.core.services import on_move
from projects.findings.enums import FindingSource
from projects.findings.origins import Origin, origin_of
from projects.findings.received.enums import DeviationKind
from projects.findings.received.models import SampleDeviation
from projects.findings.received.services import on_deviation
from projects.objective.surroundings.context import assessments_of
from projects.processing.models import Run, RunTable
from projects.processing.runs.designation.rule import Evidence as ResultEvidence
from projects.processing.runs.designation.rule import recovery_decides
from projects.processing.runs.designation.selectors import adds_evidence, doubts
from projects.releases.agreements.changes.services import on_change_approved
from projects.releases.deliveries.services import on_seal_broken
from projects.releases.enums import TermsChanged
from projects.releases.models import RecipientChange, RelativesMeasurement, Release
from projects.releases.relatives.outside.kinship import Kin, kin_of, known_of_runs
from projects.releases.relatives.outside.models import OutsideRelease
from projects.releases.relatives.outside.services import on_outside_recorded
from projects.releases.relatives.selectors import Relative, relatives_of
from projects.releases.relatives.services import on_relatives_measured
from projects.releases.selectors import current_release
from projects.releases.services import release_end
from projects.reversal.models import ReversalRequest
from projects.reversal.services import on_reversal_done
from projects.workflow import Move, MoveRule, Stage, State

from .afterwards import home as later_home  # noqa: F401
from .afterwards import providers as later_providers  # noqa: F401
from .afterwards import triggers as later_triggers  # noqa: F401
from .amendments.yardstick import yardstick_of
from .enums import AmendmentKind, ChangeKind
from .measuring import reassessment_measure_due
from .models import Reassessment
from .oversight import providers as oversight_providers  # noqa: F401
from .selectors import after_the_seal_broke, is_looked_at
from .services import change_report, reassessment_plan

# From this share of common column names on, two releases count as data about the same things.
RELATED_SHARE = 0.5
_NAMED = 8
# Suspended, it may go on as it was: what came meanwhile is looked at all the same.
_LIVE = (State.MONITORING, State.SUSPENDED)
_CHANGED = {
    TermsChanged.RECIPIENT.value: ChangeKind.RECIPIENT,
    TermsChanged.AGAIN.value: ChangeKind.RECIPIENT,
    TermsChanged.PURPOSE.value: ChangeKind.PROCESSING,
}


@origin_of(FindingSource.REASSESSMENT)
def reassessment_origin(project: Project, origin_id: uuid.UUID) -> Origin | None:
    """The re-assessment in which something was found."""
    found = Reassessment.objects.filter(project=project, pk=origin_id).first()
    if found is None:
        return None
    label = _("Re-assessment due on %(date)s") % {"date": found.due_on}
    return Origin(label, reverse("monitoring:reassessment", args=[project.pk, found.pk]), Stage.RELEASE)


@adds_evidence
def recovery_assessed(run: Run, evidence: ResultEvidence) -> ResultEvidence:
    """On what grounds recovery is beyond reasonable effort: by the assessment of the surroundings with which the result was measured, or by
    the last amendment of these that was approved for its release. What somebody assessed since decides nothing by itself."""
    if not recovery_decides(evidence):
        return evidence
    amended = yardstick_of(run.project).last(AmendmentKind.SURROUNDINGS)
    if amended is not None and amended.reassessment.release.run_id == run.pk:
        finding = amended.content["finding"]
    else:
        counted = assessments_of(run.project).filter(number=evidence.assessment or 0)
        finding = counted.values_list("finding", flat=True).first() or {}
    found = finding.get("recovery")
    return replace(evidence, recovery=None if found is None else tuple(found["grounds"]))


@doubts
def seen_since(run: Run, evidence: ResultEvidence) -> ResultEvidence:
    """What monitoring knows against a stronger word: a target that is not met any more, a suspension."""
    measured = Reassessment.objects.filter(release__run_id=run.pk, measured_at__isnull=False)
    newest = measured.order_by("-measured_at").first()
    against = [] if newest is None or newest.remeasured.met else ["not_met"]
    against += ["suspended"] * (run.project.state == State.SUSPENDED)
    return replace(evidence, against=(*evidence.against, *against))


@on_move
def react(project: Project, rule: MoveRule, by: Person) -> None:
    release = current_release(project)
    if release is None:
        return
    if rule.move == Move.RELEASE:
        reassessment_plan(release)
        related_report(release)
    elif rule.reopens:
        release_end(release, why=gettext_noop("The project was taken back for another look"), by=None)


@on_change_approved
def report_recipients(change: RecipientChange, by: Person) -> None:
    """A new recipient or another purpose of a live release calls for a re-assessment (5.6.2 a, 11.1 c)."""
    kind = next((_CHANGED[one] for one in change.asks if one in _CHANGED), None)
    if kind is None or change.project.state != State.MONITORING:
        return
    _notice(
        change.project,
        kind,
        Sentence(
            gettext_noop("Senior management approved change %(change)s of the recipients: %(what)s."),
            {"change": change.number},
            {"what": [TermsChanged(one).label for one in change.asks]},
        ),
    )


@on_seal_broken
def reassess_what_broke(release: Release, measured: str) -> None:
    """What is stored is no longer what was evaluated (T/ISC 0078 11.1 d). Where a re-assessment found it, that one is open already."""
    if release.ended_at is not None or after_the_seal_broke(release) is not None:
        return
    sealed = release.files[0]["sha256"]
    if measured and measured != sealed:
        said = Sentence(
            gettext_noop(
                "The seal of the release is broken. The stored bytes have the SHA-256 %(measured)s; %(sealed)s was sealed."
            ),
            {"measured": measured, "sealed": sealed},
        )
    else:
        said = Sentence(
            gettext_noop(
                "The seal of the release is broken: a stored file, or what is recorded of the release, was altered."
            )
        )
    _notice(release.project, ChangeKind.SEAL, said)


@on_reversal_done
def reassess_what_was_reversed(request: ReversalRequest) -> None:
    """Values of the released result lead back to persons for somebody now (T/ISC 0078 11.1 d). One look back is enough for all
    reversals until it is concluded."""
    project = request.project
    release = current_release(project)
    if release is None or release.run_id != request.run_id or project.state not in _LIVE:
        return
    if is_looked_at(release, ChangeKind.ROLLBACK):
        return
    text = gettext_noop(
        "The reversal “%(request)s” got %(found)s of %(values)s values of “%(column)s” of the released result back."
    )
    names = {
        "request": str(request),
        "found": count(request.found_count or 0),
        "values": count(request.values_count),
        "column": request.place,
    }
    _notice(project, ChangeKind.ROLLBACK, Sentence(text, names))


@on_deviation
def reassess_what_was_added(deviation: SampleDeviation) -> None:
    """A recipient states that the data are not without identifiers any more where they are now (T/ISC 0078 11.1 d)."""
    release = deviation.sample.release
    if deviation.kind != DeviationKind.ADDED or release.ended_at is not None:
        return
    if is_looked_at(release, ChangeKind.IDENTIFIERS):
        return
    text = gettext_noop(
        "The recipient stated of sample “%(sample)s” that identifiers were added to the data, or rows were assigned to persons: "
        "finding F%(finding)s."
    )
    names = {"sample": str(deviation.sample), "finding": str(deviation.ticket.number)}
    _notice(release.project, ChangeKind.IDENTIFIERS, Sentence(text, names))


@on_relatives_measured
def measure_what_they_tell(measurement: RelativesMeasurement) -> None:
    """A re-assessment that is open is measured again where it does not have this measurement, unless that is under way."""
    open_ones = Reassessment.objects.filter(
        release__run_id=measurement.run_id,
        opened_at__isnull=False,
        measured_at__isnull=False,
        concluded_at=None,
    )
    for one in open_ones.select_related("project", "release"):
        known = one.remeasured.relations
        if known is None or known.measurement != str(measurement):
            reassessment_measure_due(one, by=measurement.requested_by)


@points_from(Stage.RELEASE)
def broken_seal_pointer(project: Project) -> Pointer | None:
    """Where the seal broke, the look back that it opened."""
    release = current_release(project)
    if release is None or release.seal_broken_at is None:
        return None
    found = after_the_seal_broke(release)
    if found is None:
        return None
    return Pointer(
        title=_("The broken seal has opened a re-assessment"),
        text=_("The supervisor concludes it by %(date)s; the release cannot be kept.")
        % {"date": found.due_on.isoformat()},
        url=reverse(
            "monitoring:reassessment", kwargs={"project_id": project.pk, "reassessment_id": found.pk}
        ),
        label=_("Re-assessment"),
        tone="fail",
    )


def related_report(release: Release) -> list[Project]:
    """File a change "new de-identified data" with every project whose live release is related, suspended ones too (5.6.2 d).

    A release is related if it shares at least half of the smaller file's column names, or is one of the relatives of this
    one: made from the same file or a version of it, or with pseudonyms under the same key.
    """
    mine = _columns(release)
    reported = []
    others = (
        Release.objects.filter(ended_at=None, project__state__in=_LIVE)
        .exclude(project=release.project_id)
        .select_related("project")
    )
    run = Run.objects.select_related("project", "recipe_version").get(pk=release.run_id)
    relatives = {one.release_id: one for one in relatives_of(run)}
    for other in others:
        theirs = _columns(other)
        common = mine & theirs
        if common and len(common) >= RELATED_SHARE * min(len(mine), len(theirs)):
            said = _of_columns(release, sorted(common))
        elif other.pk in relatives:
            said = _of_origin(release, relatives[other.pk])
        else:
            continue
        _notice(other.project, ChangeKind.NEW_DATA, said)
        reported.append(other.project)
    return reported


@on_outside_recorded
def outside_report(entry: OutsideRelease, before: OutsideRelease | None) -> int:
    """The same of a release that was made outside the portal, by what was written down of it; how many projects were told. One that
    was told the same of the entry ``before`` this one is not told again."""
    others = list(Release.objects.filter(ended_at=None, project__state__in=_LIVE).select_related("project"))
    known = known_of_runs([one.run_id for one in others])
    notified = 0
    for other in others:
        kin = kin_of(entry, known[other.run_id])
        if kin is None or (before is not None and kin == kin_of(before, known[other.run_id])):
            continue
        _notice(other.project, ChangeKind.NEW_DATA, _of_outside(entry, kin))
        notified += 1
    return notified


def _of_outside(entry: OutsideRelease, kin: Kin) -> Sentence:
    """Each says that nobody measured it: a re-assessment measures with the files that the portal has."""
    facts = {"number": entry.mark, "day": entry.released_on.isoformat()}
    if "copy" in kin.grounds:
        text = gettext_noop(
            "Release %(number)s, made outside the portal on %(day)s, has the SHA-256 of a file of this project, as was stated. "
            "What it reveals together with this release could not be measured: the portal does not have the file that was handed out."
        )
    elif "columns" in kin.grounds:
        text = gettext_noop(
            "Release %(number)s, made outside the portal on %(day)s, has %(count)s columns of the same names: %(columns)s. What it "
            "reveals together with this release could not be measured: the portal does not have its file."
        )
        return Sentence(text, {**facts, "count": count(len(kin.columns)), "columns": _shown(kin.columns)})
    else:
        text = gettext_noop(
            "Release %(number)s, made outside the portal on %(day)s, comes from the same data source and tells persons apart by the "
            "same column. What it reveals together with this release could not be measured: the portal does not have its file."
        )
    return Sentence(text, facts)


def _of_columns(release: Release, common: list[str]) -> Sentence:
    text = gettext_noop(
        "Project %(number)s released data with %(count)s columns of the same names: %(columns)s. "
        "Together the two may reveal more about a person than either alone."
    )
    return Sentence(
        text, {"number": release.project.number, "count": count(len(common)), "columns": _shown(common)}
    )


def _shown(columns: Sequence[str]) -> list[str]:
    few = list(columns[:_NAMED])
    return [*few[:-1], few[-1] + "…"] if len(columns) > _NAMED else few


def _of_origin(release: Release, relative: Relative) -> Sentence:
    """Columns may be called otherwise and tell of the same persons all the same."""
    if relative.same_source:
        text = gettext_noop(
            "Project %(number)s released data made from the same file. Together the two may reveal more about a person than "
            "either alone."
        )
    elif relative.same_key:
        text = gettext_noop(
            "Project %(number)s released data whose pseudonyms are made with the same key, by which rows of both can be joined. "
            "Together the two may reveal more about a person than either alone."
        )
    else:
        text = gettext_noop(
            "Project %(number)s released data made from another file with the same columns. Together the two may reveal more "
            "about a person than either alone."
        )
    return Sentence(text, {"number": release.project.number})


def _notice(project: Project, kind: ChangeKind, what: Sentence) -> None:
    change_report(project, kind=kind, description=what, happened_on=timezone.localdate(), by=None)


def _columns(release: Release) -> set[str]:
    """The column names of a released file, by the report of the run that wrote it."""
    reports = RunTable.objects.filter(run=release.run_id).values_list("report", flat=True)
    return {column for report in reports for column in report.get("columns_out", ())}
