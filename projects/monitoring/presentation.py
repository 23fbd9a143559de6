"""What the pages of monitoring show, as labels and values."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from approvals.decisions.models import Review, ReviewOutcome
from approvals.passages import passage
from projects.core.deadlines import deadline_on
from projects.core.numbers import amount, bound, count, moment, number, percent
from projects.verification.gate.check import OF_TARGETS, label_of, source_text
from projects.verification.gate.checks import check_of
from projects.verification.gate.checks.integrity import Integrity
from projects.verification.gate.population import population_statements
from projects.verification.presentation import gate_row
from projects.verification.remedies.presentation import CheckRemedies
from projects.verification.reports.gate import CheckResult, Report, Risk, TableReport
from projects.verification.reports.stored import text
from projects.verification.wording import translated
from projects.workflow import Stage
from techniques.core.messages import gettext_noop

from .models import LaterReassessment, Reassessment
from .report import Outside, Relations, RemeasuredCheck, Remeasurement


class ReviewRow:
    """A stage review for the list: the fields of the review, its stage's label and a short note."""

    def __init__(self, review: Review) -> None:
        self._review = review
        self.stage_label = str(Stage(review.stage).label)
        self.note = f"{review.get_outcome_display()} · {moment(review.time)} · {review.reviewer_text}"
        self.tone = "ok" if review.outcome == ReviewOutcome.PASSED else "warn"

    def __getattr__(self, name: str) -> Any:
        return getattr(self._review, name)


def reassessment_status(reassessment: Reassessment) -> tuple[str, str]:
    """Tone and word for where a re-assessment stands."""
    if reassessment.concluded_at is not None:
        return "ok", _("Concluded")
    if reassessment.release.ended_at is not None:
        return "neutral", _("No longer needed: the release has ended")
    if reassessment.is_overdue:
        return "fail", deadline_on(reassessment.due_on).text
    if reassessment.opened_at is None:
        return "neutral", _("Planned")
    if reassessment.measured_at is None:
        return "info", _("Being measured")
    return "warn", _("Awaits its conclusion")


def gate_rows(reassessment: Reassessment | LaterReassessment) -> list[dict[str, Any]]:
    """What was measured against today's targets, as the gate tells it, and what at approval, for the gate table."""
    nothing = Report()
    remedies = CheckRemedies(nothing)
    rows = []
    for kept in reassessment.remeasured.checks:
        result = _whole(kept)
        if kept.targets_on:
            # The amended targets ask for it, not those of the plan.
            left = [one for one in result.details if one.message != OF_TARGETS]
            result = result.model_copy(update={"details": left})
        # A check that could not run now has no unit of its own, but the figure of the approval has one.
        unit = check_of(result.kind).unit if result.unit == "none" else result.unit
        row, earlier = gate_row(result, nothing, remedies, ""), amount(kept.approved, unit)
        label = row.label
        if result.kind == Integrity.kind:
            label = label_of(result.model_copy(update={"label": text(SEAL_LABEL)}))
        shown = {
            "label": label,
            "earlier": earlier or "–",
            "measured": row.measured or "–",
            "plain": passage([row.plain, *amended_texts(kept)]),
        }
        rows.append(vars(row) | shown)
    return rows


def amended_texts(kept: RemeasuredCheck) -> list[str]:
    """By which amendment a check was measured, and what counted before it; nothing where neither its target nor its surroundings
    were amended."""
    said = []
    if kept.targets_on and kept.former is None:
        said.append(
            _("By the targets amended on %(day)s; at approval nothing alike was asked for.")
            % {"day": kept.targets_on}
        )
    elif kept.targets_on:
        former = bound(kept.former, kept.unit, kept.sense)
        text = _("By the targets amended on %(day)s; formerly %(former)s.")
        said.append(text % {"day": kept.targets_on, "former": former})
    if kept.surroundings_on and kept.attempt is not None and kept.former_attempt is not None:
        text = _(
            "By the surroundings amended on %(day)s: probability of an attempt %(attempt)s; formerly %(former)s."
        )
        figures = {"attempt": percent(kept.attempt), "former": percent(kept.former_attempt)}
        said.append(text % ({"day": kept.surroundings_on} | figures))
    return said


def degree_fell_text(measured: Remeasurement) -> str:
    """That the degree of anonymisation is below 1 in the surroundings of today, and was not at approval."""
    now, before = measured.degree, measured.approved_degree
    assert now is not None  # as whoever asks has seen
    assert before is not None
    text = _(
        "In the amended surroundings the degree of anonymisation by T/ISC 0078 is %(now)s, below 1; at approval it was %(before)s."
    )
    return text % {"now": number(now.degree), "before": number(before.degree)}


