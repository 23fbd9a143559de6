"""What is told of a column: right counts, however the file is cut into batches, and nothing that is about few."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from techniques.identification.profiles.profile import MINIMUM, Profiles

SCALE = 10**6


def profile(values: list[str | None], *, batch: int = 0, rows_of_a_person: int = 1) -> dict:
    profiles = Profiles(["c"])
    size = batch or max(len(values), 1)
    parts = [values[start : start + size] for start in range(0, len(values), size)]
    for _batch in profiles.watched(pa.record_batch({"c": pa.array(part, pa.string())}) for part in parts):
        pass
    return profiles.of("c", rows_of_a_person)


def counted(values: list[float], bars: list[list]) -> list[int]:
    """The rows of each bar, counted from the values themselves."""
    return [
        sum(
            (low is None or value * SCALE >= low) and (high is None or value * SCALE < high)
            for value in values
        )
        for low, high, _rows in bars
    ]


@given(
    st.lists(st.integers(-2000, 2000), min_size=1, max_size=400),
    st.integers(1, 90),
    st.sampled_from([1, 3]),
)
def test_bars_count_the_rows_and_none_is_about_few(values: list[int], batch: int, most: int) -> None:
    held = profile([str(value) for value in values], batch=batch, rows_of_a_person=most)
    assert held["sort"] == "number"
    assert held["minimum"] == MINIMUM * most
    assert all(rows >= held["minimum"] for _low, _high, rows in held["bars"])
    if held["bars"]:
        assert [held["bars"][0][0], held["bars"][-1][1]] == [None, None]
        assert [high for _low, high, _rows in held["bars"][:-1]] == [
            low for low, _high, _rows in held["bars"][1:]
        ]
        assert [rows for _low, _high, rows in held["bars"]] == counted(values, held["bars"])
        assert sum(rows for _low, _high, rows in held["bars"]) == len(values)
    assert held == profile([str(value) for value in values], rows_of_a_person=most)
    alike = Counter(values)
    assert held["rare"] == pytest.approx(sum(n for n in alike.values() if n < 5) / len(values), abs=1e-6)


def test_one_value_far_away_is_neither_shown_nor_crowds_the_others() -> None:
    values = [str(20 + place % 60) for place in range(600)]
    alone = profile([*values, "99999999"])
    bounds = [low for low, _high, _rows in alone["bars"][1:]]
    assert max(bounds) <= 80 * SCALE
    assert len(alone["bars"]) >= 6
    assert alone["bars"][:-1] == profile(values)["bars"][:-1]


def test_dates_are_told_by_months_or_years() -> None:
    years = profile([f"{1950 + place % 50}/3/{1 + place % 28}" for place in range(1000)])
    assert years["sort"] == "date"
    assert {low % 12 for low, _high, _rows in years["bars"][1:]} == {0}
    months = profile([f"2024-{1 + place % 4:02}-01" for place in range(400)])
    assert [(low, rows) for low, _high, rows in months["bars"]] == [
        (None, 100), (2024 * 12 + 1, 100), (2024 * 12 + 2, 100), (2024 * 12 + 3, 100)
    ]  # fmt: skip


def test_forms_are_told_without_letters_and_digits_and_those_of_few_are_left_out() -> None:
    values = ["2024-01-05"] * 40 + ["2024年1月5日"] * 20 + ["张三 A-17"] * 9
    held = profile(values)
    assert held["forms"] == [["0-0-0", 40], ["0文0文0文", 20]]
    assert held["looked_at"] == 69
    assert profile(["ab12", "x9"] * 30)["forms"] == [["a0", 60]]


@pytest.mark.parametrize(
    ("values", "sort"),
    [
        ([None, None], "empty"),
        ([], "empty"),
        (["男", "女"] * 20, "text"),
        ([*["12"] * 98, "x", "y"], "text"),
        ([*["12"] * 199, "x"], "number"),
        (["20240105"] * 40, "date"),
        (["１２", "1,200"] * 20, "number"),
    ],
)
def test_the_sort_is_what_nearly_every_value_can_be_read_as(values: list[str | None], sort: str) -> None:
    held = profile(values)
    assert held["sort"] == sort
    assert held["rows"] == sum(value is not None for value in values)


def test_too_few_rows_have_no_spread() -> None:
    assert profile([str(place) for place in range(19)])["bars"] == []
    assert len(profile([str(place) for place in range(20)])["bars"]) == 2
