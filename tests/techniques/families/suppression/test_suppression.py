"""GB/T 37964 A.3 and C.2: masking, rare values, rare records."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from techniques.catalogue.suppression import TextKind
from techniques.core.messages import EngineError
from techniques.core.operations import Tally
from tests.techniques.apply import apply, operation, through_file


@pytest.mark.parametrize(
    ("value", "parameters", "masked"),
    [
        ("abcdef", {"keep_left": 2, "keep_right": 1}, "ab***f"),
        ("abc", {"keep_left": 2, "keep_right": 1}, "***"),
        ("张三丰", {"keep_left": 1, "character": "某"}, "张某某"),
        ("abcdef", {"keep_right": 2, "keep_length": False}, "****ef"),
        ("x", {}, "*"),
        ("𠮷野家", {"keep_left": 1}, "𠮷**"),
    ],
)
def test_mask(value: str, parameters: dict[str, object], masked: str) -> None:
    assert apply("suppression.mask", [value], **parameters) == [masked]


@pytest.mark.parametrize(
    ("kind", "value", "masked"),
    [
        ("id_number", "440524188001010014", "440524********0014"),
        ("id_number", "44052418800101001X", "440524********001X"),
        ("id_number", "not a number", "************"),
        ("phone", "13812345678", "138****5678"),
        ("phone", "+86 13812345678", "+86 138****5678"),
        ("phone", "010-12345678", "************"),
        ("bank_card", "6222021234567890123", "622202*********0123"),
        ("name", "张三", "张*"),
        ("name", "欧阳修", "欧阳*"),
        ("name", "欧阳", "欧*"),
        ("name", "John Smith", "**********"),
        ("email", "someone@example.com", "s***@example.com"),
        ("email", "nobody", "******"),
    ],
)
def test_mask_by_kind(kind: str, value: str, masked: str) -> None:
    assert apply("suppression.mask_identifier", [value], kind=kind) == [masked]


def test_hide_serial_keeps_the_head_only() -> None:
    hidden = apply("suppression.mask_identifier", ["13812345678"], kind="phone", hide_serial=True)
    assert hidden == ["138********"]


@given(
    st.lists(st.text(min_size=1, max_size=20), min_size=1, max_size=20),
    st.integers(0, 5),
    st.integers(0, 5),
)
def test_mask_never_shows_more_than_asked(values: list[str], left: int, right: int) -> None:
    masked = apply("suppression.mask", values, keep_left=left, keep_right=right, character="●")
    for before, after in zip(values, masked, strict=True):
        if len(before) > left + right:
            hidden = len(before) - left - right
            assert after == before[:left] + "●" * hidden + before[len(before) - right :]
        else:
            assert after == "●" * len(before)


def test_rare_values() -> None:
    values = ["a"] * 5 + ["b"] * 2 + ["c"]
    assert (
        apply("suppression.rare_values", values, minimum_count=3, maximum_share=0.5) == ["a"] * 5 + [None] * 3
    )
    with_text = apply("suppression.rare_values", values, minimum_count=3, maximum_share=0.5, replacement="?")
    assert with_text[-1] == "?"
    with pytest.raises(EngineError) as error:
        apply("suppression.rare_values", values, minimum_count=3, maximum_share=0.1)
    assert error.value.code == "suppression_over_limit"


def test_rare_records_of_the_salary_example() -> None:
    """A.3.6 c: the one person with 0-3 years and 15000-20000 is suppressed."""
    years = ["0-3", "0-3", "0-3", "4-6", "4-6"]
    salary = ["5000-9999", "5000-9999", "15000-19999", "10000-14999", "10000-14999"]
    made = operation(
        "suppression.rare_records", {"minimum_count": 2, "maximum_share": 0.2}, 5, ("years", "salary")
    )
    dictionaries = [pa.array(sorted(set(years))), pa.array(sorted(set(salary)))]
    codes = [
        np.array([d.to_pylist().index(v) for v in column], np.int32)
        for d, column in zip(dictionaries, (years, salary), strict=True)
    ]
    tally = Tally(dictionaries, [c[[0, 2, 3]] for c in codes], np.array([2, 1, 2]))
    made.restore(through_file(made.fit(tally, lambda share: None)))
    assert made.apply(codes).removed.tolist() == [False, False, True, False, False]


def test_identifiers_inside_free_text() -> None:
    text = "患者身份证440524188001010014，电话13812345678，建议复查"
    assert apply("suppression.redact_text", [text, "建议复查"]) == [
        "患者身份证***，电话***，建议复查",
        "建议复查",
    ]
    only = apply("suppression.redact_text", [text], kinds=["phone"], mask="#")
    assert only == ["患者身份证440524188001010014，电话###########，建议复查"]


def test_kinds_offered_are_those_that_can_be_found() -> None:
    from techniques.identification.patterns import RULES

    assert set(get_args(TextKind)) == {rule.kind for rule in RULES}
