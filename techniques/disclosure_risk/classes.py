"""Equivalence classes: the rows that agree in every quasi-identifier.

Values are turned into small integers column by column, the integers of a row into one 64-bit
number by mixed radix; where the radix would overflow, the numbers so far are first replaced by
their ranks. Rows are equal exactly when their numbers are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from techniques.core import faults
from techniques.core.compiling import compiled
from techniques.core.tuples import in_order, numbered_keys
from techniques.tables.coding import coded_text
from techniques.tables.dictionary import EncodedColumn

Codes = npt.NDArray[np.int64]
SUPPRESSED = "*"
"""The cell value that stands for “suppressed”."""
_RADIX_LIMIT = 1 << 62
_BLOCK = 1 << 15
"""Rows whose keys stay in the cache from column to column."""


@dataclass(frozen=True)
class CodedColumns:
    """Columns as integers: ``codes`` has shape (columns, rows), code 0 is the missing value;
    ``cardinality[c]`` is one more than the largest code of column c; ``suppressed_code[c]`` is the
    code of ``*`` or -1. ``texts[c]`` holds the text of code v in place v - 1."""

    columns: tuple[str, ...]
    codes: npt.NDArray[np.int32]
    cardinality: tuple[int, ...]
    suppressed_code: tuple[int, ...]
    texts: tuple[pa.Array, ...] = ()

    @property
    def rows(self) -> int:
        return int(self.codes.shape[1])

    def suppressed_rows(self, columns: int | None = None) -> npt.NDArray[np.bool_]:
        """Rows in which every quasi-identifier is ``*``; those are the first ``columns``, or all."""
        whole = np.ones(self.rows, dtype=np.bool_)
        for codes, star in zip(self.codes[:columns], self.suppressed_code[:columns], strict=True):
            whole &= codes == star if star >= 0 else False
        return whole


def encode(
    batches: Iterable[pa.RecordBatch],
    columns: Sequence[str],
    tick: Callable[[int], None] | None = None,
) -> CodedColumns:
    """Read ``columns`` of all batches as integers. Null and the empty text are the same missing value.

    Raises :class:`EngineError` for a column that is not there, or when none is asked for. Memory:
    4 bytes a cell and the distinct values.
    """
    if not columns:
        raise faults.no_quasi_identifier()
    chunks: list[list[pa.Array]] = [[] for _column in columns]
    rows = 0
    for batch in batches:
        for place, column in enumerate(columns):
            if column not in batch.schema.names:
                raise faults.unknown_column(column)
            values = batch.column(column)
            chunks[place].append(_encoded(values))
        rows += batch.num_rows
        if tick is not None:
            tick(rows)
    coded = np.empty((len(columns), rows), dtype=np.int32)
    cardinality, suppressed, texts = [], [], []
    for place, parts in enumerate(chunks):
        coded[place], dictionary, star = _unified(parts, rows)
        cardinality.append(len(dictionary) + 1)
        suppressed.append(star)
        texts.append(dictionary)
        parts.clear()
    return CodedColumns(tuple(columns), coded, tuple(cardinality), tuple(suppressed), tuple(texts))


def coded_columns(held: Mapping[str, EncodedColumn]) -> CodedColumns:
    """What :func:`encode` makes of columns that are held in codes, of as many rows each; no cell is spelled for it.

    Raises :class:`EngineError` when there is none.
    """
    if not held:
        raise faults.no_quasi_identifier()
    rows = len(next(iter(held.values())))
    coded = np.empty((len(held), rows), dtype=np.int32)
    cardinality, suppressed, texts = [], [], []
    for codes, column in zip(coded, held.values(), strict=True):
        given, spelled = column.codes, column.values
        if not pa.types.is_string(spelled.type):
            # Two values may be spelled alike, as 0 and -0 are.
            once = spelled.cast(pa.string()).dictionary_encode()
            given = np.append(once.indices.to_numpy(), np.int32(-1))[given]
            spelled = once.dictionary
        order = _by_appearance(given, len(spelled), pc.index(spelled, "").as_py(), codes)
        dictionary = spelled
        if not np.array_equal(order, np.arange(len(spelled))):
            # The place of what is missing is held for the empty text.
            dictionary = pc.fill_null(spelled.take(pa.array(order, mask=order < 0)), "")
        star = pc.index(dictionary, SUPPRESSED).as_py()
        cardinality.append(len(dictionary) + 1)
        suppressed.append(star + 1 if star >= 0 else -1)
        texts.append(dictionary)
    return CodedColumns(tuple(held), coded, tuple(cardinality), tuple(suppressed), tuple(texts))


@compiled
def _by_appearance(given, number, empty, codes):  # type: ignore[no-untyped-def]
    """The ``number`` values in order of appearance, -1 for what is missing or ``empty``; ``codes`` (n,) get 1 more than the place of each
    of the ``given`` (n,), 0 for what is missing."""
    place = np.zeros(number + 1, np.int32)
    order = np.empty(number + 1, np.int32)
    found = 0
    for row in range(len(given)):
        value = given[row]
        is_missing = value < 0 or value == empty
        at = number if is_missing else value
        if place[at] == 0:
            order[found] = -1 if is_missing else value
            found += 1
            place[at] = found
        codes[row] = 0 if is_missing else place[at]
    return order[:found].copy()


def _encoded(values: pa.Array) -> pa.DictionaryArray:
    """Values as a dictionary of texts in the order of first appearance, the missing ones as the empty text."""
    if pa.types.is_dictionary(values.type):
        if pa.types.is_string(values.type.value_type):
            coded = coded_text(values)
            if not coded.indices.null_count:
                return coded
        values = values.cast(values.type.value_type)
    texts = values if pa.types.is_string(values.type) else values.cast(pa.string())
    return pc.fill_null(texts, "").dictionary_encode()


def _unified(parts: list[pa.Array], rows: int) -> tuple[npt.NDArray[np.int32], pa.Array, int]:
    """(codes, texts, code of ``*``) of one column from its dictionary-encoded batches."""
    if not parts:
        return np.empty(rows, dtype=np.int32), pa.array([], pa.string()), -1
    unified = pa.chunked_array(parts).unify_dictionaries()
    dictionary = unified.chunk(0).dictionary
    raw = np.concatenate([chunk.indices.to_numpy() for chunk in unified.chunks])
    empty = pc.index(dictionary, "").as_py()
    star = pc.index(dictionary, SUPPRESSED).as_py()
    # The missing value becomes code 0, the others move up by one.
    recode = np.arange(1, len(dictionary) + 1, dtype=np.int32)
    if empty >= 0:
        recode[empty] = 0
    return recode[raw], dictionary, int(recode[star]) if star >= 0 else -1


def row_keys(codes: Iterable[npt.NDArray[np.int32]], cardinality: Sequence[int], rows: int) -> Codes:
    """One number a row, equal exactly for rows that agree in all ``codes``."""
    codes = list(codes)
    if prod(max(size, 1) for size in cardinality) <= _RADIX_LIMIT and codes:
        return _mixed(codes, [int(size) for size in cardinality], rows)
    keys: Codes = np.zeros(rows, dtype=np.int64)
    span = 1
    for column, size in zip(codes, cardinality, strict=True):
        if span > _RADIX_LIMIT // max(size, 1):
            distinct, keys = np.unique(keys, return_inverse=True)
            keys, span = keys.astype(np.int64), len(distinct)
        keys = keys * size + column
        span *= size
    return keys


def ranks(keys: Codes, below: int) -> Codes:
    """The rank of each key (n,) among the different ones; the keys lie from 0 to before ``below``."""
    if below > 4 * len(keys):
        return numbered_keys(keys)[1]
    seen = np.zeros(below, np.bool_)
    seen[keys] = True
    return (np.cumsum(seen) - 1)[keys]


def group(keys: Codes) -> tuple[Codes, Codes]:
    """(first row of each class, size of each class), the classes in order of appearance."""
    if len(keys) == 0:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    bits = max(int(len(keys) - 1).bit_length(), 1)
    if int(keys.max()) < 1 << (63 - bits):
        # Key and row in one number: sorting such numbers beats any table of what has been seen.
        first, sizes = _runs(_sorted(keys, bits), bits)
    else:
        first, sizes = _counted(keys)
    return first, sizes


def group_counted(keys: Codes, counts: npt.NDArray[np.integer]) -> tuple[Codes, Codes]:
    """As :func:`group`, of keys that stand for so many rows each."""
    bits = max(int(len(keys) - 1).bit_length(), 1)
    if len(keys) and int(keys.max()) < 1 << (63 - bits):
        by_appearance: tuple[Codes, Codes] = _summed_runs(_sorted(keys, bits), bits, counts)
        return by_appearance
    _distinct, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    # Sums are exact below 2⁵³.
    sizes = np.bincount(inverse, weights=counts).astype(np.int64)
    order = np.argsort(first)
    return first[order].astype(np.int64), sizes[order]


def by_key(keys: Codes, what: npt.NDArray[np.int32]) -> tuple[Codes, Codes, npt.NDArray[np.int32]]:
    """(a row of each different key, where those of each begin and the end of all, ``what`` of each row in this order)."""
    bits = max(int(len(keys) - 1).bit_length(), 1)
    if len(keys) and int(keys.max()) < 1 << (63 - bits):
        first, begin, ordered = _by_key(_sorted(keys, bits), bits, what)
        return first, begin, ordered
    order = np.argsort(keys, kind="stable")
    changes = np.append(True, keys[order][1:] != keys[order][:-1])[: len(keys)]
    begin = np.append(np.flatnonzero(changes), len(keys)).astype(np.int64)
    return order[begin[:-1]].astype(np.int64), begin, what[order]


def _sorted(keys: Codes, bits: int) -> Codes:
    """Each of n keys with the number of its row in the ``bits`` behind it, in order."""
    return in_order(_packed(keys, bits), bits, bits + int(keys.max()).bit_length())


@compiled
def _by_key(packed, bits, what):  # type: ignore[no-untyped-def]
    """See :func:`by_key`, from sorted :func:`_packed`."""
    rows = len(packed)
    row_of = (np.int64(1) << bits) - 1
    ordered = np.empty(rows, what.dtype)
    begin, first = np.empty(rows + 1, np.int64), np.empty(rows, np.int64)
    found, last = 0, np.int64(-1)
    for at in range(rows):
        row = packed[at] & row_of
        ordered[at] = what[row]
        if packed[at] >> bits != last:
            last = packed[at] >> bits
            begin[found], first[found] = at, row
            found += 1
    begin[found] = rows
    return first[:found].copy(), begin[: found + 1].copy(), ordered


def _mixed(
    codes: Sequence[npt.NDArray[np.int32]], cardinality: Sequence[int], rows: int
) -> npt.NDArray[np.int64]:
    """Mixed-radix keys of all rows; the product of the radices is known to fit."""
    keys = np.zeros(rows, dtype=np.int64)
    columns = [np.ascontiguousarray(column) for column in codes]
    for start in range(0, rows, _BLOCK):
        block = keys[start : start + _BLOCK]
        part = [column[start : start + _BLOCK] for column in columns]
        for place in range(0, len(part) - 2, 3):
            _mix_three(block, *part[place : place + 3], *cardinality[place : place + 3])
        for place in range(len(part) // 3 * 3, len(part)):
            _mix(block, part[place], cardinality[place])
    return keys


@compiled
def _mix_three(keys, a, b, c, of_a, of_b, of_c):  # type: ignore[no-untyped-def]
    """Append three columns to the keys in place: ``of_a`` … are their numbers of codes. It reads and writes the keys once."""
    for row in range(len(keys)):
        keys[row] = ((keys[row] * of_a + a[row]) * of_b + b[row]) * of_c + c[row]


@compiled
def _mix(keys, a, of_a):  # type: ignore[no-untyped-def]
    """Append one column to the keys in place."""
    for row in range(len(keys)):
        keys[row] = keys[row] * of_a + a[row]


@compiled
def _packed(keys, bits):  # type: ignore[no-untyped-def]
    """Each key with the number of its row behind it."""
    packed = np.empty(len(keys), np.int64)
    for row in range(len(keys)):
        packed[row] = (keys[row] << bits) | row
    return packed


@compiled
def _runs(packed, bits):  # type: ignore[no-untyped-def]
    """(first row, number of rows) of each different key, in order of appearance, from sorted :func:`_packed`."""
    rows = len(packed)
    size_at = np.zeros(rows, np.int32)
    row_of = (np.int64(1) << bits) - 1
    begin, found = 0, 1
    for at in range(1, rows):
        if packed[at] >> bits != packed[begin] >> bits:
            size_at[packed[begin] & row_of] = at - begin
            begin = at
            found += 1
    size_at[packed[begin] & row_of] = rows - begin
    first, sizes = np.empty(found, np.int64), np.empty(found, np.int64)
    place = 0
    for row in range(rows):
        if size_at[row]:
            first[place] = row
            sizes[place] = size_at[row]
            place += 1
    return first, sizes


@compiled
def _summed_runs(packed, bits, counts):  # type: ignore[no-untyped-def]
    """(first row, sum of ``counts``) of each different key, in order of appearance, from sorted :func:`_packed`."""
    rows = len(packed)
    sum_at = np.full(rows, -1, np.int64)
    row_of = (np.int64(1) << bits) - 1
    begin, found = 0, 1
    sum_at[packed[0] & row_of] = counts[packed[0] & row_of]
    for at in range(1, rows):
        if packed[at] >> bits != packed[begin] >> bits:
            begin = at
            found += 1
            sum_at[packed[at] & row_of] = 0
        sum_at[packed[begin] & row_of] += counts[packed[at] & row_of]
    first, sizes = np.empty(found, np.int64), np.empty(found, np.int64)
    place = 0
    for row in range(rows):
        if sum_at[row] >= 0:
            first[place] = row
            sizes[place] = sum_at[row]
            place += 1
    return first, sizes


@compiled
def _counted(keys):  # type: ignore[no-untyped-def]
    """(first row, number of rows) of each different key, in order of appearance; the table grows with the keys."""
    capacity = 1 << 12
    slots = np.full(capacity, -1, np.int32)
    room = capacity // 2 + 1
    known, first, sizes = np.empty(room, np.int64), np.empty(room, np.int64), np.zeros(room, np.int64)
    found = 0
    for row in range(len(keys)):
        key = keys[row]
        spread = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
        at = np.int64((spread >> np.uint64(32)) & np.uint64(capacity - 1))
        while slots[at] >= 0 and known[slots[at]] != key:
            at = (at + 1) & (capacity - 1)
        here = slots[at]
        if here >= 0:
            sizes[here] += 1
            continue
        slots[at] = found
        known[found] = key
        first[found] = row
        sizes[found] = 1
        found += 1
        if 2 * found > capacity:
            capacity *= 4
            slots = np.full(capacity, -1, np.int32)
            more = capacity // 2 + 1 - len(known)
            known = np.concatenate((known, np.empty(more, np.int64)))
            first = np.concatenate((first, np.empty(more, np.int64)))
            sizes = np.concatenate((sizes, np.zeros(more, np.int64)))
            for number in range(found):
                spread = np.uint64(known[number]) * np.uint64(0x9E3779B97F4A7C15)
                at = np.int64((spread >> np.uint64(32)) & np.uint64(capacity - 1))
                while slots[at] >= 0:
                    at = (at + 1) & (capacity - 1)
                slots[at] = number
    return first[:found].copy(), sizes[:found].copy()
