"""A table that was scanned in pieces: what the scanners of the pieces have found, put together, is what one scanner finds."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from techniques.identification.distinct import DistinctCounter
from techniques.identification.scanner import ColumnScanner

_PHONE = "13800138000"
CELLS = {
    "numbers": lambda row, draw: str(1000 + row),
    "numbers with gaps": lambda row, draw: None if row == 41 else str(row),
    "one number twice": lambda row, draw: str(row - (row >= 64)),
    "shuffled": lambda row, draw: str((row * 37) % 128),
    "codes": lambda row, draw: f"A{draw.randrange(60):07}",
    "texts": lambda row, draw: draw.choice(
        [None, "", "nothing to see", f"ring {_PHONE} or 13900139000", _PHONE]
    ),
    "names": lambda row, draw: draw.choice(["王小明", "李红", "张**", None]),
    "few": lambda row, draw: draw.choice(["男", "女"]),
    "missing": lambda row, draw: None,
}


@pytest.mark.parametrize("kind", CELLS)
@settings(max_examples=25, deadline=None)
@given(cuts=st.lists(st.integers(0, 128), max_size=4), seed=st.integers(0, 3))
def test_pieces_together_are_the_whole(kind: str, cuts: list[int], seed: int) -> None:
    draw = random.Random(seed)
    cells = pa.array([CELLS[kind](row, draw) for row in range(128)], pa.string())
    ends = sorted({0, *cuts, 128})
    whole, merged = ColumnScanner("c"), ColumnScanner("c")
    for begin, end in pairwise(ends):
        whole.feed(cells[begin:end])
        piece = ColumnScanner("c")
        piece.feed(cells[begin:end])
        merged.merge(piece)
    found, expected = merged.result(), whole.result()
    if kind == "texts":
        # What a kind has as whole cells fills the first rows of a piece, before those with it inside a text.
        found, expected = (
            one.model_copy(
                update={"findings": [item.model_copy(update={"first_rows": ()}) for item in one.findings]}
            )
            for one in (found, expected)
        )
    assert found == expected


def test_more_values_than_are_kept_are_estimated_alike() -> None:
    texts = [f"value {one % 3000}" for one in range(9000)]
    whole, merged = DistinctCounter(cap=200), DistinctCounter(cap=200)
    for begin in range(0, 9000, 700):
        piece = DistinctCounter(cap=200)
        values, counts = np.unique(texts[begin : begin + 700], return_counts=True)
        for one in (whole, piece):
            one.add(pa.array(values), counts)
        merged.merge(piece)
    assert not whole.exact
    assert (merged.exact, merged.distinct) == (False, whole.distinct)
    assert merged.shared_by_few(4) == whole.shared_by_few(4)
