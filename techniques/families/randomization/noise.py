"""A.6.2: noise that hides single values and keeps what is wanted of the whole."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from techniques.catalogue.randomization import CorrelatedNoiseSettings, NoiseSettings
from techniques.core.operations import (
    Cells,
    Context,
    Learned,
    RowOperation,
    StringArray,
    Whole,
    WholeOperation,
    WholeOutcome,
)
from techniques.core.secrets import Secrets
from techniques.families.randomization.columns import Reals, encoded, moments, reals, table_reals, texts
from techniques.values.unfit import NOT_A_NUMBER


def normal(secrets: Secrets, label: str, count: int) -> Reals:
    """``count`` standard normal numbers (Box and Muller) that only the seed foretells."""
    pairs = -(-count // 2)
    draws = secrets.uniform(label, 2 * pairs)
    radius = np.sqrt(-2 * np.log1p(-draws[:pairs]))
    angle = 2 * np.pi * draws[pairs:]
    return np.concatenate([radius * np.cos(angle), radius * np.sin(angle)])[:count]


def uniform(secrets: Secrets, label: str, count: int) -> Reals:
    """``count`` numbers, uniform with mean 0 and variance 1."""
    drawn: Reals = (2 * secrets.uniform(label, count) - 1) * np.sqrt(3)
    return drawn


class Noise(RowOperation):
    """Every cell gets a draw of its own, so that equal values part."""

    unfit_text = NOT_A_NUMBER

    def __init__(self, settings: NoiseSettings, context: Context) -> None:
        self.settings = settings
        self.secrets = context.secrets
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

    def restore(self, state: Learned) -> None:
        """Take up what was measured."""
        self.spread, self.mean, self.shrink = map(float, state.arrays["learned"])

    def unfit(self, values: StringArray) -> NDArray[np.bool_]:
        """What is no number."""
        return ~reals(values)[1]

    def treat(self, cells: Cells) -> StringArray:
        """Noisy numbers, rounded."""
        numbers, valid = reals(cells.values)
        known = np.append(valid, False)[cells.codes]
        before = np.append(numbers, 0.0)[cells.codes]
        draw = normal if self.settings.distribution == "normal" else uniform
        noise = self.spread * draw(self.secrets, cells.label, len(before))
        if self.settings.method == "multiplicative":
            after = before * (1 + noise)
        else:
            after = self.mean + self.shrink * (before - self.mean + noise)
        return texts(after, self.settings.decimals).take(pa.array(np.arange(len(known)), mask=~known))


class CorrelatedNoise(WholeOperation):
    """Noise with the covariance of the columns, drawn together afterwards so that it stays what it was.

    A row in which a number is missing gets noise on the others; means and covariances are those of the
    complete rows.
    """

    unfit_text = NOT_A_NUMBER

    def __init__(self, settings: CorrelatedNoiseSettings, context: Context) -> None:
        self.settings = settings
        self.context = context

    def treat(self, table: Whole, tick: Any) -> WholeOutcome:
        """All rows with noise."""
        numbers, known = table_reals(table, self.settings.unfit)
        complete: NDArray[np.bool_] = np.asarray(known.all(axis=1))
        after = self._noisy(numbers, complete) if complete.any() else numbers
        # Rows that are not complete have no part in the moments; without any moments they are suppressed.
        known &= complete.any()
        dictionaries, codes = [], []
        for i in range(numbers.shape[1]):
            dictionary, column = encoded(texts(after[:, i], self.settings.decimals), known[:, i])
            dictionaries.append(dictionary)
            codes.append(column)
        report = {"complete_rows": int(complete.sum())}
        return WholeOutcome(dictionaries, codes, np.zeros(table.rows, dtype=bool), report)

    def _noisy(self, numbers: Reals, complete: NDArray[np.bool_]) -> Reals:
        rows, columns = numbers.shape
        base = numbers[complete]
        mean = base.mean(axis=0)
        root = _root(_covariance(base))
        draws = normal(self.context.secrets, f"step {self.context.step} noise", rows * columns)
        noise = self.settings.spread * draws.reshape(rows, columns) @ root.T
        after: Reals = mean + (numbers - mean + noise) / np.hypot(1, self.settings.spread)
        if self.settings.exact and len(base) > columns:
            found = after[complete]
            # From the covariance that came out to the one that was wanted.
            bend = root @ np.linalg.pinv(_root(_covariance(found)))
            after = mean + (after - found.mean(axis=0)) @ bend.T
        return after


def _covariance(numbers: Reals) -> Reals:
    centred = numbers - numbers.mean(axis=0)
    found: Reals = centred.T @ centred / len(numbers)
    return found


def _root(covariance: Reals) -> Reals:
    """The symmetric square root, which exists for singular covariances too."""
    values, vectors = np.linalg.eigh(covariance)
    found: Reals = (vectors * np.sqrt(np.clip(values, 0, None))) @ vectors.T
    return found
