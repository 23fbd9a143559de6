"""How often each value of a sensitive attribute occurs, combination by combination, and class by class."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from techniques.core.compiling import compiled, inner


class Entries(NamedTuple):
    """How often each value occurs, combination by combination."""

    start: NDArray[np.int64]
    """Begin of the entries of each of T combinations, and the end of all (T+1,)."""
    values: NDArray[np.int32]
    counts: NDArray[np.int64]

    def combination(self) -> NDArray[np.int32]:
        """That of each entry."""
        return np.repeat(np.arange(len(self.start) - 1, dtype=np.int32), np.diff(self.start))


class Members(NamedTuple):
    """The combinations of each class, one class behind the other."""

    order: NDArray[np.int32]
    start: NDArray[np.int64]
    """Begin of each class in ``order``, and the end of all."""


@inner
def added_up(order, begin, end, start, values, counts, rows_of, occurring):
    """Add the entries of the combinations ``order[begin:end]``, a class, to the rows of each value; the values that
        occur go to ``occurring``, in the order in which they appear. Returns their number. Arrays come one by one:
    counting references to those of a tuple, class by class, takes as long as the loop.
    """
    number = 0
    for place in range(begin, end):
        combination = order[place]
        for entry in range(start[combination], start[combination + 1]):
            value = values[entry]
            if rows_of[value] == 0:
                occurring[number] = value
                number += 1
            rows_of[value] += counts[entry]
    return number


@compiled
def merged(members, entries, size):
    classes = len(members.start) - 1
    rows_of = np.zeros(size, np.int64)
    occurring = np.empty(size, np.int32)
    start = np.zeros(classes + 1, np.int64)
    values = np.empty(len(entries.values), np.int32)
    counts = np.empty(len(entries.values), np.int64)
    found = 0
    order, begin = members
    entry_start, entry_values, entry_counts = entries
    for here in range(classes):
        number = added_up(
            order, begin[here], begin[here + 1], entry_start, entry_values, entry_counts, rows_of, occurring
        )
        for i in range(number):
            value = occurring[i]
            values[found] = value
            counts[found] = rows_of[value]
            rows_of[value] = 0
            found += 1
        start[here + 1] = found
    return start, values[:found].copy(), counts[:found].copy()
