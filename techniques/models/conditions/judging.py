"""The list of conditions, and whether a class holds those that are asked for."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from techniques.catalogue.models import Conditions
from techniques.core.compiling import compiled, inner
from techniques.models.conditions import (
    alpha_share,
    beta_likeness,
    distinct_diversity,
    entropy_diversity,
    equal_closeness,
    hierarchical_closeness,
    ordered_closeness,
    recursive_diversity,
)
from techniques.models.conditions.entries import added_up
from techniques.models.conditions.values import Condition

KINDS = ("distinct", "entropy", "recursive", "equal", "ordered", "hierarchical", "likeness", "share")
"""The kinds of condition as the settings call them; a kernel knows a kind by its place.

A kernel cannot look a function up, so :func:`all_hold` for local recoding, :func:`judge` for the search and
:func:`rows_kept` name the file of each. The first two call it in the loop over classes itself: passing every condition's
arrays through a function between takes as long as a simple condition.
"""
DISTINCT, ENTROPY, RECURSIVE, EQUAL, ORDERED, HIERARCHICAL, LIKENESS, SHARE = range(len(KINDS))
_ROUNDING = 1e-9
CLOSENESS = (EQUAL, ORDERED, HIERARCHICAL)


def conditions_of(settings: Conditions) -> list[Condition]:
    """The conditions that a step sets for one sensitive attribute."""
    return [Condition(KINDS.index(bound.kind), bound.limit, bound.factor) for bound in settings.bounds]


@compiled
def all_hold(histogram, rows, requirements):
    """Whether a class of ``rows`` rows, with these numbers of each value, holds every condition."""
    conditions, shares = requirements.conditions, requirements.shares
    good = True
    number = 0
    while good and number < len(conditions):
        condition = conditions[number]
        first, end = condition.first, condition.end
        known = first + 1 if condition.missing else first
        unknown = histogram[first] if condition.missing else 0
        if condition.kind == DISTINCT:
            good = distinct_diversity.holds(condition, histogram[known:end])
        elif condition.kind == ENTROPY:
            good = entropy_diversity.holds(condition, histogram[known:end], rows, unknown)
        elif condition.kind == RECURSIVE:
            good = recursive_diversity.holds(condition, histogram[known:end], unknown)
        elif condition.kind == EQUAL:
            good = equal_closeness.holds(condition, histogram[known:end], shares[known:end], rows, unknown)
        elif condition.kind == ORDERED:
            good = ordered_closeness.holds(condition, histogram[first:end], shares[first:end], rows)
        elif condition.kind == SHARE:
            good = alpha_share.holds(
                condition, histogram[known:end], requirements.levels[known:end], rows, unknown
            )
        elif condition.kind == LIKENESS:
            good = beta_likeness.holds(
                condition, histogram[known:end], shares[known:end], rows, unknown, shares[first:end]
            )
        else:
            good = hierarchical_closeness.holds(
                condition, histogram[first:end], rows, unknown, requirements.trees
            )
        number += 1
    return good


@compiled
def judge(members, sizes, entries, requirements, missing, k, kept, least):
    """Unset ``kept`` for classes of ``sizes`` rows that break a condition on one attribute and raise ``least``, the rows
    of the class that any finer table must suppress, accordingly. Classes of fewer than ``k`` rows are left alone."""
    conditions, shares, trees, levels = requirements
    values = len(shares)
    rows_of = np.zeros(values, np.int64)
    occurring = np.empty(values, np.int32)
    counts = np.empty(values, np.int64)
    expected = np.empty(values, np.float64)
    level_of = np.empty(values, np.int64)
    order, begin = members
    entry_start, entry_values, entry_counts = entries
    for here in range(len(sizes)):
        rows = sizes[here]
        if rows < k:
            continue
        number = added_up(
            order, begin[here], begin[here + 1], entry_start, entry_values, entry_counts, rows_of, occurring
        )
        known = 0
        for i in range(number):
            value = occurring[i]
            if value > 0 or not missing:
                counts[known] = rows_of[value]
                expected[known] = shares[value]
                level_of[known] = levels[value]
                known += 1
        unknown = rows_of[0] if missing else 0
        gone = 0
        for place in range(len(conditions)):
            condition = conditions[place]
            if condition.kind == DISTINCT:
                good = distinct_diversity.holds(condition, counts[:known])
            elif condition.kind == ENTROPY:
                good = entropy_diversity.holds(condition, counts[:known], rows, unknown)
            elif condition.kind == RECURSIVE:
                good = recursive_diversity.holds(condition, counts[:known], unknown)
            elif condition.kind == EQUAL:
                good = equal_closeness.holds(condition, counts[:known], expected[:known], rows, unknown)
            elif condition.kind == ORDERED:
                good = ordered_closeness.holds(condition, rows_of, shares, rows)
            elif condition.kind == SHARE:
                good = alpha_share.holds(condition, counts[:known], level_of[:known], rows, unknown)
            elif condition.kind == LIKENESS:
                good = beta_likeness.holds(condition, counts[:known], expected[:known], rows, unknown, shares)
            else:
                good = hierarchical_closeness.holds(condition, rows_of, rows, unknown, trees)
            if not good:
                kept[here] = False
                most = rows_kept(condition, rows, unknown, counts[:known], expected[:known], trees)
                gone = max(gone, rows_gone(most, rows, k))
        least[here] = max(least[here], gone)
        for i in range(number):
            rows_of[occurring[i]] = 0


@inner
def rows_kept(condition, rows, unknown, counts, expected, trees):
    """The most rows that a finer table may keep of a class that breaks the condition, at least one less than it has.

    ``counts`` are the rows with each known value that occurs, ``expected`` the shares of these in the whole table. Rows
    that are kept may lie in several classes; missing values may stay out of them, so what is kept has to hold the
    condition without those too.
    """
    if condition.kind == DISTINCT:
        most = distinct_diversity.rows_kept()
    elif condition.kind == ENTROPY:
        most = entropy_diversity.rows_kept(condition, counts, unknown)
    elif condition.kind == RECURSIVE:
        most = recursive_diversity.rows_kept(condition, counts, unknown)
    elif condition.kind == EQUAL:
        most = equal_closeness.rows_kept(condition, counts, expected, rows, unknown)
    elif condition.kind == ORDERED:
        most = ordered_closeness.rows_kept(rows)
    elif condition.kind == SHARE:
        most = alpha_share.rows_kept(rows)
    elif condition.kind == LIKENESS:
        most = beta_likeness.rows_kept(condition, counts, expected, rows, unknown)
    else:
        most = hierarchical_closeness.rows_kept(condition, rows, unknown, trees)
    return min(most, rows - 1.0)


@inner
def rows_gone(most, rows, k):
    """How many of its rows a class loses where a finer table may keep ``most``: what stays there is at least one class, so
    k rows."""
    stays = np.int64(np.floor(most + _ROUNDING))
    return rows if stays < k else rows - stays


@inner
def part_rows(histogram, rows, k, requirements):
    """The most rows that may be taken from such a class under conditions on one attribute; 0 if none.

    They are known for equal closeness alone, where the shares of the whole table say what to take.
    """
    most = rows
    for condition in requirements.conditions:
        if condition.kind != EQUAL:
            return 0
        most = min(most, equal_closeness.part_rows(condition, histogram, rows, requirements.shares))
    return most if most >= k else 0
