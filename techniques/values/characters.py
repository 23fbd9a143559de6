"""Which sorts of characters texts are made of, in one pass over their bytes: what spares most of them the expressions that need one
that they do not have.

A sort is a set of first bytes of UTF-8, one that the expressions of the scan ask for. A text of whose sorts none can begin
what an expression needs surely has no match of it; the reverse is left to the expression.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag
from typing import Any

import numpy as np
from numpy.typing import NDArray

from techniques.core.compiling import compiled
from techniques.values import buffers
from techniques.values.written import NUMERALS

Mask = NDArray[np.bool_]


class Sort(IntFlag):
    """Of a byte that begins a character; those that go on with one have none."""

    DIGIT = 1
    CAPITAL = 2
    SMALL = 4
    JOINT = 8
    """Hyphen and underscore."""
    STAR = 16
    POINT = 32
    COMMA = 64
    PLUS = 128
    BLANK = 256
    """Space and control characters."""
    SIGN = 512
    """Any other ASCII character."""
    LATIN_1 = 1024
    """U+0080 to U+00BF."""
    LETTER = 2048
    """U+00C0 to U+07FF: Latin with signs, Greek, Cyrillic and others."""
    MARK = 4096
    """U+2000 to U+2FFF: dashes, blanks, drawings."""
    IDEOGRAPHIC = 8192
    """U+3000 to U+3FFF: the wide space and signs of Chinese and Japanese."""
    HAN = 16384
    """U+4000 to U+9FFF."""
    WIDE = 32768
    """U+F000 to U+FFFF: full-width forms."""
    OTHER = 65536


CAN_BE_CASED = Sort.CAPITAL | Sort.SMALL | Sort.LATIN_1 | Sort.LETTER | Sort.MARK | Sort.WIDE | Sort.OTHER
_CAN_BE_BLANK = Sort.BLANK | Sort.LATIN_1 | Sort.MARK | Sort.IDEOGRAPHIC | Sort.OTHER
_NOT_ASCII = Sort.LATIN_1 | Sort.LETTER | Sort.MARK | Sort.IDEOGRAPHIC | Sort.HAN | Sort.WIDE | Sort.OTHER


def _of_bytes() -> NDArray[np.uint32]:
    """The sort of each first byte (256,)."""
    table = np.zeros(256, np.uint32)
    table[:0x21] = Sort.BLANK
    table[0x21:0x80] = Sort.SIGN
    table[0x7F] = Sort.BLANK
    for sort, characters in (
        (Sort.DIGIT, b"0123456789"),
        (Sort.CAPITAL, b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
        (Sort.SMALL, b"abcdefghijklmnopqrstuvwxyz"),
        (Sort.JOINT, b"-_"),
        (Sort.STAR, b"*"),
        (Sort.POINT, b"."),
        (Sort.COMMA, b","),
        (Sort.PLUS, b"+"),
    ):
        table[list(characters)] = sort
    table[0xC0:] = Sort.OTHER
    table[0xC2] = Sort.LATIN_1
    table[0xC3:0xE0] = Sort.LETTER
    table[0xE2] = Sort.MARK
    table[0xE3] = Sort.IDEOGRAPHIC
    table[0xE4:0xEA] = Sort.HAN
    table[0xEF] = Sort.WIDE
    return table


def _numerals() -> Mask:
    """Which characters of three bytes are Chinese numerals (65536,)."""
    known = np.zeros(1 << 16, np.bool_)
    known[[ord(numeral) for numeral in NUMERALS]] = True
    return known


_SORTS, _NUMERAL = _of_bytes(), _numerals()


@dataclass(frozen=True)
class Characters:
    """Of n texts: the ``sorts`` of their characters (n,), how many bytes, characters and digits each has, and how many digits
    and Chinese numerals it has at most in a row."""

    sorts: NDArray[np.uint32]
    sizes: NDArray[np.int32]
    lengths: NDArray[np.int32]
    digits: NDArray[np.int32]
    digits_in_row: NDArray[np.int32]
    numerals_in_row: NDArray[np.int32]

    @classmethod
    def of(cls, values: Any) -> Characters:
        """Of a string array without nulls."""
        bounds, data = buffers.layout(values)
        sorts = np.zeros(len(values), np.uint32)
        lengths, digits, digits_in_row, numerals_in_row = (np.zeros(len(values), np.int32) for _ in range(4))
        _read(bounds, data, _SORTS, _NUMERAL, sorts, lengths, digits, digits_in_row, numerals_in_row)
        return cls(sorts, np.diff(bounds), lengths, digits, digits_in_row, numerals_in_row)

    def some(self, sorts: Sort) -> Mask:
        """Which texts have a character of one of the ``sorts``."""
        found: Mask = (self.sorts & np.uint32(sorts)) != 0
        return found

    def only(self, sorts: Sort) -> Mask:
        """Which texts have no character but of the ``sorts``; one without any has none else."""
        found: Mask = (self.sorts & ~np.uint32(sorts)) == 0
        return found

    @property
    def ascii(self) -> Mask:
        """Which texts are of ASCII alone."""
        return ~self.some(_NOT_ASCII)

    @property
    def cased(self) -> Mask:
        """Which texts can have a letter that is written large and small: no character of U+3000 to U+9FFF is."""
        return self.some(CAN_BE_CASED)

    @property
    def blank(self) -> Mask:
        """Which texts can have a blank or another character that is trimmed off."""
        return self.some(_CAN_BE_BLANK)

    def at(self, places: NDArray[np.int64] | Mask) -> Characters:
        """Those of the texts at these places, or of a mask (n,)."""
        return Characters(
            self.sorts[places],
            self.sizes[places],
            self.lengths[places],
            self.digits[places],
            self.digits_in_row[places],
            self.numerals_in_row[places],
        )


@compiled
def _read(bounds, data, table, numeral, sorts, lengths, digits, digits_in_row, numerals_in_row):
    """Fill in what is known of each text."""
    for row in range(len(sorts)):
        found = np.uint32(0)
        count = figures = run = most = numerals = most_numerals = 0
        end = bounds[row + 1]
        for place in range(bounds[row], end):
            byte = data[place]
            if byte < 0x80:
                count += 1
                found |= table[byte]
                numerals = 0
                if np.uint8(byte - 48) < 10:
                    figures += 1
                    run += 1
                    most = max(most, run)
                else:
                    run = 0
            elif byte >= 0xC0:
                count += 1
                found |= table[byte]
                run = 0
                if 0xE2 <= byte < 0xEA and place + 2 < end:
                    code = (byte & 0x0F) << 12 | (data[place + 1] & 0x3F) << 6 | data[place + 2] & 0x3F
                    numerals = numerals + 1 if numeral[code] else 0
                    most_numerals = max(most_numerals, numerals)
                else:
                    numerals = 0
        sorts[row], lengths[row], digits[row] = found, count, figures
        digits_in_row[row], numerals_in_row[row] = most, most_numerals
