"""What who signs must know, on one screen: who gets what for which purpose, what can happen, and every caveat (5.5.4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from approvals.decisions.models import Review, ReviewOutcome
from projects.core.models import Project
from projects.core.numbers import beside, count, percent
from projects.core.returns import Return, returns_of
from projects.datasets.tables.names import titled
from projects.identification.presentation import overrides_said
from projects.objective.models import PlanVersion
from projects.objective.presentation import law_rows, schedule_text
from projects.processing.recipes.pages import preparation_facts
from projects.processing.runs.findings import emptied
from projects.processing.runs.selectors import tables_of_run

from ..gate.scales.presentation import degree_statement
from ..models import Verification
from ..reports.gate import Report, TableReport
from ..wording import translated
from .answer import Answer
from .columns import TableOut, tables_out
from .opinions.presentation import TONES, opinion_text
from .opinions.selectors import opinions_about
from .recipients import RecipientLine, recipient_lines


@dataclass(frozen=True)
class Caveat:
    """Something to weigh beside the answer. ``url``: where its evidence stands on the page."""

    tone: str
    text: str
    url: str = ""


@dataclass(frozen=True)
class SignSummary:
    """The first screen. ``law`` and ``plan`` are rows of key and value; ``worst`` is one sentence, empty before a measurement."""

    recipients: list[RecipientLine]
    law: list[dict[str, str]]
    people: str
    tables: list[TableOut]
    worst: str
    caveats: list[Caveat]
    reviewers: list[str]
    returned: list[Return]
    schedule: str


def sign_summary(
    project: Project,
    answer: Answer | None,
    found: Mapping[str, Any],
    *,
    scope: Mapping[str, Any],
    plan: PlanVersion | None,
    reviews: Iterable[Review],
) -> SignSummary:
    """``found`` is what :func:`projects.verification.pages.measured` says of the newest complete verification, if there is one;
    on paper there is no ``answer``, which is of the day."""
    verification: Verification | None = found.get("verification")
    recipients = recipient_lines(project)
    returned = returns_of(project)
    report = verification.measurement.report if verification is not None else None
    return SignSummary(
        recipients=recipients,
        law=law_rows(scope),
        people=_people(verification, report) if verification is not None and report is not None else "",
        tables=tables_out(verification.run, report)
        if verification is not None and report is not None
        else [],
        worst=_worst(verification, str(found.get("guarantee", ""))) if verification is not None else "",
        caveats=[
            *_of_measurement(verification, report, found),
            *_of_outsiders(verification),
            *_of_people(answer, found, recipients, returned),
        ],
        reviewers=_reviewers(reviews),
        returned=returned,
        schedule=schedule_text((plan.content.get("plan") if plan is not None else None) or {}),
    )


def _people(verification: Verification, report: Report) -> str:
    """Rows that go out, and how many persons they are of."""
    said = []
    for name, written in tables_of_run(verification.run).items():
        rows = written.result_rows or 0
        risk = report.of(name).risk
        if risk is not None and risk.persons is not None:
            text = _("%(persons)s persons in %(rows)s rows") % {
                "persons": count(risk.persons),
                "rows": count(rows),
            }
        else:
            text = _("%(rows)s rows; persons were not distinguished") % {"rows": count(rows)}
        said.append(titled(name, text))
    return _("; ").join(said)


def _worst(verification: Verification, guarantee: str) -> str:
    """The sentence of the table in which a person is found most easily; where that was not measured, what the protection is."""
    found = [one for one in verification.results if one.kind == "max_risk" and one.measured is not None]
    if not found:
        return guarantee
    worst = max(found, key=lambda one: one.measured or 0)
    return titled(worst.table, translated(worst.plain))


def _of_measurement(
    verification: Verification | None, report: Report | None, found: Mapping[str, Any]
) -> list[Caveat]:
    """What the measurement itself says against signing, leaves open, or did not measure."""
    if verification is None or report is None:
        return []
    kept = {row.column for row in found["exempt"]}
    missed = [
        Caveat(
            "fail" if row.passed is False else "unknown",
            _("%(column)s: %(kind)s") % {"column": row.label, "kind": row.plain or row.measured},
            "#gate",
        )
        for row in found["gate"]
        if row.passed is not True
    ]
    stayed = [
        Caveat(
            "warn",
            _("%(column)s tells records apart and was allowed to stay") % {"column": column},
            "#exempt",
        )
        for column in sorted(kept)
    ]
    below = verification.degree_below
    degree = [Caveat("fail", degree_statement(below, None), "#scales")] if below is not None else []
    caveats = [*missed, *degree, *scale_caveats(found), *stayed, *finding_caveats(found)]
    for name, content in verification.run.recipe_version.tables.items():
        if departs := preparation_facts(verification.run.project, content)["departs"]:
            caveats.append(Caveat("warn", titled(name, departs), "#recipe"))
    for name, written in tables_of_run(verification.run).items():
        lost = [
            text for step in written.report.get("steps", ()) for text in emptied(step.get("result") or {})
        ]
        caveats += [Caveat("warn", titled(name, text), "#recipe") for text in lost]
        if written.report.get("only_masks", False):
            caveats.append(Caveat("warn", titled(name, _("Nothing but masking was used")), "#recipe"))
    for name, of_table in report.by_table():
        caveats += uncovered(name, of_table)
    caveats += [Caveat("info", said) for said in found["severities"]]
    return caveats


def folded_caveats(verification: Verification, found: Mapping[str, Any]) -> list[Caveat]:
    """What the folded parts of the page of a measurement say against its result, leave open, or did not measure."""
    report = verification.measurement.report
    return [
        *scale_caveats(found),
        *override_caveats(found),
        *finding_caveats(found),
        *(caveat for name, of_table in report.by_table() for caveat in uncovered(name, of_table)),
    ]


def scale_caveats(found: Mapping[str, Any]) -> list[Caveat]:
    """The scales beside the gate that say no, or nothing."""
    caveats = []
    for scale in found["scales"]:
        if scale.passed is False:
            said = _("%(scale)s says no: %(value)s") % {"scale": scale.label, "value": scale.value}
            caveats.append(Caveat("fail", said, "#scales"))
        elif scale.passed is None and scale.has_threshold:
            caveats.append(Caveat("unknown", _("%(scale)s says nothing") % {"scale": scale.label}, "#scales"))
    return caveats


def finding_caveats(found: Mapping[str, Any]) -> list[Caveat]:
    """What the search for direct identifiers found, and parameters of techniques that passed with a remark."""
    kept = {row.column for row in found["exempt"]}
    return [
        Caveat("warn", _("%(column)s: %(kind)s") % {"column": row.column, "kind": row.kind}, "#residual")
        for row in found["residual"]
        if row.column not in kept
    ] + [
        Caveat("warn", row.plain, "#gate")
        for row in found["gate"]
        if row.kind == "parameters" and row.passed is True and row.plain
    ]


def uncovered(name: str, report: TableReport) -> list[Caveat]:
    """What the figures of persons do not cover."""
    risk, said = report.risk, []
    if risk is None:
        return []
    if risk.unique_persons:
        share = percent(risk.unique_persons)
        text = _("%(share)s of the persons can be told apart by someone who knows all their rows") % {
            "share": share
        }
        said.append(Caveat("warn", titled(name, text), "#population"))
    if report.population is None:
        text = _(
            "Not measured: the risk for someone who is only looked for in the data, because no population table was named"
        )
        said.append(Caveat("unknown", titled(name, text), "#population"))
    elif report.population.problem:
        said.append(
            Caveat("unknown", titled(name, _("The population table could not be used")), "#population")
        )
    return said


def override_caveats(found: Mapping[str, Any]) -> list[Caveat]:
    """What people decided against what the scan found: the verdicts as one line, and whose the rows are."""
    verdicts = [Caveat("warn", text, "#overrides") for text in overrides_said(found["overrides"])]
    return [*verdicts, *(Caveat("warn", text) for text in found["persons_aside"])]


def _of_outsiders(verification: Verification | None) -> list[Caveat]:
    """What external assessors say of the use of this very result, or were asked."""
    if verification is None:
        return []
    return [Caveat(TONES[one.verdict], opinion_text(one)) for one in opinions_about(verification)]


def _of_people(
    answer: Answer | None,
    found: Mapping[str, Any],
    recipients: Sequence[RecipientLine],
    returned: Sequence[Return],
) -> list[Caveat]:
    """What people set aside, sent back, or have not done yet."""
    caveats = override_caveats(found)
    back = [one for one in returned if one.unchanged]
    if back and (answer is None or answer.code not in ("returned", "justified")):
        caveats.append(
            Caveat("warn", _("Work that was returned once has been resubmitted unchanged"), "#returns")
        )
    if not recipients:
        caveats.append(Caveat("warn", _("No recipient is named"), ""))
    return caveats


def _reviewers(reviews: Iterable[Review]) -> list[str]:
    """Who reviewed which stages, by the last review of each that passed it."""
    passed = {
        row.stage: row
        for row in sorted(reviews, key=lambda row: row.recorded_at)
        if row.outcome == ReviewOutcome.PASSED
    }
    stages: dict[str, list[str]] = {}
    for row in passed.values():
        stages.setdefault(row.reviewer_text, []).append(str(row.stage_label))  # type: ignore[attr-defined]
    return [beside(person, _(", ").join(names)) for person, names in stages.items()]
