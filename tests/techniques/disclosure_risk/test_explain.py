"""Words and suggestions: what they say must be true when it is done."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from techniques.core.settings import Statement
from techniques.disclosure_risk.explain import Target, explain, population_statements, suggestions
from techniques.disclosure_risk.measure import measure
from techniques.disclosure_risk.report import Figures
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


@pytest.mark.parametrize(
    ("bound", "measured"), [(2, 2), (4, 5), (5, 5), (7, 7), (8, 10), (20, 20), (21, 20), (90, 20)]
)
def test_a_column_is_held_against_the_next_size_that_was_measured(bound: int, measured: int) -> None:
    """Above the greatest size that was measured against that one."""
    report = measure(batches(table(2)), ["a", "b", "c"], bounds=[7])
    for found in suggestions(report, Target(kind="k", bound=bound))[1:]:
        assert found.records == report.drop_one[found.column].records_below[measured]


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


def one_column(**sizes: int) -> list[pa.RecordBatch]:
    return batches(pd.DataFrame({"a": [name for name, size in sizes.items() for _row in range(size)]}))


@pytest.mark.parametrize(
    ("target", "sizes", "met"),
    [
        (Target(kind="k", bound=3), (3, 4), True),
        (Target(kind="k", bound=3), (2, 9), False),
        (Target(kind="max_risk", bound=0.25), (4, 4), True),
        (Target(kind="max_risk", bound=0.25), (3, 9), False),
        (Target(kind="average_risk", bound=0.3), (1, 1, 8), True),
        (Target(kind="average_risk", bound=0.2999), (1, 1, 8), False),
        (Target(kind="at_risk", bound=0.25, threshold=0.2), (4, 12), True),
        (Target(kind="at_risk", bound=0.2499, threshold=0.2), (4, 12), False),
        (Target(kind="at_risk", bound=0.0, threshold=0.2), (5, 12), True),
        (Target(kind="at_risk", bound=0.0), (20, 20), True),
        (Target(kind="at_risk", bound=0.0), (19, 20), False),
    ],
)
def test_a_bound_is_kept_at_the_bound(target: Target, sizes: tuple[int, ...], met: bool) -> None:
    assert target.met_by(Figures.of(np.array(sizes))) is met
    assert not target.met_by(Figures.of(np.zeros(0, np.int64)))


def test_the_size_below_which_a_record_breaks_the_bound() -> None:
    targets = {"k": (7.0, 7), "max_risk": (0.33, 3), "average_risk": (0.1, 1), "at_risk": (0.5, 10)}
    for kind, (bound, size) in targets.items():
        assert Target(kind=kind, bound=bound, threshold=0.1).least_size() == size  # type: ignore[arg-type]


def test_the_figures_in_the_sentences_are_those_of_the_table() -> None:
    """Two classes of 3, one of 12, and four suppressed rows: 22 records, 4 classes."""
    report = measure(one_column(x=3, y=3, z=12, **{"*": 4}), ["a"])
    said = {one.code + str(one.params.get("threshold", "")): one for one in explain(report)}
    smallest = said["smallest_class"]
    assert smallest.params == {
        "count": 1,
        "k": 3,
        "percent": pytest.approx(100 / 3),
        "classes": 2,
        "records": 6,
    }
    assert smallest.formula == "max 1/f = 1/3 = 0.3333"
    assert said["average"].params == {"rows": 22, "percent": pytest.approx(100 * 4 / 22)}
    assert said["average"].formula == "J/n = 4/22 = 0.1818"
    for threshold, size, records in (("0.05", 20, 22), ("0.075", 14, 22), ("0.1", 10, 10)):
        one = said[f"at_risk{threshold}"]
        share = records / 22
        wanted = {
            "records": records,
            "percent": pytest.approx(100 * share),
            "threshold": threshold,
            "size": size,
        }
        assert one.params == wanted
        left, right = one.formula.split(" = ", 1)
        assert left == f"Σ f·[1/f > {threshold}] / n"
        assert right.startswith(f"{records}/22 = ")
        assert float(right.split(" = ")[1]) == pytest.approx(share, abs=1e-4)
    assert said["suppressed_rows"].params == {"rows": 4, "k_own": 3, "k_out": 3}
    assert "count as a class of their own (K = 3)" in str(said["suppressed_rows"])
    out = {
        one.code: one for one in explain(measure(one_column(x=9, **{"*": 4}), ["a"], suppressed="left_out"))
    }
    assert out["suppressed_rows"].params == {"rows": 4, "k_own": 4, "k_out": 9}
    assert "are left out (K = 9)" in str(out["suppressed_rows"])


def test_what_a_missing_value_could_be_is_said_in_figures() -> None:
    frame = pd.DataFrame({"a": ["x", "x", "x", None], "b": ["1", "1", "2", "1"]})
    report = measure(batches(frame), ["a", "b"])
    said = next(one for one in explain(report) if one.code == "missing_values")
    # Alone as it stands; as anything it looks like two others, they like each other and it, (x, 2) like nobody.
    assert said.params == {"rows": 1, "k": 1, "loose": 1, "percent": pytest.approx(100 * (1 / 3 * 3 + 1) / 4)}
    emptied = {one.code: one for one in explain(report.with_missing_as_anything())}["emptied_cells"]
    assert emptied.params == {"count": 2, "k": 1, "strict": 1}
    assert emptied.formula == "min |{s : s ~ r}| = 1"


def test_the_figures_in_the_sentences_of_persons() -> None:
    """Persons 1 (x, y), 2 (x), 3 (y), 4 (z, z): each by the smallest of its classes; 4 is alone."""
    data = one_column(x=2, y=2, z=2)
    report = measure(data, ["a"], subjects=np.array([1, 2, 1, 3, 4, 4]))
    said = {one.code + str(one.params.get("threshold", "")): one for one in explain(report)}
    assert said["unique_person"].params == {"count": 1, "k": 1, "percent": 100, "classes": 1, "persons": 1}
    assert said["unique_person"].formula == "max 1/f = 1/1 = 1"
    assert said["average_person"].params == {"persons": 4, "rows": 6, "percent": pytest.approx(100 * 2.5 / 4)}
    assert said["average_person"].formula == "Σ max 1/f / P = 0.625"
    assert said["persons_at_risk0.1"].params == {
        "persons": 4,
        "percent": 100.0,
        "threshold": "0.1",
        "size": 10,
    }
    assert said["persons_at_risk0.1"].formula == "Σ [max 1/f > 0.1] / P = 4/4 = 1"
    assert said["unique_by_rows"].params == {"percent": 100.0}
    pair = measure(one_column(x=2, y=4), ["a"], subjects=np.array([1, 2, 3, 3, 4, 5]))
    said = {one.code: one for one in explain(pair)}
    assert said["smallest_class_of_persons"].params == {
        "count": 1,
        "k": 2,
        "percent": 50,
        "classes": 1,
        "persons": 2,
    }


def test_the_estimates_beside_each_other() -> None:
    figures = {"population_uniqueness": {"share": 0.125}, "journalist": {"max_risk": 0.02}}
    (said,) = population_statements(figures, 400)
    assert said.params == {"percent": 2.0, "people": 50, "uniques": 50.0, "rows": 400, "share": 12.5}


def test_of_two_columns_that_leave_as_many_the_one_that_leaves_fewer_classes_comes_first() -> None:
    rows = [(a, b) for a in "xyz" for b in "12" for _row in range(4)]
    report = measure(batches(pd.DataFrame(rows, columns=["a", "b"])), ["a", "b"])
    found = suggestions(report, Target(kind="k", bound=5))[1:]
    assert [(one.column, one.records, one.statement.params["without"]) for one in found] == [
        ("a", 0, 2),
        ("b", 0, 3),
    ]


def test_suggestions_by_hand() -> None:
    """(x,1) ×2, (x,2) ×6, (y,1) ×1, (y,2) ×6: suppressed are a class too, so six more go. Below 5 are 3 of 15; without a column the two others are whole: 8 and 7, 3 and 12."""
    rows = [("x", "1")] * 2 + [("x", "2")] * 6 + [("y", "1")] + [("y", "2")] * 6
    report = measure(batches(pd.DataFrame(rows, columns=["a", "b"])), ["a", "b"])
    found = suggestions(report, Target(kind="k", bound=5))
    assert [(one.code, one.column, one.records) for one in found] == [
        ("suppress_records", "", 9),
        ("generalise_column", "b", 0),
        ("generalise_column", "a", 3),
    ]
    assert found[1].statement.params == {"column": "b", "without": 2, "classes": 4, "records": 0}
    assert "0 records in classes" in str(found[1].statement)
    out = measure(batches(pd.DataFrame(rows, columns=["a", "b"])), ["a", "b"], suppressed="left_out")
    first = suggestions(out, Target(kind="k", bound=5))[0].statement
    assert first.params == {"records": 3, "rows": 15, "percent": pytest.approx(20)}
    average = suggestions(out, Target(kind="average_risk", bound=0.2))
    assert average[0].records == 3, "two classes of twelve are 1/6; three of fourteen are more than 1/5"
    assert "classes that are too small" not in str(average[1].statement)
    shared = suggestions(out, Target(kind="at_risk", bound=0.08, threshold=0.2))
    assert shared[0].records == 2, "of thirteen records one is at risk: 0.077"
    one = measure(one_column(x=1, y=9), ["a"], suppressed="left_out")
    assert [found.code for found in suggestions(one, Target(kind="k", bound=5))] == ["suppress_records"]
