"""Which columns surely do not follow from others, told from one row of each person at a share of the cost of counting pairs."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from techniques.core.compiling import compiled
from techniques.core.subjects import different
from techniques.disclosure_risk.links.counting import Cells


@dataclass(frozen=True)
class Bounds:
    """Of what follows from a column ``source``: at most ``compared`` persons are compared, at least ``both`` have both values, and
    of those compared at least ``disagree`` have another value than the commonest one, or more than were asked for."""

    column: int
    source: int
    compared: int
    both: int
    disagree: int


def bounds(cells: Cells, source: int, most: float) -> Iterator[Bounds]:
    """For each other column; persons who disagree are counted until their share of those compared is above ``most``.

    A person of one row has one pair of values. Of n persons who share a value of the source all but as many as share their
    commonest value of the column disagree, whatever their other rows and those of others say.
    """
    codes = cells.codes[source]
    shared = cells.shared(source)
    shared[0] = False
    compared = different(cells.who[shared[codes]])
    rows = _first_rows(cells.who, cells.persons)
    start, ordered = _by_value(codes, rows, cells.sizes[source])
    for column in range(len(cells.names)):
        if column != source:
            there = cells.codes[column]
            both = int(np.count_nonzero(there[ordered]))
            counts = np.zeros(cells.sizes[column], np.int32)
            disagree = int(_disagreeing(start, ordered, there, counts, most * compared))
            yield Bounds(column, source, compared, both, disagree)


@compiled
def _first_rows(who, persons):
    """A row of each person."""
    rows = np.empty(persons, np.int32)
    for row in range(len(who) - 1, -1, -1):
        rows[who[row]] = row
    return rows


@compiled
def _by_value(codes, rows, size):
    """(where each value but the missing one begins, the ``rows`` in the order of their values)."""
    start = np.zeros(size + 1, np.int64)
    for row in rows:
        start[codes[row] + 1] += 1
    start[1] = 0
    for value in range(1, size + 1):
        start[value] += start[value - 1]
    at = start.copy()
    ordered = np.empty(start[size], np.int32)
    for row in rows:
        value = codes[row]
        if value > 0:
            ordered[at[value]] = row
            at[value] += 1
    return start[1:], ordered


@compiled
def _disagreeing(start, ordered, there, counts, enough):
    """The rows that have another value ``there`` than the commonest one of their group, up to the group that makes them more than
    ``enough``; ``counts`` are 0 for each value."""
    disagree = 0
    for group in range(len(start) - 1):
        if start[group + 1] - start[group] < 2:
            continue
        rows = most = 0
        for row in ordered[start[group] : start[group + 1]]:
            value = there[row]
            if value > 0:
                rows += 1
                counts[value] += 1
                most = max(most, counts[value])
        for row in ordered[start[group] : start[group + 1]]:
            counts[there[row]] = 0
        disagree += rows - most
        if disagree > enough:
            break
    return disagree
