"""Bytes as text: one spelling for each value, from which the value comes back."""

from __future__ import annotations

import pyarrow as pa
from hypothesis import example, given
from hypothesis import strategies as st

from techniques.tables.canonical import column_text
from techniques.tables.types import typed

CELLS = st.lists(
    st.none() | st.binary(min_size=1, max_size=6) | st.text(r"\x0a甲", min_size=1).map(str.encode)
)


@given(CELLS)
@example([b"\0", rb"\x00", b"x\0", b"\xff", rb"\xff", rb"\x", "甲".encode()])
def test_bytes_have_a_spelling_each_and_come_back(cells: list[bytes | None]) -> None:
    for kind in (pa.binary(), pa.large_binary()):
        column = pa.array(cells, kind)
        texts = column_text(column)
        assert len(set(texts.to_pylist())) == len(set(cells))
        assert "\0" not in "".join(text or "" for text in texts.to_pylist())
        back = typed(texts, kind)
        assert back is not None
        assert back.to_pylist() == cells


def test_what_is_text_stays_as_it_is_written() -> None:
    cells = [b"ab", "甲".encode(), rb"a\x00", b"\xff\0"]
    assert column_text(pa.array(cells)).to_pylist() == ["ab", "甲", r"a\x00", r"\xff00"]
    assert column_text(pa.array([b"\xff\0", None], pa.binary(2))).to_pylist() == [r"\xff00", None]


def test_digits_that_are_none_are_no_bytes() -> None:
    assert typed(pa.array([r"\x0", "a"]), pa.binary()) is None
    assert typed(pa.array([r"\x61"]), pa.binary()) is None
