"""A column of one part of a table, and how an operation on distinct values is applied to it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.core.operations import Branches, StringArray
from techniques.core.tuples import Codes
from techniques.tables.dictionary import codes_of
from techniques.values.numbered import NumberedTexts

SAME, CHANGED, SUPPRESSED = 0, 1, 2
"""What becomes of a value."""


@dataclass(frozen=True)
class Recoding:
    """The new value of each of d distinct values, null where suppressed, and whether it changed.

    New values may be equal to each other. ``change`` has d+1 entries; the last is that of a missing value, so
    that code -1 finds it.
    """

    values: StringArray
    change: NDArray[np.uint8]

    @cached_property
    def _encoded(self) -> Any:
        return self.values.dictionary_encode()

    @property
    def dictionary(self) -> StringArray:
        """The distinct new values."""
        return self._encoded.dictionary

    @cached_property
    def codes(self) -> Codes:
        """The new code of each value (d+1, the last that of a missing one)."""
        codes: Codes = np.append(np.array(self._encoded.indices.fill_null(-1)).astype(np.int32), np.int32(-1))
        return codes


@dataclass(frozen=True)
class Column:
    """n cells as codes (-1 where missing) into a dictionary of distinct values.

    ``whole`` says that the dictionary is that of the whole table, the same in every part; else it is that
    of this part alone, because the column has too many distinct values to be held at once.

    With ``recoding`` the codes are still those before it, and ``dictionary`` holds its new values, which may
    repeat and be null: nothing has been done to the rows. :meth:`settled` does it, for those who compare codes.
    """

    codes: Codes
    dictionary: StringArray
    whole: bool
    recoding: Recoding | None = None

    def texts(self) -> StringArray:
        """The cells as a string array of n, null where missing."""
        return self.dictionary.take(pa.array(self.codes, mask=self.codes < 0))

    def settled(self) -> Column:
        """The same cells as codes into distinct values."""
        if self.recoding is None:
            return self
        return Column(self.recoding.codes[self.codes], self.recoding.dictionary, self.whole)


def encode(texts: StringArray) -> Column:
    encoded = texts.dictionary_encode()
    return Column(codes_of(encoded), encoded.dictionary, whole=False)


def recoding(before: StringArray, after: StringArray) -> Recoding:
    """The recoding of distinct values ``before`` (d, no nulls) to ``after`` (d, null where suppressed)."""
    change = np.full(len(before) + 1, CHANGED, dtype=np.uint8)
    change[:-1][np.asarray(pc.equal(before, after).fill_null(False)).astype(bool)] = SAME
    if after.null_count:
        change[:-1][np.asarray(after.is_null()).astype(bool)] = SUPPRESSED
    change[-1] = SAME
    return Recoding(after, change)


def blank(values: StringArray, where: NDArray[np.bool_]) -> StringArray:
    """``values`` with nulls ``where`` true."""
    return pc.if_else(pa.array(where), pa.scalar(None, pa.string()), values) if where.any() else values


@dataclass(frozen=True)
class Draws:
    """The recodings to the two branches of a random technique, over one common dictionary."""

    dictionary: StringArray
    first: Codes
    second: Codes
    probability: NDArray[np.float64]


def draws(branches: Branches) -> Draws:
    """Encode the branches of d distinct values; the arrays have d+1 entries, the last for a missing value."""
    unfit = branches.unfit if branches.unfit is not None else np.zeros(len(branches.first), dtype=bool)
    both = pa.concat_arrays([blank(branches.first, unfit), blank(branches.second, unfit)])
    encoded = both.dictionary_encode()
    codes = np.array(encoded.indices.fill_null(-1)).astype(np.int32)
    count = len(branches.first)
    missing = np.int32(-1)
    return Draws(
        encoded.dictionary,
        np.append(codes[:count], missing),
        np.append(codes[count:], missing),
        np.append(branches.probability, 0.0),
    )


def lookup(dictionary: NumberedTexts, column: Column) -> Codes:
    """The cells of ``column`` as codes into another dictionary, -1 where it has no such value."""
    found: Codes = np.append(dictionary.numbers(column.dictionary), np.int32(-1))[column.codes]
    return found
