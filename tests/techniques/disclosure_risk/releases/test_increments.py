"""What came into a data set between two releases, and whether it can be contributed (GB/T 37964 D.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from techniques.core.messages import EngineError
from techniques.disclosure_risk.releases import increments
from techniques.disclosure_risk.releases.increments import increment


def _table(**columns: Sequence[object]) -> pa.Table:
    return pa.table(
        {
            name: pa.array([None if v is None else str(v) for v in values], pa.string())
            for name, values in columns.items()
        }
    )


def _ward(ages: Sequence[int], seed: int) -> list[int]:
    """Ages with the noise of the standard's example: up to two years."""
    return (np.array(ages) + np.random.default_rng(seed).integers(-2, 3, len(ages))).tolist()


def test_one_patient_of_95_in_a_ward_of_up_to_80_is_found_in_spite_of_noise() -> None:
    ages = list(range(60, 80)) * 5
    first = _ward(ages, 1)
    later = [*first, *_ward([64, 66, 70, 71, 73, 95], 2)]
    found = increment(_table(age=first), _table(age=later), ["age"], k=5, noise={"age": 2})
    assert (found.k_all, found.below, found.outside) == (1, 1, {"age": 1})
    assert found.consistent == 1.0


def test_patients_like_the_others_are_not() -> None:
    ages = list(range(60, 80)) * 5
    first = _ward(ages, 1)
    later = [*first, *_ward([69, 70, 70, 71, 70, 70], 2)]
    found = increment(_table(age=first), _table(age=later), ["age"], k=5, noise={"age": 2})
    assert (found.new, found.below, found.outside) == (6, 0, {})
    assert found.k_all >= 20
    assert found.k_new >= 5


def test_without_noise_a_class_is_what_reads_the_same() -> None:
    before = _table(age=["[60,70)"] * 5 + ["[70,80)"] * 5)
    after = _table(age=["[60,70)"] * 6 + ["[70,80)"] * 10)
    found = increment(before, after, ["age"], k=5)
    assert (found.kept, found.gone, found.new) == (10, 0, 6)
    assert (found.k_new, found.k_all, found.below, found.below_new) == (1, 6, 0, 1)


def test_rows_that_read_otherwise_than_before_are_not_consistent() -> None:
    before = _table(age=["[60,70)"] * 5 + ["[70,80)"] * 5, ward=["a"] * 10)
    after = _table(age=["[60,65)"] * 5 + ["[70,80)"] * 5, ward=["a"] * 10)
    found = increment(before, after, ["age"], k=5)
    assert found.consistent == 0.5
    assert (found.gone, found.new) == (5, 5)


def test_the_new_rows_of_one_person_are_one_person() -> None:
    before = _table(age=["60"] * 5)
    after = _table(age=["60"] * 5 + ["70"] * 5)
    whose = np.array([0, 1, 2, 3, 4, 5, 5, 5, 5, 5], np.int32)
    assert increment(before, after, ["age"], k=5).k_all == 5
    assert increment(before, after, ["age"], k=5, subjects=whose).k_all == 1
    assert increment(before, after, ["age"], k=5, noise={"age": 1}, subjects=whose).below == 1


def test_nothing_new_tells_nothing() -> None:
    table = _table(age=["60"] * 5)
    found = increment(table, table, ["age"], k=5)
    assert (found.new, found.k_new, found.k_all, found.below) == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("noise", "quasi", "code"),
    [
        ({"age": 0}, ["age"], "noise_not_positive"),
        ({"age": -1}, ["age"], "noise_not_positive"),
        ({"age": np.inf}, ["age"], "noise_not_positive"),
        ({"ward": 1}, ["ward"], "noise_no_number"),
        (None, ["town"], "column_missing"),
    ],
)
def test_what_cannot_be_is_refused(noise: dict[str, float] | None, quasi: list[str], code: str) -> None:
    table = _table(age=["60"], ward=["a"])
    with pytest.raises(EngineError) as refused:
        increment(table, table, quasi, k=5, noise=noise)
    assert refused.value.code == code


_ROWS = st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 9)), max_size=12)


@given(_ROWS, _ROWS)
def test_it_counts_what_is_counted_by_hand(
    first: list[tuple[str, int]], second: list[tuple[str, int]]
) -> None:
    before, after = (_table(ward=[r[0] for r in rows], n=[r[1] for r in rows]) for rows in (first, second))
    found = increment(before, after, ["ward", "n"], k=3, noise={"n": 1})
    new = list((Counter(second) - Counter(first)).elements())
    assert (found.kept, found.gone, found.new) == (
        (Counter(first) & Counter(second)).total(),
        (Counter(first) - Counter(second)).total(),
        len(new),
    )
    alike = [sum(ward == other and abs(n - m) <= 2 for other, m in second) for ward, n in new]
    assert found.k_all == min(alike, default=0)
    assert found.below == sum(count < 3 for count in alike)
    among = [sum(ward == other and abs(n - m) <= 2 for other, m in new) for ward, n in new]
    assert (found.k_new, found.below_new) == (min(among, default=0), sum(count < 3 for count in among))


@pytest.mark.parametrize(
    ("counts", "blocks"),
    [
        ([2, 2, 5, 1, 1], [(0, 2), (2, 3), (3, 5)]),
        ([9, 9], [(0, 1), (1, 2)]),
        ([1, 1, 1, 1, 1], [(0, 4), (4, 5)]),
        ([], []),
    ],
)
def test_rows_are_looked_at_by_as_many_pairs_as_there_is_room_for(
    counts: list[int], blocks: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four pairs at a time, and a row alone that has more."""
    monkeypatch.setattr(increments, "PAIRS", 4)
    assert list(increments._blocks(np.array(counts, np.int64))) == blocks
    points = _table(ward=["a"] * 6, n=[0, 1, 2, 3, 9, 9], m=[0, 0, 1, 1, 5, 5])
    found = increment(points.slice(0, 0), points, ["ward", "n", "m"], k=3, noise={"n": 0.5, "m": 1})
    assert (found.k_all, found.below) == (2, 4)


_POINTS = st.lists(
    st.tuples(st.sampled_from("ab"), st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=15
)


@given(_POINTS, st.lists(st.integers(0, 4), min_size=15, max_size=15))
def test_two_columns_with_noise_and_several_rows_of_a_person(
    points: list[tuple[str, int, int]], owners: list[int]
) -> None:
    whose = np.array(owners[: len(points)], np.int32)
    after = _table(ward=[r[0] for r in points], n=[r[1] for r in points], m=[r[2] for r in points])
    found = increment(
        after.slice(0, 0), after, ["ward", "n", "m"], k=2, noise={"n": 0.5, "m": 1}, subjects=whose
    )
    alike = [
        len(
            {
                owner
                for (other, v, w), owner in zip(points, whose, strict=True)
                if ward == other and abs(n - v) <= 1 and abs(m - w) <= 2
            }
        )
        for ward, n, m in points
    ]
    assert found.k_all == min(alike)
    assert found.below == len({owner for count, owner in zip(alike, whose, strict=True) if count < 2})
