"""The rule library as a page shows it: what the engine's rules look for, and how sure a hit is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from techniques.core.kinds import KINDS, ROLE_NAMES
from techniques.identification.patterns import RULES, Strength

STRENGTHS: dict[Strength, Any] = {
    Strength.PROVEN: gettext_lazy("Proven: a check digit or an unmistakable form"),
    Strength.SEGMENT: gettext_lazy("Strong: fixed length and number ranges"),
    Strength.FORM: gettext_lazy("Form only: other codes may look alike"),
}
# Made up for this page: born in 2099, reserved for documentation, or all zeros. Tests try each on its rule.
EXAMPLES: dict[str, str] = {
    "id_number": "110101209912310015",
    "id_number_like": "110101209912310010",
    "credit_code": "91110000000000000E",
    "email": "someone@example.com",
    "url": "https://www.example.com/a",
    "device_id": "00:00:5E:00:53:AF",
    "ip_address": "192.0.2.17",
    "phone": "139 0000 0000",
    "bank_card": "6200 0000 0000 0000",
    "licence_plate": "京A00000",
    "vin": "LSVAA00A100000001",
    "passport": "E00000000",
    "hk_mo_tw_permit": "H00000000",
    "messenger": "微信：example_id",
    "person_name": "联系人：欧阳明",
    "address": "某省某市某区某路1号",
    "row_number": "1, 2, 3, …",
}


@dataclass(frozen=True)
class LibraryRule:
    """One line of the page."""

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
                example=EXAMPLES.get(rule.kind, ""),
            )
        )
    for code, text in (
        ("row_number", _("Whether the values of a column simply count on from row to row")),
        ("unique_key", _("Whether nearly every row of a column has a value of its own")),
    ):
        kind = KINDS[code]
        lines.append(
            LibraryRule(code, _(kind.name), _(ROLE_NAMES[kind.role]), "", False, text, EXAMPLES.get(code, ""))
        )
    return lines


def _checks(has_check: bool, has_whole: bool) -> str:
    if has_check:
        return _(
            "The written form, and then a check digit, a date or a number range; also inside longer texts"
        )
    if has_whole:
        return _("The written form of the whole value, and the same form inside longer texts")
    return _("The written form inside longer texts")
