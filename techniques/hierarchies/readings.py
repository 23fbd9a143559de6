"""Which computed hierarchies can read a whole column: counted over every row, so that a run does not find it out.

A reading is what a hierarchy has to recognise in a value: ``number``, ``date``, a division down to ``province``, ``city`` or
``county``, or, for the kinds whose hierarchy is a table, the kind's code: membership in that table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.core.kinds import KINDS
from techniques.hierarchies.definitions import REGION_UNITS
from techniques.values.dates import parse_dates
from techniques.values.numbers import parse_numbers
from techniques.values.regions import RegionsReached

MISFITS = 0.01
"""Share of a table's rows up to which values that cannot be read leave a reading worth having."""
_HEAD = 1000


Masks = list[NDArray[np.bool_]]
Read = Callable[[Any], Masks]


def _known_in(rows: Sequence[Sequence[str]]) -> Read:
    leaves = pa.array([row[0] for row in rows], pa.string())
    return lambda values: [np.asarray(pc.is_in(values, leaves)).astype(bool)]


def _readers() -> tuple[tuple[Sequence[str], Read], ...]:
    """Readings that one look at n distinct values tells of, and which values each of them can read."""
    return (
        (("number",), lambda values: [parse_numbers(values).valid]),
        (("date",), lambda values: [parse_dates(values).valid]),
        (REGION_UNITS, RegionsReached(REGION_UNITS).of),
        *(
            ((code,), _known_in(kind.hierarchy["rows"]))
            for code, kind in KINDS.items()
            if kind.hierarchy["kind"] == "table"
        ),
    )


class Readings:
    """Watches the batches of a table on their way to who reads them; ``total_rows`` bounds what may be misread."""

    def __init__(self, columns: Iterable[str], total_rows: int) -> None:
        self._readers = _readers()
        self._most = int(MISFITS * total_rows)
        every = [reading for readings, _read in self._readers for reading in readings]
        self._left: dict[str, dict[str, int]] = {column: dict.fromkeys(every, 0) for column in columns}

    def watched(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The batches as they come, each counted before it is handed on."""
        for batch in batches:
            for column, readings in self._left.items():
                if readings:
                    self._feed(batch.column(column), readings)
            yield batch

    def _feed(self, column: Any, readings: dict[str, int]) -> None:
        encoded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
        values = encoded.dictionary.cast(pa.string())
        rows = np.bincount(encoded.indices.drop_null().to_numpy(), minlength=len(values))
        for names, read in self._readers:
            if readings.keys().isdisjoint(names):
                continue
            # A thousand values of which not one can be read speak for the whole column, and save the way through it.
            if len(values) > _HEAD and not any(valid.any() for valid in read(values[:_HEAD])):
                for name in names:
                    readings.pop(name, None)
                continue
            for reading, valid in zip(names, read(values), strict=True):
                misread = readings.pop(reading, self._most + 1) + int(rows[~valid].sum())
                if misread <= self._most:
                    readings[reading] = misread

    def of(self, column: str) -> Mapping[str, int]:
        """Reading → rows whose value it cannot read; a reading that fits more than so few rows worse is not there."""
        return self._left[column]
