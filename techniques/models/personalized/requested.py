"""Which protection levels persons ask for, and with which sensitive value: counted before anything is treated."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from techniques.core.settings import Frozen
from techniques.core.subjects import Subjects, persons
from techniques.tables.dictionary import encode_columns
from techniques.values.levels import MOST_LEVEL, level_of

FEWEST = 5
"""A value that fewer persons have is counted and not named."""
MOST_VALUES = 200
Levels = dict[int, int]
"""Level, 0 for none, → how many ask for it."""
Numbers = NDArray[np.int64]


class ValueLevels(Frozen):
    """A value of the sensitive attribute and how many records with it ask for which level."""

    value: str
    records: Levels


class Requested(Frozen):
    """The levels of a table. ``units`` are persons where the table has a key of them, else records; a person who asks for several
    levels counts with the highest. ``unreadable`` records hold no level, or one above :data:`~techniques.values.levels.MOST_LEVEL`. ``others`` are the records of the ``unnamed`` values
    that too few have, or that are too many to list; records without a value stand nowhere."""

    records: int
    units: int
    of_persons: bool
    levels: Levels
    unreadable: int
    values: tuple[ValueLevels, ...]
    unnamed: int
    others: Levels


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
    named, unnamed = _named(codes, who, len(values.values))
    texts = values.values.to_pylist()
    there = np.isin(codes, unnamed)
    return Requested(
        records=len(codes),
        units=number,
        of_persons=subjects is not None,
        levels=_counted(highest),
        unreadable=unreadable,
        values=tuple(
            ValueLevels(value=str(texts[code]), records=_counted(asked[codes == code])) for code in named
        ),
        unnamed=len(unnamed),
        others=_counted(asked[there]),
    )


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
