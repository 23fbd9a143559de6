"""Reading the records of a draw from what a run wrote, with the engine's own reader. Runs in a worker."""

from __future__ import annotations

from typing import Any

import numpy as np

from projects.datasets.samples import MAX_CELL
from projects.jobs.registry import Tick
from projects.processing.models import RunTable
from projects.processing.runs.selectors import result_format, result_open, result_subjects
from techniques.core.subjects import persons
from techniques.tables import open_table

from ..draw import rows_drawn
from .bounds import size_proposed
from .enums import SampleUnit
from .rules import MOST

MOST_ROWS_EACH = 100
"""Of one person; who has more is shown with the first ones, and the page says so."""


def records_read(written: RunTable, *, seed: str, asked: int | None, tick: Tick) -> dict[str, Any]:
    """``rows`` as [number in the draw, number in the file, cells], in the order of the draw; of persons all rows of each.

    Persons are those whom k counts: rows of whom nobody knows whose they are count as one each.
    """
    rows = int(written.result_rows or 0)
    subjects = result_subjects(written)
    who, population = (np.arange(rows), rows) if subjects is None else persons(subjects)
    size = min(asked or size_proposed(population), MOST, population)
    place = np.zeros(population, dtype=np.int64)
    place[np.array(rows_drawn(population, seed=seed, size=size), dtype=np.int64) - 1] = np.arange(1, size + 1)
    taken = np.flatnonzero(place[who] > 0)
    cells: dict[int, list[str]] = {}
    columns: list[str] = []
    with result_open(written) as stream, open_table(stream, result_format(written)) as reader:
        columns, start = list(reader.columns), 0
        for batch in reader.batches():
            here = taken[(taken >= start) & (taken < start + batch.num_rows)]
            for number, row in zip(
                here, batch.take(here - start).to_pylist() if len(here) else [], strict=True
            ):
                cells[int(number)] = ["" if row[name] is None else row[name][:MAX_CELL] for name in columns]
            start += batch.num_rows
            tick(reader.progress())
    ordered = taken[np.lexsort((taken, place[who[taken]]))]
    found: list[list[Any]] = []
    counted: dict[int, int] = {}
    for number in ordered.tolist():
        drawn = int(place[who[number]])
        counted[drawn] = counted.get(drawn, 0) + 1
        if counted[drawn] <= MOST_ROWS_EACH:
            found.append([drawn, number + 1, cells[number]])
    return {
        "unit": str(SampleUnit.RECORD if subjects is None else SampleUnit.PERSON),
        "population": population,
        "size": size,
        "columns": columns,
        "rows": found,
        "is_cut": any(each > MOST_ROWS_EACH for each in counted.values()),
    }
