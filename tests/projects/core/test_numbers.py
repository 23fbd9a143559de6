"""Numbers in words: never 0 for what is not nothing, never all for what is not all, the same digits everywhere."""

from __future__ import annotations

import ast
import math

import pytest
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from projects.core import numbers
from tests.conftest import ROOT

# Values of form fields and coordinates of drawings, which a program reads, and what a command writes to a terminal.
OF_PROGRAMS = {
    ROOT / "projects/objective/surroundings/forms.py",
    ROOT / "deid_portal/ui/drawing.py",
    ROOT / "deid_portal/demo/management/commands/demo.py",
}

SHARES = st.floats(0, 1, allow_nan=False)
COUNTS = st.integers(1, 10**9)


def value_of(text: str) -> float:
    """The number that a text names, or the bound that it gives."""
    return float(text.strip("<> %").replace(",", "").replace("−", "-"))


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0, "0 %"),
        (1, "100 %"),
        (1.0000000000000002, "100 %"),
        (0.05, "5 %"),
        (0.125, "12.5 %"),
        (0.0333, "3.33 %"),
        (1 / 3, "33.33 %"),
        (0.1 + 0.2, "30 %"),
        (0.0004, "0.04 %"),
        (0.00001, "0.001 %"),
        (0.999, "99.9 %"),
        (0.9996, "99.96 %"),
        (0.99996, "99.996 %"),
        (1e-12, "< 0.0000001 %"),
        (1 - 1e-12, "> 99.9999999 %"),
        (1.5, "150 %"),
        (-0.2, "−20 %"),
        (1234.5, "123,450 %"),
        (math.inf, "∞ %"),
    ],
)
def test_percent(share, text):
    assert numbers.percent(share) == text


@given(SHARES)
def test_only_nothing_reads_as_nothing_and_only_all_as_all(share):
    text = numbers.percent(share)
    assert (text == "0 %") == (share == 0)
    assert (text == "100 %") == (share == 1)
    assert (numbers.number(share) == "0") == (share == 0)
    assert (numbers.number(share) == "1") == (share == 1)


@given(st.integers(0, 10**7), st.integers(1, 10**7))
def test_a_part_of_a_whole_number_of_rows_is_told_from_none_and_from_all(part, rows):
    part = min(part, rows)
    text = numbers.percent(part / rows)
    assert (text == "0 %") == (part == 0)
    assert (text == "100 %") == (part == rows)


@given(SHARES)
def test_a_percentage_is_the_share_to_two_decimals_at_least(share):
    assert abs(value_of(numbers.percent(share)) - share * 100) <= 0.005 + 1e-9


@given(SHARES, SHARES)
def test_a_greater_share_never_reads_smaller(one, other):
    low, high = sorted((one, other))
    assert value_of(numbers.percent(low)) <= value_of(numbers.percent(high))


@given(st.floats(-1e15, 1e15, allow_nan=False))
def test_a_number_has_four_digits_and_no_exponent(value):
    text = numbers.number(value)
    assert "e" not in text
    if abs(value) < 1e-6:
        return
    assert value_of(text) == pytest.approx(value, rel=0.0005001)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1234567, "1,234,567"),
        (0.123456, "0.1235"),
        (12345.6, "12,346"),
        (0, "0"),
        (0.0000123, "0.0000123"),
        (0.99996, "0.99996"),
        (math.inf, "∞"),
        (math.nan, "–"),
        (-5, "−5"),
        (-1234.5, "−1,234"),
    ],
)
def test_number(value, text):
    assert numbers.number(value) == text


@pytest.mark.parametrize(
    ("risk", "n"),
    [
        (1, "1"),
        (0.5, "2"),
        (0.3, "3.3"),
        (1 / 12, "12"),
        (0.0833, "12"),
        (0.95, "1.05"),
        (0.0001, "10,000"),
        (0.999122702404687, "1.0008"),
    ],
)
def test_times(risk, n):
    assert numbers.times(risk) == n


@given(st.floats(1e-9, 1, exclude_max=True))
def test_one_in_never_sounds_safer_and_never_certain(risk):
    n = value_of(numbers.times(risk))
    assert n <= 1 / risk * (1 + 1e-8)
    assert n > 1 or risk > 1 - 1e-8
    assert "every time" not in numbers.one_in(risk)


def test_chinese_says_a_probability_as_a_share_by_one_rule():
    with override("zh-hans"):
        assert numbers.one_in(0.27) == numbers.probability(0.27) == "27 %"
        assert numbers.one_in(1) == "100 %"
        assert numbers.one_in(0) == numbers.one_in(math.nan) == ""


def test_one_in_reads_as_people_say_it():
    with override("en"):
        assert numbers.one_in(0.05) == "one time in 20"
        assert numbers.one_in(1) == "every time"
        assert numbers.one_in(0) == numbers.one_in(None) == numbers.one_in(math.nan) == ""
        assert numbers.probability(0.05) == "5 % (one time in 20)"
        assert numbers.probability(0) == "0 %"


@pytest.mark.parametrize(
    ("value", "sign", "points"), [(math.nan, "–", "–"), (math.inf, "∞", "+∞"), (-math.inf, "−∞", "−∞")]
)
def test_what_is_not_finite_has_a_sign_everywhere(value, sign, points):
    assert numbers.count(value) == numbers.number(value) == sign
    assert numbers.percent(value) == f"{sign} %"
    assert numbers.points(value) == points


def test_a_probability_that_is_not_known_has_no_words():
    assert numbers.probability(math.nan) == "– %"


@pytest.mark.parametrize(
    ("difference", "text"),
    [(0.032, "+3.2"), (-0.0001, "−0.01"), (0, "0"), (0.3 - 0.1 - 0.2, "0"), (1, "+100")],
)
def test_points(difference, text):
    assert numbers.points(difference) == text


def test_no_other_module_puts_numbers_into_words_of_its_own():
    """Neither by a function of the same name nor by a format of its own for digits or per cent."""
    home = ROOT / "projects" / "core" / "numbers.py"
    names = {"number", "percent", "one_in", "probability"}
    formats = {"f", "g", "%"}
    others = []
    for package in ("approvals", "deid_portal", "projects"):
        for path in sorted((ROOT / package).rglob("*.py")):
            if path == home or path in OF_PROGRAMS:
                continue
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                own = isinstance(node, ast.FunctionDef) and node.name.strip("_") in names
                if own and isinstance(node.returns, ast.Name) and node.returns.id == "str":
                    others.append(f"{path.relative_to(ROOT)}:{node.lineno} {node.name}")
                spec = node.format_spec if isinstance(node, ast.FormattedValue) else None
                if spec is not None and ast.unparse(spec).strip("'f\"")[-1:] in formats:
                    others.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert others == []
