"""Columns as small integer codes: what column techniques and risk measures work on.

A technique transforms the distinct values of a column and gathers the result through the codes; a
risk measure counts tuples of codes. Codes number the values in the order of their first appearance,
whatever the batches; a missing cell has the code ``MISSING``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.tables.limits import GIB
from techniques.tables.problems import problem
from techniques.values.numbered import NumberedTexts

MISSING = -1
_MAX_CODES = 2**31 - 2


def codes_of(encoded: pa.DictionaryArray) -> NDArray[np.int32]:
    """The index of each cell (n,), ``MISSING`` where it is null."""
    # Indices may be unsigned, which have no number for what is missing.
    codes: NDArray[np.int32] = pc.fill_null(pc.cast(encoded.indices, pa.int32()), MISSING).to_numpy()
    return codes


@dataclass(frozen=True)
class EncodedColumn:
    """One column: ``codes`` of shape (rows,), int32, and ``values`` of shape (distinct,), text.

    ``values[codes[row]]`` is the cell; ``codes[row] == MISSING`` where it is missing. ``values`` holds
    no null and no duplicate.
    """

    codes: NDArray[np.int32]
    values: pa.Array

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def missing(self) -> int:
        return int(np.count_nonzero(self.codes == MISSING))

    def counts(self) -> NDArray[np.int64]:
        """Return how often each value occurs, of shape (distinct,)."""
        present = self.codes[self.codes != MISSING]
        return np.bincount(present, minlength=len(self.values)).astype(np.int64)

    def gather(self, values: pa.Array | Sequence[str | None]) -> pa.Array:
        """Return the column that has ``values[code]`` in each row; missing cells stay missing.

        ``values`` replaces ``self.values`` one by one, of shape (distinct,).
        """
        replaced = values if isinstance(values, pa.Array) else pa.array(values, pa.string())
        if len(replaced) != len(self.values):
            raise ValueError(f"{len(self.values)} values are needed, not {len(replaced)}")
        return replaced.take(pa.array(self.codes, mask=self.codes == MISSING))

    def to_arrow(self) -> pa.Array:
        """Return the column as it was, of type ``string`` (at most 2 GiB of text)."""
        return self.gather(self.values).cast(pa.string())


class ColumnEncoder:
    """Encodes one column batch by batch against a dictionary that grows.

    >>> encoder = ColumnEncoder()
    >>> for batch in reader.batches(): encoder.add(batch.column(3))
    >>> column = encoder.finish()
    """

    def __init__(self) -> None:
        self._texts = NumberedTexts()
        self._codes: list[NDArray[np.int32]] = []
        self._shared: tuple[pa.Array, NDArray[np.int32]] | None = None
        self._chunks: list[pa.DictionaryArray] = []
        self._bytes = 0
        self._held: tuple[int, int] = (0, 0)

    @property
    def held(self) -> int:
        """Bytes of the values that are held, those of a dictionary that several pieces share once."""
        texts: int = self._texts.values.nbytes
        return texts + self._held[0]

    def add(self, column: pa.Array | pa.ChunkedArray) -> None:
        """Append a piece of the column, of any type that can be dictionary-encoded."""
        for chunk in column.chunks if isinstance(column, pa.ChunkedArray) else [column]:
            coded = pa.types.is_dictionary(chunk.type)
            values = chunk.dictionary if coded else chunk
            if self._chunks or not pa.types.is_string(values.type) or self.held + values.nbytes > GIB:
                self._number_no_more()
                self._add_encoded(chunk if coded else chunk.dictionary_encode())
            elif coded:
                self._codes.append(self._numbers(values)[codes_of(chunk)])
            else:
                self._codes.append(self._texts.add(values))

    def _numbers(self, dictionary: pa.Array) -> NDArray[np.int32]:
        """The code of each of its values, and of a missing cell behind them; what several pieces share is numbered once."""
        if self._shared is None or not _is_same(self._shared[0], dictionary):
            self._shared = dictionary, np.append(self._texts.add(dictionary), np.int32(MISSING))
        return self._shared[1]

    def _number_no_more(self) -> None:
        """What follows are no texts, or more than offsets of 32 bits are good for."""
        if self._codes:
            codes, texts = np.concatenate(self._codes), self._texts.values
            self._texts, self._codes, self._shared = NumberedTexts(), [], None
            self._add_encoded(pa.DictionaryArray.from_arrays(pa.array(codes, mask=codes == MISSING), texts))

    def _add_encoded(self, encoded: pa.DictionaryArray) -> None:
        self._bytes += encoded.dictionary.nbytes
        self._hold(encoded.dictionary)
        if self._bytes > GIB and pa.types.is_string(encoded.dictionary.type):
            # Offsets of 32 bits would overflow once all dictionaries become one.
            encoded = _large(encoded)
            if self._chunks and not pa.types.is_large_string(self._chunks[0].dictionary.type):
                self._chunks = [_large(earlier) for earlier in self._chunks]
        self._chunks.append(encoded)

    def _hold(self, values: pa.Array) -> None:
        held, last = self._held
        buffer = values.buffers()[-1]
        here = buffer.address if buffer is not None else 0
        self._held = (held + (values.nbytes if here != last else 0), here)

    def finish(self) -> EncodedColumn:
        """Return the whole column; the encoder may go on growing afterwards."""
        if not self._chunks:
            self._codes = [np.concatenate(self._codes)] if self._codes else [np.empty(0, np.int32)]
            return EncodedColumn(self._codes[0], self._texts.values)
        unified = pa.chunked_array(self._chunks).unify_dictionaries()
        self._chunks = list(unified.chunks)
        values = unified.chunk(unified.num_chunks - 1).dictionary
        if len(values) > _MAX_CODES:
            raise problem("table.code.many", limit=_MAX_CODES)
        codes = np.empty(len(unified), np.int32)
        start = 0
        for chunk in unified.chunks:
            indices = pc.fill_null(chunk.indices, MISSING)
            codes[start : start + len(chunk)] = indices.to_numpy(zero_copy_only=False)
            start += len(chunk)
        return EncodedColumn(codes, values)


def _is_same(one: pa.Array, other: pa.Array) -> bool:
    """Whether both lie in the same place, without looking at their values."""
    places = [[buffer and buffer.address for buffer in values.buffers()] for values in (one, other)]
    return places[0] == places[1] and (one.offset, len(one)) == (other.offset, len(other))


def _large(encoded: pa.DictionaryArray) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(encoded.indices, encoded.dictionary.cast(pa.large_string()))


@dataclass(frozen=True)
class CountedValues:
    """The different values of a column and how many of its ``rows`` have each: ``values`` and ``counts`` of shape (distinct,), in the
    order of first appearance."""

    values: pa.Array
    counts: NDArray[np.int64]
    rows: int

    @property
    def missing(self) -> int:
        return self.rows - int(self.counts.sum())


class ValueCounter:
    """Counts the values of one column batch by batch; memory grows with the different ones alone.

    Parts wait until they have as many values as what has been counted.
    """

    def __init__(self) -> None:
        self._values: list[pa.Array] = []
        self._counts: list[NDArray[np.int64]] = []
        self._rows = 0
        self._settled = 0
        self._waiting = 0

    def add(self, column: pa.Array) -> None:
        """Count a piece of the column, of any type that can be dictionary-encoded."""
        encoded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
        # Indices of eight bits may have no number beyond those of the values.
        indices = pc.cast(encoded.indices, pa.int64())
        codes = pc.fill_null(indices, len(encoded.dictionary)).to_numpy()
        counts = np.bincount(codes, minlength=len(encoded.dictionary))[: len(encoded.dictionary)]
        self._values.append(encoded.dictionary)
        self._counts.append(counts.astype(np.int64))
        self._rows += len(column)
        self._waiting += len(counts)
        if self._waiting > max(self._settled, 1 << 17):
            self._settle()

    def finish(self) -> CountedValues:
        """What was counted; the counter may go on growing afterwards."""
        if not self._values:
            return CountedValues(pa.array([], pa.string()), np.empty(0, np.int64), 0)
        self._settle()
        return CountedValues(self._values[0], self._counts[0], self._rows)

    def _settle(self) -> None:
        counts = np.concatenate(self._counts)
        values = pa.chunked_array(_of_one_type(self._values)).dictionary_encode()
        if not len(counts):
            self._values, self._counts = self._values[:1], self._counts[:1]
            return
        kept = values.chunk(values.num_chunks - 1).dictionary
        codes = np.concatenate([chunk.indices.to_numpy() for chunk in values.chunks])
        total = np.zeros(len(kept), np.int64)
        np.add.at(total, codes, counts)
        self._values, self._counts = [kept], [total]
        self._settled, self._waiting = len(kept), 0


def _of_one_type(parts: list[pa.Array]) -> list[pa.Array]:
    """The parts with offsets of 64 bits where those of 32 could overflow once they are one."""
    if sum(part.nbytes for part in parts) <= GIB or not any(pa.types.is_string(part.type) for part in parts):
        return parts
    return [part.cast(pa.large_string()) for part in parts]


def dictionary_encode(column: pa.Array | pa.ChunkedArray) -> EncodedColumn:
    """Encode one whole column or one batch of it."""
    encoder = ColumnEncoder()
    encoder.add(column)
    return encoder.finish()


def encode_columns(batches: Iterable[pa.RecordBatch], names: Sequence[str]) -> dict[str, EncodedColumn]:
    """Encode the named columns over all batches; the other columns are dropped as they pass."""
    encoders = {name: ColumnEncoder() for name in names}
    for batch in batches:
        for name, encoder in encoders.items():
            encoder.add(batch.column(name))
    # What one column was read in is let go of before the next one is put together.
    return {name: encoders.pop(name).finish() for name in [*encoders]}


def count_values(batches: Iterable[pa.RecordBatch], names: Sequence[str]) -> dict[str, CountedValues]:
    """Count the values of the named columns over all batches."""
    counters = {name: ValueCounter() for name in names}
    for batch in batches:
        for name, counter in counters.items():
            counter.add(batch.column(name))
    return {name: counter.finish() for name, counter in counters.items()}


def map_distinct(
    column: pa.Array | pa.ChunkedArray, function: Callable[[pa.Array], pa.Array | Sequence[str | None]]
) -> pa.Array:
    """Apply ``function`` to the distinct values of a column and gather its results.

    ``function`` gets the values, of shape (distinct,), without null, and returns as many.
    """
    encoded = dictionary_encode(column)
    return encoded.gather(function(encoded.values))
