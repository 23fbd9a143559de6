"""A.6.4: similar rows form groups of at least k, and each gets the mean of its group."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from techniques.messages import EngineError, gettext_noop
from techniques.operations import Context, Whole, WholeOperation, WholeOutcome
from techniques.parameters import randomization as parameters
from techniques.randomization import kernels
from techniques.randomization.columns import Reals, encoded, table_reals, texts
from techniques.values.unfit import NOT_A_NUMBER


class Microaggregation(WholeOperation):
    """One column by the best grouping there is, several by MDAV.

    A row in which a number is missing belongs to no group: what else it holds in these columns is suppressed.
    """

    unfit_text = NOT_A_NUMBER

    def __init__(self, settings: parameters.Microaggregation, context: Context) -> None:
        self.settings = settings

    def treat(self, table: Whole, tick: Any) -> WholeOutcome:
        """The means of the groups; EngineError ``k_too_large``."""
        numbers, known = table_reals(table, self.settings.unfit)
        complete: NDArray[np.bool_] = np.asarray(known.all(axis=1))
        base = numbers[complete]
        if len(base) < self.settings.k:
            raise EngineError(
                "k_too_large",
                gettext_noop("k is %(k)d, but only %(rows)d rows are left to form a class."),
                k=self.settings.k,
                rows=len(base),
            )
        groups = group_rows(base, self.settings.k, self.settings.standardise)
        sizes = np.bincount(groups)
        means = np.stack([np.bincount(groups, weights=column) / sizes for column in base.T], axis=1)
        dictionaries, codes = [], []
        for i in range(numbers.shape[1]):
            cells = np.zeros(table.rows)
            cells[complete] = means[groups, i]
            dictionary, column = encoded(texts(cells, self.settings.decimals), complete)
            dictionaries.append(dictionary)
            codes.append(column)
        report = {
            "k": self.settings.k,
            "groups": len(sizes),
            "smallest_group": int(sizes.min()),
            "rows_without_group": int((~complete).sum()),
            "information_loss": round(_loss(base, means[groups]), 6),
        }
        return WholeOutcome(dictionaries, codes, np.zeros(table.rows, dtype=bool), report)


def group_rows(numbers: Reals, k: int, standardise: bool) -> NDArray[np.int32]:
    """The group of each of n rows (n, m): at least k rows in each."""
    columns = numbers.shape[1]
    if columns == 1:
        return _best(numbers[:, 0], k)
    deviation = numbers.std(axis=0)
    scale = np.where(deviation > 0, deviation, 1.0) if standardise else np.ones(columns)
    points = np.ascontiguousarray(((numbers - numbers.mean(axis=0)) / scale).T)
    groups: NDArray[np.int32] = kernels.mdav(points, k)
    return groups


def _best(numbers: Reals, k: int) -> NDArray[np.int32]:
    order = np.argsort(numbers, kind="stable")
    # Around the mean, so that the squares of large numbers do not drown the differences.
    start = kernels.optimal(numbers[order] - numbers.mean(), k)
    groups = np.empty(len(numbers), dtype=np.int32)
    end, group = len(numbers), 0
    while end > 0:
        begin = int(start[end])
        groups[order[begin:end]] = group
        end, group = begin, group + 1
    return groups


def _loss(before: Reals, after: Reals) -> float:
    """Sum of squares within groups over the whole sum of squares, the columns weighing the same: 0 to 1."""
    total = ((before - before.mean(axis=0)) ** 2).sum(axis=0)
    within = ((before - after) ** 2).sum(axis=0)
    varied = total > 0
    return float((within[varied] / total[varied]).mean()) if varied.any() else 0.0
