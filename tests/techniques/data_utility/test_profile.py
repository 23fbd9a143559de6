"""A column with too many values to count keeps its moments, and says what can no longer be checked."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from techniques.data_utility import profile as module
from techniques.data_utility.measure import assess
from techniques.data_utility.targets import MeanChange, TotalVariation
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


@pytest.mark.parametrize(
    ("texts", "is_known"),
    [
        ([f"street {n}" for n in range(8)], True),
        ([f"street {n}" for n in range(5)], True),
        (["7", "[20, 30)", "3", "7", "7"], True),
        ([*(f"street {n}" for n in range(8)), "[20, 30)"], False),
        ([*(f"street {n}" for n in range(8)), " 7"], False),
    ],
)
@pytest.mark.parametrize("empty", [["", None, "*"], []])
def test_codes_say_of_a_column_what_its_cells_say(
    monkeypatch, texts: list[str], is_known: bool, empty: list[str | None]
) -> None:
    monkeypatch.setattr(module, "MAX_VALUES", 5)
    monkeypatch.setattr(module, "_MERGE_AT", 4)
    column = pa.array([texts[0], *empty, *texts, *empty, texts[0]])
    found = module.profile_of_codes(dictionary_encode(column))
    assert (found is not None) is is_known
    if found is not None:
        counted = module.profile(pa.table({"a": column}).to_batches(max_chunksize=3)).columns["a"]
        assert _plain(found) == _plain(counted)


def _plain(one: module.ColumnProfile) -> tuple[object, ...]:
    values = None if one.values is None else (one.values.type, one.values.to_pylist())
    counts = None if one.counts is None else (one.counts.dtype, one.counts.tolist())
    return one.rows, one.missing, one.suppressed, values, counts, one.moments


def test_of_a_column_without_rows_codes_say_nothing() -> None:
    assert module.profile_of_codes(dictionary_encode(pa.array([], pa.string()))) is None
