"""Noise with the covariance of the columns (GB/T 37964 A.6.2)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from techniques.catalogue.randomization import CorrelatedNoiseSettings
from techniques.core.draws import RunDraws
from techniques.core.operations import Whole, WholeOperation, WholeOutcome
from techniques.families.randomization.columns import Reals, encoded, table_reals, texts
from techniques.values.unfit import NOT_A_NUMBER


class CorrelatedNoise(WholeOperation):
    """Noise with the covariance of the columns, drawn together afterwards so that it stays what it was.

    A row in which a number is missing gets noise on the others; means and covariances are those of the
    complete rows.
    """

    unfit_text = NOT_A_NUMBER
    settings: CorrelatedNoiseSettings

    def treat(self, table: Whole, tick: Any) -> WholeOutcome:
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
        draws = RunDraws(self.context.secrets, f"step {self.context.step} noise", rows * columns).normal()
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
