"""A.1.3: figures of groups of rows instead of single values."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from techniques.catalogue.statistical import AggregationSettings
from techniques.core.groups import Groups, chosen_columns, group_of_rows
from techniques.core.operations import Context, StringArray, Unfit, Whole, WholeOperation, WholeOutcome
from techniques.core.subjects import Subjects, persons, persons_of_groups
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
        large = sizes >= self.settings.minimum_count
        figured = {}
        for i in measured:
            dictionaries[i], codes[i], figured[self.columns[i]] = self._column(table, i, groups, count, large)
        removed = small
        if self.settings.result == "table":
            first = np.zeros(table.rows, dtype=bool)
            first[np.unique(groups, return_index=True)[1]] = True
            removed = small | ~first
        report: dict[str, Any] = {
            "groups": int((sizes >= self.settings.minimum_count).sum()),
            "small_groups": int((sizes < self.settings.minimum_count).sum()),
            "minimum_count": self.settings.minimum_count,
            "figures": figured,
        }
        if table.subjects is not None:
            report["persons"] = persons(table.subjects)[1]
        nobody = None
        if self.settings.result == "table":
            report["grouped_by"] = [self.columns[i] for i in by]
            report["cell_sizes"] = np.stack(np.unique(sizes[large], return_counts=True), axis=1).tolist()
            if table.subjects is not None:
                # The sizes are persons, and one person has rows in several groups.
                report["rows_in_cells"] = int((~small).sum())
                report["smallest_cells"] = _smallest(sizes[groups][~small], table.subjects[~small])
            # A row that stands for a group is nobody's.
            nobody = np.full(table.rows, -1, dtype=np.int32)
        return WholeOutcome(dictionaries, codes, removed, report, suppressed=small, subjects=nobody)

    def _column(
        self, table: Whole, i: int, groups: Groups, count: int, large: NDArray[np.bool_]
    ) -> tuple[StringArray, Codes, dict[str, Any]]:
        """The figure of one column for every row, and what it gives away of single rows in the ``large`` groups.

        ``fewest``: values, or persons where these are known, behind the figure that has the fewest.
        """
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
        cells = np.append(numbers, 0.0)[codes][known]
        made, present = figures(statistic, cells, groups[known], count)
        whose = None if table.subjects is None else table.subjects[known]
        if whose is not None:
            present = persons_of_groups(groups[known], count, whose)
        shown = present >= self.settings.minimum_count
        found, numbered = encoded(texts(made, self.settings.decimals), shown)
        published = shown & large
        said: dict[str, Any] = {"statistic": statistic, "cells": int(published.sum())}
        if published.any():
            said["fewest"] = int(present[published].min())
        if statistic in ("sum", "mean"):
            said |= dominance(*contributions(cells, groups[known], whose), count, published)
        elif statistic in ("minimum", "maximum"):
            at = cells == made[groups[known]]
            same = persons_of_groups(groups[known][at], count, None if whose is None else whose[at])
            said["held_by_few"] = int((published & (same < self.settings.minimum_count)).sum())
        elif statistic == "median":
            middle = made[groups[known]]
            sides = [
                persons_of_groups(groups[known][side], count, None if whose is None else whose[side])
                for side in (cells <= middle, cells >= middle)
            ]
            said["one_sided"] = int((published & (np.minimum(*sides) < EACH_SIDE)).sum())
        return found, numbered[groups], said


def _smallest(sizes: NDArray[np.int64], subjects: Subjects) -> list[list[int]]:
    """(size, persons of whom no group is smaller) from the size of each row's group and whose the row is."""
    who, number = persons(subjects)
    least = np.full(number, np.iinfo(np.int64).max)
    np.minimum.at(least, who, sizes)
    found: list[list[int]] = np.stack(np.unique(least, return_counts=True), axis=1).tolist()
    return found


P_PERCENT = 10
"""p of the p% rule: how close, in percent, the second contributor may come to what the largest one contributes."""
K_PERCENT = 85
"""k of the (n,k) rule with n = 2: how much of a figure, in percent, the two largest contributors may make up."""


EACH_SIDE = 3
"""Values, or persons where these are known, that must lie on each side of a median, those with its value among them: with fewer it
is nearly known whose value it is (a figure of fewer than three is no statistic, ISO/IEC 20889 10.4)."""


def contributions(numbers: Reals, groups: Groups, subjects: Subjects | None) -> tuple[Reals, Groups]:
    """What each contributor adds to its group, and the group: a row, or a person with all its rows in the group."""
    if subjects is None:
        return numbers, groups
    who, number = persons(subjects)
    pairs, at = np.unique(groups * np.int64(max(number, 1)) + who.astype(np.int64), return_inverse=True)
    added: Reals = np.bincount(at.reshape(-1), weights=numbers, minlength=len(pairs)).astype(np.float64)
    whose: Groups = pairs // np.int64(max(number, 1))
    return added, whose


def dominance(
    numbers: Reals, groups: Groups, count: int, published: NDArray[np.bool_]
) -> dict[str, int | float]:
    """How far single contributors dominate the sum of each ``published`` group (ISO/IEC 20889 10.4, T/ISC 0078 10.5).

    ``largest_share`` is the greatest share x₁/X of one contributor; ``dominated`` counts groups with
    X - x₁ - x₂ < p/100·x₁ or x₁ + x₂ > k/100·X. Contributions count by their size, whatever their sign.
    """
    sizes = np.abs(numbers)
    order = np.lexsort((sizes, groups))
    ordered = np.append(sizes[order], [0.0, 0.0])
    present = np.bincount(groups, minlength=count)
    last = np.cumsum(present) - 1
    first = np.where(present > 0, ordered[last], 0.0)
    second = np.where(present > 1, ordered[last - 1], 0.0)
    whole = np.bincount(groups, weights=sizes, minlength=count)
    rest = whole - first - second
    sensitive = (rest * 100 < P_PERCENT * first) | ((first + second) * 100 > K_PERCENT * whole)
    shares = np.where(whole > 0, first / np.where(whole > 0, whole, 1.0), 0.0)
    return {
        "largest_share": round(float(shares[published].max(initial=0.0)), 6),
        "dominated": int((sensitive & published & (whole > 0)).sum()),
    }


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
