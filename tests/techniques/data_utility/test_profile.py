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
    ("texts", "is_beyond"),
    [
        ([f"street {n}" for n in range(8)], True),
        ([f"street {n}" for n in range(5)], False),
        ([*(f"street {n}" for n in range(8)), "[20, 30)"], False),
        ([*(f"street {n}" for n in range(8)), " 7"], False),
    ],
)
def test_of_many_texts_without_a_number_nothing_is_counted(
    monkeypatch, texts: list[str], is_beyond: bool
) -> None:
    monkeypatch.setattr(module, "MAX_VALUES", 5)
    column = pa.array([*texts, "", None, "*", texts[0]])
    found = module.beyond_counting(dictionary_encode(column))
    assert (found is not None) is is_beyond
    if found is not None:
        counted = module.profile(pa.table({"a": column}).to_batches()).columns["a"]
        assert found == counted
