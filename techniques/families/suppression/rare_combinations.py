"""Local suppression of rare combinations (GB/T 37964 A.3.3): the cheapest cells of each rare row."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from techniques.catalogue.suppression import RareCombinationsSettings
from techniques.core import faults
from techniques.core.messages import EngineError, _
from techniques.core.operations import Context, Learned, StringArray, TableOperation, TableOutcome, Tally
from techniques.core.tuples import Codes, TupleKeys
from techniques.families.suppression.choosing import cheapest_choices
from techniques.families.suppression.limit import hold_limit

MAXIMUM_COLUMNS = 12
"""Choices of cells are 2 to the power of the columns."""


class RareCombinations(TableOperation):
    """Suppress, in each rare combination, the least important cells so that enough rows agree in the others; persons, where
    those are known.

    Each row's visible cells then fit at least the minimum number of rows, where a suppressed cell fits every value.
    No cheaper choice of cells in a combination does it.
    """

    def __init__(self, settings: RareCombinationsSettings, context: Context) -> None:
        self.settings: RareCombinationsSettings = settings
        self.columns = context.columns
        if len(self.columns) > MAXIMUM_COLUMNS or not set(settings.importance) <= set(self.columns):
            text = _(
                "Suppressing rare combinations takes up to %(limit)d columns, and importance is given to "
                "columns of the step only."
            )
            raise EngineError("combination_columns", text, limit=MAXIMUM_COLUMNS)

    def fit(self, tally: Tally, tick: Any) -> Learned:
        """Which cells go; EngineError ``k_too_large``, ``suppression_over_limit``."""
        s = self.settings
        if tally.persons is not None and tally.persons.number < s.minimum_count:
            raise faults.k_above_persons(s.minimum_count, tally.persons.number)
        if tally.rows < s.minimum_count:
            raise faults.k_too_large(s.minimum_count, tally.rows)
        chosen = self._choose(tally, tick)
        rare = chosen > 0
        cells = int((np.bitwise_count(chosen) * tally.counts).sum())
        hold_limit(
            cells, tally.rows * len(self.columns), s.maximum_share, ", ".join(self.columns), of_cells=True
        )
        arrays: dict[str, Any] = {f"rare{i}": codes[rare] for i, codes in enumerate(tally.codes)}
        arrays |= {f"dictionary{i}": dictionary for i, dictionary in enumerate(tally.dictionaries)}
        arrays["chosen"] = chosen[rare]
        report = {
            "rare_combinations": int((tally.sharing < s.minimum_count).sum()),
            "cells_suppressed": cells,
            "cells_by_column": {
                column: int((((chosen >> i) & 1) * tally.counts).sum())
                for i, column in enumerate(self.columns)
            },
        }
        return Learned(arrays, {"report": report})

    def _choose(self, tally: Tally, tick: Any) -> NDArray[np.int64]:
        """Per combination the columns to suppress, as bits: the cheapest choice after which enough rows agree."""
        weights = [self.settings.importance.get(column, 1.0) for column in self.columns]
        chosen = cheapest_choices(tally, weights, self.settings.minimum_count, tick)
        # A missing cell cannot be suppressed; it is a value in the counts all the same.
        for i, codes in enumerate(tally.codes):
            chosen[codes < 0] &= ~(1 << i)
        return chosen

    def restore(self, learned: Learned) -> list[StringArray]:
        """The rare combinations and their cells; the dictionaries stay as they are."""
        count = len(self.columns)
        dictionaries = [learned.arrays[f"dictionary{i}"] for i in range(count)]
        self.keys = TupleKeys([len(dictionary) for dictionary in dictionaries])
        self.rare = self.keys.encode([learned.arrays[f"rare{i}"] for i in range(count)])
        self.chosen = learned.arrays["chosen"]
        return dictionaries

    def apply(self, codes: list[Codes]) -> TableOutcome:
        """Rows with their cells suppressed; none is removed."""
        keys = self.keys.encode(codes)
        known, place = np.unique(np.concatenate([self.rare, keys]), return_inverse=True)
        table = np.zeros(len(known), dtype=np.int64)
        table[place[: len(self.rare)]] = self.chosen
        bits = table[place[len(self.rare) :]]
        made = [np.where((bits >> i) & 1 == 1, np.int32(-1), column) for i, column in enumerate(codes)]
        none = np.zeros(len(keys), dtype=bool)
        return TableOutcome(made, none, none)
