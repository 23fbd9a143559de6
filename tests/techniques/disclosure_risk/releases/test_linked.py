"""Rows that hang together: courses of a person, families and devices, and dates that tell each other (GB/T 37964 D.3)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from techniques.core.messages import EngineError
from techniques.disclosure_risk.releases.linked import by_group, courses, dependencies


def _table(**columns: Sequence[object]) -> pa.Table:
    return pa.table(
        {
            name: pa.array([None if v is None else str(v) for v in values], pa.string())
            for name, values in columns.items()
        }
    )


def test_heart_rates_that_tell_nobody_alone_are_a_fingerprint_in_a_row() -> None:
    """The example of D.3: a measurement is shared by many, a long sequence of them by nobody."""
    draw = np.random.default_rng(7)
    people, times = 200, 12
    rates = draw.integers(60, 80, people * times)
    whose = np.repeat(np.arange(people, dtype=np.int32), times)
    table = _table(time=np.tile(np.arange(times), people), rate=rates)
    one, two, three = courses(table, whose, "time", ["rate"], k=5)
    assert (one.unique, one.below) == (0, 0)
    assert one.k >= 5
    assert two.unique < three.unique
    assert three.unique > 0.8 * people


def test_courses_that_are_shared_are_none() -> None:
    whose = np.repeat(np.arange(50, dtype=np.int32), 4)
    table = _table(time=np.tile(np.arange(4), 50), rate=np.tile([60, 70, 65, 70], 50))
    assert {(one.unique, one.below, one.k) for one in courses(table, whose, "time", ["rate"], k=5)} == {
        (0, 0, 50)
    }


def test_rows_are_put_in_order_by_number_day_and_text() -> None:
    whose = np.array([0, 0, 1, 1], np.int32)
    for times in (
        ["10", "9", "9", "10"],
        ["2024-10-01", "2024-9-1", "2024-9-2", "2024-10-02"],
        ["b", "a", "a", "b"],
    ):
        table = _table(time=times, what=["x", "y", "y", "x"])
        assert courses(table, whose, "time", ["what"], k=2, longest=2)[1].k == 2
    assert len(courses(_table(time=["1"], what=["x"]), np.zeros(1, np.int32), "time", ["what"], k=2)) == 1
    with pytest.raises(EngineError):
        courses(table.slice(0, 0), whose[:0], "time", ["what"], k=2)


@pytest.mark.parametrize(
    "times",
    [
        ["2024-01-01 08:00", "2024-01-01 09:00"],
        ["2024-01-01 9:00", "2024-01-01 10:00"],
        ["2024-1-1 9:00", "2024-01-01 10:00"],
        ["2024-01-01 10:00", "2024-01-01 10:00"],
        ["", "2024-01-01"],
        ["2023-12-31 23:00", "2024-01-01"],
    ],
)
def test_rows_of_one_day_are_put_in_order_by_the_time(times: list[str]) -> None:
    """The other person has the same course over five days, and the file has the rows the other way round but for equal times."""
    whose = np.array([0, 0, 1, 1], np.int32)
    what = ["x", "y"]
    if len({*times}) == 2:
        times, what = times[::-1], what[::-1]
    table = _table(time=[*times, "2024-01-05", "2024-01-01"], what=[*what, "y", "x"])
    assert courses(table, whose, "time", ["what"], k=2, longest=2)[1].k == 2


@pytest.mark.parametrize("key", ["family", "device"])
def test_a_class_of_one_family_or_device_is_one(key: str) -> None:
    table = _table(**{"town": ["n"] * 5 + ["s"] * 5, key: ["f"] * 5 + ["a", "b", "c", "d", None]})
    found = by_group(table, ["town"], key, k=5)
    assert (found.k, found.below) == (1, 5)
    apart = by_group(_table(**{"town": ["n"] * 5 + ["s"] * 5, key: list("abcdefghij")}), ["town"], key, k=5)
    assert (apart.k, apart.below) == (5, 0)


def test_rows_without_a_key_are_as_many_as_their_persons() -> None:
    table = _table(town=["n"] * 5, device=[None] * 5)
    one = by_group(table, ["town"], "device", k=5, subjects=np.zeros(5, np.int32))
    assert (one.k, one.below) == (1, 1)
    assert by_group(table, ["town"], "device", k=5).k == 5


def _days(numbers: Sequence[int]) -> list[str]:
    return [str(date(2024, 1, 1) + timedelta(days=int(n))) for n in numbers]


def test_a_test_within_seven_days_of_the_start_tells_the_start() -> None:
    """The example of D.3: whoever is hired is tested within a week."""
    draw = np.random.default_rng(3)
    started = draw.integers(0, 365, 400)
    tested = started + draw.integers(0, 8, 400)
    free = draw.integers(0, 365, 400)
    table = _table(started=_days(started), tested=_days(tested), birthday=_days(free), note=["x"] * 400)
    found = dependencies(table, ["tested", "birthday", "started", "note"])
    assert [(one.first, one.second, one.least, one.most) for one in found] == [("started", "tested", 0, 7)]
    assert found[0].share == 1.0
    assert found[0].chance < 0.05


def test_dates_of_one_week_tell_nothing_of_each_other() -> None:
    draw = np.random.default_rng(3)
    table = _table(a=_days(draw.integers(0, 5, 300)), b=_days(draw.integers(0, 5, 300)))
    assert dependencies(table, ["a", "b"]) == []


def _tied(
    first: list[int], second: list[int], days: int = 7
) -> list[tuple[str, str, int, int, float, float]]:
    """The same by comparing every row with every row."""
    turned = np.median(np.array(second) - first) < 0
    one, other = (second, first) if turned else (first, second)
    apart = sorted(b - a for a, b in zip(one, other, strict=True))
    inside = [[a for a in apart if least <= a <= least + days] for least in apart]
    best = max(inside, key=len)
    share = len(best) / len(apart)
    chance = sum(best[0] <= b - a <= best[0] + days for a in one for b in other) / len(one) ** 2
    names = ("b", "a") if turned else ("a", "b")
    return [(*names, best[0], best[-1], share, chance)] if share >= 0.95 and chance <= 0.5 else []


@pytest.mark.parametrize("days", [7, 0, 2])
@pytest.mark.parametrize(
    ("shift", "early", "late"),
    [(3, 0, 0), (3, 1, 0), (3, 0, 1), (3, 1, 1), (0, 1, 0), (-4, 0, 1), (-4, 1, 0), (-4, 2, 1)],
)
def test_what_is_tied_but_for_one_of_twenty(shift: int, early: int, late: int, days: int) -> None:
    """Of forty rows so many lie far before and so many far behind the others; two are still a twentieth, three no more."""
    draw = np.random.default_rng(7 * days + abs(shift))
    first = draw.integers(0, 300, 40)
    second = first + shift + draw.integers(0, days + 1, 40)
    second[:early] -= 90
    second[40 - late :] += 90
    found = dependencies(_table(a=_days(first), b=_days(second)), ["a", "b"], days=days)
    wanted = _tied(first.tolist(), second.tolist(), days)
    assert [(one.first, one.second, one.least, one.most) for one in found] == [one[:4] for one in wanted]
    assert [(one.share, one.chance) for one in found] == [pytest.approx(one[4:]) for one in wanted]
    assert bool(found) is (early + late < 3)


@pytest.mark.parametrize(("second", "tied"), [(8, True), (7, False)])
def test_chance_ties_nothing(second: int, tied: bool) -> None:
    """Two days, each with the one that lies a week behind it: half of all pairs; where they are nearer, any pair is as near."""
    table = _table(a=_days([0, second] * 10), b=_days([0, second] * 10), note=["x"] * 20)
    assert [one.chance for one in dependencies(table, ["a", "b", "note"])] == [0.5] * tied


@given(st.lists(st.tuples(st.integers(0, 4), st.sampled_from("ab")), min_size=1, max_size=20))
def test_courses_are_those_of_a_count_by_hand(rows: list[tuple[int, str]]) -> None:
    whose = np.array([who for who, _what in rows], np.int32)
    table = _table(time=range(len(rows)), what=[what for _who, what in rows])
    found = courses(table, whose, "time", ["what"], k=2)
    for one in found:
        owners: dict[str, set[int]] = {}
        for who in set(whose.tolist()):
            course = "".join(what for other, what in rows if other == who)
            for at in range(len(course) - one.length + 1):
                owners.setdefault(course[at : at + one.length], set()).add(who)
        assert one.k == min(map(len, owners.values()))
        assert one.unique == len({who for people in owners.values() if len(people) == 1 for who in people})
        assert one.persons == len(set.union(*owners.values()))
    assert len(found) == min(3, max(np.bincount(whose)))
