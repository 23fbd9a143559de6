"""Loops over the bytes of string arrays: numbers read and written, and characters hidden, in one pass each.

Numbers and dates are read in the plain cases. What is out of the ordinary there (full-width digits, separators, spaces) is marked
and left to the slower way, which knows all of it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from techniques.core.assembly import LARGEST
from techniques.values import kernels
from techniques.values.written import INVISIBLE, PLAIN_FORMS

Bytes = NDArray[np.uint8]
_GONE = 0xFF


def _plain() -> Bytes:
    """What is written for a character (65536,): 0 for the character itself."""
    forms = np.zeros(1 << 16, dtype=np.uint8)
    forms[[*PLAIN_FORMS]] = [*PLAIN_FORMS.values()]
    forms[[ord(character) for character in INVISIBLE]] = _GONE
    return forms


_PLAIN = _plain()


def layout(values: Any) -> tuple[NDArray[np.int32], Bytes]:
    """The offsets of n texts (n + 1) of a string array without nulls, and all their bytes."""
    if not pa.types.is_string(values.type):
        values = values.cast(pa.string())
    _, offsets, data = values.buffers()
    bounds = np.zeros(1, dtype=np.int32)
    if offsets is not None and len(values):
        bounds = np.frombuffer(offsets, dtype=np.int32)[values.offset : values.offset + len(values) + 1]
    held = np.zeros(0, dtype=np.uint8) if data is None else np.frombuffer(data, dtype=np.uint8)
    return bounds, held


def array(offsets: NDArray[np.int32], data: Bytes) -> Any:
    """The string array of n texts that begin and end at ``offsets`` (n + 1)."""
    return pa.StringArray.from_buffers(len(offsets) - 1, pa.py_buffer(offsets), pa.py_buffer(data))


def plain_numbers(values: Any, scale: int) -> tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.int64]]:
    """Unscaled numbers, which texts are numbers that fit, and the places of those that are not plain ASCII."""
    bounds, data = layout(values)
    unscaled = np.zeros(len(values), dtype=np.int64)
    kinds = np.zeros(len(values), dtype=np.uint8)
    kernels.read_numbers(bounds, data, scale, unscaled, kinds)
    return unscaled, kinds == kernels.GOOD, np.flatnonzero(kinds == kernels.ODD)


def plain_dates(values: Any) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Year, month and day of n texts (n, 3), 0 where there is none, and the places of those that are neither plain dates nor none."""
    bounds, data = layout(values)
    parts = np.zeros((len(values), 3), dtype=np.int64)
    kinds = np.zeros(len(values), dtype=np.uint8)
    kernels.read_dates(bounds, data, parts, kinds)
    return parts, np.flatnonzero(kinds == kernels.ODD)


def plain_forms(values: Any) -> tuple[Any, NDArray[np.bool_]]:
    """n texts of full-width characters, wide spaces and dashes as ASCII and without characters that have no width, and which of them
    are written otherwise (n,)."""
    bounds, data = layout(values)
    offsets = np.zeros(len(values) + 1, dtype=np.int32)
    made = np.empty(int(bounds[-1] - bounds[0]), dtype=np.uint8)
    changed = kernels.write_plain(bounds, data, _PLAIN, _GONE, offsets, made)
    return array(offsets, made[: offsets[-1]]), changed


def before_digits(values: Any) -> Any:
    """The texts cut off before their first digit, of ASCII or full width."""
    bounds, data = layout(values)
    offsets = np.zeros(len(values) + 1, dtype=np.int32)
    kernels.digits_found(bounds, data, offsets)
    made = np.empty(int(offsets[-1]), dtype=np.uint8)
    kernels.copy_beginnings(bounds, data, offsets, made)
    return array(offsets, made)


def number_texts(unscaled: NDArray[np.int64], scale: int) -> Any:
    """The shortest plain notation of ``unscaled / 10**scale``."""
    offsets = np.zeros(len(unscaled) + 1, dtype=np.int64)
    kernels.number_lengths(unscaled, scale, offsets)
    if offsets[-1] > LARGEST:
        raise OverflowError
    data = np.empty(int(offsets[-1]), dtype=np.uint8)
    kernels.write_numbers(unscaled, scale, offsets, data)
    return array(offsets.astype(np.int32), data)


def hidden(values: Any, left: NDArray[np.int64], right: NDArray[np.int64], character: str, fixed: int) -> Any:
    """Texts with all but ``left`` and ``right`` characters hidden; ``fixed`` mask characters, -1 as many as were there.

    A text that has no more characters than are kept is hidden whole.
    """
    bounds, data = layout(values)
    mask = np.frombuffer(character.encode(), dtype=np.uint8)
    plan = np.zeros((len(values), 3), dtype=np.int64)
    offsets = np.zeros(len(values) + 1, dtype=np.int64)
    kernels.plan_hiding(bounds, data, left, right, len(mask), fixed, plan, offsets)
    if offsets[-1] > LARGEST:
        raise OverflowError
    made = np.empty(int(offsets[-1]), dtype=np.uint8)
    kernels.hide(bounds, data, plan, mask, offsets, made)
    return array(offsets.astype(np.int32), made)
