"""Values that too few rows share, suppressed (GB/T 37964 A.3.3)."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.catalogue.suppression import RareValuesSettings
from techniques.core.operations import Learned, Outcome, StringArray, ValueOperation
from techniques.families.suppression.limit import hold_limit


class RareValues(ValueOperation):
    """A.3.3: values of fewer rows, or persons where those are known, than the minimum are suppressed, up to a limit."""

    needs_counts = True

    settings: RareValuesSettings

    def fit(self, values: StringArray, counts: NDArray[np.int64]) -> Learned:
        """Which values are rare; EngineError ``suppression_over_limit``."""
        rare = (counts if self.sharing is None else self.sharing) < self.settings.minimum_count
        cells, rows = int(counts[rare].sum()), int(counts.sum())
        hold_limit(cells, rows, self.settings.maximum_share, self.columns[0])
        return Learned({"rare": values.filter(pa.array(rare))}, {"report": {"rare_values": int(rare.sum())}})

    def restore(self, learned: Learned) -> None:
        self.rare = learned.arrays["rare"]

    def apply(self, values: StringArray) -> Outcome:
        """Rare values become missing or the replacement."""
        replacement = self.settings.replacement or None
        rare = pc.is_in(values, self.rare)
        return Outcome(pc.if_else(rare, pa.scalar(replacement, pa.string()), values))
