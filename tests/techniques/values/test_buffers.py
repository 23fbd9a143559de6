"""Loops over the bytes of texts: the same as the slow way, whatever the text."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from techniques.engines.columns import SUPPRESSED, Column, recoding
from techniques.engines.kernels import count_changes
from techniques.families.suppression.hiding import hide
from techniques.hierarchies.build import build, build_level, level_count
from techniques.hierarchies.definitions import Dates, Intervals, Masks, Star, Table
from techniques.values.numbers import _any_numbers, format_numbers, parse_numbers

texts = st.lists(st.text("0123456789.,+- ０５．x万", max_size=22) | st.text(max_size=5), max_size=20)


@given(texts, st.sampled_from([0, 8, 20]), st.integers(0, 3))
@settings(max_examples=80)
def test_numbers_are_read_as_the_slow_way_reads_them(values: list[str], scale: int, skipped: int) -> None:
    # A slice has its texts somewhere in the middle of a buffer.
    array = pa.array(["9.9"] * skipped + values, pa.string()).slice(skipped)
    fast = parse_numbers(array, scale)
    slow, valid = _any_numbers(array, fast.scale)
    assert fast.valid.tolist() == valid.tolist()
    assert fast.unscaled[valid].tolist() == slow[valid].tolist()


@given(st.lists(st.integers(-(10**18), 10**18), max_size=20), st.integers(0, 8))
@settings(max_examples=60)
def test_numbers_are_written_in_their_shortest_notation(numbers: list[int], scale: int) -> None:
    made = format_numbers(np.array(numbers, dtype=np.int64), scale).to_pylist()
    assert [Decimal(text).scaleb(scale) for text in made] == [Decimal(number) for number in numbers]
    assert not any("." in text and text.endswith(("0", ".")) for text in made)
    assert not any(text.startswith("-0") and Decimal(text) == 0 for text in made)


@given(
    st.lists(st.text(max_size=6), max_size=12),
    st.integers(0, 4),
    st.integers(0, 4),
    st.sampled_from("*某"),
    st.booleans(),
)
@settings(max_examples=60)
def test_hiding(values: list[str], left: int, right: int, character: str, same_length: bool) -> None:
    def plain(text: str) -> str:
        head, tail = (0, 0) if len(text) <= left + right else (left, right)
        middle = len(text) - head - tail if same_length else 4
        return text[:head] + character * middle + text[len(text) - tail :]

    made = hide(pa.array(values, pa.string()), left, right, character, same_length)
    assert made.to_pylist() == [plain(text) for text in values]


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


def test_one_level_is_that_of_the_whole_hierarchy() -> None:
    numbers = pa.array(["1", "12", "123", "no", "7", "12.5", "-3"])
    dates = pa.array(["2024-01-31", "2020/2/3", "1999年12月", "no"])
    for definition, values in [
        (Star(), numbers),
        (Intervals(kind="intervals", widths=[5, 10, 50]), numbers),
        (Intervals(kind="intervals", widths=[5], notation="inclusive"), numbers),
        (Masks(kind="mask", characters=[1, 2], side="left"), numbers),
        (Masks(kind="mask", characters=[1, 3]), numbers),
        (Dates(kind="dates", units=["month", "year"]), dates),
        (Table(kind="table", rows=[["1", "low", "*"], ["12", "low", "*"], ["7", "high", "*"]]), numbers),
        (Table(kind="table", rows=[["1", "low"], ["12", "high"]]), numbers),
    ]:
        whole = build(definition, values)
        assert level_count(definition) == whole.levels
        for level in range(whole.levels):
            one = build_level(definition, values, level)
            expected = whole.labels[level].take(pa.array(whole.codes[level])).to_pylist()
            fit = ~whole.unfit
            assert one.unfit.tolist() == whole.unfit.tolist()
            assert np.array(one.labels.to_pylist())[fit].tolist() == np.array(expected)[fit].tolist()
