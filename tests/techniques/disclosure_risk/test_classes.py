"""Rows that agree, against the plainest count; keys of every size, and no rows at all."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

from techniques.core.messages import EngineError
from techniques.disclosure_risk.classes import by_key, coded_columns, encode, group, row_keys
from techniques.tables.dictionary import encode_columns

_LARGE = 42
"""Bits behind twenty that differ: with the number of a row such keys do not fit into one number."""


def _keys(rows: int, different: int, behind: int) -> np.ndarray:
    """So many keys, some of them often; the last bits are alike."""
    draw = np.random.default_rng(rows)
    named = draw.choice(1 << 20, different, replace=False).astype(np.int64) << behind
    return named[np.concatenate([np.arange(different), draw.integers(0, different, rows - different)])]


@pytest.mark.parametrize("behind", [20, _LARGE], ids=["keys and rows in one number", "too large for that"])
@pytest.mark.parametrize(
    ("rows", "different"), [(1, 1), (2, 1), (2, 2), (50, 7), (5000, 2048), (5000, 2049), (9000, 9000)]
)
def test_classes_stand_in_order_of_appearance_with_their_sizes(
    rows: int, different: int, behind: int
) -> None:
    keys = _keys(rows, different, behind)[::-1].copy()
    first, sizes = group(keys)
    counted = Counter(keys.tolist())
    assert keys[first].tolist() == list(counted)
    assert sizes.tolist() == list(counted.values())
    assert [keys.tolist().index(key) for key in list(counted)[:20]] == first[:20].tolist()


@pytest.mark.parametrize("behind", [20, _LARGE])
@pytest.mark.parametrize(("rows", "different"), [(1, 1), (2, 1), (2, 2), (50, 7), (300, 300)])
def test_what_stands_at_each_key(rows: int, different: int, behind: int) -> None:
    keys = _keys(rows, different, behind)
    what = np.arange(rows, dtype=np.int32) * 3
    first, begin, ordered = by_key(keys, what)
    assert len(first) == len(begin) - 1 == different
    assert (begin[0], begin[-1]) == (0, rows)
    for place, row in enumerate(first):
        inside = ordered[begin[place] : begin[place + 1]].tolist()
        assert sorted(inside) == [int(what[n]) for n in np.flatnonzero(keys == keys[row])]
    assert len({int(keys[row]) for row in first}) == different


def test_no_rows_are_no_classes() -> None:
    none = np.empty(0, np.int64)
    assert [one.tolist() for one in group(none)] == [[], []]
    assert [one.tolist() for one in by_key(none, none.astype(np.int32))] == [[], [0], []]


@pytest.mark.parametrize("columns", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("cardinality", [3, 1 << 20, (1 << 31) - 1])
def test_keys_of_rows_agree_where_all_columns_do(columns: int, cardinality: int) -> None:
    draw = np.random.default_rng(columns)
    highest = draw.integers(0, min(cardinality, 4), (columns, 400))
    codes = np.where(draw.random((columns, 400)) < 0.5, highest, cardinality - 1 - highest).astype(np.int32)
    keys = row_keys(list(codes), [cardinality] * columns, 400).tolist()
    rows = list(zip(*codes.tolist(), strict=True))
    assert len({*keys}) == len({*rows}) == len({*zip(keys, rows, strict=True)})


def test_columns_of_all_batches_are_one_column() -> None:
    """Nothing, the empty text and null are the missing value; only a row that is all stars is suppressed."""
    first = pa.table({"a": ["x", None, "*"], "b": ["1", "", "*"]})
    other = pa.table({"a": ["*", "x", ""], "b": ["2", "1", "*"]})
    seen: list[int] = []
    coded = encode([*first.to_batches(), *other.to_batches()], ["a", "b"], seen.append)
    assert seen == [3, 6]
    assert coded.rows == 6
    rows = list(zip(*coded.codes.tolist(), strict=True))
    assert rows[0] == rows[4]
    assert rows[1] == (0, 0)
    assert rows[5][0] == 0
    assert coded.suppressed_rows().tolist() == [False, False, True, False, False, False]
    assert coded.suppressed_rows(1).tolist() == [False, False, True, True, False, False]
    assert len({*rows}) == 5
    assert all(code < size for row in rows for code, size in zip(row, coded.cardinality, strict=True))


@pytest.mark.parametrize("missing", [None, "", "-"])
def test_columns_in_codes_are_coded_as_their_batches_are(missing: str | None) -> None:
    """The missing value stands anywhere, at the beginning too, as null, as the empty text, as both or not at all."""
    table = pa.table(
        {
            "a": [missing, "x", None if missing == "" else "y", "*", "x", "z"],
            "b": ["2", "*", "1", "*", "2", "1"],
            "n": pa.array([7, 7, None, 3, 3, 9] if missing != "-" else [7, 7, 1, 3, 3, 9]),
        }
    )
    batches = table.to_batches(max_chunksize=2)
    read = encode(batches, table.column_names)
    held = coded_columns(encode_columns(batches, table.column_names))
    assert held.columns == read.columns
    assert held.codes.tolist() == read.codes.tolist()
    assert held.cardinality == read.cardinality
    assert held.suppressed_code == read.suppressed_code
    assert [one.to_pylist() for one in held.texts] == [one.to_pylist() for one in read.texts]


def test_no_column_in_codes_forms_no_classes() -> None:
    with pytest.raises(EngineError):
        coded_columns({})
