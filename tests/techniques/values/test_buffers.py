"""Loops over the bytes of texts: the same as the slow way, whatever the text."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from hypothesis import given, settings
from hypothesis import strategies as st

from techniques.families.suppression.hiding import hide
from techniques.values.buffers import before_digits, plain_forms
from techniques.values.dates import _any_dates, parse_dates
from techniques.values.numbers import _any_numbers, format_numbers, parse_numbers
from techniques.values.written import INVISIBLE, PLAIN_FORMS, visible

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


day = st.from_regex(r"[0-3]\d{3}[-/.年]?\d{1,2}[-/.月]?(\d{1,2}日?)?( 12:30|123456| )?", fullmatch=True)
days = st.lists(
    day | st.text("0123456789-/.年月日T: ２－é\u0301\x7f", max_size=16) | st.text(max_size=5), max_size=20
)


@given(days, st.integers(0, 3))
@settings(max_examples=200)
def test_dates_are_read_as_the_slow_way_reads_them(values: list[str], skipped: int) -> None:
    array = pa.array(["2024-02-30"] * skipped + values, pa.string()).slice(skipped)
    fast = parse_dates(array)
    for part, slow in zip((fast.year, fast.month, fast.day), _any_dates(array), strict=True):
        assert part.tolist() == slow.tolist()


@given(st.lists(st.text("广东路0９：／٣a\n１", max_size=9), max_size=20), st.integers(0, 3))
def test_texts_are_cut_off_before_their_first_digit(values: list[str], skipped: int) -> None:
    array = pa.array(["路9号"] * skipped + values, pa.string()).slice(skipped)
    assert before_digits(array).equals(pc.replace_substring_regex(array, "(?s)[0-9０-９].*", ""))


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


ODD = [chr(code) for code in PLAIN_FORMS] + [*INVISIBLE]


@settings(deadline=None)
@given(st.lists(st.text("a1 é张𠀀¡§︀" + "".join(ODD), max_size=8) | st.text(max_size=8), max_size=20))
def test_plain_forms_are_those_of_pythons_translation(texts: list[str]) -> None:
    array = pa.array(texts, pa.string())
    expected = [visible(text)[0].translate(PLAIN_FORMS) for text in texts]
    for values, wanted, written in ((array, expected, texts), (array[1:], expected[1:], texts[1:])):
        plain, changed = plain_forms(values)
        assert plain.to_pylist() == wanted
        assert changed.tolist() == [one != other for one, other in zip(wanted, written, strict=True)]
