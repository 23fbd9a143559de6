"""Identifiers of the source within longer texts of the result."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from techniques.identification.traces import direct
from techniques.identification.traces.direct import traces
from techniques.identification.traces.values import plain
from techniques.tables.dictionary import dictionary_encode

ROWS = range(40)
DIGITS = [f"13800{row:04d}" for row in ROWS]
LETTERS = [f"SL{row:06d}" for row in ROWS]
NAMES = [f"欧阳{chr(0x4E00 + row)}" for row in ROWS]
SHORT = [f"欧{chr(0x4E00 + row)}" for row in ROWS]


def kinds(identifiers: Sequence[str], texts: Sequence[str]) -> set[str]:
    source = {"id": dictionary_encode(pa.array(identifiers))}
    result = {"note": dictionary_encode(pa.array(texts))}
    return {trace.kind for trace in traces(source, result, ["id"])}


@pytest.mark.parametrize("identifiers", [DIGITS, LETTERS, NAMES, [*DIGITS, *NAMES]])
def test_a_value_that_nobody_meets_by_chance_is_found_in_longer_texts(identifiers: list[str]) -> None:
    assert kinds(identifiers, [f"患者{one}复诊" for one in identifiers]) == {"within"}
    assert kinds(identifiers, [f"{one}*" for one in identifiers]) == {"within"}


@pytest.mark.parametrize(
    ("identifiers", "texts"),
    [
        (SHORT, [f"患者{one}复诊" for one in SHORT]),
        (DIGITS, [f"患者{one[:7]}复诊，地址甲路乙号丙室" for one in DIGITS]),
        (DIGITS, [one[:-1] for one in DIGITS]),
        (LETTERS, [f"某市某区某路{row}号某小区某室" for row in ROWS]),
    ],
)
def test_where_no_such_value_stands_nothing_is_found(identifiers: list[str], texts: list[str]) -> None:
    assert "within" not in kinds(identifiers, texts)


def test_an_identifier_of_more_digits_than_a_float_has_is_compared_as_any_other() -> None:
    long = ["7" * 309 + f"{row:03}" for row in ROWS]
    assert kinds(long, [f"({one})" for one in long]) == {"elsewhere"}
    assert kinds([*DIGITS[1:], long[0]], [f"患者{one}复诊" for one in DIGITS]) == {"within"}
    assert kinds(long, [f"患者{one}复诊" for one in long]) == {"within"}


def test_an_identifier_that_is_named_twice_is_traced_once() -> None:
    source = {"id": dictionary_encode(pa.array(DIGITS))}
    result = {"note": dictionary_encode(pa.array([f"患者{one}复诊" for one in DIGITS]))}
    assert traces(source, result, ["id", "id"]) == traces(source, result, ["id"])


@given(st.lists(st.text("019az@+-李王欧阳é", max_size=14), min_size=1, max_size=12))
def test_whatever_nobody_meets_by_chance_can_stand_in_a_text_that_holds_it(values: list[str]) -> None:
    texts = plain(pa.array(list(dict.fromkeys(values))))
    telling = direct._telling(texts)
    column = direct._Column(dictionary_encode(texts))
    for value in texts.filter(pa.array(telling)).to_pylist():
        assert column.can_stand_in(pa.array([f"{value}*"]))
        assert column.can_stand_in(pa.array(["", f"在{value}"]))
