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

Integers = npt.NDArray[np.int64]
NOWHERE = np.iinfo(np.int64).max
"""The smallest class of a person who is in none."""


@dataclass(frozen=True)
class Memberships:
    """The different pairs of class and person of n rows: ``class_of`` of ``classes`` (n,), ``who`` of ``persons`` (n,)."""

    class_of: Integers
    who: Integers
    classes: int
    persons: int

    @classmethod
    def of(
        cls, class_of: npt.NDArray[np.integer], subjects: npt.NDArray[np.integer], classes: int
    ) -> Memberships:
        """From the class of each row and its subject; rows of -1 are persons of their own."""
        unknown = subjects < 0
        found, who = np.unique(subjects[~unknown], return_inverse=True)
        numbers = np.empty(len(subjects), dtype=np.int64)
        numbers[~unknown] = who.reshape(-1)
        alone = int(unknown.sum())
        numbers[unknown] = np.arange(len(found), len(found) + alone)
        return cls(class_of.astype(np.int64), numbers, classes, len(found) + alone)

    @cached_property
    def pairs(self) -> tuple[Integers, Integers]:
        """(class, person) of each different pair, by class."""
        packed = np.sort(self.class_of * max(self.persons, 1) + self.who)
        first = np.ones(len(packed), dtype=np.bool_)
        first[1:] = packed[1:] != packed[:-1]
        place, person = np.divmod(packed[first], max(self.persons, 1))
        return place, person

    @cached_property
    def sizes(self) -> Integers:
        """Persons of each class."""
        return np.bincount(self.pairs[0], minlength=self.classes).astype(np.int64)

    def smallest(self, counted: npt.NDArray[np.bool_] | None = None) -> Integers:
        """By person the size of the smallest class that it is in, of those that are ``counted``; :data:`NOWHERE` if none."""
        place, person = self.pairs
        sizes = self.sizes if counted is None else np.where(counted, self.sizes, NOWHERE)
        found: Integers = _least(person, sizes[place], self.persons)
        return found

    def merged(self, group: Integers, groups: int) -> tuple[Integers, Integers]:
        """(persons of each group, by person the size of the smallest) where the classes of one ``group`` are one."""
        place, person = self.pairs
        wider = Memberships(group[place], person, groups, self.persons)
        return wider.sizes, wider.smallest()

    def unique(self, counted: npt.NDArray[np.bool_] | None = None) -> float:
        """The share of persons whose rows, by their classes and how many are in each, are those of nobody else."""
        marks = _scattered(np.arange(self.classes, dtype=np.uint64))
        if counted is not None:
            marks[~counted] = 0
        prints = np.zeros(self.persons, dtype=np.uint64)
        np.add.at(prints, self.who, marks[self.class_of])
        prints = prints[prints > 0]
        if not len(prints):
            return 0.0
        return float((np.unique(prints, return_counts=True)[1] == 1).sum() / len(prints))


def _scattered(numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """A number of 64 bits for each, so that sums of some are those of others by no more than chance (SplitMix64)."""
    mixed = (numbers + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    found: npt.NDArray[np.uint64] = mixed ^ (mixed >> np.uint64(31))
    return found


@compiled
def _least(person, sizes, persons):
    """The least of the ``sizes`` of each person."""
    found = np.full(persons, np.iinfo(np.int64).max, np.int64)
    for pair in range(len(person)):
        found[person[pair]] = min(found[person[pair]], sizes[pair])
    return found
