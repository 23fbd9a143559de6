"""A.6.4: similar rows form groups of at least k, and each gets the mean of its group."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from techniques.catalogue.randomization import MicroaggregationSettings
from techniques.core import faults
from techniques.core.groups import chosen_columns
from techniques.core.operations import Context, Whole, WholeOperation, WholeOutcome
from techniques.core.tuples import Codes
from techniques.families.randomization import kernels
from techniques.families.randomization.columns import Reals, encoded, table_reals, texts
from techniques.values.unfit import NOT_A_NUMBER


class Microaggregation(WholeOperation):
    """One column of numbers by the best grouping there is, several columns by MDAV, categories among them.

    A row in which a value is missing belongs to no group: what else it holds in these columns is suppressed.
    """

    unfit_text = NOT_A_NUMBER

    def __init__(self, settings: MicroaggregationSettings, context: Context) -> None:
        self.settings: MicroaggregationSettings = settings
        self.categories = chosen_columns("categories", settings.categories, context.columns, all_of_them=True)

    def treat(self, table: Whole, tick: Any) -> WholeOutcome:
        """Means and most frequent values of the groups; EngineError ``k_too_large``; Unfit."""
        measured = [i for i in range(len(table.codes)) if i not in self.categories]
        numbers, known = table_reals(table, self.settings.unfit, measured)
        codes = np.zeros((len(self.categories), table.rows), dtype=np.int32)
        for place, i in enumerate(self.categories):
            codes[place] = table.codes[i]
        complete: NDArray[np.bool_] = np.asarray(known.all(axis=1)) & (codes >= 0).all(axis=0)
        base, kept = numbers[complete], np.ascontiguousarray(codes[:, complete])
        if int(complete.sum()) < self.settings.k:
            raise faults.k_too_large(self.settings.k, int(complete.sum()))
        groups = group_rows(base, self.settings.k, self.settings.standardise, kept)
        sizes = np.bincount(groups)
        means = np.zeros((len(sizes), 0))
        if measured:
            means = np.stack([np.bincount(groups, weights=column) / sizes for column in base.T], axis=1)
        dictionaries, made = list(table.dictionaries), list(table.codes)
        for place, i in enumerate(measured):
            cells = np.zeros(table.rows)
            cells[complete] = means[groups, place]
            dictionaries[i], made[i] = encoded(texts(cells, self.settings.decimals), complete)
        changed = 0
        for place, i in enumerate(self.categories):
            frequent = modes(groups, kept[place], len(sizes))
            changed += int((frequent[groups] != kept[place]).sum())
            made[i] = np.full(table.rows, -1, dtype=np.int32)
            made[i][complete] = frequent[groups]
        report: dict[str, Any] = {
            "k": self.settings.k,
            "groups": len(sizes),
            "smallest_group": int(sizes.min()),
            "rows_without_group": int((~complete).sum()),
        }
        if measured:
            report["information_loss"] = round(_loss(base, means[groups]), 6)
        if self.categories:
            report["categories_changed"] = round(changed / max(kept.size, 1), 6)
        return WholeOutcome(dictionaries, made, np.zeros(table.rows, dtype=bool), report)


def modes(groups: NDArray[np.int32], codes: Codes, count: int) -> Codes:
    """The most frequent code of each of ``count`` groups; of several the smallest."""
    width = int(codes.max(initial=0)) + 1
    pairs, occurring = np.unique(groups.astype(np.int64) * width + codes, return_counts=True)
    owner = pairs // width
    # The last of each group in this order is the most frequent and, among equals, the one with the smallest code.
    order = np.lexsort((-(pairs % width), occurring, owner))
    last = np.append(np.diff(owner[order]) > 0, True)
    found = np.zeros(count, dtype=np.int32)
    found[owner[order][last]] = (pairs[order][last] % width).astype(np.int32)
    return found


def group_rows(numbers: Reals, k: int, standardise: bool, codes: Codes | None = None) -> NDArray[np.int32]:
    """The group of each of n rows, numbers (n, m) and categories (c, n): at least k rows in each."""
    held = np.zeros((0, len(numbers)), dtype=np.int32) if codes is None else codes.copy()
    columns = numbers.shape[1]
    if columns == 1 and not len(held):
        return _best(numbers[:, 0], k)
    deviation = numbers.std(axis=0)
    scale = np.where(deviation > 0, deviation, 1.0) if standardise else np.ones(columns)
    points = np.ascontiguousarray(((numbers - numbers.mean(axis=0)) / scale).T)
    weights = np.array([_weight(column) for column in held])
    most = int(held.max(initial=0)) + 1
    groups: NDArray[np.int32] = kernels.mdav(points, held, weights, most, k)
    return groups


def _weight(codes: Codes) -> float:
    """What differing in a category counts: two rows are as far apart, on average, as in a standardised number."""
    shares = np.bincount(codes) / len(codes)
    differing = 1.0 - float((shares**2).sum())
    return 2.0 / differing if differing > 0 else 0.0


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
