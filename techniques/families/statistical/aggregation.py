"""A.1.3: figures of groups of rows instead of single values."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from techniques.catalogue.statistical import AggregationSettings
from techniques.core.groups import Groups, chosen_columns, group_of_rows
from techniques.core.operations import Context, StringArray, Unfit, Whole, WholeOperation, WholeOutcome
from techniques.core.subjects import persons_of_groups
from techniques.core.tuples import Codes
from techniques.families.randomization.columns import Reals, encoded, reals, texts
from techniques.families.suppression.limit import hold_limit
from techniques.values.unfit import NOT_A_NUMBER


class Aggregation(WholeOperation):
    """Groups by some columns; a figure of each other column. A missing value is part of no figure.

    Groups of too few rows are removed up to a limit, and a figure that too few values make up is missing. Both count
    persons where it is known whose the rows are.
    """

    unfit_text = NOT_A_NUMBER

    def __init__(self, settings: AggregationSettings, context: Context) -> None:
        self.settings: AggregationSettings = settings
        self.columns = context.columns
        chosen_columns("statistics", settings.statistics, context.columns, all_of_them=True)

    def treat(self, table: Whole, tick: Any) -> WholeOutcome:
        """One row per group or all rows with figures; EngineError ``suppression_over_limit``; Unfit."""
        measured = [i for i, name in enumerate(self.columns) if name in self.settings.statistics]
        by = [i for i in range(len(self.columns)) if i not in measured]
        groups, count = group_of_rows(table, by)
        sizes = persons_of_groups(groups, count, table.subjects)
        small = (sizes < self.settings.minimum_count)[groups]
        hold_limit(int(small.sum()), table.rows, self.settings.maximum_share, ", ".join(self.columns))
        dictionaries, codes = list(table.dictionaries), list(table.codes)
        for i in measured:
            dictionaries[i], codes[i] = self._column(table, i, groups, count)
        removed = small
        if self.settings.result == "table":
            first = np.zeros(table.rows, dtype=bool)
            first[np.unique(groups, return_index=True)[1]] = True
            removed = small | ~first
        report = {
            "groups": int((sizes >= self.settings.minimum_count).sum()),
            "small_groups": int((sizes < self.settings.minimum_count).sum()),
            "minimum_count": self.settings.minimum_count,
        }
        # A row that stands for a group is nobody's.
        nobody = None if self.settings.result != "table" else np.full(table.rows, -1, dtype=np.int32)
        return WholeOutcome(dictionaries, codes, removed, report, suppressed=small, subjects=nobody)

    def _column(self, table: Whole, i: int, groups: Groups, count: int) -> tuple[StringArray, Codes]:
        """The figure of one column for every row."""
        statistic = self.settings.statistics[self.columns[i]]
        dictionary, codes = table.dictionaries[i], table.codes[i]
        if statistic == "count":
            numbers, valid = np.zeros(len(dictionary)), np.ones(len(dictionary), dtype=bool)
        else:
            numbers, valid = reals(dictionary)
            used = np.unique(codes[codes >= 0])
            bad = used[~valid[used]]
            if len(bad) and self.settings.unfit == "error":
                raise Unfit(i, bad.astype(np.int64), NOT_A_NUMBER)
        known = np.append(valid, False)[codes]
        made, present = figures(statistic, np.append(numbers, 0.0)[codes][known], groups[known], count)
        if table.subjects is not None:
            present = persons_of_groups(groups[known], count, table.subjects[known])
        found, numbered = encoded(texts(made, self.settings.decimals), present >= self.settings.minimum_count)
        return found, numbered[groups]


def figures(statistic: str, numbers: Reals, groups: Groups, count: int) -> tuple[Reals, NDArray[np.int64]]:
    """The figure of each of ``count`` groups (0 for an empty one), and how many numbers it is made of."""
    present: NDArray[np.int64] = np.bincount(groups, minlength=count).astype(np.int64)
    if statistic == "count":
        return present.astype(np.float64), present
    if statistic in ("sum", "mean"):
        total = np.bincount(groups, weights=numbers, minlength=count)
        made: Reals = np.asarray(total if statistic == "sum" else total / np.maximum(present, 1))
        return made, present
    order = np.lexsort((numbers, groups))
    ordered = np.append(numbers[order], 0.0)
    last = np.cumsum(present)
    first = last - present
    if statistic == "minimum":
        made = ordered[first]
    elif statistic == "maximum":
        made = ordered[last - 1]
    else:
        made = (ordered[first + (present - 1) // 2] + ordered[first + present // 2]) / 2
    return np.where(present > 0, made, 0.0), present
