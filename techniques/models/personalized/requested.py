"""Which protection levels persons ask for, and with which sensitive value: counted before anything is treated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from techniques.core.settings import Frozen
from techniques.core.subjects import Subjects, persons
from techniques.tables.dictionary import encode_columns
from techniques.values.levels import MOST_LEVEL, level_of

FEWEST = 5
"""A value that fewer persons have is counted and not named, and no number is told of fewer."""
MOST_VALUES = 200
Levels = dict[int, int]
"""Level, 0 for none, → how many ask for it."""
Numbers = NDArray[np.int64]


class ValueLevels(Frozen):
    """A value of the sensitive attribute and how many records with it ask for which level; ``pooled`` records have it at further
    levels, each of so few persons that it is not told which."""

    value: str
    records: Levels
    pooled: int = 0


class Requested(Frozen):
    """The levels of a table. ``units`` are persons where the table has a key of them, else records; a person who asks for several
    levels counts with the highest. ``unreadable`` records hold no level, or one above :data:`~techniques.values.levels.MOST_LEVEL`.
    ``others`` are the records of the ``unnamed`` values that too few have, or that are too many to list; records without a value
    stand nowhere. ``pooled`` units and ``others_pooled`` records ask for further levels, each asked for by few."""

    records: int
    units: int
    of_persons: bool
    levels: Levels
    unreadable: int
    values: tuple[ValueLevels, ...]
    unnamed: int
    others: Levels
    pooled: int = 0
    others_pooled: int = 0


def requested(
    batches: Callable[[], Iterable[pa.RecordBatch]],
    column: str,
    level_column: str = "",
    subjects: Subjects | None = None,
) -> Requested:
    """Counted by the columns; without one of levels nobody asks for anything."""
    names = [column, level_column] if level_column else [column]
    encoded = encode_columns(batches(), names)
    values = encoded[column]
    codes: Numbers = np.asarray(values.codes, dtype=np.int64)
    wanted: Numbers = np.zeros(len(codes), dtype=np.int64)
    if level_column:
        cells = encoded[level_column]
        found = [level_of(str(one)) for one in cells.values.to_pylist()]
        read = np.array(
            [*(-1 if one is None or one > MOST_LEVEL else one for one in found), 0], dtype=np.int64
        )
        wanted = read[np.asarray(cells.codes, dtype=np.int64)]
    unreadable = int((wanted < 0).sum())
    asked = np.maximum(wanted, 0)
    who, number = persons(subjects) if subjects is not None else (np.arange(len(codes)), len(codes))
    highest = np.zeros(number, dtype=np.int64)
    np.maximum.at(highest, who, asked)
    # What a person asks for holds for all of their rows.
    asked = highest[who]
    named, unnamed = _named(codes, who, len(values.values))
    texts = values.values.to_pylist()
    rows = [codes == code for code in named] + ([np.isin(codes, unnamed)] if unnamed else [])
    records = [_counted(asked[row]) for row in rows]
    levels, owners = _counted(highest), np.asarray(who, dtype=np.int64)
    *pooled, few = _pooled([*(_persons(asked[row], owners[row]) for row in rows), levels])
    of_values = zip(named, records, pooled, strict=False)
    return Requested(
        records=len(codes),
        units=number,
        of_persons=subjects is not None,
        levels=_without(levels, few),
        unreadable=unreadable,
        values=tuple(
            ValueLevels(value=str(texts[code]), records=_without(found, gone), pooled=_of(found, gone))
            for code, found, gone in of_values
        ),
        unnamed=len(unnamed),
        others=_without(records[-1], pooled[-1]) if unnamed else {},
        pooled=_of(levels, few),
        others_pooled=_of(records[-1], pooled[-1]) if unnamed else 0,
    )


def _pooled(rows: Sequence[Levels]) -> list[set[int]]:
    """The levels of each row that are not told apart. ``rows``: how many persons ask for which level, the last for the whole table.

    Those that few ask for, and the smallest beside them until no cell is what is left of a sum: of a row and of a level either
    nothing is pooled, or two cells and :data:`FEWEST` persons at the least, or all of it.
    """
    pooled = [{level for level, number in row.items() if number < FEWEST} for row in rows]
    levels = sorted({level for row in rows for level in row})
    while True:
        before = [set(one) for one in pooled]
        for place, row in enumerate(rows):
            _closed([(place, level) for level in row], rows, pooled)
        for level in levels:
            _closed([(place, level) for place, row in enumerate(rows) if level in row], rows, pooled)
        if before == pooled:
            return pooled


def _closed(line: Sequence[tuple[int, int]], rows: Sequence[Levels], pooled: list[set[int]]) -> None:
    """Pool the smallest cells of a line until those that are pooled are none, all, or enough."""
    order = sorted(line, key=lambda cell: (cell[1] not in pooled[cell[0]], rows[cell[0]][cell[1]], cell))
    gone = [cell for cell in order if cell[1] in pooled[cell[0]]]
    while gone and len(gone) < len(order):
        if len(gone) > 1 and sum(rows[place][level] for place, level in gone) >= FEWEST:
            return
        place, level = order[len(gone)]
        pooled[place].add(level)
        gone.append((place, level))


def _without(found: Levels, gone: set[int]) -> Levels:
    return {level: number for level, number in found.items() if level not in gone}


def _of(found: Levels, gone: set[int]) -> int:
    return sum(found[level] for level in gone)


def _persons(levels: Numbers, who: Numbers) -> Levels:
    """How many persons ask for which level, a person for each of theirs."""
    pairs = np.unique(np.stack([levels, who]), axis=1)
    return _counted(pairs[0])


def _named(codes: Numbers, who: NDArray[np.integer], number: int) -> tuple[list[int], list[int]]:
    """The codes of the values that are listed, the most frequent first, and of the others."""
    known = codes >= 0
    pairs = np.unique(np.stack([codes[known], np.asarray(who, dtype=np.int64)[known]]), axis=1)
    of = np.bincount(pairs[0], minlength=number)
    ordered = sorted(np.flatnonzero(of).tolist(), key=lambda code: (-int(of[code]), code))
    named = [code for code in ordered if of[code] >= FEWEST][:MOST_VALUES]
    return named, [code for code in ordered if code not in set(named)]


def _counted(levels: Numbers) -> Levels:
    found, numbers = np.unique(levels, return_counts=True)
    return dict(zip(found.tolist(), numbers.tolist(), strict=True))
