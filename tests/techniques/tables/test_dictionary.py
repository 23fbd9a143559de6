"""Codes over batches equal codes over the whole."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from techniques.tables import (
    MISSING,
    ColumnEncoder,
    dictionary,
    dictionary_encode,
    encode_columns,
    map_distinct,
)

from .support import batch

COLUMNS = st.lists(st.one_of(st.none(), st.sampled_from(["a", "b", "张", "", "c" * 20])), max_size=30)


@given(COLUMNS, st.integers(1, 7))
def test_codes_do_not_depend_on_the_batches(cells: list[str | None], size: int) -> None:
    encoder = ColumnEncoder()
    for start in range(0, len(cells), size):
        encoder.add(pa.array(cells[start : start + size], pa.string()))
    column = encoder.finish()
    whole = dictionary_encode(pa.array(cells, pa.string()))
    assert column.codes.dtype == np.int32
    assert column.codes.tolist() == whole.codes.tolist()
    assert (
        column.values.to_pylist()
        == whole.values.to_pylist()
        == list(dict.fromkeys(c for c in cells if c is not None))
    )
    assert column.to_arrow().to_pylist() == cells
    assert column.counts().tolist() == [cells.count(value) for value in column.values.to_pylist()]
    assert column.missing == cells.count(None)


@given(COLUMNS, st.integers(1, 7), st.integers(0, 30), st.sampled_from([60, 10_000]))
def test_codes_do_not_depend_on_which_pieces_are_coded_nor_on_where_offsets_become_wide(
    cells: list[str | None], size: int, paused: int, most: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dictionary, "GIB", most)
        encoder = ColumnEncoder()
        shared = pa.array(cells, pa.string()).dictionary_encode()
        for start in range(0, len(cells), size):
            whole_piece = shared.slice(start, size)
            encoder.add(whole_piece if start >= 2 * size else whole_piece.cast(pa.string()))
            if start == paused:
                encoder.finish()
        column = encoder.finish()
    whole = dictionary_encode(pa.array(cells, pa.string()))
    assert column.codes.tolist() == whole.codes.tolist()
    assert column.values.cast(pa.string()).equals(whole.values)


def test_dictionaries_in_one_place_after_the_other_are_told_apart() -> None:
    """One that is let go of may leave its place to the next one, of other values."""
    encoder = ColumnEncoder()
    for number in range(50):
        encoder.add(pa.array([f"{number:03}", None, "x"]).dictionary_encode())
    column = encoder.finish()
    assert column.values.to_pylist() == ["000", "x", *(f"{number:03}" for number in range(1, 50))]
    assert column.codes[::3].tolist() == [0, *range(2, 51)]


def test_of_texts_that_occur_again_one_is_held() -> None:
    encoder, texts = ColumnEncoder(), pa.array([f"value {n}" for n in range(5000)])
    for _piece in range(3):
        encoder.add(texts)
    assert encoder.held == texts.nbytes
    assert encoder.finish().codes.tolist() == 3 * [*range(5000)]


def test_an_encoder_may_go_on_and_keeps_its_codes() -> None:
    encoder = ColumnEncoder()
    encoder.add(pa.array(["x", None, "y"]))
    assert encoder.finish().codes.tolist() == [0, MISSING, 1]
    encoder.add(pa.array(["z", "x"]))
    assert encoder.finish().codes.tolist() == [0, MISSING, 1, 2, 0]


def test_large_dictionaries_change_to_wide_offsets(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(dictionary, "GIB", 50)
    encoder = ColumnEncoder()
    for start in range(0, 100, 10):
        encoder.add(pa.array([f"value {n}" for n in range(start, start + 10)]))
    column = encoder.finish()
    assert column.values.type == pa.large_string()
    assert column.codes.tolist() == list(range(100))
    assert column.to_arrow().type == pa.string()


def test_named_columns_over_batches_and_distinct_mapping() -> None:
    pieces = [batch(a=["1", "2"], b=["x", None]), batch(a=["2", "3"], b=[None, "y"])]
    columns = encode_columns(pieces, ["b", "a"])
    assert {name: column.codes.tolist() for name, column in columns.items()} == {
        "b": [0, -1, -1, 1],
        "a": [0, 1, 1, 2],
    }
    calls: list[int] = []

    def upper(values: pa.Array) -> list[str]:
        calls.append(len(values))
        return [value.upper() for value in values.to_pylist()]

    assert map_distinct(pa.chunked_array([["a", "b"], [None, "a"]]), upper).to_pylist() == [
        "A",
        "B",
        None,
        "A",
    ]
    assert calls == [2]


def test_what_is_held_counts_a_dictionary_that_pieces_share_once() -> None:
    encoder = ColumnEncoder()
    assert encoder.held == 0
    shared = pa.array(["x" * 100, "y" * 100] * 4).dictionary_encode()
    for start in range(0, 8, 2):
        encoder.add(shared.slice(start, 2))
    once = encoder.held
    assert 200 <= once < 300
    encoder.add(pa.array(["z" * 100]))
    assert once + 100 <= encoder.held < once + 200
