"""What of a value gives it away, by itself and among the others of its column."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projects.processing.editor.telling import Column, tells


@pytest.mark.parametrize(
    ("old", "new", "away"),
    [
        ("110108199003151237", "11010819900315123*", True),
        ("110108199003151237", "110108********1237", False),
        ("13912345678", "139****5678", False),
        ("13912345678", "13912345670", True),
        ("2024-01-15", "2024/01/15", True),
        ("2024-01-15", "2024-01", False),
        ("欧阳明华", "欧阳*华", False),
        (
            "患者自述头痛三天，夜间加重，无发热，请拨13912345678联系家属，两周后复查血常规并随访",
            "患者自述头痛三天，夜间加重，无发热，请拨***联系家属，两周后复查血常规并随访",
            False,
        ),
        ("34", "[34, 35)", False),
        ("复诊，请拨13912345678联系", "复诊，请拨***联系", False),
        ("张三 ", "张三", True),
        ("张 三", "张三", True),
        ("张三", "张三;李四", True),
        ("张三", "张*", False),
        ("ＡＢ１", "ab1", True),
        ("2020/1/5", "2020-01-05", True),
        ("20200105", "2020年1月5日", True),
        ("2020-01-05 10:30", "2020-01-05", True),
        ("2020-01-05", "2020", False),
        ("45", "45.00001", True),
        ("45", "45.0", True),
        ("1,234.5", "1234.5", True),
        ("1.75 m", "175", True),
        ("1234", "1000", False),
        ("45", "50", False),
        ("***", "**", False),
        (
            "患者自述头痛三天，夜间加重，无发热，请拨13912345678联系家属，两周后复查血常规并随访",
            "患者自述头痛三天，夜间加重，无发热，请拨13912345678联系家属，两周后复查血常规并随",
            True,
        ),
    ],
)
def test_what_gives_a_value_away(old, new, away):
    assert tells(old, new) is away


AGES = [str(age) for age in range(20, 80)]


@pytest.mark.parametrize(
    ("after", "away"),
    [
        pytest.param(lambda age: f"{age + 0.4}", True, id="noise that rounding undoes"),
        pytest.param(lambda age: f"[{age}, {age + 1})", True, id="an interval of one age"),
        pytest.param(lambda age: f"[{age // 10 * 10}, {age // 10 * 10 + 10})", False, id="ten years"),
        pytest.param(lambda age: f"{(age + 5) // 10 * 10}", False, id="rounded to ten"),
        pytest.param(lambda age: f"{age + (7 if age % 2 else -7)}", False, id="noise of seven years"),
    ],
)
def test_ages_among_ages(after, away):
    column = Column(AGES, [after(int(age)) for age in AGES])
    changed = [(old, new) for old, new in zip(column.before, column.after, strict=True) if old != new]
    assert {column.tells(old, new) for old, new in changed} == {away}


def test_amounts_are_compared_with_their_spread():
    before = [f"{1000 + 97.31 * row:.2f}" for row in range(100)]
    fine, coarse = ([f"{round(float(one) / base) * base}" for one in before] for base in (10, 1000))
    assert all(Column(before, fine).tells(old, new) for old, new in zip(before, fine, strict=True))
    shown = [not Column(before, coarse).tells(old, new) for old, new in zip(before, coarse, strict=True)]
    assert sum(shown) > 90


def test_a_slight_change_among_great_ones_is_still_slight():
    before = [str(100 + 37 * row) for row in range(50)]
    after = [f"{int(one) + 900}" for one in before]
    after[7] = f"{int(before[7]) + 0.3}"
    column = Column(before, after)
    assert column.tells(before[7], after[7])
    assert not column.tells(before[8], after[8])


def test_the_few_that_a_limit_cuts_off_are_not_judged_by_those_it_leaves():
    after = [str(min(int(age), 65)) for age in AGES]
    column = Column(AGES, after)
    assert column.tells("40", "40")
    assert not column.tells("78", "65")


def test_a_day_more_or_less_is_the_same_date():
    before = [f"19{50 + row}-03-15" for row in range(40)]
    near = [one[:-2] + "16" for one in before]
    far = [f"19{50 + row}-11-28" for row in range(40)]
    assert all(Column(before, near).tells(old, new) for old, new in zip(before, near, strict=True))
    assert not any(Column(before, far).tells(old, new) for old, new in zip(before, far, strict=True))


@given(st.text(min_size=1, max_size=60).filter(str.strip))
def test_blanks_and_width_hide_nothing(text):
    assert tells(text, f" {text} ")
    assert tells(text, text.replace(" ", "\u3000"))


@given(st.text(max_size=12), st.text(max_size=12))
def test_every_pair_has_an_answer(old, new):
    assert tells(old, new) in (True, False)
