"""Noise on numbers (GB/T 37964 A.6.2), a draw for every cell."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from techniques.catalogue.randomization import NoiseSettings
from techniques.core.operations import Cells, Context, Learned, RowOperation, StringArray
from techniques.families.randomization.columns import moments, reals, texts
from techniques.values.unfit import NOT_A_NUMBER


class Noise(RowOperation):
    """Every cell gets a draw of its own, so that equal values part."""

    unfit_text = NOT_A_NUMBER

    def __init__(self, settings: NoiseSettings, context: Context) -> None:
        self.settings: NoiseSettings = settings
        self.needs_counts = settings.keep_variance or settings.unit == "deviation"
        self.spread, self.mean, self.shrink = settings.spread, 0.0, 1.0

    def fit(self, values: StringArray, counts: NDArray[np.int64]) -> Learned:
        """The mean and standard deviation that the noise is measured by."""
        numbers, valid = reals(values)
        mean, deviation = moments(numbers[valid], counts[valid])
        spread = self.settings.spread * (deviation if self.settings.unit == "deviation" else 1.0)
        shrink = 1.0
        if self.settings.keep_variance:
            shrink = deviation / np.hypot(deviation, spread) if deviation else 0.0
        learned = np.array([spread, mean, shrink])
        return Learned({"learned": learned}, {"report": {"noise_deviation": round(spread, 6)}})

    def restore(self, learned: Learned) -> None:
        """Take up what was measured."""
        self.spread, self.mean, self.shrink = map(float, learned.arrays["learned"])

    def unfit(self, values: StringArray) -> NDArray[np.bool_]:
        """What is no number."""
        return ~reals(values)[1]

    def treat(self, cells: Cells) -> StringArray:
        """Noisy numbers, rounded."""
        numbers, valid = reals(cells.values)
        known = np.append(valid, False)[cells.codes]
        before = np.append(numbers, 0.0)[cells.codes]
        draws = cells.draws
        noise = self.spread * (
            draws.normal() if self.settings.distribution == "normal" else draws.symmetric()
        )
        if self.settings.method == "multiplicative":
            after = before * (1 + noise)
        else:
            after = self.mean + self.shrink * (before - self.mean + noise)
        return texts(after, self.settings.decimals).take(pa.array(np.arange(len(known)), mask=~known))
