"""What is known of a text from the first bytes of its characters, held against Arrow and against the rules of the scan."""

from __future__ import annotations

import random

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from techniques.identification.names import LATIN_NAME_WHOLE, NAME_WHOLE
from techniques.identification.patterns import DATE_WHOLE, GATES, PLAIN_VALUE, REGION_WHOLE, RULES
from techniques.identification.scanner import (
    ColumnScanner,
    can_be_dates,
    can_be_plain,
    can_hold,
    is_whole,
    matches,
)
from techniques.values.characters import CAN_BE_CASED, Characters, Sort
from techniques.values.written import NUMERALS

EVERY = pa.array([chr(code) for code in range(1, 0x110000) if not 0xD800 <= code <= 0xDFFF])
"""Each character by itself."""


def test_each_text_is_counted() -> None:
    found = Characters.of(pa.array(["ab-12,345", "一二三x四五", "", "患者Ａ０"]).slice(0, 4))
    assert found.sizes.tolist() == [9, 16, 0, 12]
    assert found.lengths.tolist() == [9, 6, 0, 4]
    assert found.digits.tolist() == [5, 0, 0, 0]
    assert found.digits_in_row.tolist() == [3, 0, 0, 0]
    assert found.numerals_in_row.tolist() == [0, 3, 0, 0]
    assert found.ascii.tolist() == [True, False, True, False]
    assert found.some(Sort.WIDE).tolist() == [False, False, False, True]
    assert found.only(Sort.SMALL | Sort.HAN).tolist() == [False, True, True, False]


def test_a_slice_is_read_from_its_own_first_text() -> None:
    texts = pa.array(["abc", "12", "é"])
    assert Characters.of(texts.slice(1)).lengths.tolist() == [2, 1]
    assert Characters.of(texts).at(np.array([2])).sizes.tolist() == [2]


@given(st.lists(st.text(), max_size=20))
def test_lengths_and_ascii_are_those_of_arrow(texts: list[str]) -> None:
    array = pa.array(texts, pa.string())
    found = Characters.of(array)
    assert found.lengths.tolist() == pc.utf8_length(array).to_pylist()
    assert found.ascii.tolist() == pc.string_is_ascii(array).to_pylist()


def test_every_numeral_is_known() -> None:
    assert Characters.of(pa.array(["".join(NUMERALS)])).numerals_in_row.tolist() == [len(NUMERALS)]


def test_no_other_character_is_blank_or_has_a_case() -> None:
    found = Characters.of(EVERY)
    trimmed = pc.not_equal(pc.utf8_trim_whitespace(EVERY), EVERY).to_numpy(zero_copy_only=False)
    assert not (trimmed & ~found.blank).any()
    small, capital = pc.utf8_lower(EVERY), pc.utf8_upper(EVERY)
    changed = pc.or_(pc.not_equal(small, EVERY), pc.not_equal(capital, EVERY))
    assert not (changed.to_numpy(zero_copy_only=False) & ~found.cased).any()
    # In small letters a text is still one that can have a case, so it is never written as another that cannot.
    assert (Characters.of(small).cased == found.cased).all()


@pytest.mark.parametrize(
    ("expression", "sorts"),
    [
        (r"\p{Latin}", CAN_BE_CASED),
        (r"\p{Han}", Sort.MARK | Sort.IDEOGRAPHIC | Sort.HAN | Sort.WIDE | Sort.OTHER),
        (r"\p{Nd}", Sort.DIGIT | Sort.LETTER | Sort.WIDE | Sort.OTHER),
        (r"[*＊×█]", Sort.STAR | Sort.LETTER | Sort.MARK | Sort.WIDE),
        ("[０-９Ａ-Ｚａ-ｚ]", Sort.WIDE),
    ],
)
def test_no_other_sort_has_what_an_expression_needs(expression: str, sorts: Sort) -> None:
    assert not (matches(EVERY, expression) & ~Characters.of(EVERY).some(sorts)).any()


def _texts(alphabet: str, number: int, longest: int) -> pa.Array:
    chance = random.Random(alphabet)
    return pa.array(
        ["".join(chance.choices(alphabet, k=chance.randint(1, longest))) for _ in range(number)], pa.string()
    )


def test_without_a_sign_of_ascii_and_six_digits_in_a_row_nothing_latin_is_in_a_text() -> None:
    texts = _texts("0123456789电话座机固话传真省市号一二＊", 200_000, 24)
    none = texts.filter(pa.array(~can_hold(Characters.of(texts), "latin")))
    assert len(none) > 50_000
    assert not matches(none, GATES["latin"]).any()


def test_digits_alone_are_nothing_whole_of_the_latin_rules() -> None:
    texts = _texts("0123456789", 200_000, 22)
    for rule in RULES:
        if rule.whole and rule.family == "latin":
            assert not is_whole(texts, rule.whole).any()


def test_with_fewer_than_ten_digits_nothing_of_digits_is_in_a_text() -> None:
    texts = _texts("0123456789 -.xX/()·", 200_000, 30)
    few = texts.filter(pa.array(~can_hold(Characters.of(texts), "digits")))
    assert len(few) > 50_000
    assert not matches(few, GATES["digits"]).any()


def test_plain_values_dates_and_names_have_the_sorts_that_the_scanner_asks_for() -> None:
    texts = pa.concat_arrays(
        [
            _texts("0123456789.,+-", 300_000, 12),
            _texts("12089-/.年月日 T:+Z", 300_000, 14),
            _texts("王李欧阳建国省市区县·• 1", 300_000, 8),
            _texts("WangLi ZHO-,.", 100_000, 12),
        ]
    )
    found = Characters.of(texts)
    for expression, possible in ((PLAIN_VALUE, can_be_plain(found)), (DATE_WHOLE, can_be_dates(found))):
        whole = is_whole(texts, expression)
        assert whole.any()
        assert not (whole & ~possible).any()
    for expression in (NAME_WHOLE, REGION_WHOLE):
        assert not (is_whole(texts, expression) & found.some(Sort.DIGIT)).any()
    assert not (is_whole(texts, LATIN_NAME_WHOLE) & ~found.some(Sort.BLANK)).any()


def test_a_rule_that_is_tested_narrowly_finds_what_it_finds_by_its_first_test() -> None:
    cells = [
        "联系13812345678",
        "SL10664138",
        "A123456(3)",
        "X 440307196302258251",
        "card 6222 0212 3456 7890 128",
        "x",
    ]
    scanner = ColumnScanner("c")
    scanner.feed(pa.array(cells))
    found = {one.kind: one.substring_hits for one in scanner.result().findings}
    assert found["phone"] == 1
    assert found["bank_card"] == 1
