"""Columns that identify because they differ in every row, whatever they are called (5.3.4). Whoever holds the same
row number, serial number or hash elsewhere knows the record as surely as by a name.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from techniques.core.kinds import NEARLY_EVERY_ROW
from techniques.values.characters import Characters, Sort

MOSTLY_RARE = 0.5
"""Share of the rows with a value from which a column nearly tells rows apart, if so many share theirs with too few others."""
UNIQUE, MOSTLY_UNIQUE = 0.4, 0.3
"""Confidence of a column that is unique in nearly every row, and of one whose values are mostly rare."""
ALIKE = 5
"""Rows that have to share a value, where nobody has said how many."""
_MIN_ROWS_FOR_SEQUENCE = 10
_MIN_ROWS_FOR_UNIQUE = 20
_MIN_ROWS_FOR_KEY = 50
_SOME_ROWS, _MANY_ROWS = 0.2, 0.01
"""Shares of different values from which codes look like a key of persons: five rows each, a hundred rows each."""
_NEARLY_ALL_CODES = 0.99
_LONG_CODE = 7
_MOST_LENGTHS = 64
"""Lengths of values that are told apart."""
_LONG = 1 << 14
"""Characters up to which lengths are counted without being sorted."""
_OF_CODES = Sort.DIGIT | Sort.CAPITAL | Sort.SMALL | Sort.JOINT
_LONGEST_CODE = 128
_LONGEST_PREFIX, _MOST_DIGITS = 10, 17
"""Characters before the digits of a serial number, and these."""


class KeyWatch:
    """Watches one column for a row number, a unique key or a key of persons with several rows."""

    def __init__(self) -> None:
        self._codes = 0
        self._values = 0
        self._lengths: dict[int, int] = {}
        self._numbered = True
        self._sequence = True
        self._first: int | None = None
        self._last: int | None = None
        self._step: int | None = None
        self._low: int | None = None
        self._high: int | None = None

    def add(self, texts: Characters, counts: npt.NDArray[np.int64]) -> None:
        """Distinct present texts of a batch, by their characters, with their counts: what are they shaped like?"""
        codes = texts.only(_OF_CODES) & (texts.sizes >= 1) & (texts.sizes <= _LONGEST_CODE)
        self._codes += int(counts[codes].sum())
        self._values += int(counts.sum())
        for length, number in zip(*_counted(texts.lengths), strict=True):
            if len(self._lengths) < _MOST_LENGTHS or length in self._lengths:
                self._lengths[length] = self._lengths.get(length, 0) + number

    @property
    def is_settled(self) -> bool:
        """Whether neither the order nor the lengths of the values say anything: they do not count, and are no codes."""
        return not self._numbered and self._code_share < _NEARLY_ALL_CODES

    @property
    def _code_share(self) -> float:
        return self._codes / max(self._values, 1)

    def break_sequence(self) -> None:
        """A row without a value: whatever counts the rows is not this column."""
        self._sequence = False

    def follow(self, texts: pa.StringArray, characters: Characters, codes: npt.NDArray[np.int32]) -> None:
        """The batch in row order (``codes`` into ``texts``, -1 missing): does it count upwards?"""
        if not self._numbered:
            return
        numbers = _serials(texts, characters)
        if numbers is None or (codes < 0).any():
            self._numbered = numbers is not None
            self._sequence = False
            if numbers is None:
                return
        low, high = int(numbers.min()), int(numbers.max())
        self._low = low if self._low is None else min(self._low, low)
        self._high = high if self._high is None else max(self._high, high)
        if not self._sequence:
            return
        values = numbers[codes]
        if self._last is not None:
            values = np.concatenate([[self._last], values])
        else:
            self._first = int(values[0])
        steps = np.diff(values)
        if len(steps):
            self._step = int(steps[0]) if self._step is None else self._step
            self._sequence = self._step == 1 and bool((steps == 1).all())
        self._last = int(values[-1])

    def merge(self, later: KeyWatch) -> None:
        """Take over what another one has seen of the rows behind those that were seen here."""
        self._codes += later._codes
        self._values += later._values
        for length, number in later._lengths.items():
            if len(self._lengths) < _MOST_LENGTHS or length in self._lengths:
                self._lengths[length] = self._lengths.get(length, 0) + number
        ends = [one for one in (self._low, later._low, self._high, later._high) if one is not None]
        self._low, self._high = (min(ends), max(ends)) if ends else (None, None)
        self._numbered &= later._numbered
        self._sequence &= later._sequence
        if later._first is not None:
            self._sequence &= self._last is None or later._first == self._last + 1
            self._first = later._first if self._first is None else self._first
            self._last = later._last

    def judge(
        self, rows: int, present: int, distinct: int, exact: bool, known_share: float, rare_share: float = 0.0
    ) -> list[tuple[str, float, tuple[int, ...]]]:
        """(kind, confidence, first rows) of what the column is; ``known_share`` of it is explained
        by another kind, and then a key is not claimed besides: the kind says more. ``rare_share`` of the rows with a value
        share it with too few others."""
        if present == 0:
            return []
        share = min(1.0, distinct / present)
        code_share = self._code_share
        if present == rows and rows >= _MIN_ROWS_FOR_SEQUENCE and self._numbered:
            if self._sequence and self._last is not None:
                return [("row_number", 0.95, (1,))]
            # 1 … n in another order is the row number of the table before it was sorted.
            complete = distinct == rows if exact else distinct >= 0.98 * rows
            if complete and (self._high or 0) - (self._low or 0) + 1 == rows:
                return [("row_number", 0.85, (1,))]
        if present >= _MIN_ROWS_FOR_UNIQUE and share >= NEARLY_EVERY_ROW:
            if code_share >= 0.9 and known_share < 0.5:
                return [("unique_key", 0.8, (1,))]
            return [("unique_value", UNIQUE, (1,))]
        if present >= _MIN_ROWS_FOR_KEY and code_share >= _NEARLY_ALL_CODES and known_share < 0.5:
            common = max(self._lengths, key=lambda length: self._lengths[length])
            same = self._lengths[common] / max(sum(self._lengths.values()), 1)
            if common >= 6 and same >= 0.98 and share >= _SOME_ROWS:
                return [("record_key", 0.6, (1,))]
            # Of many rows a person the codes have to be longer: those of places and goods come as often.
            if (
                common >= _LONG_CODE
                and same >= 0.98
                and share >= _MANY_ROWS
                and distinct >= _MIN_ROWS_FOR_KEY
            ):
                return [("record_key", 0.45, (1,))]
        if rows >= _MIN_ROWS_FOR_UNIQUE and rare_share >= MOSTLY_RARE and distinct > 1:
            # Nearly unique, or mostly empty with a value here and there: whoever knows such a value has the row.
            return [("unique_value", MOSTLY_UNIQUE, (1,))]
        return []


def _counted(lengths: npt.NDArray[np.int32]) -> tuple[list[int], list[int]]:
    """The different lengths (n,), ascending, and how often each occurs."""
    if lengths.max(initial=0) > _LONG:
        # A text of many megabytes would have an array as long as itself.
        found, numbers = np.unique(lengths, return_counts=True)
        return found.tolist(), numbers.tolist()
    every = np.bincount(lengths)
    known = np.flatnonzero(every)
    return known.tolist(), every[known].tolist()


def _serials(texts: pa.StringArray, characters: Characters) -> npt.NDArray[np.int64] | None:
    """The numbers at the end of texts that have the same beginning, or None if any is otherwise."""
    if len(texts) == 0:
        return None
    digits, others = characters.digits, characters.lengths - characters.digits
    before = int(others[0])
    if (
        digits.min() < 1
        or digits.max() > _MOST_DIGITS
        or before > _LONGEST_PREFIX
        or (others != before).any()
    ):
        return None
    if before:
        prefix = texts[0].as_py().rstrip("0123456789")
        # What is not a digit is all in front then, and the same in all.
        if len(prefix) != before or not pc.all(pc.starts_with(texts, prefix)).as_py():
            return None
        texts = pc.utf8_slice_codeunits(texts, before)
    numbers: npt.NDArray[np.int64] = texts.cast(pa.int64()).to_numpy()
    return numbers
