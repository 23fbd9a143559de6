"""Masking of single values for display, at once and irreversibly (T/ISC Annex B.3).

A treatment is one of the presets of :mod:`techniques.recipe.presets` that looks at one value alone and keeps no way
back, or one of the two ends: hidden whole, shown in full. A value without the shape of its kind is hidden whole, and
so is every kind without a treatment.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from techniques import catalogue
from techniques.core.kinds import Identifier
from techniques.core.messages import EngineError, _
from techniques.recipe.presets import Preset, presets

HIDDEN, IN_FULL = "hidden", "in_full"
NOTHING = "***"
"""What stands for a value that is hidden whole; it does not tell the length."""
LONGEST = 1000
"""Characters of a value that is looked at; a longer one is hidden whole."""


@dataclass(frozen=True)
class Treatment:
    """One way to show a kind of identifier; texts are untranslated."""

    key: str
    name: str
    keeps: str


_ENDS = (
    Treatment(HIDDEN, _("Fully hidden"), _("Nothing.")),
    Treatment(IN_FULL, _("Shown in full"), _("Everything.")),
)


@lru_cache(maxsize=1)
def treatments() -> dict[Identifier, tuple[Treatment, ...]]:
    """What may be chosen for each kind, from the least that is shown to the most."""
    return {
        kind: (
            _ENDS[0],
            *(Treatment(p.key, p.name, p.keeps) for p in presets(kind) if p.masks_live),
            _ENDS[1],
        )
        for kind in Identifier
    }


@lru_cache(maxsize=64)
def _preset(kind: Identifier, key: str) -> Preset:
    for preset in presets(kind):
        if preset.key == key and preset.masks_live:
            return preset
    text = _("There is no way “%(treatment)s” to show values of the kind “%(kind)s”.")
    raise EngineError("treatment_unknown", text, treatment=key, kind=kind.value)


def check(chosen: Mapping[str, str]) -> dict[Identifier, str]:
    """The treatments by kind; EngineError ``kind_unknown`` or ``treatment_unknown`` where one is not known."""
    found: dict[Identifier, str] = {}
    for code, key in chosen.items():
        if code not in set(Identifier):
            raise EngineError("kind_unknown", _("There is no kind of identifier “%(kind)s”."), kind=code)
        kind = Identifier(code)
        if key not in (HIDDEN, IN_FULL):
            _preset(kind, key)
        found[kind] = key
    return found


def mask(values: Sequence[tuple[str, str | None]], chosen: Mapping[Identifier, str]) -> list[str | None]:
    """Each of n (kind, value) as it may be shown under ``chosen``; None stays None.

    A kind that is not chosen, not known, or met by a value of another shape gives :data:`NOTHING`.
    """
    shown: list[str | None] = [None if value is None else NOTHING for _kind, value in values]
    partly: dict[str, tuple[Preset, list[int]]] = {}
    in_full: set[str] = set()
    for kind in Identifier:
        key = chosen.get(kind, HIDDEN)
        if key == IN_FULL:
            in_full.add(kind.value)
        elif key != HIDDEN:
            partly[kind.value] = _preset(kind, key), []
    for place, (code, value) in enumerate(values):
        if value is None or len(value) > LONGEST:
            continue
        if code in partly:
            partly[code][1].append(place)
        elif code in in_full:
            shown[place] = value
    for preset, where in partly.values():
        if where:
            for place, text in zip(where, _apply(preset, [values[p][1] for p in where]), strict=True):
                shown[place] = NOTHING if text is None else text
    return shown


def _apply(preset: Preset, values: Sequence[str | None]) -> list[str | None]:
    """New values, None where the technique suppressed the value or cannot read it."""
    import pyarrow as pa

    outcome = _operation(preset.kind, preset.key).apply(pa.array(values, pa.string()))
    texts: list[str | None] = outcome.values.to_pylist()
    if outcome.unfit is not None:
        texts = [None if bad else text for text, bad in zip(texts, outcome.unfit.tolist(), strict=True)]
    return texts


@lru_cache(maxsize=64)
def _operation(kind: Identifier, key: str) -> Any:
    from techniques.core.operations import Context
    from techniques.core.secrets import Secrets

    preset = _preset(kind, key)
    context = Context(0, ("value",), 1, Secrets(b"", b""))
    return catalogue.implementation(preset.technique)(preset.parameters(), context)
