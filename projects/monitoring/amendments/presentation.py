"""An amendment in rows: for its page, the page of its re-assessment, the report and the API."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.timezone import localdate
from django.utils.translation import gettext as _

from projects.core.numbers import percent
from projects.identification.enums import ColumnRole
from projects.objective.presentation import risk_rows
from projects.objective.surroundings.context import level_word
from projects.objective.targets.conditions import OPTIONAL_TARGETS
from projects.objective.targets.risk import RiskTargets
from projects.objective.targets.strictness import Direction, changes
from techniques.disclosure_risk.scales.environment import CONTROLS, MOTIVES, Level
from techniques.disclosure_risk.scales.recovery import RECOVERY
from techniques.disclosure_risk.scales.safeguards import MANAGEMENT, TECHNICAL

from ..enums import AmendmentKind, AmendmentOutcome
from ..models import Amendment, Reassessment
from .selectors import amendments_of, labelled, role_label
from .yardstick import probability_of

TONES = {
    AmendmentOutcome.WAITING: "warn",
    AmendmentOutcome.REVIEWED: "warn",
    AmendmentOutcome.APPROVED: "ok",
    AmendmentOutcome.REFUSED: "fail",
    AmendmentOutcome.REPLACED: "neutral",
    AmendmentOutcome.LAPSED: "neutral",
}
# By a sensitive attribute nobody is told apart; of a quasi-identifier nothing is asked about its own values.
_OF_ROLES = {
    (ColumnRole.QUASI.value, ColumnRole.SENSITIVE.value): Direction.LOOSER,
    (ColumnRole.SENSITIVE.value, ColumnRole.QUASI.value): Direction.OTHER,
}
_GRADES = [Level.LOW.value, Level.MEDIUM.value, Level.HIGH.value]


@dataclass(frozen=True)
class ChangedRow:
    """One thing that an amendment replaces; ``direction`` is "" where it is no demand by itself."""

    label: str
    former: str
    proposed: str
    direction: str = ""

    @property
    def word(self) -> str:
        words = {
            Direction.STRICTER: _("asks for more"),
            Direction.LOOSER: _("asks for less"),
            Direction.OTHER: _("measured in another way"),
        }
        return words[Direction(self.direction)] if self.direction else ""

    @property
    def tone(self) -> str:
        tones = {Direction.STRICTER: "info", Direction.LOOSER: "fail", Direction.OTHER: "warn"}
        return tones[Direction(self.direction)] if self.direction else ""


def changed_rows(amendment: Amendment) -> list[ChangedRow]:
    """What is replaced and by what, with whether that asks for more or less."""
    if amendment.kind == AmendmentKind.TARGETS:
        sharing = amendment.project.sharing_type
        return _targets(RiskTargets(**amendment.former), RiskTargets(**amendment.content), sharing)
    if amendment.kind == AmendmentKind.SURROUNDINGS:
        return _surroundings(amendment.former, amendment.content)
    return [
        ChangedRow(
            labelled(now["table"], now["column"]),
            role_label(was["role"]),
            role_label(now["role"]),
            _OF_ROLES.get((was["role"], now["role"]), Direction.STRICTER),
        )
        for was, now in zip(amendment.former, amendment.content, strict=True)
    ]


def _targets(before: RiskTargets, after: RiskTargets, sharing_type: str) -> list[ChangedRow]:
    old, new = ({row["key"]: row for row in risk_rows(one, sharing_type)} for one in (before, after))
    kinds = {target.name for target in OPTIONAL_TARGETS if target.kind}
    rows = []
    for name, direction in changes(before, after).items():
        said = [_said(found.get(name), name in kinds) for found in (old, new)]
        label = (new.get(name) or old.get(name) or {"label": name})["label"]
        rows.append(ChangedRow(label, said[0], said[1], direction))
    return rows


def _said(row: Mapping[str, str] | None, in_words: bool) -> str:
    """A target as it stands in a list; one that can be measured in several ways says by which."""
    if row is None:
        return _("Not asked for")
    return row["plain"] if in_words else row["target"]


def _surroundings(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[ChangedRow]:
    """The probability of an attempt and the grades first, then each answer that differs."""
    now, was = after["finding"], before.get("finding")
    value, former = probability_of(now), before["value"]
    higher = Direction.STRICTER if value > former else Direction.LOOSER
    direction = "" if value == former else higher
    rows = [ChangedRow(_("Probability of an attempt"), percent(former), percent(value), direction)]
    for name, label in (
        ("capability", _("Grade of the recipient's safeguards (T/ISC 0078 C.5)")),
        ("controls", _("Grade of the controls")),
        ("motive", _("Grade of motive and capacity")),
    ):
        old, new = _grade(was, name), _grade(now, name)
        if old != new:
            # Better safeguards ask for smaller classes; the other grades count through the probability.
            judged = name == "capability" and bool(old)
            better = judged and _GRADES.index(new) > _GRADES.index(old)
            direction = "" if not judged else Direction.LOOSER if better else Direction.STRICTER
            rows.append(ChangedRow(label, level_word(old) if old else "–", level_word(new), direction))
    said, had = after["answers"], before.get("answers") or {}
    for group, items in (
        ("controls", CONTROLS),
        ("motives", MOTIVES),
        ("safeguards", (*TECHNICAL, *MANAGEMENT)),
        ("recovery", RECOVERY),
    ):
        old_answers = had.get(group) or {}
        for item in items:
            # An amendment from before a group was asked about has no answers to it.
            one, other = old_answers.get(item.code), (said.get(group) or {}).get(item.code)
            if one != other:
                rows.append(ChangedRow(_(item.title), _answer(one), _answer(other)))
    for name, label in (
        ("safeguards_source", _("What the answers about safeguards are based on")),
        ("recovery_source", _("What the answers about recovery are based on")),
        ("prevalence_source", _("Where the share of people who have the trait was read")),
        ("breach_source", _("Where that rate was published")),
    ):
        # What was answered before a source was asked for has none.
        old, new = had.get(name, ""), said.get(name, "")
        if old != new:
            rows.append(ChangedRow(label, old or "–", new or "–"))
    for name, label in (
        ("breach", _("Yearly rate of breaches in the recipient's sector")),
        ("prevalence", _("How common is the trait that the data describe?")),
    ):
        if had.get(name) != said[name]:
            rows.append(
                ChangedRow(label, "–" if name not in had else percent(had[name]), percent(said[name]))
            )
    return rows


def _grade(found: Mapping[str, Any] | None, name: str) -> str:
    """A grade of an assessment; "" where there is none, or where it was not asked for yet."""
    if found is None:
        return ""
    return str(found.get("safeguards", {}).get(name, "") if name == "capability" else found[name])


def _answer(value: float | None) -> str:
    return {None: "–", 0.0: _("no"), 0.5: _("in part"), 1.0: _("yes")}[value]


def amendment_row(amendment: Amendment) -> dict[str, Any]:
    """An amendment with its rows, and what of it asks for less."""
    rows = changed_rows(amendment)
    return {
        "amendment": amendment,
        "title": _("Amendment %(number)s: %(kind)s")
        % {"number": amendment.number, "kind": amendment.get_kind_display()},
        "tone": TONES[AmendmentOutcome(amendment.outcome)],
        "rows": rows,
        "looser": [row.label for row in rows if row.direction == Direction.LOOSER],
    }


def columns_counted(reassessment: Reassessment) -> list[str]:
    """For each amendment of columns by which it was measured, what they count as since when."""
    said = []
    for one in amendments_of(reassessment.project):
        if one.kind != AmendmentKind.COLUMNS or one.number not in reassessment.remeasured.amendments:
            continue
        assert one.decided_at is not None  # it was approved
        for row in one.content:
            text = _("Since the amendment of %(day)s %(column)s counts as: %(role)s.")
            column = labelled(row["table"], row["column"])
            said.append(
                text
                % {
                    "day": localdate(one.decided_at).isoformat(),
                    "column": column,
                    "role": role_label(row["role"]),
                }
            )
    return said
