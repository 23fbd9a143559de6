"""Versions of tables of statistics: who came in between (GB/T 37964 D.1)."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from techniques.core.messages import EngineError
from techniques.disclosure_risk.releases.differencing import Contribution, differences


def _table(**columns: Sequence[object]) -> pa.Table:
    return pa.table(
        {name: pa.array([None if v is None else str(v) for v in values]) for name, values in columns.items()}
    )


def test_the_pupil_who_joined_is_among_the_excellent() -> None:
    """D.1: 20 of a school's pupils are excellent; a month and a pupil later there are 21, and nothing else has changed."""
    before = _table(grade=["良", "中", "优"], pupils=[30, 50, 20])
    after = _table(grade=["良", "中", "优"], pupils=[30, 50, 21])
    found = differences(before, after, ["grade"], "pupils")
    assert [(one.group, one.people) for one in found.found] == [(("优",), 1)]
    assert (found.compared, found.unchanged, found.hidden) == (3, 2, 0)


def test_enough_people_tell_of_none() -> None:
    before = _table(grade=["a", "b"], pupils=[30, 50])
    after = _table(grade=["a", "b"], pupils=[35, 45])
    assert differences(before, after, ["grade"], "pupils", least=5).found == ()
    assert len(differences(before, after, ["grade"], "pupils", least=6).found) == 2


def test_sums_and_means_tell_what_the_newcomer_brought() -> None:
    before = _table(ward=["x"], n=[9], total=[900], mean=["100.0"])
    after = _table(ward=["x"], n=[10], total=[1400], mean=["140.0"])
    (found,) = differences(before, after, ["ward"], "n", sums=["total"], means=["mean"]).found
    assert found.contributions[0] == Contribution(column="total", low=500, high=500)
    # 10 × 140 − 9 × 100, each mean off by at most 0.05.
    assert (found.contributions[1].low, found.contributions[1].high) == pytest.approx(
        (500 - 0.95, 500 + 0.95)
    )


def test_as_many_people_and_another_sum_is_found() -> None:
    before = _table(ward=["x", "y"], n=[9, 9], total=[900, 10], mean=["1.0", "1.0"])
    after = _table(ward=["x", "y"], n=[9, 9], total=[900, 12], mean=["1.1", "1.0"])
    found = differences(before, after, ["ward"], "n", sums=["total"], means=["mean"]).found
    # 9 × 1.1 and 9 × 1.0 lie 0.9 apart, and each may be 0.45 off: no difference is sure.
    assert [(one.group, [contributed.column for contributed in one.contributions]) for one in found] == [
        (("y",), ["total"])
    ]


def test_groups_that_come_and_go_and_hidden_ones() -> None:
    before = _table(ward=["x", "y", "z"], n=[3, "x", 50])
    after = _table(ward=["y", "z", "new"], n=[8, 50, 7])
    found = differences(before, after, ["ward"], "n")
    assert [(one.group[0], one.people) for one in found.found] == [("x", -3)]
    assert (found.compared, found.unchanged, found.hidden) == (3, 1, 1)


def test_what_is_no_version_is_refused() -> None:
    table = _table(ward=["x", "x"], n=[1, 2])
    with pytest.raises(EngineError, match="stands twice"):
        differences(table, table, ["ward"], "n")
    with pytest.raises(EngineError, match="no column"):
        differences(table, table, ["town"], "n")


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(-50, 50)), max_size=30),
    st.lists(st.tuples(st.integers(0, 3), st.integers(-50, 50)), max_size=9),
)
def test_what_is_told_holds_what_the_newcomers_brought(
    old: list[tuple[int, int]], new: list[tuple[int, int]]
) -> None:
    def version(rows: list[tuple[int, int]]) -> pa.Table:
        groups = sorted({group for group, _value in rows})
        values = [[value for other, value in rows if other == group] for group in groups]
        return _table(
            group=groups,
            n=[len(one) for one in values],
            total=[sum(one) for one in values],
            mean=[f"{sum(one) / len(one):.1f}" for one in values],
        )

    found = differences(
        version(old), version([*old, *new]), ["group"], "n", sums=["total"], means=["mean"], least=4
    )
    joined = {str(group): [value for other, value in new if other == group] for group, _value in new}
    few = {group: values for group, values in joined.items() if len(values) < 4}
    assert {one.group[0]: one.people for one in found.found} == {
        group: len(values) for group, values in few.items()
    }
    for one in found.found:
        brought = sum(joined[one.group[0]])
        exact, about = one.contributions
        assert exact.low == exact.high == brought
        assert about.low - 1e-9 <= brought <= about.high + 1e-9
