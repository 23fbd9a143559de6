"""Whether a column of made-up values gives anything of the source away (GB/T 37964 5.5.2 a).

Made-up names, numbers and addresses look like somebody's, so the rules find them in the result as they would find raw
ones. What tells them from raw ones is the source: a value that was drawn without a look at the source is one of its values
no more often than chance has it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from techniques.catalogue.pseudonymization import NameDictionarySettings
from techniques.core import faults
from techniques.families.pseudonymization.name_dictionary import dictionary_of
from techniques.recipe.recipe import Recipe

_DEVIATIONS = 4
"""Standard deviations that may lie between the hits that chance gives and those that were counted."""
_OWN_LIST = 0.5
"""Share of a list of one's own that may occur in the source; above it the list is made of the source."""


@dataclass(frozen=True)
class Hits:
    """Shares of the rows, 0 to 1, whose made-up value occurs in the source too: as counted, as chance gives it, and the most
    that is taken for chance. ``foreign`` rows hold a value that the dictionary does not have."""

    rows: int
    names: int
    foreign: int
    share: float
    chance: float
    most: float
    own_list: bool

    @property
    def accepted(self) -> bool:
        """Whether the source shows no more than chance."""
        from_source = self.own_list and self.chance > _OWN_LIST
        return self.rows > 0 and not self.foreign and self.share <= self.most and not from_source


def dictionaries(recipe: Recipe) -> dict[str, NameDictionarySettings]:
    """Column → settings, where one step alone has treated it, and by names of a dictionary."""
    times = Counter(column for step in recipe.steps for column in step.columns)
    return {
        column: step.parameters
        for step in recipe.steps
        if isinstance(step.parameters, NameDictionarySettings)
        for column in step.columns
        if times[column] == 1
    }


def dictionary_hits(
    source: Iterable[pa.RecordBatch],
    result: Iterable[pa.RecordBatch],
    settings: Mapping[str, NameDictionarySettings],
) -> dict[str, Hits]:
    """How often names of the result occur in the source, column by column; missing and starred ones are left out.

    Each of the source's values was assigned a name without regard to what it is. So it hits one of the source's values with
    the share of these among the names, and its rows all hit or all miss. EngineError ``unknown_column``.
    """
    before, after = _counts(source, settings), _counts(result, settings)
    return {
        column: _hits(before[column], after[column], dictionary_of(of), bool(of.names))
        for column, of in settings.items()
    }


def _hits(before: pa.Table, after: pa.Table, names: list[str], own_list: bool) -> Hits:
    theirs, weights = before["values"], np.asarray(before["count"])
    counts, total = np.asarray(after["count"]), max(int(weights.sum()), 1)
    listed = pa.array(names, pa.string())
    chance = pc.sum(pc.is_in(listed, theirs)).as_py() / len(names)
    spread = math.sqrt(chance * (1 - chance) * float(((weights / total) ** 2).sum()))
    rows = int(counts.sum())
    hits = int(counts[np.asarray(pc.is_in(after["values"], theirs))].sum())
    return Hits(
        rows=rows,
        names=len(names),
        foreign=rows - int(counts[np.asarray(pc.is_in(after["values"], listed))].sum()),
        share=hits / max(rows, 1),
        chance=chance,
        most=chance + _DEVIATIONS * spread + 1e-9,
        own_list=own_list,
    )


def _counts(batches: Iterable[pa.RecordBatch], columns: Iterable[str]) -> dict[str, pa.Table]:
    """How often each value of each column occurs: a table with ``values`` and ``count``."""
    found: dict[str, list[pa.Table]] = {column: [] for column in columns}
    for batch in batches:
        for column, parts in found.items():
            if column not in batch.schema.names:
                raise faults.unknown_column(column)
            values: Any = batch.column(column)
            if pa.types.is_dictionary(values.type):
                values = values.cast(values.type.value_type)
            values = pc.utf8_trim_whitespace(values.drop_null())
            values = values.filter(pc.invert(pc.match_substring_regex(values, r"^\**$")))
            parts.append(pa.table({"values": values}).group_by("values").aggregate([([], "count_all")]))
    empty = pa.table({"values": pa.array([], pa.string()), "count_all": pa.array([], pa.int64())})
    return {
        column: pa.concat_tables([empty, *parts])
        .group_by("values")
        .aggregate([("count_all", "sum")])
        .rename_columns({"values": "values", "count_all_sum": "count"})
        for column, parts in found.items()
    }
