"""Words and suggestions: what they say must be true when it is done."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from techniques.disclosure_risk.explain import Statement, Target, explain, population_statements, suggestions
from techniques.disclosure_risk.measure import measure
from tests.techniques.disclosure_risk.test_measure import batches


def table(seed: int, rows: int = 400) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {"a": rng.geometric(0.2, rows), "b": rng.integers(0, 4, rows), "c": rng.geometric(0.5, rows)}
    )


def suppressed(frame: pd.DataFrame, records: int) -> pd.DataFrame:
    """``records`` rows replaced by ``*``, whole classes from the smallest upwards."""
    sizes = frame.groupby(list(frame.columns))["a"].transform("size")
    order = frame.assign(n=sizes).sort_values(["n", *frame.columns]).index[:records]
    result = frame.astype(str)
    result.loc[order] = "*"
    return result


TARGETS = [
    Target(kind="k", bound=2),
    Target(kind="k", bound=5),
    Target(kind="max_risk", bound=0.33),
    Target(kind="max_risk", bound=0.05),
    Target(kind="average_risk", bound=0.1),
    Target(kind="average_risk", bound=0.03),
    Target(kind="at_risk", bound=0.05, threshold=0.1),
    Target(kind="at_risk", bound=0.0, threshold=0.05),
]


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: f"{t.kind}-{t.bound}")
@pytest.mark.parametrize("option", ["own_class", "left_out"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_suggested_suppression_is_enough_and_not_more(target: Target, option: str, seed: int) -> None:
    frame = table(seed)
    report = measure(batches(frame), ["a", "b", "c"], suppressed=option)
    assert not target.met_by(report.figures)
    records = suggestions(report, target)[0].records
    after = measure(batches(suppressed(frame, records)), ["a", "b", "c"], suppressed=option)
    assert after.suppressed_rows == records
    assert target.met_by(after.figures) or records == len(frame)
    for fewer in range(max(0, records - 3), records):
        part = measure(batches(suppressed(frame, fewer)), ["a", "b", "c"], suppressed=option)
        assert not target.met_by(part.figures), fewer


def test_the_best_column_comes_first() -> None:
    report = measure(batches(table(1)), ["a", "b", "c"], bounds=[7])
    found = suggestions(report, Target(kind="k", bound=7))[1:]
    assert {s.column for s in found} == {"a", "b", "c"}
    assert [s.records for s in found] == sorted(s.records for s in found)
    sizes = table(1).groupby(["b", "c"]).size()
    assert next(s for s in found if s.column == "a").records == sizes[sizes < 7].sum()


def test_nothing_to_suggest_when_it_passes() -> None:
    report = measure(batches(table(1)), ["b"])
    assert suggestions(report, Target(kind="k", bound=2)) == []


def test_words() -> None:
    frame = pd.DataFrame({"a": ["x"] * 2 + ["y"] * 8})
    statements = {s.code: s for s in explain(measure(batches(frame), ["a"]))}
    assert "one time in 2" in str(statements["smallest_class"])
    assert statements["smallest_class"].formula == "max 1/f = 1/2 = 0.5"
    assert statements["average"].formula == "J/n = 2/10 = 0.2"
    assert "unique" in {s.code for s in explain(measure(batches(pd.DataFrame({"a": ["x", "y"]})), ["a"]))}
    stars = pd.DataFrame({"a": ["*", "x", "x"]})
    assert "suppressed_rows" in {s.code for s in explain(measure(batches(stars), ["a"]))}
    all_stars = measure(batches(pd.DataFrame({"a": ["*"]})), ["a"], suppressed="left_out")
    assert [s.code for s in explain(all_stars)] == ["all_suppressed"]
    for option in ("own_class", "left_out"):
        for statement in explain(measure(batches(stars), ["a"], suppressed=option)):
            assert str(statement)


@pytest.mark.parametrize(
    ("percent", "said"),
    [
        (0.0, "0.00 %"),
        (0.0004, "0.00040 %"),
        (12.5, "12.50 %"),
        (99.99996, "99.999960 %"),
        (100.0, "100.00 %"),
    ],
)
def test_only_nothing_reads_as_nothing_and_only_all_as_all(percent, said):
    statement = Statement.of("average", "The chance is %(percent).2f %%; %(k)d.", percent=percent, k=3)
    assert str(statement) == f"The chance is {said}; 3."
    assert statement.message == "The chance is %(percent).2f %%; %(k)d.", "what is kept stays as it is"


def test_an_estimate_beside_an_average_that_hides_it() -> None:
    figures = {"journalist": {"max_risk": 0.05}, "population_uniqueness": {"share": 0.14}}
    said = population_statements(figures, 1000)
    assert [one.code for one in said] == ["average_hides_uniques"]
    assert "140.0 of the 1000 records (14.00 %)" in str(said[0])
    assert said[0].formula == "max 1/(f/π) = 0.05; U/N = 0.14"
    rare = {"journalist": {"max_risk": 0.00005}, "population_uniqueness": {"share": 0.0000123456}}
    assert population_statements(rare, 1000)[0].formula == "max 1/(f/π) = 0.00005; U/N = 0.00001235"
    for highest, share in ((0.05, 0.0), (1.0, 0.14), (0.0, 0.0)):
        figures = {"journalist": {"max_risk": highest}, "population_uniqueness": {"share": share}}
        assert population_statements(figures, 1000) == []
