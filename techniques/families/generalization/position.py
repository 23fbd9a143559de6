"""C.2.8: positions to areas of enough people."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.catalogue.places import PositionGeneralizationSettings
from techniques.core.groups import chosen_columns
from techniques.core.messages import EngineError, _
from techniques.core.operations import Context, StringArray, Whole, WholeOperation, WholeOutcome
from techniques.core.tuples import Codes
from techniques.values.numbers import format_numbers
from techniques.values.positions import LIMITS, positions

_LARGEST = 256_000_000
"""Side of the first square in millionths of a degree: the earth is 360 degrees around, two of them cover it."""
_HALVINGS = 14
"""Down to a 64th of a degree, about 1.7 km: finer limits would say little of where people live."""
Places = NDArray[np.int64]


class PositionGeneralization(WholeOperation):
    """Squares of degrees, halved in both directions as long as every part that holds rows keeps enough people.

    A row in which one of the two degrees is missing loses the other, and counts for nothing.
    """

    def __init__(self, settings: PositionGeneralizationSettings, context: Context) -> None:
        self.settings: PositionGeneralizationSettings = settings
        [self.latitude] = chosen_columns("latitude", [settings.latitude], context.columns)
        [self.longitude] = chosen_columns("longitude", [settings.longitude], context.columns)

    def treat(self, table: Whole, tick: Any) -> WholeOutcome:
        """Limits or middles; EngineError ``people_too_few`` where the whole table is no area."""
        north, east, known = positions(table, (self.latitude, self.longitude), self.settings.unfit)
        needed = int(np.ceil(self.settings.minimum_people / self.settings.people_per_row))
        if int(known.sum()) < needed:
            text = _("%(rows)d rows with a position are too few for areas of %(people)d people.")
            raise EngineError(
                "people_too_few", text, rows=int(known.sum()), people=self.settings.minimum_people
            )
        # Millionths of a degree from the south pole and the date line: whole numbers have exact limits.
        down = np.rint((north[known] + LIMITS[0]) * 1e6).astype(np.int64)
        right = np.rint((east[known] + LIMITS[1]) * 1e6).astype(np.int64)
        size = squares(down, right, needed)
        dictionaries, codes = list(table.dictionaries), list(table.codes)
        for i, place, limit in ((self.latitude, down, LIMITS[0]), (self.longitude, right, LIMITS[1])):
            dictionaries[i], written = self._written(place, size, limit)
            codes[i] = np.full(table.rows, -1, dtype=np.int32)
            codes[i][known] = written
        areas, counts = np.unique(np.stack([down // size, right // size, size]), axis=1, return_counts=True)
        report = {
            "areas": areas.shape[1],
            "fewest_people": int(counts.min() * self.settings.people_per_row),
            "largest_area_degrees": float(size.max() / 1e6),
            "smallest_area_degrees": float(size.min() / 1e6),
        }
        return WholeOutcome(dictionaries, codes, np.zeros(table.rows, dtype=bool), report)

    def _written(self, place: Places, size: Places, limit: float) -> tuple[StringArray, Codes]:
        """Text of the side of each row's square along one axis."""
        lower = place // size * size
        found, rows = np.unique(np.stack([lower, size]), axis=1, return_inverse=True)
        start = found[0] - int(limit * 1e6)
        if self.settings.result == "centre":
            texts = format_numbers(np.clip(start + found[1] // 2, int(-limit * 1e6), int(limit * 1e6)), 6)
        else:
            ends = [format_numbers(edge, 6) for edge in (start, start + found[1])]
            inner = pc.binary_join_element_wise(*ends, ",")
            texts = pc.binary_join_element_wise(pa.scalar("["), inner, pa.scalar(")"), "")
        encoded: Any = texts.dictionary_encode()
        codes: Codes = np.asarray(encoded.indices)[rows.reshape(-1)].astype(np.int32)
        return encoded.dictionary, codes


def squares(down: Places, right: Places, needed: int) -> Places:
    """The side of the square of each of n positions: none but those with ``needed`` positions or more."""
    size = np.full(len(down), _LARGEST, dtype=np.int64)
    # The earth is more than one square: where one of those is too empty, all are taken together.
    first = _numbers(down // _LARGEST, right // _LARGEST)
    if np.bincount(first).min() < needed:
        return np.full(len(down), 2 * _LARGEST, dtype=np.int64)
    rows = np.arange(len(down))
    side = _LARGEST
    for _halving in range(_HALVINGS):
        half = side // 2
        parents = _numbers(down[rows] // side, right[rows] // side)
        parts = _numbers(down[rows] // half, right[rows] // half)
        counts = np.bincount(parts)
        fewest = np.full(int(parents.max()) + 1, np.iinfo(np.int64).max)
        np.minimum.at(fewest, parents, counts[parts])
        rows = rows[(fewest >= needed)[parents]]
        if not len(rows):
            break
        size[rows] = half
        side = half
    return size


def _numbers(down: Places, right: Places) -> Places:
    """The squares of n positions, numbered from 0."""
    numbers: Places = np.unique(down * (1 << 31) + right, return_inverse=True)[1].astype(np.int64).reshape(-1)
    return numbers
