"""Whose rows the classes of a table hold: each person once in each class, and in how many classes.

A class hides a person among the other persons in it, so its size is the number of different persons. A person with rows in
several classes has the risk of the smallest of them. Which classes they are can be a fingerprint: who knows all that a
person's rows say may know the person, however large each class is (:attr:`Memberships.unique`).
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from techniques.core.compiling import compiled
from techniques.core.tuples import distinct_keys, numbered_keys
from techniques.disclosure_risk.classes import by_key

Integers = npt.NDArray[np.int64]
NOWHERE = np.iinfo(np.int64).max
"""The smallest class of a person who is in none."""


@dataclass(frozen=True)
class Memberships:
    """n rows by class: ``who`` (n,) says whose each row is, those of class c from ``begin[c]`` to before ``begin[c + 1]``,
    by numbers below ``number``, some of which nobody may have. ``counts`` (n,) says how many rows of the table each stands for;
    None: one each."""

    begin: Integers
    who: npt.NDArray[np.int32]
    number: int
    counts: Integers | None = None

    @classmethod
    def of(
        cls, class_of: npt.NDArray[np.integer], subjects: npt.NDArray[np.integer], classes: int
    ) -> Memberships:
        """From the class of each row and its subject; rows of -1 are persons of their own."""
        begin = np.concatenate([[0], np.cumsum(np.bincount(class_of, minlength=classes))]).astype(np.int64)
        who, number = _numbers(subjects)
        return cls(begin, who[np.argsort(class_of, kind="stable")], number)

    @classmethod
    def of_keys(
        cls, keys: Integers, subjects: npt.NDArray[np.integer], counts: npt.NDArray[np.integer] | None = None
    ) -> tuple[Integers, Memberships]:
        """(a row of each class, the memberships) of rows whose class is what has the same key. ``counts``: how many rows of one
        person each stands for, so one where that person is unknown."""
        who, number = _numbers(subjects)
        if counts is None:
            first, begin, whose = by_key(keys, who)
            return first, cls(begin, whose, number)
        first, begin, order = by_key(keys, np.arange(len(keys), dtype=np.int32))
        return first, cls(begin, who[order], number, counts[order].astype(np.int64))

    @property
    def classes(self) -> int:
        return len(self.begin) - 1

    @property
    def rows(self) -> Integers:
        """Rows of each class."""
        upto = self.begin
        if self.counts is not None:
            upto = np.concatenate([[0], np.cumsum(self.counts)])[self.begin]
        found: Integers = np.diff(upto)
        return found

    @cached_property
    def sizes(self) -> Integers:
        """Persons of each class."""
        return self._sizes(np.arange(self.classes), np.arange(self.classes + 1))

    def _sizes(self, order: Integers, begin: Integers) -> Integers:
        """Persons of groups of classes, ``order[begin[g]:begin[g + 1]]`` each."""
        found: Integers = _different(order, begin, self.begin, self.who, self.number)
        return found

    def smallest(self, counted: npt.NDArray[np.bool_] | None = None) -> Integers:
        """By person the size of the smallest class that it is in, of those that are ``counted``; :data:`NOWHERE` if none."""
        sizes = self.sizes if counted is None else np.where(counted, self.sizes, NOWHERE)
        return self.least(sizes)

    def least(self, sizes: Integers) -> Integers:
        """By person the least of the ``sizes`` of its classes; :data:`NOWHERE` for who is in none."""
        found: Integers = _least(self.begin, self.who, self.number, sizes)
        return found

    def merged(self, group: Integers, groups: int) -> tuple[Integers, Integers]:
        """(persons of each group, by person the size of the smallest) where the classes of one ``group`` are one."""
        begin = np.concatenate([[0], np.cumsum(np.bincount(group, minlength=groups))])
        sizes = self._sizes(np.argsort(group, kind="stable"), begin)
        return sizes, self.least(sizes[group])

    def unique(self, counted: npt.NDArray[np.bool_] | None = None) -> float:
        """The share of persons whose rows, by their classes and how many are in each, are those of nobody else."""
        marks = _scattered(np.arange(self.classes, dtype=np.uint64))
        if counted is not None:
            marks[~counted] = 0
        one = np.ones(1, np.int64)
        counts = np.broadcast_to(one, len(self.who)) if self.counts is None else self.counts
        prints = np.sort(_prints(self.begin, self.who, self.number, marks, counts))
        prints = prints[prints > 0]
        if not len(prints):
            return 0.0
        apart = np.append(True, prints[1:] != prints[:-1])
        return float((apart & np.append(apart[1:], True)).mean())


@dataclass(frozen=True)
class PersonValues:
    """A sensitive column by persons, each weighing one: ``class_of`` and ``value`` (pairs,) of each person in each class that
    it has rows in. The value is the ``unknown`` one where its rows there have different values, or some none: so it may be any.

    ``reference`` are the shares of the values in the whole table, where a person weighs one in equal parts for each of its
    different values; ``total`` its persons, infinite where somebody has several values, for then those unknown in a class
    need not be those of the table. ``several`` counts the pairs that are unknown for that reason.
    """

    class_of: Integers
    value: Integers
    several: int
    _rows: tuple[npt.NDArray[np.integer], npt.NDArray[np.integer], int, int]
    """What :func:`_weighed` makes the reference and the total of."""

    @property
    def reference(self) -> npt.NDArray[np.float64]:
        return self._weighed[0]

    @property
    def total(self) -> float:
        return self._weighed[1]

    @cached_property
    def _weighed(self) -> tuple[npt.NDArray[np.float64], float]:
        return _weighed(*self._rows)

    @classmethod
    def of(
        cls,
        class_of: npt.NDArray[np.integer],
        subjects: npt.NDArray[np.integer],
        values: npt.NDArray[np.integer],
        size: int,
        unknown: int,
    ) -> PersonValues:
        """From the class (-1: of none), subject and value (below ``size``) of each row of the whole table."""
        who, number = _numbers(subjects)
        inside = class_of >= 0
        pairs, at = numbered_keys(class_of[inside].astype(np.int64) * number + who[inside])
        low, high = np.full(len(pairs), size, dtype=np.int64), np.full(len(pairs), -1, dtype=np.int64)
        np.minimum.at(low, at, values[inside])
        np.maximum.at(high, at, values[inside])
        value = np.where(low == high, low, unknown)
        return cls(pairs // number, value, int((low < high).sum()), (who, values, size, unknown))


def _weighed(
    who: npt.NDArray[np.integer], values: npt.NDArray[np.integer], size: int, unknown: int
) -> tuple[npt.NDArray[np.float64], float]:
    """The reference and the total of :class:`PersonValues`."""
    pairs = distinct_keys(who.astype(np.int64) * size + values)
    person, value = np.divmod(pairs, size)
    valued = value != unknown
    known = np.bincount(person[valued], minlength=int(person.max(initial=-1)) + 1)
    counts = valued | (known[person] == 0)
    weights = 1 / np.maximum(known[person[counts]], 1)
    number = len(distinct_keys(person))
    reference = np.bincount(value[counts], weights=weights, minlength=size) / max(number, 1)
    return reference, float(number) if len(pairs) == number else np.inf


def _numbers(subjects: npt.NDArray[np.integer]) -> tuple[npt.NDArray[np.int32], int]:
    """(a number for each row, above all of them)."""
    unknown = subjects < 0
    known = subjects
    if int(subjects.max(initial=0)) > 4 * len(subjects) + 1000:
        known = numbered_keys(subjects)[1]
    above = int(known.max(initial=0)) + 1
    if not unknown.any():
        return known.astype(np.int64), above
    return np.where(unknown, above + np.cumsum(unknown) - 1, known).astype(np.int64), above + int(
        unknown.sum()
    )


def _scattered(numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """A number of 64 bits for each, so that sums of some are those of others by no more than chance (SplitMix64)."""
    mixed = (numbers + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    found: npt.NDArray[np.uint64] = mixed ^ (mixed >> np.uint64(31))
    return found


@compiled
def _different(groups, starts, begin, who, number):
    """Different persons of each group of classes."""
    seen = np.full(number, -1, np.int32)
    found = np.zeros(len(starts) - 1, np.int64)
    for group in range(len(starts) - 1):
        persons = 0
        for place in range(starts[group], starts[group + 1]):
            of = groups[place]
            for row in range(begin[of], begin[of + 1]):
                person = np.uint32(who[row])
                if seen[person] != group:
                    seen[person] = group
                    persons += 1
        found[group] = persons
    return found


@compiled
def _least(begin, who, number, sizes):
    """The least of the ``sizes`` of each person's classes."""
    found = np.full(number, np.iinfo(np.int64).max, np.int64)
    for of in range(len(begin) - 1):
        for row in range(begin[of], begin[of + 1]):
            person = np.uint32(who[row])
            found[person] = min(found[person], sizes[of])
    return found


@compiled
def _prints(begin, who, number, marks, counts):
    """The sum of the ``marks`` of each person's rows."""
    found = np.zeros(number, np.uint64)
    for of in range(len(begin) - 1):
        for row in range(begin[of], begin[of + 1]):
            found[np.uint32(who[row])] += marks[of] * np.uint64(counts[row])
    return found
