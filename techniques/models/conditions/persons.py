"""The sensitive values of a class by persons: each weighs one, however many rows it has there.

A person whose rows in a class have different values, or some of them none, counts as one whose value is unknown: the class has
to hold its conditions whichever values it takes for these. So no class passes that fails under any reading.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from techniques.core.compiling import compiled, inner
from techniques.models.conditions.entries import Members
from techniques.models.conditions.judging import DISTINCT, all_hold


class PersonValues(NamedTuple):
    """The persons of T combinations, each once at each, with its value there; 0 is an unknown one."""

    start: NDArray[np.int64]
    """Begin of the entries of each of T combinations, and the end of all (T+1,)."""
    values: NDArray[np.int32]
    persons: NDArray[np.int32]

    def merged(self, members: Members, number: int) -> PersonValues:
        """The same over classes of combinations, of ``number`` persons."""
        return PersonValues(*_merged(members, self, number))


def shares(
    person: NDArray[np.integer], values: NDArray[np.integer], size: int, number: int
) -> tuple[NDArray[np.float64], bool]:
    """(share of each of ``size`` values in the table, whether some person has several), from pairs of ``number`` persons.

    Each person weighs one, in equal parts for each of its different values; 0, the unknown one, only where it has no other.
    """
    pairs = np.unique(person.astype(np.int64) * size + values)
    who, value = pairs // size, pairs % size
    several = bool((np.bincount(who, minlength=number) > 1).any())
    known = np.bincount(who[value > 0], minlength=number)
    counts = (value > 0) | (known[who] == 0)
    who, value = who[counts], value[counts]
    weights = 1.0 / np.maximum(known[who], 1)
    return np.bincount(value, weights=weights, minlength=size) / max(number, 1), several


@inner
def _valued(order, begin, end, entries, histogram, seen, value_of, here):
    """Count the persons of the combinations ``order[begin:end]`` by their values into ``histogram``.

    Returns (persons, whether some value is unknown, different known values seen). ``seen`` and ``value_of`` are by person.
    """
    start, values, persons = entries
    number, several, different = 0, False, 0
    for place in range(begin, end):
        combination = order[place]
        for entry in range(start[combination], start[combination + 1]):
            person, value = persons[entry], values[entry]
            if value == 0:
                several = True
            elif histogram[value] == 0:
                different += 1
            if seen[person] != here:
                seen[person] = here
                value_of[person] = value
                histogram[value] += 1
                number += 1
            elif value_of[person] != value:
                histogram[value_of[person]] -= 1
                histogram[0] += 1
                value_of[person] = 0
                several = True
    return number, several, different


@compiled
def _merged(members, entries, number):
    order, begin = members
    start, values, persons = entries
    classes = len(begin) - 1
    made = np.zeros(classes + 1, np.int64)
    place_of = np.full(number, -1, np.int64)
    new_values = np.empty(len(values), np.int32)
    new_persons = np.empty(len(values), np.int32)
    found = 0
    for here in range(classes):
        first = found
        for place in range(begin[here], begin[here + 1]):
            combination = order[place]
            for entry in range(start[combination], start[combination + 1]):
                person, value = persons[entry], values[entry]
                at = place_of[person]
                if at < first:
                    place_of[person] = found
                    new_values[found] = value
                    new_persons[found] = person
                    found += 1
                elif new_values[at] != value:
                    new_values[at] = 0
        made[here + 1] = found
    return made, new_values[:found].copy(), new_persons[:found].copy()


@compiled
def judge_persons(members, sizes, entries, requirements, number, kept, least):
    """Unset ``kept`` for classes whose persons break a condition, and set ``least``, the rows (of ``sizes``) that any
    finer table must suppress as well: all of them where values are too few, none where nothing is known of finer classes,
    in which a person's value may no longer be unknown."""
    order, begin = members
    seen = np.full(number, -1, np.int64)
    value_of = np.zeros(number, np.int32)
    histogram = np.zeros(len(requirements.shares), np.int64)
    fewest = 0.0
    for condition in requirements.conditions:
        if condition.kind == DISTINCT:
            fewest = max(fewest, condition.limit)
    for here in range(len(sizes)):
        if not kept[here]:
            continue
        histogram[:] = 0
        persons, several, different = _valued(
            order, begin[here], begin[here + 1], entries, histogram, seen, value_of, here
        )
        if not all_hold(histogram, persons, requirements):
            kept[here] = False
            if not several and different < fewest:
                least[here] = sizes[here]
