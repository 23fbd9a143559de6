"""Pseudonyms of one key that releases write with other prefixes and lengths (GB/T 37964 A.4.3).

A shorter pseudonym is the beginning of the longer one of the same value where it is written in hexadecimal, and its end where it is
the rest of a division, in digits or in letters and digits. Whoever has both releases joins them by what the two have in common.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from techniques.catalogue.pseudonymization import KEYED_HASH, KeyedHashSettings
from techniques.core.messages import EngineError, _
from techniques.core.settings import TechniqueSettings
from techniques.disclosure_risk.releases.covers import SUPPRESSED

Treatment = Sequence[tuple[str, TechniqueSettings]]
"""The techniques that treat a column of pseudonyms, the one that gives them first, with their settings."""
_NOT_WRITTEN = ("domain", "joinable", "purpose", "maximum_collision_probability")
"""Settings that say under which key pseudonyms are, or when a run stops, and not how they read."""


def in_common(columns: Sequence[pa.ChunkedArray], treatments: Sequence[Treatment]) -> list[pa.Array]:
    """The pseudonyms of each release as texts of which equal ones are of one value; a missing one and ``*`` stay.

    Raises EngineError ``pseudonyms_differ`` where they are written in ways of which that cannot be said.
    """
    texts = [one.combine_chunks().cast(pa.string()) for one in columns]
    forms = [[_form(*one) for one in treatment] for treatment in treatments]
    if all(one == forms[0] for one in forms[1:]):
        return texts
    settings = [_shortened(treatment) for treatment in treatments]
    if len({(one.algorithm, one.alphabet) for one in settings}) > 1:
        raise _differ()
    shortest = min(one.length for one in settings)
    return [_cut(one, given, shortest) for one, given in zip(texts, settings, strict=True)]


def _form(technique: str, settings: TechniqueSettings) -> tuple[str, dict[str, Any]]:
    return technique, settings.model_dump(mode="json", exclude={*_NOT_WRITTEN})


def _shortened(treatment: Treatment) -> KeyedHashSettings:
    """The settings of the keyed hash that alone treats a column."""
    if len(treatment) == 1 and treatment[0][0] == KEYED_HASH.key:
        settings = treatment[0][1]
        assert isinstance(settings, KeyedHashSettings)
        return settings
    raise _differ()


def _cut(texts: pa.Array, settings: KeyedHashSettings, length: int) -> pa.Array:
    missing = pc.or_(pc.is_null(texts), pc.is_in(texts, pa.array(["", SUPPRESSED])))
    whole = len(settings.prefix) + settings.length
    fits = pc.and_(pc.equal(pc.utf8_length(texts), whole), pc.starts_with(texts, settings.prefix))
    if len(texts) and not pc.all(pc.or_(missing, pc.fill_null(fits, False))).as_py():
        raise _differ()
    start = len(settings.prefix) if settings.alphabet == "hex" else whole - length
    return pc.if_else(missing, texts, pc.utf8_slice_codeunits(texts, start, start + length))


def _differ() -> EngineError:
    text = _(
        "These releases write the pseudonyms of one key in different ways, so that which of them belong together cannot be seen by "
        "comparing them."
    )
    return EngineError("pseudonyms_differ", text)
