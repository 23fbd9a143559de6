"""A table of statistics as a file: a cell a row, written as it may go out, or read with who contributes how much."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TextIO

import numpy as np

from techniques.core.messages import EngineError, _
from techniques.families.statistical.tables.records import Tree, dimension_over
from techniques.families.statistical.tables.release import ReleasedTable
from techniques.families.statistical.tables.table import (
    MOST_CELLS,
    Floats,
    Integers,
    Relation,
    StatisticalTable,
)
from techniques.tables import neutralise_name

HIDDEN = "x"
"""What stands for a hidden cell."""


def shown(value: float, hidden: bool, decimals: int) -> str:
    """What goes out for a cell."""
    # A rounded zero has a sign until a zero is added.
    return HIDDEN if hidden else f"{value + 0.0:.{decimals}f}"


def table_write(target: TextIO, found: ReleasedTable, decimals: int) -> None:
    """The labels of each cell and what goes out for it, as CSV."""
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow([*(neutralise_name(one.name) for one in found.table.dimensions), "value"])
    for cell, (value, hidden) in enumerate(zip(found.values.tolist(), found.hidden.tolist(), strict=True)):
        writer.writerow([*map(neutralise_name, found.table.labels(cell)), shown(value, hidden, decimals)])


VALUE, CONTRIBUTORS, ABSOLUTE, ALONE, LARGEST = "value", "contributors", "absolute", "alone", "largest"
"""Columns of an imported table beside its dimensions; ``largest1``, ``largest2``, … are the greatest contributions by size."""
MOST_LARGEST = 10


def table_read(
    source: TextIO, *, counts: bool, trees: Mapping[str, Tree], total: str, ranks: int
) -> tuple[StatisticalTable, int]:
    """(the table, the decimals of its values) of cells that were made elsewhere, as CSV, a cell a row, totals among them.

    The other columns are the dimensions. A table that ``counts`` contributors needs ``value`` alone, and its totals may be left out
    as long as all of them are: they are added up. One of amounts needs ``contributors`` and ``largest1``, ``largest2``, …, as many
    as the rules look at (``ranks``), and all its totals, since who contributes to several cells is not known; ``absolute`` is the
    sum of the sizes of the contributions where amounts may lie below zero; ``alone`` names who contributes alone, so that somebody
    who is alone in several cells is known to be one. A cell that is missing is empty.

    Raises EngineError ``cells_columns``, ``cells_not_numbers``, ``cells_twice``, ``cells_not_additive``, ``cells_label_unknown``,
    ``cells_impossible``, ``table_too_large``, ``no_rows`` and what :func:`dimension_over` raises.
    """
    rows = list(csv.DictReader(source))
    names = list(rows[0]) if rows else []
    own = [VALUE, CONTRIBUTORS, ABSOLUTE, ALONE, *(f"{LARGEST}{rank}" for rank in range(1, MOST_LARGEST + 1))]
    by = [name for name in names if name not in own]
    needed = (
        [VALUE] if counts else [VALUE, CONTRIBUTORS, *(f"{LARGEST}{rank}" for rank in range(1, ranks + 1))]
    )
    missing = [name for name in needed if name not in names]
    if missing or not by:
        text = _("The table needs the columns %(columns)s, and at least one that spans it.")
        raise EngineError("cells_columns", text, columns=", ".join(needed))
    if any(None in row or None in row.values() for row in rows):
        raise EngineError("cells_columns", _("A row of the table has other columns than the first."))
    pairs = []
    for name in by:
        above = {label for row in trees.get(name, ()) for label in row[1:]}
        values = dict.fromkeys(row[name] for row in rows)
        pairs.append(
            dimension_over(
                name, [one for one in values if one != total and one not in above], trees.get(name), total
            )
        )
    dimensions = tuple(one for one, _leaf in pairs)
    shape = [len(one.labels) for one in dimensions]
    cells = int(np.prod(shape, dtype=object))
    if cells > MOST_CELLS:
        text = _("The table would have %(cells)d cells with its totals; %(most)d are possible.")
        raise EngineError("table_too_large", text, cells=cells, most=MOST_CELLS)
    place = [{label: number for number, label in enumerate(one.labels)} for one in dimensions]
    if any(row[name] not in which for which, name in zip(place, by, strict=True) for row in rows):
        text = _(
            "A row of the table has a label that the dimension does not have: see what the totals are called."
        )
        raise EngineError("cells_label_unknown", text)
    at = np.ravel_multi_index(
        [np.array([which[row[name]] for row in rows]) for which, name in zip(place, by, strict=True)], shape
    )
    if len(np.unique(at)) < len(at):
        raise EngineError("cells_twice", _("Two rows of the table are about one cell."))
    table = StatisticalTable(
        dimensions, np.zeros(cells), np.zeros(cells, np.int64), np.zeros((cells, max(ranks, 2))), np.zeros(cells),
        np.full(cells, -1, dtype=np.int64), False,
    )  # fmt: skip
    numbers = _numbers(rows, [VALUE] if counts else [name for name in own if name in names and name != ALONE])
    decimals = max(len(row[VALUE].strip().partition(".")[2]) for row in rows)
    table.values[at] = numbers[VALUE]
    if counts:
        _counted(table, at)
    else:
        table.contributors[at] = _whole(numbers[CONTRIBUTORS])
        for rank in range(ranks):
            table.largest[at, rank] = np.abs(numbers[f"{LARGEST}{rank + 1}"])
        table.absolute[at] = numbers.get(ABSOLUTE, np.abs(numbers[VALUE]))
    _fits(table, added=counts)
    _alone(table, dict(zip(at.tolist(), (row.get(ALONE) or "" for row in rows), strict=True)))
    whole = bool(
        (table.values == np.round(table.values)).all() and (table.largest == np.round(table.largest)).all()
    )
    return replace(table, whole=whole), decimals


def _numbers(rows: Sequence[Mapping[str, str]], names: Sequence[str]) -> dict[str, Floats]:
    """The columns as numbers; an empty one is zero."""
    try:
        found = {name: np.array([float(row[name].strip() or 0) for row in rows]) for name in names}
    except ValueError:
        found = {}
    if not found or not all(np.isfinite(one).all() for one in found.values()):
        raise EngineError("cells_not_numbers", _("A column that holds numbers holds something else."))
    return found


def _whole(numbers: Floats) -> Integers:
    if (numbers < 0).any() or (numbers != np.round(numbers)).any():
        raise _impossible()
    return numbers.astype(np.int64)


def _impossible() -> EngineError:
    text = _(
        "A cell contradicts itself: contributors are whole numbers, the largest contributions fall and come to no more than all, "
        "and a cell without contributors is empty."
    )
    return EngineError("cells_impossible", text)


def _counted(table: StatisticalTable, there: Integers) -> None:
    """Counts say how many contribute, each of them one; totals that are left out, all of them, are added up."""
    relations = table.relations()
    totals = np.array(sorted({one.total for one in relations}), dtype=np.int64)
    if not np.isin(totals, there).any():
        # A label stands after its parent, so that parts are whole before they are added to what is above them.
        for dimension in range(len(table.dimensions)):
            for one in _from_below(table, dimension):
                table.values[one.total] = table.values[list(one.parts)].sum()
    table.contributors[:] = _whole(table.values)
    table.absolute[:] = table.values
    for rank in range(table.largest.shape[1]):
        table.largest[:, rank] = table.contributors > rank


def _from_below(table: StatisticalTable, axis: int) -> list[Relation]:
    """The totals over one dimension, the deepest first."""
    number = np.moveaxis(np.arange(table.cells).reshape(table.shape), axis, 0)
    number = number.reshape(table.shape[axis], -1)
    above = np.array(table.dimensions[axis].parent)
    return [
        Relation(int(number[total, place]), tuple(number[above == total, place].tolist()))
        for total in sorted(set(above[1:].tolist()), reverse=True)
        for place in range(number.shape[1])
    ]


def _fits(table: StatisticalTable, *, added: bool) -> None:
    """Every total is there and is the sum of its parts, and no cell contradicts itself."""
    sizes = np.maximum(np.abs(table.values), 1.0)
    for one in table.relations():
        parts = table.values[list(one.parts)]
        if abs(parts.sum() - table.values[one.total]) > 1e-6 * max(
            sizes[one.total], np.abs(parts).max(initial=0.0)
        ):
            text = _("The totals of the table are not the sums of their parts, or one is missing.")
            raise EngineError("cells_not_additive", text)
        if not added and table.contributors[one.total] < table.contributors[list(one.parts)].max(initial=0):
            raise _impossible()
    falling = (np.diff(table.largest, axis=1) <= 1e-9).all()
    most = table.largest.sum(axis=1) <= table.absolute * (1 + 1e-9) + 1e-9
    ranks = np.arange(1, table.largest.shape[1] + 1)
    filled = ((table.largest > 0) <= (ranks <= table.contributors[:, None])).all()
    nothing = (table.contributors > 0) | ((table.absolute == 0) & (table.values == 0))
    by_size = np.abs(table.values) <= table.absolute * (1 + 1e-9) + 1e-9
    if not (falling and most.all() and filled and nothing.all() and by_size.all()):
        raise _impossible()
    if not table.contributors.any():
        raise EngineError("cells_impossible", _("Nobody contributes to this table."))


def _alone(table: StatisticalTable, named: Mapping[int, str]) -> None:
    """Number who contributes alone: by the name that is given, and where a total has one contributor it is that of its part."""
    number: dict[str, int] = {}
    single = np.flatnonzero(table.contributors == 1).tolist()
    for cell in single:
        name = named.get(cell, "")
        table.alone[cell] = number.setdefault(name or f"\0{cell}", len(number))
    relations = table.relations()
    for _round in range(sum(table.shape)):
        before = table.alone.copy()
        for one in relations:
            if table.contributors[one.total] == 1:
                same = [one.total, *(part for part in one.parts if table.contributors[part] == 1)]
                table.alone[same] = table.alone[same].min()
        if (before == table.alone).all():
            break
