"""C.2.8: positions moved by a distance that the population around them allows."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.catalogue.places import PositionNoiseSettings
from techniques.core.canonical import canonical_json
from techniques.core.groups import chosen_columns, group_of_rows
from techniques.core.operations import Context, Whole, WholeOperation, WholeOutcome
from techniques.families.randomization.columns import encoded_numbers
from techniques.values.numbers import format_numbers
from techniques.values.positions import Degrees, positions

METRES_PER_DEGREE = 111_320.0
"""Along a meridian; along a parallel times the cosine of the latitude."""
_SQUARES_PER_DEGREE = 100
_MICRO = 10**6


class PositionNoise(WholeOperation):
    """Uniform over a ring around the true position: its outer radius the largest distance, its inner one a share of it.

    A row in which one of the two degrees is missing loses the other.
    """

    def __init__(self, settings: PositionNoiseSettings, context: Context) -> None:
        self.settings: PositionNoiseSettings = settings
        self.context = context
        place = partial(chosen_columns, columns=context.columns)
        [self.latitude] = place("latitude", [settings.latitude])
        [self.longitude] = place("longitude", [settings.longitude])
        self.town = (
            place("surroundings_column", [settings.surroundings_column])[0]
            if settings.surroundings == "column"
            else None
        )
        self.subject = place("subject", [settings.subject])[0] if settings.subject else None

    def treat(self, table: Whole, tick: Any) -> WholeOutcome:
        """Both columns anew; the others stay."""
        north, east, known = positions(table, (self.latitude, self.longitude), self.settings.unfit)
        town = self._town(table, north, east, known)
        longest = np.where(town, self.settings.town_metres, self.settings.country_metres)
        radius, angle = self._draws(table, _cells(north, east, _MICRO), town)
        metres = longest * np.sqrt(self.settings.smallest_share**2 * (1 - radius) + radius)
        direction = 2 * np.pi * angle
        moved_north = np.clip(north + metres * np.cos(direction) / METRES_PER_DEGREE, -90, 90)
        # Near the poles a parallel is so short that any longitude is as good.
        shrink = np.maximum(np.cos(np.radians(north)), 1e-3)
        moved_east = east + metres * np.sin(direction) / (METRES_PER_DEGREE * shrink)
        moved_east = (moved_east + 180) % 360 - 180
        dictionaries, codes = list(table.dictionaries), list(table.codes)
        decimals = self.settings.decimals
        for i, degrees in ((self.latitude, moved_north), (self.longitude, moved_east)):
            numbers = np.rint(degrees * 10.0**decimals).astype(np.int64)
            dictionaries[i], codes[i] = encoded_numbers(
                numbers, known, partial(format_numbers, scale=decimals)
            )
        report = self._report(table, north, east, known, town)
        return WholeOutcome(dictionaries, codes, np.zeros(table.rows, dtype=bool), report)

    def _town(
        self, table: Whole, north: Degrees, east: Degrees, known: NDArray[np.bool_]
    ) -> NDArray[np.bool_]:
        """Which rows lie where many people live."""
        surroundings = self.settings.surroundings
        if surroundings == "column":
            assert self.town is not None
            dense = pc.is_in(table.dictionaries[self.town], pa.array(self.settings.town_values, pa.string()))
            marks: NDArray[np.bool_] = np.append(np.asarray(dense).astype(bool), False)[
                table.codes[self.town]
            ]
            return marks
        if surroundings == "rows":
            squares = _cells(north, east, _SQUARES_PER_DEGREE)
            _, places, counts = np.unique(squares[known], return_inverse=True, return_counts=True)
            dense_rows = np.zeros(table.rows, dtype=bool)
            dense_rows[known] = (counts >= self.settings.town_rows)[places]
            return dense_rows
        return np.full(table.rows, surroundings == "town")

    def _draws(
        self, table: Whole, squares: NDArray[np.int64], town: NDArray[np.bool_]
    ) -> tuple[Degrees, Degrees]:
        """Two numbers from [0, 1) for each row; rows at one position have the same where they are to be moved together."""
        together = self.settings.repeated != "apart"
        if table.records is not None:
            key, label = (
                table.records.key,
                f"positions {canonical_json(self.settings.model_dump(mode='json'))}",
            )
            at = [key.numbered(f"position {label}", squares, town.astype(np.int64))]
            lasting = key.draws(label, at if together else [table.records.blocks, *at])
            return lasting.uniform(), lasting.second()
        places, count = np.arange(len(squares)), len(squares)
        if together:
            found, places = np.unique(squares * 2 + town, return_inverse=True)
            count = len(found)
        drawn = self.context.secrets.uniform(f"step {self.context.step} positions", 2 * count)
        return drawn[:count][places], drawn[count:][places]

    def _report(
        self, table: Whole, north: Degrees, east: Degrees, known: NDArray[np.bool_], town: NDArray[np.bool_]
    ) -> dict[str, Any]:
        report = {"rows_moved": int(known.sum()), "rows_in_town": int((known & town).sum())}
        if self.subject is None:
            return report
        subjects, _ = group_of_rows(table, [self.subject])
        rows = known & (table.codes[self.subject] >= 0)
        where = np.unique(_cells(north, east, _MICRO)[rows], return_inverse=True)[1]
        pairs = np.unique(np.stack([subjects[rows], where]), axis=1)
        several = np.unique(pairs[0], return_counts=True)[1] > 1
        return report | {"subjects_with_several_positions": int(several.sum())}


def _cells(north: Degrees, east: Degrees, per_degree: int) -> NDArray[np.int64]:
    """One number for each square of a grid with ``per_degree`` lines a degree."""
    rows = np.floor((north + 90) * per_degree + 1e-6).astype(np.int64)
    columns = np.floor((east + 180) * per_degree + 1e-6).astype(np.int64)
    return rows * (361 * per_degree) + columns
