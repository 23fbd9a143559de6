"""The checks of :mod:`checks` for an Arrow array of texts of equal length: on the bytes, without a loop."""

from __future__ import annotations

import calendar
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from techniques.core.compiling import compiled
from techniques.identification.checks import (
    CREDIT_ALPHABET,
    CREDIT_WEIGHTS,
    FIRST_YEAR,
    ID_CHECKS,
    ID_WEIGHTS,
    LAST_YEAR,
    PERMIT_REGIONS,
    PROVINCE_CODES,
    VIN_VALUES,
    VIN_WEIGHTS,
)

Mask = npt.NDArray[np.bool_]

_ID_WEIGHTS = np.array(ID_WEIGHTS, dtype=np.int64)
_ID_CHECKS = np.frombuffer(ID_CHECKS.encode(), dtype=np.uint8)
_CREDIT_WEIGHTS = np.array(CREDIT_WEIGHTS, dtype=np.int64)
_VIN_WEIGHTS = np.array(VIN_WEIGHTS, dtype=np.int64)


def _table(values: dict[str, int]) -> npt.NDArray[np.int64]:
    """A look-up from byte to number, -1 for a byte that may not occur."""
    table = np.full(256, -1, dtype=np.int64)
    for character, number in values.items():
        table[ord(character)] = number
    return table


_CREDIT_TABLE = _table({c: i for i, c in enumerate(CREDIT_ALPHABET)})
_VIN_TABLE = _table(VIN_VALUES)


def byte_matrix(texts: pa.StringArray, length: int) -> npt.NDArray[np.uint8]:
    """The bytes of ASCII ``texts``, all ``length`` long and none null: shape (len, length)."""
    if len(texts) == 0:
        return np.empty((0, length), dtype=np.uint8)
    offsets = np.frombuffer(texts.buffers()[1], dtype=np.int32)[texts.offset : texts.offset + len(texts) + 1]
    data = np.frombuffer(texts.buffers()[2], dtype=np.uint8)[offsets[0] : offsets[-1]]
    return data.reshape(len(texts), length)


def _number(digits: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Rows of decimal digits as numbers."""
    powers: npt.NDArray[np.int64] = 10 ** np.arange(digits.shape[1] - 1, -1, -1, dtype=np.int64)
    product: npt.NDArray[np.int64] = digits @ powers
    return product


@lru_cache(maxsize=1)
def _calendar() -> npt.NDArray[np.bool_]:
    """Whether (year - FIRST_YEAR)*10000 + month*100 + day is a real date."""
    table = np.zeros((LAST_YEAR - FIRST_YEAR + 1) * 10000, dtype=np.bool_)
    for year in range(FIRST_YEAR, LAST_YEAR + 1):
        for month in range(1, 13):
            first = (year - FIRST_YEAR) * 10000 + month * 100 + 1
            table[first : first + calendar.monthrange(year, month)[1]] = True
    return table


@lru_cache(maxsize=1)
def id_regions() -> npt.NDArray[np.bool_]:
    """:func:`.checks.is_id_region` for each number of six digits."""
    provinces = np.zeros(100, dtype=np.bool_)
    provinces[[int(code) for code in PROVINCE_CODES]] = True
    codes = np.arange(1_000_000)
    known = provinces[codes // 10_000] | (
        (codes >= 900_000) & provinces[codes // 1000 % 100] & (codes % 1000 > 0)
    )
    known &= codes % 10_000 > 0
    known[list(map(int, PERMIT_REGIONS))] = True
    return known


@compiled
def _id_shapes(raw, end, century, weights, regions, days):  # type: ignore[no-untyped-def]
    """(whether rows of digits begin with a division and a real date up to ``end``, before whose year ``century`` is written (n,),
    the weighted sum of the digits (n,))."""
    shape = np.zeros(len(raw), np.bool_)
    sums = np.zeros(len(raw), np.int64)
    for row in range(len(raw)):
        region = total = np.int64(0)
        date = np.int64(century)
        for place in range(max(end, len(weights))):
            digit = np.int64(raw[row, place]) - 48
            if place < len(weights):
                total += digit * weights[place]
            if place < 6:
                region = region * 10 + digit
            elif place < end:
                date = date * 10 + digit
        day = date - FIRST_YEAR * 10000
        shape[row] = regions[region] and 0 <= day < len(days) and days[day]
        sums[row] = total
    return shape, sums


def id_check_bytes(first_17: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """:func:`.checks.id_check_character` for rows of 17 ASCII digits: (n, 17) → (n,)."""
    characters: npt.NDArray[np.uint8] = _ID_CHECKS[((first_17.astype(np.int64) - 48) @ _ID_WEIGHTS) % 11]
    return characters


def id_number_block(texts: pa.StringArray) -> tuple[Mask, Mask]:
    """For texts of 17 digits and a digit or X: (has the shape, and the check character is right)."""
    raw = byte_matrix(texts, 18)
    shape, sums = _id_shapes(raw, 14, 0, _ID_WEIGHTS, id_regions(), _calendar())
    last = np.where(raw[:, 17] == ord("x"), ord("X"), raw[:, 17])
    return shape, shape & (last == _ID_CHECKS[sums % 11])


def old_id_number_block(texts: pa.StringArray) -> Mask:
    """:func:`.checks.is_old_id_number` for texts of 15 digits."""
    shape: Mask = _id_shapes(byte_matrix(texts, 15), 12, 19, _ID_WEIGHTS[:0], id_regions(), _calendar())[0]
    return shape


def luhn_digits(body: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """The check digits (ASCII) that belong after rows of ASCII digits: (n, m) → (n,)."""
    digits = body.astype(np.int64) - 48
    digits[:, -1::-2] *= 2
    digits = np.where(digits > 9, digits - 9, digits)
    found: npt.NDArray[np.uint8] = (48 + -digits.sum(axis=1) % 10).astype(np.uint8)
    return found


def luhn_block(texts: pa.StringArray, length: int) -> Mask:
    """:func:`.checks.luhn` for texts of ``length`` digits."""
    raw = byte_matrix(texts, length)
    valid: Mask = luhn_digits(raw[:, :-1]) == raw[:, -1]
    return valid


def credit_code_block(texts: pa.StringArray) -> Mask:
    """Whether texts of 18 characters are unified social credit codes (GB 32100, modulus 31)."""
    numbers = _CREDIT_TABLE[byte_matrix(texts, 18)]
    known = np.asarray((numbers >= 0).all(axis=1), dtype=np.bool_)
    expected = (31 - (numbers[:, :17] @ _CREDIT_WEIGHTS) % 31) % 31
    valid: Mask = known & (expected == numbers[:, 17])
    return valid


def vin_block(texts: pa.StringArray) -> Mask:
    """Whether texts of 17 characters are vehicle identification numbers (GB 16735 check digit)."""
    raw = byte_matrix(texts, 17)
    numbers = _VIN_TABLE[raw]
    mixed = (raw >= 65).any(axis=1) & (raw < 58).any(axis=1)
    known = np.asarray((numbers >= 0).all(axis=1) & mixed, dtype=np.bool_)
    remainder = (numbers @ _VIN_WEIGHTS) % 11
    expected = np.where(remainder == 10, ord("X"), remainder + 48)
    valid: Mask = known & (expected == raw[:, 8])
    return valid
