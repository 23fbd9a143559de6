"""The rule library as a page shows it: what the engine's rules look for, and how sure a hit is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from projects.identification.enums import ColumnRole
from techniques.core.attributes import ROLE_NAMES
from techniques.core.kinds import KINDS
from techniques.identification.patterns import RULES, Strength

from .selectors import metadata_entries

STRENGTHS: dict[Strength, Any] = {
    Strength.PROVEN: gettext_lazy("Proven: a check digit or an unmistakable form"),
    Strength.SEGMENT: gettext_lazy("Strong: fixed length and number ranges"),
    Strength.FORM: gettext_lazy("Form only: other codes may look the same"),
}


@dataclass(frozen=True)
class LibraryRule:
    kind: str
    name: str
    role: str
    strength: str
    proven: bool
    checks: str
    example: str


def library() -> list[LibraryRule]:
    """Every rule of the engine in its order of precedence, then the two checks of a whole column."""
    lines = []
    for rule in RULES:
        kind = KINDS.get(rule.kind)
        lines.append(
            LibraryRule(
                kind=rule.kind,
                name=_(kind.name) if kind else rule.kind,
                role=_(ROLE_NAMES[kind.role]) if kind else "",
                strength=str(STRENGTHS[rule.strength]),
                proven=rule.strength == Strength.PROVEN,
                checks=_checks(rule.check is not None, rule.whole is not None),
                example=kind.example if kind else "",
            )
        )
    for code, text in (
        ("row_number", _("Whether the values of a column simply count up from row to row")),
        ("unique_key", _("Whether nearly every row of a column has a unique value")),
    ):
        kind = KINDS[code]
        lines.append(LibraryRule(code, _(kind.name), _(ROLE_NAMES[kind.role]), "", False, text, kind.example))
    return lines


def own_rules() -> list[LibraryRule]:
    """The rules on values of the organisation's own, which stand in its metadata table."""
    text = _("The organisation's own form of the whole value: %(form)s")
    return [
        LibraryRule(
            kind=entry.kind,
            name=_(entry.name),
            role=str(ColumnRole(entry.role).label),
            strength=str(STRENGTHS[Strength.FORM]),
            proven=False,
            checks=text % {"form": entry.value_form},
            example="",
        )
        for entry in metadata_entries()
        if entry.value_form
    ]


def _checks(has_check: bool, has_whole: bool) -> str:
    if has_check:
        return _(
            "The written form, and then a check digit, a date or a number range; also inside longer texts"
        )
    if has_whole:
        return _("The written form of the whole value, and the same form inside longer texts")
    return _("The written form inside longer texts")
