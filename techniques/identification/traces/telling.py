"""Columns outside the quasi-identifiers that nearly tell rows apart: whoever knows such a value elsewhere has the row.

What a value looks like does not matter: an exact birth date, coordinates, a salary to the cent, a row number with a suffix,
as a fraction, scaled or in words.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain, combinations, islice
from math import prod
from typing import Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from pydantic import BaseModel

from techniques.core.messages import _
from techniques.core.subjects import Subjects, persons_of_groups
from techniques.core.tuples import distinct_keys
from techniques.identification.keys import ALIKE, MOSTLY_RARE
from techniques.identification.traces.values import isin, kept, share_kept, texts_of
from techniques.tables.dictionary import MISSING, CountedValues, EncodedColumn
from techniques.values.dates import parse_days
from techniques.values.lookup import places
from techniques.values.numbers import parse_numbers

LEAST_ROWS = 20
"""Of fewer rows any column has few that share a value: there only what stands in a single row counts."""
Params = dict[str, str | int | float]
_UNCHANGED = 0.95
_KEYS = 20
_SHIFTS = (-2, -1, 1, 2)
_NUMBERED_ROWS = 50
_SPARE = 1.2
_MISSING_AT_MOST = 0.05
_IN_THREES = 40
"""Columns of which sets of three are tried; of more only pairs."""
_SETS = 200


class Telling(BaseModel, frozen=True):
    """A column with ``rows`` values that fewer than enough rows share: ``share`` of the values that are there.

    ``beside``: the columns that tell rows apart only together with it.
    """

    column: str
    kind: Literal["rare", "sparse", "key"]
    rows: int
    share: float
    message: str
    params: Params
    beside: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        return *self.beside, self.column


def enough(alike: int, rows: int) -> int:
    """How many rows of ``rows`` have to share a value so that it is not rare."""
    return alike if rows >= LEAST_ROWS else 2


def rare_share(counts: npt.NDArray[np.int64], alike: int) -> float:
    """Share of the rows (values occur ``counts`` times) whose value fewer than ``alike`` rows have."""
    total = int(counts.sum())
    return float(counts[counts < alike].sum() / total) if total else 0.0


def telling(
    columns: Mapping[str, EncodedColumn],
    alike: int = ALIKE,
    source: Mapping[str, EncodedColumn] | None = None,
    untouched: frozenset[str] | None = None,
    subjects: Subjects | None = None,
) -> list[Telling]:
    """Those of ``columns`` that nearly tell rows apart, or persons where ``subjects`` say whose the rows (n,) are.

    With the ``source`` at hand a column counts only as far as its values are those of the source: what noise or synthesis
    made tells nobody apart who knows the original. ``untouched`` columns need no comparison.
    """
    found = []
    for name, cells in columns.items():
        rows = len(cells)
        counts = cells.counts()
        least = enough(alike, rows)
        used = cells.codes != MISSING
        alone = counts < least
        rare = alone | (_persons_of(cells, used, subjects) < least)
        made = rare_by(
            name,
            rows,
            len(cells.values),
            int(counts.sum()),
            int(counts[alone].sum()),
            int(counts[rare].sum()),
        )
        if made is None:
            continue
        known = name in (untouched or ()) or source is None or name not in source
        if not known and not _is_of_source((source or {})[name], cells, rare):
            continue
        found.append(made)
    return found


def rare_by(name: str, rows: int, values: int, present: int, alone: int, rare: int) -> Telling | None:
    """What a column of so many ``rows`` and different ``values`` tells: of the ``present`` cells those ``alone`` share theirs with too
    few rows, those that are ``rare`` with too few rows or persons. None: too little."""
    if not present or (values < 2 and present > 1):
        return None
    share = rare / present
    if share < MOSTLY_RARE:
        return None
    by_rows = alone / present >= MOSTLY_RARE
    return _telling(name, alone if by_rows else rare, share, rows, present, by_rows)


def rare_columns(columns: Mapping[str, CountedValues], alike: int = ALIKE) -> list[Telling]:
    """As :func:`telling` of rows, from the counts of the values alone."""
    made = []
    for name, cells in columns.items():
        alone = int(cells.counts[cells.counts < enough(alike, cells.rows)].sum())
        made.append(rare_by(name, cells.rows, len(cells.values), int(cells.counts.sum()), alone, alone))
    return [one for one in made if one is not None]


def _persons_of(
    cells: EncodedColumn, used: npt.NDArray[np.bool_], subjects: Subjects | None
) -> npt.NDArray[np.int64]:
    """How many persons share each value (d,)."""
    whose = None if subjects is None else subjects[used]
    return persons_of_groups(cells.codes[used], len(cells.values), whose)


def keys(
    columns: Mapping[str, EncodedColumn], classes: npt.NDArray[np.int64], alike: int = ALIKE
) -> list[Telling]:
    """Those of ``columns`` whose values lie each in one class of ``classes`` (rows,) and split the classes further.

    So do keys of persons with many rows each: no value is rare, and yet it joins the rows of one person.
    """
    found = []
    class_count = int(classes.max()) + 1 if len(classes) else 0
    for name, cells in columns.items():
        used = cells.codes != MISSING
        distinct = len(cells.values)
        if not used.any() or distinct < _KEYS or distinct <= 2 * class_count or class_count < 2:
            continue
        pairs = distinct_keys(cells.codes[used].astype(np.int64) * class_count + classes[used])
        if len(pairs) > 1.02 * distinct:
            continue
        text = _(
            "Each of the %(distinct)d values of “%(column)s” belongs to one combination of the quasi-identifiers: it looks "
            "like the key of a person with several records."
        )
        params: Params = {"column": name, "distinct": distinct}
        rows = int(used.sum())
        found.append(Telling(column=name, kind="key", rows=rows, share=1.0, message=text, params=params))
    return found


def numbered(columns: Mapping[str, EncodedColumn]) -> list[Telling]:
    """Two or three of ``columns`` that together tell the rows apart, as the tens and the ones of a row number in two columns do.

    So do ordinary columns of which every combination stands in one row, such as twelve months of ten wards: their values may
    stand for a row number as well as digits do, and whoever knows them all has the row. Which it is a person has to say.

    Chance leaves a third of as many combinations as there are rows without a row and puts several rows into others; columns
    that give nearly every row a combination of its own, and few to no row, were made so.
    """
    rows = len(next(iter(columns.values()), ()))
    sizes = {
        name: len(cells.values)
        for name, cells in columns.items()
        if 1 < len(cells.values) <= rows / 2 and cells.missing <= _MISSING_AT_MOST * rows
    }
    if rows < _NUMBERED_ROWS:
        return []
    ordered = sorted(sizes, key=lambda name: (sizes[name], name))
    sets = chain(combinations(ordered, 2), combinations(ordered, 3) if len(ordered) <= _IN_THREES else ())
    fitting = (
        those for those in sets if rows * _UNCHANGED <= prod(sizes[name] for name in those) <= rows * _SPARE
    )
    found: list[Telling] = []
    gone: set[str] = set()
    for those in islice(fitting, _SETS):
        if gone & {*those}:
            continue
        codes = np.zeros(rows, dtype=np.int64)
        for name in those:
            codes = codes * (sizes[name] + 1) + columns[name].codes + 1
        met = np.zeros(prod(sizes[name] + 1 for name in those), dtype=bool)
        met[codes] = True
        if met.sum() < _UNCHANGED * rows:
            continue
        text = _(
            "“%(columns)s” together nearly tell the rows apart, as a row number in several columns does: nearly every row has a "
            "combination of its own."
        )
        found.append(
            Telling(
                column=those[-1],
                beside=those[:-1],
                kind="key",
                rows=rows,
                share=1.0,
                message=text,
                params={"columns": ", ".join(those)},
            )
        )
        gone |= {*those}
    return found


def _telling(name: str, rare: int, share: float, rows: int, present: int, by_rows: bool) -> Telling:
    kind: Literal["rare", "sparse"] = "sparse" if present < rows / 2 else "rare"
    text = _(
        "“%(column)s” nearly tells the rows apart: %(rare)d of its %(present)d values stand in too few rows."
    )
    if kind == "sparse":
        text = _(
            "“%(column)s” is mostly empty, and %(rare)d of its %(present)d values stand in too few rows: who has one is "
            "known by it."
        )
    if not by_rows:
        text = _(
            "“%(column)s” nearly tells the persons apart: too few of them share %(rare)d of its %(present)d values."
        )
    params: Params = {"column": name, "rare": rare, "present": present}
    return Telling(column=name, kind=kind, rows=rare, share=share, message=text, params=params)


def _is_of_source(source: EncodedColumn, result: EncodedColumn, rare: npt.NDArray[np.bool_]) -> bool:
    """Whether the rare values of ``result`` (d,) are the source's, beyond what values close to them would be by chance."""
    if share_kept(source, result) >= _UNCHANGED and _contained(source, result) >= _UNCHANGED:
        return True
    counts = result.counts()[rare]
    texts, before = texts_of(result).filter(pa.array(rare)), texts_of(source)
    total = max(int(counts.sum()), 1)
    same = float(counts[isin(texts, before)].sum()) / total
    return same - _by_chance(texts, before) >= MOSTLY_RARE


