"""Reading the records of a draw from what a run wrote, with the engine's own reader. Runs in a worker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from projects.jobs.registry import Tick
from projects.processing.models import RunTable
from projects.processing.runs.selectors import result_format, result_open, result_subjects
from techniques.core.subjects import persons
from techniques.tables import open_table

from ..draw import rows_drawn
from .bounds import size_proposed
from .enums import SampleUnit
from .rules import MOST

if TYPE_CHECKING:
    from techniques.core.subjects import Subjects

MOST_ROWS_EACH = 100
"""Of one person; who has more is shown with the first ones, and the page says so."""
MOST_CHARACTERS = 2000
"""Of one value; a name may stand far back in a text, so a longer one ends in a sign that it goes on."""


def records_read(
    written: RunTable,
    *,
    seed: str,
    asked: int | None,
    tick: Tick,
    most_rows: int | None = None,
    most_characters: int = MOST_CHARACTERS,
) -> dict[str, Any]:
    """``rows`` as [number in the draw, number in the file, cells], in the order of the draw; of persons all rows of each.

    Persons are those whom k counts: rows of whom nobody knows whose they are count as one each. ``most_rows``: over all of them, so
    that whoever does not fit whole is left out.
    """
    subjects = result_subjects(written)
    who, population = (None, int(written.result_rows or 0)) if subjects is None else persons(subjects)
    size = min(asked or size_proposed(population), MOST, population)
    drawn, is_cut = _rows_drawn(rows_drawn(population, seed=seed, size=size), who)
    if most_rows is not None and len(drawn) > most_rows:
        drawn, is_cut = _within(drawn, most_rows), True
    columns, cells = _cells(written, sorted(row for _place, row in drawn), tick, most_characters)
    return {
        "unit": str(SampleUnit.RECORD if subjects is None else SampleUnit.PERSON),
        "population": population,
        "size": size,
        "columns": columns,
        "rows": [[place, row + 1, cells[row]] for place, row in drawn],
        "is_cut": is_cut or any(len(value) > most_characters for row in cells.values() for value in row),
    }


def _rows_drawn(numbers: list[int], who: Subjects | None) -> tuple[list[tuple[int, int]], bool]:
    """(number in the draw, row from 0) in the order of the draw, the rows of one person in that of the file; whether somebody has
    more than are shown. Settled before anything is read, so that one person's million rows are not held."""
    if who is None:
        return [(place, number - 1) for place, number in enumerate(numbers, start=1)], False
    place_of = np.zeros(int(who.max(initial=-1)) + 1, dtype=np.int64)
    place_of[np.array(numbers, dtype=np.int64) - 1] = np.arange(1, len(numbers) + 1)
    taken = np.flatnonzero(place_of[who])
    rows = taken[np.argsort(place_of[who[taken]], kind="stable")]
    places = place_of[who[rows]]
    shown = np.arange(len(rows)) - np.searchsorted(places, places) < MOST_ROWS_EACH
    return [*zip(places[shown].tolist(), rows[shown].tolist(), strict=True)], not shown.all()


def _within(drawn: list[tuple[int, int]], most: int) -> list[tuple[int, int]]:
    """The first ``most`` rows without those of who does not fit whole; of the very first at least the beginning."""
    beyond = drawn[most][0]
    return [row for row in drawn[:most] if row[0] != beyond] or drawn[:most]


def _cells(
    written: RunTable, wanted: list[int], tick: Tick, most_characters: int
) -> tuple[list[str], dict[int, list[str]]]:
    """The columns, and the values of the ``wanted`` rows, which ascend."""
    rows, cells, start = np.array(wanted, dtype=np.int64), dict[int, list[str]](), 0
    with result_open(written) as stream, open_table(stream, result_format(written)) as reader:
        columns = list(reader.columns)
        for batch in reader.batches():
            here = rows[(rows >= start) & (rows < start + batch.num_rows)]
            found = batch.take(here - start).to_pylist() if len(here) else []
            for number, row in zip(here.tolist(), found, strict=True):
                cells[number] = [_shown(row[name], most_characters) for name in columns]
            start += batch.num_rows
            tick(reader.progress())
    return columns, cells


def _shown(value: str | None, most: int) -> str:
    text = value or ""
    return text if len(text) <= most else text[:most] + "…"
