"""Between string arrays and matrices of bytes, one matrix per length, without a Python loop over values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.families.encryption.ciphers.blocks import Bytes
from techniques.identification.check_blocks import byte_matrix

_BASE32 = np.frombuffer(b"abcdefghijklmnopqrstuvwxyz234567", dtype=np.uint8)
_BASE32_VALUES = np.full(256, 255, dtype=np.uint8)
_BASE32_VALUES[_BASE32] = np.arange(32, dtype=np.uint8)
_WEIGHTS = np.array([16, 8, 4, 2, 1], dtype=np.uint8)
_HEX = np.frombuffer(b"0123456789abcdef", dtype=np.uint8)
_HEX_VALUES = np.full(256, 255, dtype=np.uint8)
_HEX_VALUES[_HEX] = np.arange(16, dtype=np.uint8)


def by_length(values: Any) -> Iterator[tuple[NDArray[np.int64], Bytes]]:
    """Groups of values with the same number of UTF-8 bytes: their positions, and their bytes (n, length)."""
    lengths = np.asarray(pc.binary_length(values))
    order = np.argsort(lengths, kind="stable")
    if len(order) == 0:
        return
    bounds = np.flatnonzero(np.diff(lengths[order])) + 1
    for positions in np.split(order, bounds):
        length = int(lengths[positions[0]])
        same = values if len(positions) == len(values) else values.take(pa.array(positions))
        yield positions, _matrix(same, length)


def _matrix(values: Any, length: int) -> Bytes:
    # An array of empty texts may have no buffer at all.
    return byte_matrix(values, length) if length else np.zeros((len(values), 0), dtype=np.uint8)


def strings(matrix: Bytes) -> Any:
    """Rows of bytes, each valid UTF-8, as a string array; the bytes are taken over without a copy."""
    data = np.ascontiguousarray(matrix)
    offsets = np.arange(0, data.size + 1, max(data.shape[1], 1), dtype=np.int64)[: len(data) + 1]
    if data.shape[1] == 0:
        offsets = np.zeros(len(data) + 1, dtype=np.int64)
    large = pa.LargeStringArray.from_buffers(len(data), pa.py_buffer(offsets), pa.py_buffer(data))
    return large.cast(pa.string())


class Collector:
    """Puts groups of results back into the places of their values; what no group fills is null."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._positions: list[NDArray[np.int64]] = []
        self._values: list[Any] = []

    def add(self, positions: NDArray[np.int64], values: Any) -> None:
        """The results of the values at ``positions``."""
        self._positions.append(positions)
        self._values.append(values)

    def collected(self) -> Any:
        """All results in the order of the values."""
        if not self._positions:
            return pa.nulls(self._count, pa.string())
        positions = np.concatenate(self._positions)
        values = pa.concat_arrays(self._values)
        if len(positions) == self._count and (np.diff(positions) > 0).all():
            return values
        places = np.full(self._count, -1, dtype=np.int64)
        places[positions] = np.arange(len(positions))
        return values.take(pa.array(places, mask=places < 0))


def written(data: Bytes, encoding: str) -> Bytes:
    """Rows of bytes in letters: ``hex``, or ``base32`` (RFC 4648) in small letters without padding.

    Neither begins a spreadsheet's formula, so that a ciphertext is the same in every kind of file.
    """
    rows, length = data.shape
    if encoding == "hex":
        letters = np.empty((rows, 2 * length), dtype=np.uint8)
        letters[:, 0::2] = _HEX[data >> 4]
        letters[:, 1::2] = _HEX[data & 15]
        return letters
    count = -(-8 * length // 5)
    bits = np.zeros((rows, 5 * count), dtype=np.uint8)
    bits[:, : 8 * length] = np.unpackbits(data, axis=1)
    return _BASE32[bits.reshape(rows, count, 5) @ _WEIGHTS]


def read(letters: Bytes, encoding: str) -> tuple[Bytes, NDArray[np.bool_]]:
    """What :meth:`written` wrote, and which rows are well formed."""
    rows, length = letters.shape
    if encoding == "hex":
        digits = _HEX_VALUES[letters]
        sound = (digits < 16).all(axis=1) & (length % 2 == 0)
        even = length // 2 * 2
        data: Bytes = ((digits[:, 0:even:2] << 4) | (digits[:, 1:even:2] & 15)).astype(np.uint8)
        return data, sound
    values: Bytes = _BASE32_VALUES[letters]
    size = 5 * length // 8
    bits = np.unpackbits(values[:, :, None], axis=2)[:, :, 3:].reshape(rows, 5 * length)
    # Bits that no byte needs must be zero and fewer than a letter: one ciphertext has one form.
    sound = (values < 32).all(axis=1) & ~bits[:, 8 * size :].any(axis=1) & (5 * length - 8 * size < 5)
    return np.packbits(bits[:, : 8 * size], axis=1), sound


def by_characters(values: Any) -> Iterator[tuple[NDArray[np.int64], NDArray[Any]]]:
    """Groups of values with the same number of characters: positions, and code points (n, length).

    The code points are bytes (uint8) where all values of the group are ASCII, else uint32.
    """
    lengths = np.asarray(pc.utf8_length(values)).astype(np.int64)
    ascii_only = lengths == np.asarray(pc.binary_length(values))
    for wide in (False, True):
        for length in np.unique(lengths[ascii_only != wide]):
            positions = np.flatnonzero((lengths == length) & (ascii_only != wide))
            same = values if len(positions) == len(values) else values.take(pa.array(positions))
            if not wide:
                yield positions, _matrix(same, int(length))
                continue
            encoded = "".join(same.to_pylist()).encode("utf-32-le")
            yield positions, np.frombuffer(encoded, dtype="<u4").reshape(-1, int(length))


def characters(letters: NDArray[Any]) -> Any:
    """Rows of code points as a string array."""
    if letters.dtype == np.uint8:
        return strings(letters)
    points = np.ascontiguousarray(letters)
    sizes = 1 + (points > 0x7F) + (points > 0x7FF) + (points > 0xFFFF).astype(np.int64)
    offsets = np.append(0, np.cumsum(sizes.sum(axis=1)))
    data = points.astype("<u4").tobytes().decode("utf-32-le").encode()
    large = pa.LargeStringArray.from_buffers(len(points), pa.py_buffer(offsets), pa.py_buffer(data))
    return large.cast(pa.string())
