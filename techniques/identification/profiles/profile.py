"""What a column holds, counted over every row and told without a value: sort, spread, ways of writing, rare values.

Nothing that is told is about few: a bar of the spread counts at least so many rows, the first and the last one are open, and a
way of writing that fewer rows have is not told at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.core.operations import StringArray
from techniques.identification.distinct import DistinctCounter
from techniques.identification.profiles.spread import Spread
from techniques.values.characters import CAN_BE_CASED, Characters, Sort
from techniques.values.dates import parse_dates
from techniques.values.numbers import DEFAULT_SCALE, parse_numbers

MINIMUM = 10
"""Persons that a bar, or a way of writing, is at least about."""
FEW = 5
"""A value that fewer rows share is rare."""
_READABLE = 0.99
_HEAD = 1000
_LOOKED_AT = 500
"""Values of a batch whose way of writing is looked at."""
_MOST_FORMS = 6
_LONGEST_FORM = 24
_DISTINCT_CAP = 1 << 15
_CAN_BE_HAN = Sort.MARK | Sort.IDEOGRAPHIC | Sort.HAN | Sort.WIDE | Sort.OTHER
_CAN_BE_DIGIT = Sort.DIGIT | Sort.LETTER | Sort.WIDE | Sort.OTHER
_FORM = (
    (CAN_BE_CASED, r"\p{Latin}+", "a"),
    (_CAN_BE_HAN, r"\p{Han}+", "文"),
    (_CAN_BE_DIGIT, r"\p{Nd}+", "0"),
    (None, r"[^0a文 .,:;/()_+%*-]+", "·"),
)
"""Runs of letters, Chinese characters and digits, each by one sign, and any other by a point; before them the sorts of characters
without which there are none."""
WIDTHS: dict[str, list[int]] = {
    "number": [factor * 10**power for power in range(18) for factor in (1, 5)],
    "date": [1, 3, 12, 60, 120, 600, 1200, 12000],
}
"""Widths of bars: each divides the next, so that finer bars join to coarser ones."""


class Profiles:
    """Watches the batches of a table on their way to who reads them."""

    def __init__(self, columns: Iterable[str]) -> None:
        self._seen = {column: _Seen() for column in columns}

    def watched(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The batches as they come, each looked at before it is handed on."""
        for batch in batches:
            for column, seen in self._seen.items():
                cells = batch.column(column)
                encoded = cells if pa.types.is_dictionary(cells.type) else cells.dictionary_encode()
                rows = np.bincount(encoded.indices.drop_null().to_numpy(), minlength=len(encoded.dictionary))
                values, used = encoded.dictionary.cast(pa.string()), rows > 0
                if not used.all():
                    values, rows = values.filter(pa.array(used)), rows[used]
                seen.feed(values, rows)
            yield batch

    def of(self, column: str, rows_of_a_person: int = 1) -> dict[str, Any]:
        """What is told of a column, as JSON; nobody has more than ``rows_of_a_person`` rows, as far as is known.

        ``sort`` is number, date, text or empty; ``rows`` have a value. ``bars`` are (from, below, rows) in units of ``unit``: a
        number scaled by 10^6, a month counted from year 0; the outer ends are None. ``forms`` are (way of writing, rows) among
        ``looked_at`` rows. ``rare`` is the share of the rows whose value fewer than ``few`` rows have, counted if ``exact``.
        """
        return self._seen[column].as_json(MINIMUM * max(1, rows_of_a_person))


class _Seen:
    """What was seen of one column, in rows."""

    def __init__(self) -> None:
        self.rows = self.looked_at = 0
        self.forms: dict[str, int] = {}
        self.distinct = DistinctCounter(_DISTINCT_CAP)
        self.sorts: dict[str, Spread] = {sort: Spread(WIDTHS[sort]) for sort in WIDTHS}

    def feed(self, values: StringArray, rows: NDArray[np.int64]) -> None:
        """The distinct values of a batch and how many ``rows`` have each."""
        if not len(values):
            return
        self.rows += int(rows.sum())
        self.distinct.add(values, rows)
        self._look(values[:_LOOKED_AT], rows[:_LOOKED_AT])
        for sort, read in (("date", _months), ("number", _numbers)):
            spread = self.sorts.get(sort)
            if spread is None:
                continue
            # A thousand values of which hardly one can be read speak for the whole column.
            if len(values) > _HEAD and read(values[:_HEAD])[1].mean() < _READABLE / 2:
                del self.sorts[sort]
                continue
            places, valid = read(values)
            spread.add(places[valid], rows[valid])

    def _look(self, values: StringArray, rows: NDArray[np.int64]) -> None:
        shapes, characters = values, Characters.of(values)
        for sorts, pattern, sign in _FORM:
            if sorts is None or characters.some(sorts).any():
                shapes = pc.replace_substring_regex(shapes, pattern, sign)
        encoded = pc.utf8_slice_codeunits(shapes, 0, _LONGEST_FORM).dictionary_encode()
        counts = np.bincount(encoded.indices.to_numpy(), weights=rows)
        for form, count in zip(encoded.dictionary.to_pylist(), counts.tolist(), strict=True):
            self.forms[form] = self.forms.get(form, 0) + int(count)
        self.looked_at += int(rows.sum())

    def as_json(self, minimum: int) -> dict[str, Any]:
        read = {name: s for name, s in self.sorts.items() if self.rows and s.rows >= _READABLE * self.rows}
        sort = next((name for name in ("date", "number") if name in read), "text" if self.rows else "empty")
        bars = read[sort].bars(minimum) if sort in read else []
        forms = sorted(self.forms.items(), key=lambda pair: (-pair[1], pair[0]))[:_MOST_FORMS]
        return {
            "sort": sort,
            "rows": self.rows,
            "minimum": minimum,
            "few": FEW,
            "bars": [list(bar) for bar in bars],
            "forms": [[form, rows] for form, rows in forms if rows >= minimum],
            "looked_at": self.looked_at,
            "rare": round(self.distinct.shared_by_few(FEW), 6),
            "exact": self.distinct.exact,
        }


def places_of(
    values: StringArray, rows: NDArray[np.int64]
) -> tuple[str, NDArray[np.int64], NDArray[np.bool_]] | None:
    """Sort, place on the line and whether it could be read of each distinct value, ``rows`` of which have it; None for text."""
    for sort, read in (("date", _months), ("number", _numbers)):
        places, valid = read(values)
        if rows[valid].sum() >= _READABLE * rows.sum():
            return sort, places, valid
    return None


def _numbers(values: StringArray) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    read = parse_numbers(values)
    assert read.scale == DEFAULT_SCALE
    return read.unscaled, read.valid


def _months(values: StringArray) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    read = parse_dates(values)
    return read.year * 12 + read.month - 1, read.valid
