"""The usual treatments of an identifier, by its kind (GB/T 37964 C.2), as choices of the editor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from techniques.core.kinds import kind_of
from techniques.recipe.presets import Preset, presets


def by_code(kind: str) -> dict[str, Preset]:
    """The ways that the standard lists for a column of this kind, by a code for the form."""
    known = kind_of(kind).treated_as
    return {} if known is None else {f"{p.kind}-{p.key}": p for p in presets(known)}


def choices(kind: str) -> list[tuple[str, str]]:
    """(value, label) of each usual treatment; the label says what stays of the value, and what the way cannot do."""
    return [
        (
            f"preset:{code}",
            f"{_(preset.name)} – {_(preset.keeps)}" + (f" {_(preset.limit)}" if preset.limit else ""),
        )
        for code, preset in by_code(kind).items()
    ]


def chosen(kind: str, code: str) -> tuple[str, Mapping[str, Any]] | None:
    """Technique and settings of a choice; None where this kind has no such treatment."""
    preset = by_code(kind).get(code)
    return None if preset is None else (preset.technique, preset.settings)
