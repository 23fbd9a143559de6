"""Check digits, calendar dates and number ranges: what tells an identifier from any other digits.

Each check exists once for a single text and, where whole columns of it occur, once for an Arrow
array of texts of equal length (``…_block``), which works on the bytes without a Python loop.
"""

from __future__ import annotations

import calendar
import datetime
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import pyarrow as pa

Mask = npt.NDArray[np.bool_]

_CODES = "111213141521222331323334353637414243444546505152535461626364657181828391"
PROVINCE_CODES = frozenset(_CODES[i : i + 2] for i in range(0, len(_CODES), 2))
"""First two digits of a division code by GB/T 2260; 81 to 83 and 91 stand on residence permits."""

# The century of the oldest living person and of every register kept since; the end is far rather
# than today, so that a scan repeated years later finds the same.
FIRST_YEAR, LAST_YEAR = 1850, 2099

_ID_WEIGHTS = np.array([7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2], dtype=np.int64)
_ID_CHECKS = "10X98765432"
_CREDIT_ALPHABET = "0123456789ABCDEFGHJKLMNPQRTUWXY"
_CREDIT_WEIGHTS = np.array([pow(3, i, 31) for i in range(17)], dtype=np.int64)
_CREDIT_WEIGHT_LIST: list[int] = _CREDIT_WEIGHTS.tolist()
_ID_WEIGHT_LIST: list[int] = _ID_WEIGHTS.tolist()
_VIN_WEIGHTS = np.array([8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2], dtype=np.int64)
_VIN_VALUES = {c: int(c) for c in "0123456789"} | dict(
    zip("ABCDEFGHJKLMNPRSTUVWXYZ", [*range(1, 9), *range(1, 6), 7, 9, *range(2, 10)], strict=True)
)


def _table(values: dict[str, int]) -> npt.NDArray[np.int64]:
    """A look-up from byte to number, -1 for a byte that may not occur."""
    table = np.full(256, -1, dtype=np.int64)
    for character, number in values.items():
        table[ord(character)] = number
    return table


_CREDIT_TABLE = _table({c: i for i, c in enumerate(_CREDIT_ALPHABET)})
_VIN_TABLE = _table(_VIN_VALUES)


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


def is_calendar_date(year: int, month: int, day: int) -> bool:
    """Whether the date exists and could be a living person's birth date."""
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return False
    try:
        datetime.date(year, month, day)
    except ValueError:
        return False
    return True


def is_id_shape(number: str) -> bool:
    """18 characters with a province code and a real date, whatever the check character.

    GB 11643. Any county code counts: divisions are renamed and merged, and people keep the number
    of a division that is no more.
    """
    return (
        number[:2] in PROVINCE_CODES
        and number[2:6] != "0000"
        and is_calendar_date(int(number[6:10]), int(number[10:12]), int(number[12:14]))
    )


def id_check_character(first_17: str) -> str:
    """The check character of GB 11643 (ISO 7064 MOD 11-2) for the first 17 digits."""
    return _ID_CHECKS[sum(int(d) * w for d, w in zip(first_17, _ID_WEIGHT_LIST, strict=True)) % 11]


def is_id_number(number: str) -> bool:
    """Whether 18 characters without separators are an identity number by GB 11643."""
    return is_id_shape(number) and id_check_character(number[:17]) == number[17].upper()


def is_old_id_number(number: str) -> bool:
    """Whether 15 digits are an identity number of before 1999: the year has two digits of 19xx."""
    return (
        number[:2] in PROVINCE_CODES
        and number[2:6] != "0000"
        and is_calendar_date(1900 + int(number[6:8]), int(number[8:10]), int(number[10:12]))
    )


def _id_shape_block(digits: npt.NDArray[np.int64], first_year_digits: int) -> Mask:
    provinces = np.zeros(100, dtype=np.bool_)
    provinces[[int(code) for code in PROVINCE_CODES]] = True
    end = 6 + first_year_digits + 4
    dates = _number(digits[:, 6:end])
    if first_year_digits == 2:
        dates = dates + 19_000_000
    dates = dates - FIRST_YEAR * 10000
    known = (dates >= 0) & (dates < (LAST_YEAR - FIRST_YEAR + 1) * 10000)
    shape: Mask = provinces[_number(digits[:, :2])] & (_number(digits[:, 2:6]) != 0) & known
    shape &= _calendar()[np.where(known, dates, 0)]
    return shape


def id_number_block(texts: pa.StringArray) -> tuple[Mask, Mask]:
    """For texts of 17 digits and a digit or X: (has the shape, and the check character is right)."""
    raw = byte_matrix(texts, 18)
    digits = raw[:, :17].astype(np.int64) - 48
    shape = _id_shape_block(digits, 4)
    checks = np.frombuffer(_ID_CHECKS.encode(), dtype=np.uint8)
    expected = checks[(digits @ _ID_WEIGHTS) % 11]
    last = np.where(raw[:, 17] == ord("x"), ord("X"), raw[:, 17])
    return shape, shape & (last == expected)


def old_id_number_block(texts: pa.StringArray) -> Mask:
    """:func:`is_old_id_number` for texts of 15 digits."""
    return _id_shape_block(byte_matrix(texts, 15).astype(np.int64) - 48, 2)


def luhn(number: str) -> bool:
    """The Luhn check (ISO/IEC 7812) of a text of digits."""
    total = 0
    for place, character in enumerate(reversed(number)):
        digit = int(character) << (place & 1)
        total += digit - 9 if digit > 9 else digit
    return total % 10 == 0


def luhn_block(texts: pa.StringArray, length: int) -> Mask:
    """:func:`luhn` for texts of ``length`` digits."""
    digits = byte_matrix(texts, length).astype(np.int64) - 48
    digits[:, -2::-2] *= 2
    digits = np.where(digits > 9, digits - 9, digits)
    valid: Mask = digits.sum(axis=1) % 10 == 0
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


def is_credit_code(code: str) -> bool:
    """:func:`credit_code_block` for one text."""
    numbers = [_CREDIT_ALPHABET.find(character) for character in code]
    total = sum(n * w for n, w in zip(numbers, _CREDIT_WEIGHT_LIST, strict=False))
    return len(code) == 18 and min(numbers) >= 0 and (31 - total % 31) % 31 == numbers[17]


def is_vin(code: str) -> bool:
    """:func:`vin_block` for one text."""
    return bool(vin_block(pa.array([code]))[0])
