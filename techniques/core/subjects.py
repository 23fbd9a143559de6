"""Whose rows they are: a code for each row, equal for the rows of one person, from the columns of a subject key.

The codes are of the source and stay with the rows through whatever a step does to the key's columns. ``-1`` says that
nobody knows whose a row is: it counts as a person of its own.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from techniques.core.compiling import compiled
from techniques.core.tuples import Codes, TupleKeys, numbered_keys

Subjects = NDArray[np.int32]
"""A code for each of n rows (n,), or -1."""


def subject_codes(columns: Sequence[Codes], sizes: Sequence[int]) -> Subjects:
    """The subjects of n rows by the codes (n,) of each column of the key, -1 where missing, of ``sizes`` values each.

    Where a part of the key is missing the rest tells persons apart, so that no person counts twice for a cell that is
    empty; where all of it is, the row is -1.
    """
    keys = TupleKeys(sizes).encode(columns)
    number = numbered_keys(keys) if keys.dtype.names is None else np.unique(keys, return_inverse=True)
    found = number[1].reshape(-1).astype(np.int32)
    nobody = np.logical_and.reduce([column < 0 for column in columns])
    found[nobody] = -1
    return found


def persons(subjects: NDArray[np.integer]) -> tuple[Subjects, int]:
    """(a number from 0 for each row, how many persons there are): rows of -1 have numbers of their own."""
    unknown = subjects < 0
    if not unknown.any() and len(subjects) and int(subjects.max()) < 2 * len(subjects):
        used = np.zeros(int(subjects.max()) + 1, dtype=np.bool_)
        used[subjects] = True
        number = np.cumsum(used, dtype=np.int32) - np.int32(1)
        return number[subjects], int(used.sum())
    known, number = np.unique(subjects[~unknown], return_inverse=True)
    found = np.empty(len(subjects), dtype=np.int32)
    found[~unknown] = number.reshape(-1)
    alone = int(unknown.sum())
    found[unknown] = np.arange(len(known), len(known) + alone, dtype=np.int32)
    return found, len(known) + alone


def highest_of_persons(numbers: NDArray[np.int64], subjects: Subjects | None) -> NDArray[np.int64]:
    """For each of n rows the highest of the ``numbers`` (n,) that the rows of its person have; its own where a row is a person."""
    if subjects is None:
        return numbers
    who, number = persons(subjects)
    highest = np.full(number, np.iinfo(np.int64).min)
    np.maximum.at(highest, who, numbers)
    return highest[who]


def most_rows(subjects: NDArray[np.integer]) -> int:
    """How many rows one person has at most; 1 where there is none."""
    return max(1, int(np.bincount(persons(subjects)[0], minlength=1).max(initial=1)))


def different(who: NDArray[np.int32]) -> int:
    """How many different persons ``who`` (n,) numbers, from 0; their number has to be no larger than that of a table's rows."""
    seen = np.zeros(int(who.max(initial=-1)) + 1, np.bool_)
    seen[who] = True
    return int(seen.sum())


def persons_of_groups(
    groups: NDArray[np.integer], count: int, subjects: Subjects | None
) -> NDArray[np.int64]:
    """How many rows of n, or different persons where ``subjects`` say whose they are, each of ``count`` groups has."""
    if subjects is None:
        return np.bincount(groups, minlength=count).astype(np.int64)
    return np.diff(Persons.of(groups, subjects, count).start)


class Persons(NamedTuple):
    """The different persons of each of T combinations: ``person[start[t]:start[t + 1]]``, numbered below ``number``."""

    start: NDArray[np.int64]
    person: NDArray[np.int32]
    number: int

    @classmethod
    def of(cls, place: NDArray[np.integer], subjects: NDArray[np.integer], combinations: int) -> Persons:
        """From the combination of each of n rows and their subjects (n,)."""
        who, number = persons(subjects)
        start, person = _persons_by_place(place.astype(np.int32, copy=False), who, combinations, number)
        return cls(start, person, number)

    def by_class(self, class_of: NDArray[np.integer], classes: int) -> NDArray[np.int64]:
        """The different persons of each class of combinations."""
        start, _person = _persons_by_place(
            np.repeat(class_of, np.diff(self.start)).astype(np.int32), self.person, classes, self.number
        )
        found: NDArray[np.int64] = np.diff(start)
        return found

    def without(self, left: NDArray[np.bool_]) -> int:
        """How many have none of the combinations that are ``left`` (T,)."""
        there = np.bincount(self.person[np.repeat(left, np.diff(self.start))], minlength=self.number) > 0
        return self.number - int(there.sum())

    def taken(self, order: NDArray[np.integer]) -> Persons:
        """Of the combinations in this order."""
        each = np.diff(self.start)[order]
        start = np.concatenate([[0], np.cumsum(each)]).astype(np.int64)
        at = np.arange(start[-1]) + np.repeat(self.start[:-1][order] - start[:-1], each)
        return Persons(start, self.person[at], self.number)

    def united(self, begin: NDArray[np.int64]) -> Persons:
        """Of combinations put together: those from ``begin[i]`` to before ``begin[i + 1]``."""
        place = np.repeat(np.arange(len(begin) - 1), np.diff(self.start[begin]))
        start, person = _persons_by_place(
            place.astype(np.int32), self.person[: self.start[begin[-1]]], len(begin) - 1, self.number
        )
        return Persons(start, person, self.number)


@compiled
def _persons_by_place(place, who, places, number):
    """The rows put in the order of their places by counting, each person once at each place."""
    begin = np.zeros(places + 1, np.int64)
    for row in range(len(place)):
        begin[place[row] + 1] += 1
    for here in range(places):
        begin[here + 1] += begin[here]
    at = begin[:-1].copy()
    ordered = np.empty(len(place), np.int32)
    for row in range(len(place)):
        ordered[at[place[row]]] = who[row]
        at[place[row]] += 1
    seen = np.full(number, -1, np.int32)
    start = np.zeros(places + 1, np.int64)
    found = 0
    for here in range(places):
        for row in range(begin[here], begin[here + 1]):
            person = ordered[row]
            if seen[person] != here:
                seen[person] = here
                ordered[found] = person
                found += 1
        start[here + 1] = found
    return start, ordered[:found].copy()
