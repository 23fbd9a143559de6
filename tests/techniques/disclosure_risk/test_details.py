"""Figures beside the measurement, each by a table that is counted by hand."""

from __future__ import annotations

import csv
import io

import pandas as pd
import pyarrow as pa
import pytest

from techniques.core.messages import EngineError
from techniques.disclosure_risk.details import (
    class_sizes,
    records_at_risk,
    strict_average,
    with_population,
    with_sampling_fraction,
    write_record_risks,
)
from techniques.disclosure_risk.measure import measure
from techniques.disclosure_risk.report import RiskReport


def batches(values: str) -> list[pa.RecordBatch]:
    made: list[pa.RecordBatch] = pa.table({"a": list(values)}).to_batches()
    return made


def report(*sizes: int) -> RiskReport:
    return measure(batches("".join(chr(97 + n) * size for n, size in enumerate(sizes))), ["a"])


def test_a_cap_is_kept_by_the_smallest_class() -> None:
    """B.1.4.1 b: 0.33 stands for three records; where it is broken the maximum counts, not the mean."""
    assert strict_average(report(3, 9), 0.33) == {"cap": 0.33, "holds": True, "risk": 2 / 12}
    assert strict_average(report(2, 10), 0.33) == {"cap": 0.33, "holds": False, "risk": 0.5}
    assert strict_average(report(2, 10), 0.5)["holds"]


def test_records_above_each_threshold() -> None:
    """1/f > 0.1 is f < 10; 1/f > 0.05 is f < 20."""
    found = report(19, 9, 20, 10, 9)
    assert class_sizes(found).tolist() == [9, 9, 10, 19, 20]
    assert records_at_risk(found, [0.1, 0.05]) == {"0.1": 18, "0.05": 47}


@pytest.mark.parametrize(
    ("population", "option", "journalist", "marketer", "bounds"),
    [
        # x: 2 of 4, y: 1 of 2, one row that may be any of ten; of the seven who are left one has that row.
        ("xxxxyyzzzz", "own_class", (1 / 2, 1.1 / 4), 1.1 / 4, (0.5, 0.1, 0.5 + 0.5 / 7)),
        ("xxxxyyzzzz", "left_out", (1 / 2, 1 / 3), 1 / 3, (0.5, 0.0, 0.5)),
        # Everybody has a class of the table.
        ("xxxxyy", "own_class", (1 / 2, 7 / 24), 7 / 24, (0.5, 0.5, 0.5 + 0.5 / 3)),
        ("xxxxyy", "left_out", (1 / 2, 1 / 3), 1 / 3, (0.5, 0.5, 0.5)),
        # Nobody but the table's own: who has no row of a class has the suppressed one.
        ("xxyq", "own_class", (1, 2.25 / 4), 2.25 / 4, (1.0, 0.25, 1.0)),
        # Many more: 3 / 42 of them, by classes, is less than the mean of the table's rows.
        ("x" * 20 + "y" * 20 + "z" * 60, "left_out", (1 / 20, 1 / 20), 1 / 20, (0.1, 0.0, 0.1)),
    ],
)  # fmt: skip
def test_a_population_by_hand(
    population: str, option: str, journalist: tuple[float, float], marketer: float, bounds: tuple[float, ...]
) -> None:
    found = with_population(lambda: batches("xxy*"), lambda: batches(population), ["a"], suppressed=option)  # type: ignore[arg-type]
    assert found["by_option"][option] == {name: one for name, one in found.items() if name != "by_option"}
    assert (found["journalist"]["max_risk"], found["journalist"]["average_risk"]) == pytest.approx(journalist)
    assert found["marketer"] == pytest.approx(marketer)
    assert (found["presence"], found["delta_min"], found["delta_max"]) == pytest.approx(bounds)


@pytest.mark.parametrize("table", ["**", ""])
def test_where_every_row_is_suppressed_nobody_is_looked_for(table: str) -> None:
    """Nor is anybody in a table without rows, whatever the population is."""
    for population in ("xy", "") if not table else ("xy",):
        found = with_population(
            lambda: batches(table), lambda held=population: batches(held), ["a"], suppressed="left_out"
        )
        assert (found["presence"], found["delta_min"], found["delta_max"]) == (0.0, 0.0, 0.0)
        assert found["marketer"] == found["journalist"]["max_risk"] == 0.0


def test_without_suppressed_rows_there_is_one_way_to_count() -> None:
    found = with_population(lambda: batches("xy"), lambda: batches("xxyyyy"), ["a"])
    assert "by_option" not in found
    assert (found["presence"], found["delta_min"], found["delta_max"]) == (0.5, 0.25, 0.5)
    assert found["journalist"]["at_risk"] == {"0.05": 1.0, "0.075": 1.0, "0.1": 1.0}


@pytest.mark.parametrize(
    ("chances", "sizes", "maximum"),
    [
        # F = f / π for classes of 1, 2 and 3 records.
        ([], (4, 8, 12), 1 / 4),
        # Those of the greatest chance are taken for the smallest class: 1/0.5, 2/((0.5+0.1)/2), 3/0.1.
        ([(0.5, 2), (0.1, 4)], (2, 7, 30), 1 / 2),
        # Of whom nothing is known is as likely as the likeliest.
        ([(0.5, 1), (0.1, 4)], (2, 7, 30), 1 / 2),
        ([(0.5, 2), (0.1, 1)], (2, 4, 8), 1 / 2),
    ],
)
def test_a_sampling_fraction_by_hand(
    chances: list[tuple[float, int]], sizes: tuple[int, ...], maximum: float
) -> None:
    found = with_sampling_fraction(report(1, 2, 3), 0.25, chances=chances)
    assert found["estimated"]
    assert found["journalist"]["max_risk"] == maximum
    assert found["marketer"] == pytest.approx(sum(f / F for f, F in zip((1, 2, 3), sizes, strict=True)) / 6)
    assert found["population_uniqueness"]["sample_uniques"] == 1
    assert ("share" in found["population_uniqueness"]) is not bool(chances)
    assert found.get("chances", []) == [list(one) for one in chances]
    with pytest.raises(EngineError):
        with_sampling_fraction(report(1, 2, 3), 1.5)


@pytest.mark.parametrize(
    ("option", "wanted"),
    [
        ("own_class", [(1, 3, "0.333333333"), (2, 2, "0.5"), (3, 3, "0.333333333"), (4, 2, "0.5"), (5, 1, "1.0"), (6, 3, "0.333333333")]),
        ("left_out", [(1, 3, "0.333333333"), (2, "", ""), (3, 3, "0.333333333"), (4, "", ""), (5, 1, "1.0"), (6, 3, "0.333333333")]),
    ],
)  # fmt: skip
def test_the_risk_of_each_record(option: str, wanted: list[tuple[object, ...]]) -> None:
    target = io.StringIO()
    write_record_risks(batches("x*x*yx"), ["a"], target, suppressed=option)  # type: ignore[arg-type]
    lines = list(csv.reader(target.getvalue().splitlines()))
    assert lines == [["row", "class_size", "risk"], *([str(one) for one in line] for line in wanted)]


def test_the_risk_of_each_record_by_persons() -> None:
    target = io.StringIO()
    subjects = pd.Series([7, 7, 8, 9]).to_numpy()
    write_record_risks(batches("xxxy"), ["a"], target, subjects=subjects)
    assert [line.split(",")[1] for line in target.getvalue().split()[1:]] == ["2", "2", "2", "1"]
