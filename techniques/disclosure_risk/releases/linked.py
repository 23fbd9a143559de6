"""What rows tell that hang together (GB/T 37964 D.3): sequences of one person, families and devices, dependencies in time.

A row may be like those of k persons and the course of a person's rows like nobody else's: who knows a few visits in their
order, or all heart rates of an hour, finds the person. A key that several people share, as of a family or a device, turns a
class of k persons into one of fewer families. And two dates that lie a fixed time apart link rows without any key.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.core.messages import EngineError, _
from techniques.core.settings import Frozen
from techniques.core.subjects import Subjects, persons, persons_of_groups
from techniques.data_utility.numbers import values_of
from techniques.disclosure_risk.releases.covers import Combinations
from techniques.disclosure_risk.releases.findings import Course
from techniques.values.dates import parse_days

Numbers = NDArray[np.int64]
FIXED = 0.95
"""The share of rows whose dates lie so far apart, at least, where one date tells the other."""
BY_CHANCE = 0.5
"""The share that dates which know nothing of each other may reach; above it their distance tells little."""


class Groups(Frozen):
    """A class counted by what its persons share: ``k`` groups in the class that has fewest, ``below`` persons in classes of
    fewer than were asked for."""

    column: str
    k: int
    below: int


class Dependency(Frozen):
    """``second`` is ``least`` to ``most`` days after ``first`` in ``share`` of the ``rows`` that have both; of two rows drawn at random
    that would hold for ``chance``."""

    first: str
    second: str
    least: int
    most: int
    share: float
    chance: float
    rows: int = 0


def courses(
    table: pa.Table, subjects: Subjects, order: str, columns: Sequence[str], *, k: int, longest: int = 3
) -> list[Course]:
    """How many persons a stretch of 1 to ``longest`` rows tells apart, for who knows its ``columns`` in their order.

    ``table`` (n rows of texts), ``subjects`` (n,) whose each row is; rows of one person are put in the order of the column
    ``order``: by day, by number, or else by text; rows with the same place in it keep that of the file. Lengths that nobody
    has are left out. Raises EngineError ``no_rows``.
    """
    if table.num_rows == 0:
        raise EngineError("no_rows", _("The table has no rows, so there is nothing to count."))
    who = persons(subjects)[0].astype(np.int64)
    row = Combinations.of(table, columns).of_row
    order_of = places(table.column(order).combine_chunks().cast(pa.string()))
    return [
        course_of(stretch, whose, length, k)
        for length, stretch, whose in stretches(row, who, order_of, longest)
    ]


def stretches(
    row: Numbers, who: Numbers, order: NDArray[np.float64], longest: int
) -> Iterator[tuple[int, Numbers, Numbers]]:
    """Of each length from 1 that somebody has: the length, the code of each stretch of rows that follow each other, and whose it is.

    ``row``, ``who``, ``order`` (n,): what is known of each row, its person, and where it stands among the rows of a person.
    """
    arranged = np.lexsort((order, who))
    who, row = who[arranged], row[arranged]
    kinds = int(row.max()) + 1
    # Of the stretches of one length: their codes and at which rows they start.
    stretch, start = row, np.arange(len(row))
    yield 1, stretch, who
    for length in range(2, longest + 1):
        goes_on = start + length - 1 < len(row)
        stretch, start = stretch[goes_on], start[goes_on]
        same = who[start] == who[start + length - 1]
        stretch, start = stretch[same], start[same]
        if len(start) == 0:
            return
        stretch = stretch * kinds + row[start + length - 1]
        stretch = np.unique(stretch, return_inverse=True)[1].reshape(-1)
        yield length, stretch, who[start]


def course_of(stretch: Numbers, who: Numbers, length: int, k: int) -> Course:
    """What the stretches of one length tell, by their codes and persons (n,)."""
    shared = persons_of_groups(stretch, int(stretch.max()) + 1, who.astype(np.int32))[stretch]
    return Course(
        length=length,
        persons=len(np.unique(who)),
        unique=len(np.unique(who[shared == 1])),
        below=len(np.unique(who[shared < k])),
        k=int(shared.min()),
    )


def places(texts: pa.Array) -> NDArray[np.float64]:
    """Where each of n texts stands: its day, its number, or its text's place; empty ones first."""
    texts = texts.fill_null("")
    filled = pc.not_equal(texts, "").to_numpy(zero_copy_only=False)
    days, is_day = parse_days(texts)
    if is_day[filled].all():
        # Within a day by the time, 9:05 before 10:00.
        padded = pc.replace_substring_regex(texts, r"\b(\d)\b", r"0\1")
        within = pc.rank(padded, tiebreaker="dense").to_numpy().astype(np.float64)
        return np.where(filled, days + within * 1e-9, -np.inf)
    numbers: NDArray[np.float64] = values_of(texts)
    if not np.isnan(numbers[filled]).any():
        return np.where(filled, numbers, -np.inf)
    found: NDArray[np.float64] = pc.rank(texts, tiebreaker="dense").to_numpy().astype(np.float64)
    return found


def by_group(
    table: pa.Table, quasi: Sequence[str], column: str, *, k: int, subjects: Subjects | None = None
) -> Groups:
    """The classes by ``quasi``, counted by the values of ``column``, such as a family or a device; persons without one count by
    themselves."""
    group = Combinations.of(table, [column])
    units = np.arange(table.num_rows) if subjects is None else persons(subjects)[0]
    missing = group.codes[0][group.of_row] < 0
    shared = np.where(missing, group.number + units, group.of_row).astype(np.int32)
    classes = Combinations.of(table, quasi)
    counted = persons_of_groups(classes.of_row, classes.number, shared)[classes.of_row]
    return Groups(
        column=column,
        k=int(counted.min(initial=np.iinfo(np.int64).max)) if len(counted) else 0,
        below=len(np.unique(units[counted < k])),
    )


def dependencies(table: pa.Table, columns: Sequence[str], *, days: int = 7) -> list[Dependency]:
    """The pairs of date columns of which one lies within ``days`` days after a fixed time from the other in nearly all rows, and
    would not by chance: who has one of them links rows by it to the other."""
    found = []
    read = {
        name: parse_days(table.column(name).combine_chunks().cast(pa.string()).fill_null(""))
        for name in columns
    }
    for first, second in combinations(columns, 2):
        both = read[first][1] & read[second][1]
        if not both.any():
            continue
        one, other = read[first][0][both], read[second][0][both]
        if np.median(other - one) < 0:
            first, second, one, other = second, first, other, one
        apart = np.sort(other - one)
        inside = np.searchsorted(apart, apart + days, side="right") - np.arange(len(apart))
        best = int(np.argmax(inside))
        least, share = int(apart[best]), float(inside[best] / len(apart))
        ordered = np.sort(other)
        near = np.searchsorted(ordered, one + least + days, side="right") - np.searchsorted(
            ordered, one + least
        )
        chance = float(near.sum() / len(one) ** 2)
        if share >= FIXED and chance <= BY_CHANCE:
            most = int(apart[best + int(inside[best]) - 1])
            found.append(
                Dependency(
                    first=first,
                    second=second,
                    least=least,
                    most=most,
                    share=share,
                    chance=chance,
                    rows=len(one),
                )
            )
    return found
