"""Typed columns as dictionaries of canonical text: what repeats is spelled once.

The same dictionary as that of the column written out as text first, for a share of the work: texts come as dictionaries from
Parquet, and of numbers and dates the different ones are few.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from techniques.core.compiling import compiled
from techniques.tables.canonical import column_text
from techniques.tables.dictionary import MISSING, EncodedColumn, codes_of


def coded_text(column: pa.Array) -> pa.DictionaryArray:
    """The canonical text of a column of a plain type (n,) as a dictionary of strings: each once, in the order of first appearance,
    without one that no row has; the index of a missing cell is null. Raises ``pa.ArrowInvalid``.
    """
    kind = column.type
    if not (pa.types.is_dictionary(kind) or _is_hashed(kind)):
        return column_text(column).dictionary_encode()
    encoded = column if pa.types.is_dictionary(kind) else column.dictionary_encode()
    codes, used = _first_seen(codes_of(encoded), len(encoded.dictionary))
    texts = column_text(encoded.dictionary.take(pa.array(used)))
    if encoded is column or not _is_spelled_apart(encoded.dictionary):
        spelled = texts.dictionary_encode()
        if len(spelled.dictionary) < len(texts):
            codes = np.append(codes_of(spelled), np.int32(MISSING))[codes]
            texts = spelled.dictionary
    return dictionary_of(codes, texts)


def own_dictionaries(batch: pa.RecordBatch) -> pa.RecordBatch:
    """The same cells, of each column a dictionary of the values of these rows alone, as :func:`coded_text` makes it."""
    return pa.RecordBatch.from_arrays([coded_text(one) for one in batch.columns], schema=batch.schema)


def narrow(codes: npt.NDArray[np.int32], size: int) -> pa.Array:
    """Codes of ``size`` values in as few bytes each as hold them, to be kept in a file."""
    return pa.array(codes.astype(np.min_scalar_type(-max(size, 1))))


def dictionary_of(codes: npt.NDArray[np.int32], values: pa.Array) -> pa.DictionaryArray:
    """The array of ``values[codes]``, null where a code is ``MISSING``."""
    missing = codes == MISSING
    indices = pa.array(codes, mask=missing) if missing.any() else pa.array(codes)
    return pa.DictionaryArray.from_arrays(indices, values)


def part_of(column: EncodedColumn, rows: slice) -> pa.DictionaryArray:
    """Some rows of a column, with a dictionary of their own values alone: what their texts would be encoded to."""
    return compact(column.codes[rows], column.values)


def compact(codes: npt.NDArray[np.int32], values: pa.Array) -> pa.DictionaryArray:
    """The array of ``values[codes]`` whose dictionary has each value that a row has once, in the order of first appearance."""
    new, used = _first_seen(codes, len(values))
    return dictionary_of(new, values.take(pa.array(used)))


def _is_hashed(kind: pa.DataType) -> bool:
    """Whether Arrow finds the different values of a column of this type by what they are."""
    types = pa.types
    return bool(
        types.is_integer(kind) or types.is_float32(kind) or types.is_float64(kind) or types.is_date(kind)
    )


def _is_spelled_apart(values: pa.Array) -> bool:
    """Whether it is certain that different values, as Arrow finds them, have different texts, and all of them one."""
    types = pa.types
    if types.is_float32(values.type) or types.is_float64(values.type):
        # 0 and -0 are spelled alike, and what is no number is read as missing.
        numbers = values.to_numpy()
        return bool(np.count_nonzero(numbers) >= len(numbers) - 1 and not np.isnan(numbers).any())
    return bool(types.is_integer(values.type) or types.is_date(values.type))


@compiled
def _first_seen(codes, size):  # type: ignore[no-untyped-def]
    """(codes in the order of first appearance, the old code of each new one)."""
    numbered = np.full(size, MISSING, np.int32)
    used = np.empty(min(size, len(codes)), np.int32)
    found = np.int32(0)
    made = np.empty(len(codes), np.int32)
    for row in range(len(codes)):
        code = codes[row]
        if code >= 0:
            if numbered[code] < 0:
                numbered[code] = found
                used[found] = code
                found += 1
            made[row] = numbered[code]
        else:
            made[row] = MISSING
    return made, used[:found].copy()
