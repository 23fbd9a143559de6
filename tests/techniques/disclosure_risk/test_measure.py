"""Class sizes and risks against an independent group-by, and the attackers' formulas by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from techniques.core.messages import EngineError
from techniques.disclosure_risk.attackers import (
    at_risk,
    estimated_population,
    journalist,
    marketer,
    smallest_class_for,
    smallest_safe_size,
)
from techniques.disclosure_risk.classes import encode, group, row_keys
from techniques.disclosure_risk.measure import matched, measure


def batches(frame: pd.DataFrame, size: int = 1000) -> list[pa.RecordBatch]:
    return pa.Table.from_pandas(frame.astype("string"), preserve_index=False).to_batches(max_chunksize=size)


def flat(summary: dict) -> dict[str, float]:
    """A summary with its thresholds beside the other figures."""
    return {k: v for k, v in summary.items() if k != "at_risk"} | {
        f">{k}": v for k, v in summary["at_risk"].items()
    }


def naive(frame: pd.DataFrame, qi: list[str]) -> dict[str, object]:
    sizes = frame.fillna("").groupby(qi, observed=True).size()
    n, per_row = len(frame), sizes.repeat(sizes)
    return {
        "rows": n,
        "classes": len(sizes),
        "k": int(sizes.min()),
        "max_risk": 1 / sizes.min(),
        "average_risk": len(sizes) / n,
        "at_risk": {f"{t:g}": float((1 / per_row > t).mean()) for t in (0.05, 0.075, 0.1)},
    }


@pytest.mark.parametrize(
    "qi",
    [
        ["sex"],
        ["age", "sex", "race"],
        [
            "age",
            "occupation",
            "hours-per-week",
            "education",
            "relationship",
            "workclass",
            "race",
            "sex",
            "marital-status",
        ],
        ["fnlwgt", "age"],
    ],
)
def test_adult(real_data_dir, qi: list[str]) -> None:
    frame = pd.read_csv(real_data_dir / "adult_full.csv", dtype=str)
    report = measure(batches(frame, 5000), qi)
    assert flat(report.summary()) == pytest.approx(flat(naive(frame, qi)))
    for column, without in report.drop_one.items():
        sizes = frame.groupby([c for c in qi if c != column]).size()
        assert (without.classes, without.k) == (len(sizes), sizes.min())
        assert without.records_below[5] == sizes[sizes < 5].sum()


values = st.sampled_from(["a", "b", "*", None, "长", ""])


@settings(max_examples=60)
@given(st.lists(st.tuples(values, values, values), min_size=1, max_size=60), st.integers(1, 20))
def test_any_table(rows: list[tuple], size: int) -> None:
    frame = pd.DataFrame(rows, columns=["x", "y", "z"])
    report = measure(batches(frame, size), ["x", "y", "z"])
    assert flat(report.summary()) == pytest.approx(flat(naive(frame, ["x", "y", "z"])))
    stars = (frame == "*").all(axis=1)
    assert report.suppressed_rows == stars.sum()
    if not stars.all():
        rest = naive(frame[~stars], ["x", "y", "z"])
        assert report.left_out.rows == rest["rows"]
        assert report.left_out.k == rest["k"]
        assert report.left_out.average_risk == pytest.approx(rest["average_risk"])


def test_radix_does_not_overflow() -> None:
    """Forty columns of a thousand values each are far more combinations than 64 bits hold."""
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.integers(0, 1000, (2000, 40)).astype(str), columns=[f"c{i}" for i in range(40)])
    frame = pd.concat([frame, frame.head(500)])
    report = measure(batches(frame), list(frame.columns), contributions=False)
    assert (report.rows, report.classes, report.k) == (2500, 2000, 1)
    assert report.own_class.below(2) == (1500, 1500)


def test_keys_are_equal_exactly_for_equal_rows() -> None:
    rng = np.random.default_rng(2)
    codes = rng.integers(0, 3, (30, 4000)).astype(np.int32)
    codes[:, 2000:] = codes[:, rng.integers(0, 2000, 2000)]
    keys = row_keys(codes, [1 << 20] * 30, 4000)
    expected = np.unique(codes, axis=1, return_inverse=True)[1].ravel()
    assert len(np.unique(keys)) == len(np.unique(expected))
    assert len(set(zip(keys.tolist(), expected.tolist(), strict=True))) == len(np.unique(keys))


def test_all_suppressed_and_faults() -> None:
    frame = pd.DataFrame({"a": ["*"] * 3, "b": ["*"] * 3})
    report = measure(batches(frame), ["a", "b"], suppressed="left_out")
    assert (report.rows, report.k, report.max_risk, report.suppressed_rows) == (0, 0, 0.0, 3)
    assert report.own_class.k == 3
    with pytest.raises(EngineError):
        measure(batches(frame), [])
    with pytest.raises(EngineError):
        measure(batches(frame), ["a", "a"])
    with pytest.raises(EngineError, match="no column"):
        measure(batches(frame), ["c"])
    with pytest.raises(EngineError, match="no rows"):
        measure(batches(frame.head(0)), ["a"])
    with pytest.raises(EngineError, match="no rows"):
        measure([], ["a"])


def test_encode_reads_dictionaries_and_other_types() -> None:
    table = pa.table({"a": pa.array(["x", None, "*"]).dictionary_encode(), "b": [1, 2, 1]})
    coded = encode(table.to_batches(), ["a", "b"])
    assert coded.codes[0, 1] == 0
    assert coded.codes[1, 0] == coded.codes[1, 2] != coded.codes[1, 1]
    assert coded.suppressed_rows().tolist() == [False, False, False]


def test_histogram_covers_everything() -> None:
    frame = pd.DataFrame({"a": ["x"] * 1 + ["y"] * 4 + ["z"] * 30 + ["w"] * 2000})
    figures = measure(batches(frame), ["a"]).figures
    bars = figures.histogram()
    assert sum(b.records for b in bars) == 2035
    assert sum(b.classes for b in bars) == 4
    assert bars[-1].size_to is None
    assert bars[-1].records == 2000


def test_safe_sizes() -> None:
    assert [smallest_safe_size(t) for t in (0.05, 0.075, 0.1, 0.2, 0.5, 1.0)] == [20, 14, 10, 5, 2, 1]
    for size in range(1, 500):
        assert smallest_safe_size(1 / size) == size
    assert (smallest_class_for(0.33), smallest_class_for(0.5), smallest_class_for(1 / 3)) == (3, 2, 3)


def test_attackers_by_hand() -> None:
    f, F = np.array([1, 3, 6]), np.array([2, 30, 8])
    found = journalist(f, F)
    assert found.max_risk == 0.5
    assert found.average_risk == pytest.approx(max(3 / 40, (1 / 2 + 3 / 30 + 6 / 8) / 10))
    assert found.at_risk == {"0.05": 0.7, "0.075": 0.7, "0.1": 0.7}
    assert marketer(f, F) == pytest.approx(0.135)
    assert marketer(f, f) == pytest.approx(3 / 10)  # the same table: J/n
    assert at_risk(f, f, [0.2]) == {"0.2": pytest.approx(0.4)}
    assert estimated_population(np.array([1, 5]), 0.1).tolist() == [10, 50]
    with pytest.raises(EngineError):
        journalist(f, np.array([1, 2, 6]))
    with pytest.raises(EngineError):
        estimated_population(f, 0)


def test_match_population() -> None:
    population = pd.DataFrame({"a": list("xxxyyz"), "b": ["1"] * 6})
    sample = population.iloc[[0, 1, 5]]
    found = matched(batches(sample), batches(population), ["a", "b"])
    f, F = found.f, found.F
    assert sorted(zip(f.tolist(), F.tolist(), strict=True)) == [(1, 1), (2, 3)]


@given(
    st.lists(st.integers(0, 30), min_size=1, max_size=300),
    st.sampled_from([0, 1 << 20, (1 << 61) - 40]),
)
@settings(max_examples=60)
def test_classes_by_sorting_and_by_a_table_are_the_same(values: list[int], base: int) -> None:
    """Small keys are sorted with their rows, large ones looked up; both come in order of appearance."""
    keys = np.array(values, dtype=np.int64) + base
    first, sizes = group(keys)
    seen = list(dict.fromkeys(values))
    assert first.tolist() == [values.index(value) for value in seen]
    assert sizes.tolist() == [values.count(value) for value in seen]


@settings(max_examples=60)
@given(st.lists(st.tuples(values, values, values), min_size=1, max_size=40))
def test_missing_values_that_may_be_anything(rows: list[tuple]) -> None:
    """Row against row: they look alike where no column that both have differs."""
    cells = [[value or None for value in row] for row in rows]
    report = measure(batches(pd.DataFrame(cells, columns=["x", "y", "z"])), ["x", "y", "z"])
    if all(value is not None for row in cells for value in row):
        assert report.missing is None
        assert report.both_readings().keys() <= {"suppressed_rows", "own_class", "left_out"}
        return
    alike = [
        sum(all(a is None or b is None or a == b for a, b in zip(one, other, strict=True)) for other in cells)
        for one in cells
    ]
    assert report.missing is not None
    assert report.missing.k == min(alike) >= report.k
    assert report.missing.average_risk == pytest.approx(sum(1 / n for n in alike) / len(alike))
    assert report.missing.average_risk <= report.average_risk + 1e-12
    assert report.missing.at_risk["0.05"] == pytest.approx(sum(n < 20 for n in alike) / len(alike))
    assert report.missing.rows_with_missing == sum(None in row for row in cells)


def test_in_columns_that_nothing_was_emptied_in_a_missing_value_is_one_of_its_own() -> None:
    """Row against row: in y a missing value may be anything, in x it reads like another missing one alone."""
    cells = [("a", "1"), (None, "1"), (None, None), ("b", None), ("a", "2"), (None, "2"), ("b", "1")]
    frame = pd.DataFrame(cells, columns=["x", "y"])
    for emptied, anything in ((["y"], (1,)), (["x", "y"], (0, 1)), (None, (0, 1)), ([], ())):
        alike = [
            sum(
                all(a == b or (at in anything and None in (a, b)) for at, (a, b) in enumerate(zip(one, two, strict=True)))
                for two in cells
            )
            for one in cells
        ]  # fmt: skip
        found = measure(batches(frame), ["x", "y"], emptied=emptied).missing
        if not anything:
            assert found is None
            continue
        assert found is not None
        assert (found.k, found.figures.rows) == (min(alike), 7)
        assert found.average_risk == pytest.approx(sum(1 / number for number in alike) / 7)
        assert found.rows_with_missing == sum(any(one[at] is None for at in anything) for one in cells)
