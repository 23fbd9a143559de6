"""The usual treatments of an identifier, by its kind (GB/T 37964 C.2), as choices of the editor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from techniques.recipe.presets import Identifier, Preset, presets

# Kinds that the identification finds, among those that C.2 speaks of.
_KINDS: dict[str, Identifier] = {
    "person_name": Identifier.NAME,
    "account_name": Identifier.NAME,
    "id_number": Identifier.ID_NUMBER,
    "id_number_like": Identifier.ID_NUMBER,
    "bank_card": Identifier.BANK_CARD,
    "address": Identifier.ADDRESS,
    "region": Identifier.ADDRESS,
    "phone": Identifier.PHONE,
    "fax": Identifier.PHONE,
    "age": Identifier.NUMBER,
    "income": Identifier.NUMBER,
    "school_years": Identifier.NUMBER,
    "fee": Identifier.NUMBER,
    "account_balance": Identifier.NUMBER,
    "lab_result": Identifier.NUMBER,
    "birth_date": Identifier.DATE,
    "event_date": Identifier.DATE,
    "date": Identifier.DATE,
    "coordinates": Identifier.POSITION,
}


def usual(kind: str) -> dict[str, Preset]:
    """The ways that the standard lists for a column of this kind, by a code for the form."""
    known = _KINDS.get(kind)
    return {} if known is None else {f"{p.kind}-{p.key}": p for p in presets(known)}


def choices(kind: str) -> list[tuple[str, str]]:
    """(value, label) of each usual treatment; the label says what stays of the value."""
    return [
        (f"usual:{code}", f"{_(preset.name)} – {_(preset.keeps)}") for code, preset in usual(kind).items()
    ]


def chosen(kind: str, code: str) -> tuple[str, Mapping[str, Any]] | None:
    """Technique and settings of a choice; None where this kind has no such treatment."""
    preset = usual(kind).get(code)
    return None if preset is None else (preset.technique, preset.settings)