def _contained(source: EncodedColumn, result: EncodedColumn) -> float:
    """Share of the cells of ``result`` that are cells of ``source``, each of these taken once."""
    where = places(texts_of(result), texts_of(source))
    counts = result.counts()
    there = np.append(source.counts(), 0)[where]
    return float(np.minimum(counts, there)[kept(source, result)].sum() / max(int(counts.sum()), 1))


def _by_chance(texts: pa.Array, before: pa.Array) -> float:
    """Share of values right beside those of ``texts`` that the source has: what a value in this place meets anyway."""
    numbers, dated = parse_days(texts)
    others, known = parse_days(before)
    unit = 1
    if dated.all() and known.any():
        others = others[known]
    else:
        read, there = parse_numbers(texts), parse_numbers(before)
        if not read.valid.all() or not there.valid.any():
            return 0.0
        numbers, others = read.unscaled, there.unscaled[there.valid]
        unit = _unit(others)
    return float(np.mean([np.isin(numbers + shift * unit, others).mean() for shift in _SHIFTS]))


def _unit(numbers: npt.NDArray[np.int64]) -> int:
    """The greatest power of ten that divides all numbers: the step in which they are written."""
    unit = 1
    while unit < 10**15 and not (numbers % (unit * 10)).any():
        unit *= 10
    return unit
