"""A column that is recoded: its rows wait until somebody needs them."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from techniques.engines.columns import SUPPRESSED, Column, recoding
from techniques.engines.kernels import count_changes


def test_a_recoding_leaves_the_rows_alone() -> None:
    codes = np.array([0, 1, 2, -1, 3, 1], dtype=np.int32)
    before, after = pa.array(["a", "b", "c", "d"]), pa.array(["a", "x", "x", None])
    known = recoding(before, after)
    column = Column(codes, known.values, True, known)
    assert column.codes is codes
    assert column.texts().to_pylist() == ["a", "x", "x", None, None, "x"]
    settled = column.settled()
    assert settled.codes.tolist() == [0, 1, 1, -1, -1, 1]
    assert settled.dictionary.to_pylist() == ["a", "x"]
    assert known.change[3] == SUPPRESSED
    keep = np.array([True, True, True, True, True, False])
    assert count_changes(codes, keep, known.change) == (2, 1)
