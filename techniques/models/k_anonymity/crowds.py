"""How many different persons a class has, where persons have several rows.

A person weighs one, shared out evenly over the combinations that it has rows in. The weights of a class's combinations add
up to no more than its persons, so most classes are known to have enough of them without looking at any person; once a class
has, every class that it becomes a part of has too. Persons are kept by name for the other combinations alone, and counted
for classes of few.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from techniques.core.compiling import compiled, inner
from techniques.core.subjects import Persons

ONE = 1 << 20
"""The weight of a person."""


class Crowd(NamedTuple):
    """The persons of C combinations: ``weight`` (C,), and ``person[start[c]:start[c + 1]]``, each once, where that is not
    enough to know that there are as many as are asked for."""

    weight: NDArray[np.int64]
    start: NDArray[np.int64]
    person: NDArray[np.int32]

    @classmethod
    def of(cls, persons: Persons, enough: int) -> Crowd:
        """All persons, of whom no class needs more than ``enough``."""
        return cls(*_shared_out(persons.start, persons.person, persons.number, _certain(enough)))

    def merged(
        self, class_of: NDArray[np.int32], classes: int, enough: int, seen: NDArray[np.int64]
    ) -> Crowd:
        """The same over classes instead of combinations."""
        return Crowd(*_merged(class_of, classes, self, _certain(enough), seen))


def seen_by(persons: Persons) -> NDArray[np.int64]:
    """Room for :func:`kept_by_persons`: by person when it was counted last, and behind them the last count."""
    return np.zeros(persons.number + 1, dtype=np.int64)


def _certain(enough: int) -> int:
    """The weight above which a class has ``enough`` persons."""
    return (enough - 1) * ONE


@compiled
def _shared_out(start, person, number, certain):
    """See :class:`Crowd`."""
    combinations = len(start) - 1
    of = np.zeros(number, np.int64)
    for pair in range(len(person)):
        of[person[pair]] += 1
    weight = np.zeros(combinations, np.int64)
    begin = np.zeros(combinations + 1, np.int64)
    named = np.empty(len(person), np.int32)
    found = 0
    for here in range(combinations):
        for pair in range(start[here], start[here + 1]):
            weight[here] += ONE // of[person[pair]]
        if weight[here] <= certain:
            for pair in range(start[here], start[here + 1]):
                named[found] = person[pair]
                found += 1
        begin[here + 1] = found
    return weight, begin, named[:found].copy()


@compiled
def _linked(class_of, doubtful):
    """The combinations of the doubtful classes as chains: the first of each class, and after each the next; -1 ends it."""
    head = np.full(len(doubtful), -1, np.int32)
    after = np.empty(len(class_of), np.int32)
    for here in range(len(class_of) - 1, -1, -1):
        of = np.uint32(class_of[here])
        if doubtful[of]:
            after[here] = head[of]
            head[of] = here
    return head, after


@compiled
def _merged(class_of, classes, crowd, certain, seen):
    """See :meth:`Crowd.merged`."""
    weight, begin, person = crowd
    total = np.zeros(classes, np.int64)
    for here in range(len(class_of)):
        total[np.uint32(class_of[here])] += weight[here]
    doubtful = total <= certain
    head, after = _linked(class_of, doubtful)
    start = np.zeros(classes + 1, np.int64)
    named = np.empty(len(person), np.int32)
    found, time = 0, seen[-1]
    for of in range(classes):
        time += 1
        here = head[of]
        while here >= 0:
            for pair in range(begin[here], begin[here + 1]):
                if seen[person[pair]] != time:
                    seen[person[pair]] = time
                    named[found] = person[pair]
                    found += 1
            here = after[here]
        start[of + 1] = found
    seen[-1] = time
    return total, start, named[:found].copy()


@compiled
def kept_by_persons(class_of, sizes, crowd, k, seen):
    """(which classes have k persons, rows of each class that has not, the sum of these). ``sizes`` are rows."""
    weight, begin, person = crowd
    certain = (k - 1) * ONE
    total = np.zeros(len(sizes), np.int64)
    for here in range(len(class_of)):
        total[np.uint32(class_of[here])] += weight[here]
    kept = total > certain
    doubtful = np.empty(len(sizes), np.bool_)
    some = False
    for of in range(len(sizes)):
        doubtful[of] = not kept[of] and sizes[of] >= k
        some |= doubtful[of]
    if some:
        head, after = _linked(class_of, doubtful)
        time = seen[-1]
        for of in range(len(sizes)):
            time += 1
            here = head[of]
            number = 0
            while here >= 0 and number < k:
                for pair in range(begin[here], begin[here + 1]):
                    if seen[person[pair]] != time:
                        seen[person[pair]] = time
                        number += 1
                here = after[here]
            kept[of] |= number >= k
        seen[-1] = time
    least = np.empty(len(sizes), np.int64)
    rows = np.int64(0)
    for of in range(len(sizes)):
        least[of] = 0 if kept[of] else sizes[of]
        rows += least[of]
    return kept, least, rows


@compiled
def persons_by_class(order, begin, start, person, number):
    """The different persons of each class, of combinations that name all of theirs; ``order`` and where each class begins in it are
    those of :func:`techniques.models.k_anonymity.grouping.by_class`."""
    classes = len(begin) - 1
    seen = np.full(number, -1, np.int32)
    found = np.zeros(classes, np.int64)
    for of in range(classes):
        for place in range(begin[of], begin[of + 1]):
            here = order[place]
            for pair in range(start[here], start[here + 1]):
                if seen[person[pair]] != of:
                    seen[person[pair]] = of
                    found[of] += 1
    return found


@compiled
def held_at_least(class_of, kept, weight):
    """(classes kept, persons that these have at the least) by the ``weight`` of the combinations, of which each person has one in
    all."""
    classes, held = np.int64(0), np.int64(0)
    for of in range(len(kept)):
        classes += kept[of]
    for here in range(len(class_of)):
        held += weight[here] if kept[np.uint32(class_of[here])] else 0
    return classes, held / ONE


@compiled
def smallest_held(order, begin, counted, kept, start, person, number, average):
    """The fewest persons that a class of those kept may have, for the average over all persons in such classes, of one divided by the
    smallest class of each, to be at most ``average``; 0 where no class may be kept.

    The arguments are those of :func:`persons_by_class`, and what it gives. The largest classes are taken first: each further one raises
    the average, as whoever comes in it is in no larger one alone.
    """
    by_size = np.argsort(-counted)
    rank = np.full(number, -1, np.int32)
    sizes = np.empty(len(counted), np.int64)
    persons = np.zeros(len(counted), np.int64)
    ranks, held = 0, np.int64(0)
    for place in range(len(by_size)):
        of = by_size[place]
        if not kept[of]:
            continue
        if ranks == 0 or counted[of] != sizes[ranks - 1]:
            if ranks > 0:
                if _average(sizes, persons, ranks) > average:
                    return held
                held = sizes[ranks - 1]
            sizes[ranks] = counted[of]
            ranks += 1
        for at in range(begin[of], begin[of + 1]):
            here = order[at]
            for pair in range(start[here], start[here + 1]):
                before = rank[person[pair]]
                if before < ranks - 1:
                    if before >= 0:
                        persons[before] -= 1
                    rank[person[pair]] = ranks - 1
                    persons[ranks - 1] += 1
    return held if ranks == 0 or _average(sizes, persons, ranks) > average else sizes[ranks - 1]


@inner
def _average(sizes, persons, ranks):
    """The mean of one divided by a size over ``persons[rank]`` persons of each of so many."""
    total, number = 0.0, np.int64(0)
    for one in range(ranks):
        total += persons[one] / sizes[one]
        number += persons[one]
    return total / number


@compiled
def smallest_by_person(class_of, sizes, kept, start, person, number):
    """By person the size of the smallest class that is kept and that it has rows in; -1 for none."""
    found = np.full(number, -1, np.int64)
    for here in range(len(class_of)):
        of = class_of[here]
        if kept[of]:
            for pair in range(start[here], start[here + 1]):
                who = person[pair]
                if found[who] < 0 or sizes[of] < found[who]:
                    found[who] = sizes[of]
    return found