def met_text(measured: Remeasurement) -> str:
    """Whether every target is still met, as the headline of page and report."""
    if measured.met:
        return _("Measured again: every target is still met")
    if measured.met_alone and measured.tells_more_together:
        return _("Measured again: together with other releases not every target is still met")
    return _("Measured again: not every target is still met")


def relations_texts(found: Relations | None) -> list[str]:
    """What is known of the other releases that may tell of the same persons; nothing of before this was asked."""
    if found is None:
        return []
    if not found.outside:
        return _measurable_texts(found)
    text = ngettext(
        "%(n)s release made outside the portal may concern the same persons; what it reveals together with this release could not be measured, because the portal does not have its file.",
        "%(n)s releases made outside the portal may concern the same persons; what they reveal together with this release could not be measured, because the portal does not have their files.",
        found.outside,
    )
    return [*(_measurable_texts(found) if found.releases else ()), text % {"n": count(found.outside)}]


def _measurable_texts(found: Relations) -> list[str]:
    if not found.releases:
        return [_("When this was measured, no other release was known that may concern the same persons.")]
    said = [
        _("Other releases that may concern the same persons: %(releases)s.") % {"releases": found.releases}
    ]
    if found.shared:
        text = _(
            "Live ones among them held by recipients of this one too: %(shared)s; recipients who hold several: %(persons)s."
        )
        said.append(text % {"shared": found.shared, "persons": found.persons})
    else:
        said.append(_("None of those that are live is held by a recipient of this one."))
    if not found.measurement:
        said.append(_("What they reveal together with this release was not measured yet."))
        return said
    text = _(
        "Measured together as %(measurement)s: of %(sets)s combinations %(risky)s reveal more than one release alone."
    )
    said.append(text % {"measurement": found.measurement, "sets": found.sets, "risky": found.risky})
    if found.in_one_hand:
        text = _("Of these, combinations that one recipient can hold whole: %(number)s.")
        said.append(text % {"number": found.in_one_hand})
    if found.failed:
        said.append(_("%(failed)s of them could not be measured.") % {"failed": found.failed})
    return said


def outside_texts(measured: Remeasurement) -> list[tuple[str, list[str]]]:
    """Table → what others' data tell beside what was released of it: the journalist's risk, and how often a guess is right."""
    found = []
    for name, one in measured.outside.items():
        # Where the risk could not be measured, nothing was compared either.
        compared = one.population.problem is not None or one.population.columns
        report = TableReport(risk=Risk(), population=one.population)
        found.append((name, [*(population_statements(report) if compared else ()), *_attack_texts(one)]))
    return found


def _attack_texts(one: Outside) -> list[str]:
    if one.problem is not None:
        return [
            _("Nobody of it could be looked for in the release. %(why)s") % {"why": translated(one.problem)}
        ]
    looked = _(
        "Persons of it who were looked for in the release: %(looked_for)s, by %(columns)s; persons who have their like there: %(attempts)s."
    )
    said = [
        looked
        % {
            "looked_for": count(one.looked_for),
            "columns": _(", ").join(one.columns),
            "attempts": count(one.attempts),
        }
    ]
    if not one.attempts:
        return said
    right = _(
        "A guess about one of these is right in %(share)s of the cases (95 %% interval: %(low)s to %(high)s)."
    )
    share = one.successes / one.attempts
    said.append(right % {"share": percent(share), "low": percent(one.low), "high": percent(one.high)})
    if one.single:
        text = _("Matched by one person alone: %(single)s; of these matches %(right)s are right.")
        said.append(text % {"single": count(one.single), "right": count(one.single_right)})
    return said


SEAL_LABEL = gettext_noop("The seal of the stored file is intact")


def _whole(kept: RemeasuredCheck) -> CheckResult:
    """A check as the gate writes it, also of a re-assessment that kept only kind, target, figure and outcome."""
    if kept.label.message:
        return kept
    check = check_of(kept.kind)
    fields = {
        "label": text(source_text(check.label)),
        "unit": check.unit,
        "sense": check.sense,
        "passed": kept.met,
    }
    return kept.model_copy(update=fields)


def reassessment_row(reassessment: Reassessment) -> dict[str, Any]:
    """A line of the list and of the board."""
    tone, word = reassessment_status(reassessment)
    return {
        "reassessment": reassessment,
        "tone": tone,
        "word": word,
        "why": str(reassessment.change) if reassessment.change else _("Periodic"),
    }
