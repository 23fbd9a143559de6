"""The only writer of rounds and verdicts."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from approvals.audit.recording import recording
from approvals.governance.draft import Subject
from approvals.governance.person import Person
from approvals.governance.serialization import governed_act
from approvals.governance.verdict import ALLOW, Refused, Verdict, deny
from projects.core.rules import CoreReason
from projects.core.services import project_lock
from projects.datasets.models import Table
from projects.datasets.tables.selectors import dataset_now
from projects.jobs.services import job_about
from projects.objective.enums import Classification
from techniques.core.canonical import canonical_hash
from techniques.core.messages import gettext_noop

from . import events, rules, scanning, selectors, wording
from .enums import GUARD, ColumnRole, RoundStatus, Severity
from .models import ColumnVerdict, IdentificationRound
from .reports import ColumnReport, columns_of
from .rules import IdentificationReason
from .sentences import ADDED, CONFIRMED

SCAN = "identification.scan"


def scan_start(table: Table, *, by: Person) -> IdentificationRound:
    """Start look-up and rules over the current data set of a table as a job; returns the round that they fill."""
    with recording(events.SCAN_STARTED, by=by, project_id=table.project_id) as event:
        table.project = project = project_lock(table.project)
        rules.may_scan(by, table).require()
        dataset = dataset_now(table)
        assert dataset is not None
        last = IdentificationRound.objects.filter(project=project).order_by("-number").first()
        round_ = IdentificationRound.objects.create(
            project=project,
            dataset=dataset,
            dataset_sha256=dataset.sha256,
            number=last.number + 1 if last else 1,
            started_by=by,
        )
        event.subject = round_.subject
        event.facts.update(dataset=dataset.sha256, number=round_.number)
        job_about(round_, SCAN, title=gettext_noop("Scan for identifiers"), by=by)
    return round_


def round_finish(round_: IdentificationRound, *, by: Person) -> IdentificationRound:
    """Gather what both methods found into the report and fix its hash."""
    with recording(events.SCAN_FINISHED, by=by, project_id=round_.project_id) as event:
        round_ = IdentificationRound.objects.select_for_update().get(pk=round_.pk, status=RoundStatus.RUNNING)
        round_.report = scanning.report_gather(round_)
        round_.report_hash = canonical_hash(
            {**round_.report, "methods": [{**m, "times": None} for m in round_.report["methods"]]}
        )
        round_.status, round_.finished_at = RoundStatus.FINISHED, timezone.now()
        round_.save()
        found = columns_of(round_).values()
        event.subject = round_.subject
        event.facts.update(
            rows=round_.report["rows"],
            coverage=round_.report["coverage"],
            columns=len(found),
            columns_with_findings=sum(bool(column.strong) for column in found),
        )
        round_.parts.all().delete()
    return round_


def round_abandon(round_: IdentificationRound, *, why: str, by: Person | None = None) -> None:
    """Mark a round whose job failed or was cancelled; it can carry no verdicts."""
    with recording(events.SCAN_FAILED, by=by, about=round_, why=why):
        round_ = IdentificationRound.objects.select_for_update().get(pk=round_.pk)
        if round_.status == RoundStatus.RUNNING:
            round_.status = RoundStatus.CANCELLED if why == "cancelled" else RoundStatus.FAILED
            round_.finished_at = timezone.now()
            round_.save()
            round_.parts.all().delete()


@dataclass(frozen=True)
class Given:
    """A verdict as somebody gives it, before it is checked."""

    column: str
    role: str
    kind: str = ""
    reason: str = ""
    accepted: bool = False
    severity: str = ""
    grade: str = ""


def verdict_check(
    report: ColumnReport, given: Given, kinds: Mapping[str, str], former: ColumnVerdict | None = None
) -> Verdict:
    """Whether the verdict can stand: a role, a known kind, and a reason as long as what it sets aside asks.

    What speaks for a finding does not argue against it: neither the portal's own sentences nor the reason of the
    ``former`` verdict, if that was for a role that guards more.
    """
    if given.role not in ColumnRole.values:
        return deny(IdentificationReason.UNKNOWN_ROLE)
    if given.kind and given.kind not in kinds:
        return deny(IdentificationReason.UNKNOWN_KIND)
    if given.severity and (given.role != ColumnRole.SENSITIVE or given.severity not in Severity.values):
        return deny(IdentificationReason.SEVERITY_ELSEWHERE, column=given.column)
    if given.grade and given.grade not in Classification.values:
        return deny(IdentificationReason.UNKNOWN_GRADE, column=given.column)
    if given.role == ColumnRole.SENSITIVE and given.grade == Classification.GENERAL:
        return deny(IdentificationReason.GRADE_TOO_LOW, column=given.column)
    length = len(given.reason.strip())
    if length < rules.SHORT_REASON:
        return deny(IdentificationReason.REASON_NEEDED, column=given.column)
    overruled = report.overruled_by(ColumnRole(given.role))
    if overruled and length < rules.LONG_REASON:
        return deny(
            IdentificationReason.LONG_REASON_NEEDED,
            column=given.column,
            found=wording.kinds_in_words(overruled, kinds),
            length=rules.LONG_REASON,
        )
    if overruled and len(_own_words(report, given, former)) < rules.LONG_REASON:
        return deny(
            IdentificationReason.OWN_REASON_NEEDED,
            column=given.column,
            found=wording.kinds_in_words(overruled, kinds),
            length=rules.LONG_REASON,
        )
    return ALLOW


def _own_words(report: ColumnReport, given: Given, former: ColumnVerdict | None) -> str:
    """The reason without what the portal suggests in any language, and without that of a former, stricter verdict."""
    words, role = given.reason, ColumnRole(given.role)
    if former is not None and GUARD[ColumnRole(former.role)] > GUARD[role]:
        words = words.replace(former.reason, "")
    if report.suggestion is not None:
        for sentence in wording.suggested_sentences(report):
            words = words.replace(sentence, "")
    return words.strip(" \n\r\t()（）.。;；,，")


def verdicts_give(round_: IdentificationRound, given: Iterable[Given], *, by: Person) -> list[ColumnVerdict]:
    """Give several verdicts in one act, all or none; one that repeats a current verdict writes nothing. Returns the
    rows written. Raises ``Refused`` with the reason of the first that is not allowed.
    """
    wanted, act = list(given), uuid.uuid4()
    written: list[ColumnVerdict] = []
    with governed_act():
        project = project_lock(round_.project)
        newest = selectors.current_rounds(project).get(round_.dataset.table_id)
        rules.may_give(by, project, round_, newest).require()
        assert newest is not None
        reports, current = columns_of(newest), selectors.verdicts_in(newest)
        kinds = wording.kind_names()
        for one in wanted:
            report = reports.get(one.column)
            if report is None:
                raise Refused(deny(IdentificationReason.NO_SUCH_COLUMN, column=one.column))
            former = current.get(one.column)
            verdict_check(report, one, kinds, former).require()
            if former is None or _content(former) != (
                one.role,
                one.kind,
                one.severity,
                one.grade,
                one.reason.strip(),
            ):
                written.append(_verdict_write(newest, report, one, former, kinds, act, by=by))
    return written


def verdict_give(round_: IdentificationRound, given: Given, *, by: Person) -> ColumnVerdict:
    """Give one verdict; returns the current row, new or not."""
    written = verdicts_give(round_, [given], by=by)
    return written[0] if written else selectors.verdicts_in(round_)[given.column]


def suggestions_accept(round_: IdentificationRound, *, reason: str, by: Person) -> list[ColumnVerdict]:
    """Give the suggested verdict about every column that has none yet and whose suggestion is sure.

    ``reason`` is the executor's own; the evidence for each suggestion follows it. Columns whose
    suggestion would set a strong finding aside are left for a verdict of their own.
    """
    return _give_together(sure_suggestions, round_, reason, by)


def sure_suggestions(round_: IdentificationRound, reason: str) -> list[Given]:
    """The verdicts that :func:`suggestions_accept` gives."""
    current = selectors.verdicts_in(round_)
    return [
        accepted(report, reason)
        for column, report in columns_of(round_).items()
        if column not in current and report.suggestion is not None and report.suggestion.is_sure
        and not report.overruled_by(report.suggestion.role)
    ]  # fmt: skip


def _give_together(
    choose: Callable[[IdentificationRound, str], list[Given]],
    round_: IdentificationRound,
    reason: str,
    by: Person,
) -> list[ColumnVerdict]:
    rules.may_judge(by, round_.project, round_).require()
    if len(reason.strip()) < rules.SHORT_REASON:
        deny(CoreReason.REASON_NEEDED).require()
    chosen = choose(round_, reason)
    if not chosen:
        deny(IdentificationReason.NOTHING_TO_ACCEPT).require()
    return verdicts_give(round_, chosen, by=by)


def accepted(report: ColumnReport, reason: str = "", *, severity: str = "", grade: str = "") -> Given:
    """The suggestion about a column as a verdict; refused where there is none."""
    if report.suggestion is None:
        raise Refused(deny(IdentificationReason.NO_SUGGESTION, column=report.column))
    why = wording.recorded(report)
    text = str(ADDED) % {"reason": reason.strip(), "why": why} if reason.strip() else why
    suggestion = report.suggestion
    return Given(
        report.column, suggestion.role, suggestion.kind, text, accepted=True, severity=severity, grade=grade
    )


def confirmed(earlier: ColumnVerdict, reason: str = "") -> Given:
    """A verdict from before the newest scan, given anew."""
    text = str(CONFIRMED) % {"reason": earlier.reason}
    if reason.strip():
        text = str(ADDED) % {"reason": reason.strip(), "why": text}
    return Given(
        earlier.column,
        earlier.role,
        earlier.kind,
        text[:2000],
        severity=earlier.severity,
        grade=earlier.grade,
    )


def earlier_confirm(round_: IdentificationRound, *, reason: str, by: Person) -> list[ColumnVerdict]:
    """Give the verdicts from before the newest scan anew, for columns without one whose suggestion is as it was.

    Columns about which the methods now say something else are left for a verdict of their own.
    """
    return _give_together(unchanged_verdicts, round_, reason, by)


def unchanged_verdicts(round_: IdentificationRound, reason: str) -> list[Given]:
    """The verdicts that :func:`earlier_confirm` gives."""
    reports, current = columns_of(round_), selectors.verdicts_in(round_)
    return [
        confirmed(earlier, reason)
        for column, earlier in selectors.earlier_verdicts(round_).items()
        if column in reports
        and column not in current
        and _suggested(earlier.provenance) == _suggested(reports[column].provenance)
    ]


def _suggested(provenance: Mapping[str, Any]) -> tuple[Any, ...] | None:
    """What the methods suggested, and which strong identifiers they found."""
    suggestion = provenance.get("suggestion")
    kinds = sorted(item["kind"] for item in provenance.get("rules", {}).get("findings", ()))
    return suggestion and (suggestion["role"], suggestion["kind"], *kinds)


def _content(verdict: ColumnVerdict) -> tuple[str, str, str, str, str]:
    return (verdict.role, verdict.kind, verdict.severity, verdict.grade, verdict.reason)


def _verdict_write(
    round_: IdentificationRound,
    report: ColumnReport,
    given: Given,
    former: ColumnVerdict | None,
    kinds: Mapping[str, str],
    act: uuid.UUID,
    *,
    by: Person,
) -> ColumnVerdict:
    role = ColumnRole(given.role)
    overruled = report.overruled_by(role)
    action = (
        events.FINDING_OVERRULED if overruled
        else events.VERDICT_GIVEN if former is None
        else events.VERDICT_CHANGED
    )  # fmt: skip
    with recording(
        action,
        by=by,
        subject=Subject("column_verdict", "", given.column),
        project_id=round_.project_id,
        reason=given.reason.strip(),
        column=given.column,
        role=str(role),
        kind=given.kind,
        old_role="" if former is None else former.role,
        accepted=given.accepted,
        overruled=", ".join(finding.kind for finding in overruled),
    ) as event:
        event.act = act
        if given.severity:
            event.facts["severity"] = given.severity
        if given.grade or (former is not None and former.grade):
            event.facts["column_grade"] = given.grade
        if former is not None:
            former.superseded_at = timezone.now()
            former.save()
        row = ColumnVerdict.objects.create(
            project_id=round_.project_id,
            dataset_id=round_.dataset_id,
            round=round_,
            column=report.column,
            position=report.position,
            role=role,
            kind=given.kind,
            severity=given.severity,
            grade=given.grade,
            reason=given.reason.strip(),
            accepted=given.accepted,
            overrules=[{"kind": f.kind, "rows": f.rows} for f in overruled],
            provenance=report.provenance,
            decided_by=by,
        )
        event.subject = Subject("column_verdict", str(row.pk), given.column)
    return row
