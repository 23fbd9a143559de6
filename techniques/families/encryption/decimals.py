"""Numbers in units of their last decimal place."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from techniques.core.operations import StringArray
from techniques.values.numbers import parse_numbers


def in_units(values: StringArray, decimals: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Numbers in units of 10^-decimals, and which are numbers with no more places than that."""
    numbers = parse_numbers(values)
    units, rest = np.divmod(numbers.unscaled, 10 ** (numbers.scale - decimals))
    return units, numbers.valid & (rest == 0)


def decimal_text(number: int, decimals: int) -> str:
    """``number / 10**decimals`` in its shortest plain notation."""
    whole, fraction = divmod(abs(number), 10**decimals)
    text = f"{'-' if number < 0 else ''}{whole}"
    digits = f"{fraction:0{decimals}d}".rstrip("0") if decimals else ""
    return f"{text}.{digits}" if digits else text
