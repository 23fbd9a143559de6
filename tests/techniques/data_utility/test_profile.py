"""A column with too many values to count keeps its moments, and says what can no longer be checked."""

from __future__ import annotations

import dataclasses
import random

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from techniques.data_utility import profile as module
from techniques.data_utility.measure import assess
from techniques.data_utility.targets import AssociationChange, MeanChange, TotalVariation
from techniques.tables.dictionary import dictionary_encode


def test_overflow(monkeypatch) -> None:
    numbers = np.random.default_rng(1).normal(1000, 200, 3000).round(4)
    table = pa.table({"a": [f"{x}" for x in numbers]})
    monkeypatch.setattr(module, "MAX_VALUES", 900)
    monkeypatch.setattr(module, "_MERGE_AT", 300)
    batches = table.to_batches(max_chunksize=128)
    (mean, distance), (column,) = assess(
        [MeanChange(column="a", bound=0.1), TotalVariation(column="a", bound=1)], batches, batches
    )
    assert mean.passed
    assert mean.source == pytest.approx(numbers.mean())
    assert (distance.passed, distance.measured) == (False, None)
    assert distance.reason % distance.params
    assert column.distinct == (None, None)
    assert column.mean[0] == pytest.approx(numbers.mean())
    assert column.standard_deviation[0] == pytest.approx(numbers.std(ddof=1))


CELLS = st.one_of(
    st.none(),
    st.sampled_from(["", "*", "[20, 30)", "street", " 7", "1e3", "<= 5"]),
    st.floats(-1e6, 1e6).map(str),
    st.integers(-3, 40).map(str),
)


@given(st.lists(CELLS, min_size=1, max_size=60), st.integers(1, 9), st.integers(1, 12), st.integers(0, 15))
@example(["street 1", "street 2", "", None, "*", "street 1"], 2, 1, 0)
def test_of_a_column_in_codes_it_is_the_same_to_the_last_bit(
    cells: list[str | None], size: int, most: int, merged: int
) -> None:
    table = pa.table({"a": pa.array(cells, pa.string())})
    batches = table.to_batches(max_chunksize=size)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MAX_VALUES", most)
        patch.setattr(module, "_MERGE_AT", merged)
        counted = module.profile(batches).columns["a"]
        column = dictionary_encode(table.column("a"))
        found = module.column_profile(column, [batch.num_rows for batch in batches])
    assert found is not None
    for one in (found, counted):
        assert (one.values is None) is (one.counts is None)
    listed = [
        (one.values.to_pylist(), one.counts.tolist())
        if one.values is not None and one.counts is not None
        else None
        for one in (found, counted)
    ]
    assert listed[0] == listed[1]
    without = [dataclasses.replace(one, values=None, counts=None) for one in (found, counted)]
    assert without[0] == without[1]


def test_values_of_another_type_are_written_as_text_first() -> None:
    assert module.column_profile(dictionary_encode(pa.array([0.0, -0.0, 1.0])), [3]) is None


@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=40), st.integers(1, 9), st.randoms())
def test_what_is_measured_does_not_depend_on_the_order_of_the_rows(
    rows: list[tuple[str | None, str | None]], size: int, chance: random.Random
) -> None:
    """Not in the last bit: a file whose rows were shuffled is as useful."""
    targets = [TotalVariation(column="a", bound=0.5), AssociationChange(columns=("a", "b"), bound=0.5)]
    shuffled = chance.sample(rows, len(rows))
    found = []
    for before, after in ((rows, rows[1:]), (shuffled, chance.sample(rows[1:], len(rows) - 1))):
        tables = [
            pa.table({name: pa.array([row[at] for row in one], pa.string()) for at, name in enumerate("ab")})
            for one in (before, after)
        ]
        found.append(repr(assess(targets, *(table.to_batches(max_chunksize=size) for table in tables))))
    assert found[0] == found[1]
