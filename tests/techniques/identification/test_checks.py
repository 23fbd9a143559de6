"""Check digits and dates, one by one and as blocks, against known numbers and each other."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from techniques.identification import check_blocks, checks


@pytest.mark.parametrize(
    ("number", "valid"),
    [
        ("440524188001010014", True),  # the standard's own example, born in 1880
        ("11010519491231002X", True),
        ("11010519491231002x", True),
        ("110105194912310021", False),
        ("110105194902300028", False),  # no 30 February
        ("990105194912310029", False),  # no such province
        ("110000194912310021", False),
        ("810000199408230021", True),  # residence permits: Hong Kong and Taiwan
        ("830000199201300022", True),
        ("911124198108030024", True),  # a foreigner's permanent residence card
        ("910000198108030023", False),
    ],
)
def test_id_number(number: str, valid: bool) -> None:
    assert checks.is_id_number(number) is valid
    assert check_blocks.id_number_block(pa.array([number]))[1].tolist() == [valid]


@given(
    st.lists(st.text("0123456789", min_size=17, max_size=17), min_size=1, max_size=30),
    st.sampled_from("0123456789X"),
)
@settings(max_examples=60)
def test_id_block_agrees_with_the_single_check(bodies: list[str], last: str) -> None:
    numbers = [
        *(body + last for body in bodies),
        *(body + checks.id_check_character(body) for body in bodies),
    ]
    shape, valid = check_blocks.id_number_block(pa.array(numbers))
    assert shape.tolist() == [checks.is_id_shape(n) for n in numbers]
    assert valid.tolist() == [checks.is_id_number(n) for n in numbers]


@given(st.dates(), st.integers(0, 999), st.sampled_from(sorted(checks.PROVINCE_CODES)))
def test_every_made_number_is_valid(date, sequence: int, province: str) -> None:
    first = f"{province}0105{date:%Y%m%d}".rjust(14, "0")[:14] + f"{sequence:03d}"
    number = first + checks.id_check_character(first)
    expected = checks.FIRST_YEAR <= date.year <= checks.LAST_YEAR
    assert checks.is_id_number(number) is expected


def test_one_wrong_digit_is_always_found() -> None:
    number = "440524188001010014"
    for place in range(17):
        for digit in set("0123456789") - {number[place]}:
            assert not checks.is_id_number(number[:place] + digit + number[place + 1 :])


def test_every_region_alike() -> None:
    codes = [f"{number:06d}" for number in range(0, 1_000_000, 7)] + list(checks.PERMIT_REGIONS)
    regions = check_blocks.id_regions()
    assert regions[list(map(int, codes))].tolist() == [checks.is_id_region(code) for code in codes]


@pytest.mark.parametrize(
    ("check", "valid", "wrong"),
    [
        (checks.is_taiwan_number, ["A123456789", "A800000014"], ["A123456788", "A800000015"]),
        (checks.is_hong_kong_number, ["A1234563", "C6686689", "G123456A"], ["A1234564", "G1234567"]),
        (checks.is_old_residence_card, ["CAN110001010101"], ["CAN000001010101", "CAN110001130101"]),
    ],
)
def test_cards_from_elsewhere(check, valid: list[str], wrong: list[str]) -> None:
    assert [check(number) for number in (*valid, *wrong)] == [True] * len(valid) + [False] * len(wrong)


def test_old_id_number() -> None:
    numbers = ["130503670401001", "130503671301001", "000503670401001"]
    assert check_blocks.old_id_number_block(pa.array(numbers)).tolist() == [True, False, False]
    assert [checks.is_old_id_number(n) for n in numbers] == [True, False, False]


@given(st.lists(st.from_regex(r"\A[0-9]{16}\Z"), min_size=1, max_size=20))
def test_luhn_block_agrees(numbers: list[str]) -> None:
    assert check_blocks.luhn_block(pa.array(numbers), 16).tolist() == [checks.luhn(n) for n in numbers]


def test_luhn_credit_code_vin() -> None:
    assert checks.luhn("4111111111111111")
    assert not checks.luhn("4111111111111112")
    assert checks.is_credit_code("91350100M000100Y43")
    assert not checks.is_credit_code("91350100M000100Y44")
    assert not checks.is_credit_code("9135")
    assert check_blocks.credit_code_block(
        pa.array(["91350100M000100Y43", "91350100M000100Y44"])
    ).tolist() == [
        True,
        False,
    ]
    assert checks.is_vin("1M8GDM9AXKP042788")
    assert not checks.is_vin("1M8GDM9A1KP042788")
    assert not checks.is_vin("11111111111111111")


def test_byte_matrix_of_a_slice() -> None:
    texts = pa.array(["aa", "bb", "cc", "dd"]).slice(1, 2)
    assert check_blocks.byte_matrix(texts, 2).tobytes() == b"bbcc"
    assert check_blocks.byte_matrix(texts.slice(0, 0), 2).shape == (0, 2)
    assert np.array_equal(check_blocks.byte_matrix(texts, 2)[0], [98, 98])
