"""Rows with a rare combination of values, left out (GB/T 37964 A.3.4)."""

from __future__ import annotations

from typing import Any

import numpy as np

from techniques.catalogue.suppression import RareRecordsSettings
from techniques.core.operations import Learned, StringArray, TableOperation, TableOutcome, Tally
from techniques.core.tuples import Codes, TupleKeys, contains
from techniques.families.suppression.limit import hold_limit


class RareRecords(TableOperation):
    """A.3.4 and A.3.5: rows with a rare combination are removed; missing is a value like any other."""

    settings: RareRecordsSettings

    def fit(self, tally: Tally, tick: Any) -> Learned:
        """Which combinations are rare; EngineError ``suppression_over_limit``."""
        rare = tally.sharing < self.settings.minimum_count
        rows = int(tally.counts[rare].sum())
        hold_limit(rows, tally.rows, self.settings.maximum_share, ", ".join(self.columns))
        arrays: dict[str, Any] = {f"rare{i}": codes[rare] for i, codes in enumerate(tally.codes)}
        arrays |= {f"dictionary{i}": dictionary for i, dictionary in enumerate(tally.dictionaries)}
        return Learned(arrays, {"report": {"rare_combinations": int(rare.sum())}})

    def restore(self, learned: Learned) -> list[StringArray]:
        """The rare combinations; the dictionaries stay as they are."""
        count = len(self.columns)
        dictionaries = [learned.arrays[f"dictionary{i}"] for i in range(count)]
        self.keys = TupleKeys([len(dictionary) for dictionary in dictionaries])
        self.rare = np.unique(self.keys.encode([learned.arrays[f"rare{i}"] for i in range(count)]))
        return dictionaries

    def apply(self, codes: list[Codes]) -> TableOutcome:
        """Rows with a rare combination are removed."""
        removed = contains(self.rare, self.keys.encode(codes))
        return TableOutcome(codes, removed, removed)
