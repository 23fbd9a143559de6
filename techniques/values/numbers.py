"""Exact decimal numbers from text: scaled 64-bit integers, so that 0.15 is never 0.1499…"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.values import buffers

_PATTERN = r"^[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d*)?$"
_PARTS = r"^(?P<sign>[+-]?)(?P<whole>\d*)(?:\.(?P<fraction>\d*))?$"
MAX_DIGITS = 18
"""Digits before and after the point together that a 64-bit integer surely holds."""
DEFAULT_SCALE = 6
"""Decimal places read, whatever the values: so a value means the same in every part of a file."""


@dataclass(frozen=True)
class Numbers:
    """Numbers of n texts: ``unscaled[i] / 10**scale`` where ``valid[i]``, else nothing."""

    unscaled: NDArray[np.int64]
    scale: int
    valid: NDArray[np.bool_]


def places(*numbers: float) -> int:
    """Decimal places that the given parameters need to be exact."""
    return max(max(0, -int(Decimal(repr(x)).normalize().as_tuple().exponent)) for x in numbers)


def scaled(number: float, scale: int) -> int:
    """A parameter as an integer in units of 10^-scale."""
    return int(Decimal(repr(number)).scaleb(scale))


def parse_numbers(values: Any, minimum_scale: int = 0) -> Numbers:
    """Read a string array (no nulls) as numbers with 6 decimal places, or ``minimum_scale`` if that is more.

    Spaces around, full-width digits, a sign and thousands separators are understood; further decimals are
    cut off. Anything else, and numbers of more than 18 digits with their decimals, are not valid.
    """
    scale = max(minimum_scale, DEFAULT_SCALE)
    unscaled, valid, odd = buffers.plain_numbers(values, scale)
    if len(odd):
        unscaled[odd], valid[odd] = _any_numbers(values.take(pa.array(odd)), scale)
    return Numbers(unscaled, scale, valid)


def _any_numbers(values: Any, scale: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Unscaled numbers of texts in any of the notations, and which are numbers that fit."""
    text = pc.utf8_trim_whitespace(pc.utf8_normalize(values, "NFKC"))
    shaped = pc.and_(pc.match_substring_regex(text, _PATTERN), pc.match_substring_regex(text, r"\d"))
    valid = np.asarray(shaped.fill_null(False)).astype(bool)
    text = pc.if_else(pa.array(valid), pc.replace_substring(text, ",", ""), pa.scalar("0"))
    parts = pc.extract_regex(text, _PARTS)
    whole = pc.utf8_ltrim(pc.struct_field(parts, "whole"), "0")
    fraction = pc.utf8_slice_codeunits(pc.struct_field(parts, "fraction"), 0, scale)
    fits = np.asarray(pc.utf8_length(whole)) + scale <= MAX_DIGITS
    digits = pc.binary_join_element_wise(pa.scalar("0"), whole, pc.utf8_rpad(fraction, scale, "0"), "")
    digits = pc.if_else(pa.array(fits), digits, pa.scalar("0"))
    unscaled = np.array(digits.cast(pa.int64()))
    negative = np.asarray(pc.equal(pc.struct_field(parts, "sign"), "-"))
    unscaled[negative] *= -1
    return unscaled, valid & fits


def format_numbers(unscaled: NDArray[np.int64], scale: int) -> Any:
    """The shortest plain notation of ``unscaled / 10**scale`` as a string array (``12.5``, ``-3``)."""
    return buffers.number_texts(np.ascontiguousarray(unscaled, dtype=np.int64), scale)
