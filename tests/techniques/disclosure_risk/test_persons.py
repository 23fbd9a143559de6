"""Risk by persons: every figure by counting sets, vectors by hand, and rows where everybody has one."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from techniques.core.messages import EngineError
from techniques.disclosure_risk.details import with_population, with_sampling_fraction
from techniques.disclosure_risk.explain import Target, explain, suggestions
from techniques.disclosure_risk.measure import measure
from techniques.disclosure_risk.persons import _scattered
from techniques.disclosure_risk.variety import variety

Row = tuple[str, str, str, int]
TABLES = st.lists(
    st.tuples(st.sampled_from("ab*"), st.sampled_from("xy*"), st.sampled_from("123"), st.integers(-1, 6)),
    min_size=1, max_size=30,
)  # fmt: skip


def table(rows: list[Row]) -> tuple[pa.Table, np.ndarray]:
    cells = [pa.array([row[i] for row in rows], pa.string()) for i in range(3)]
    return pa.table(cells, names=["a", "b", "s"]), np.array([row[3] for row in rows])


def named(rows: list[Row]) -> list[Row]:
    """Rows of nobody as those of persons of their own."""
    return [(*row[:3], row[3] if row[3] >= 0 else 100 + number) for number, row in enumerate(rows)]


@settings(max_examples=60)
@given(TABLES, st.sampled_from(["own_class", "left_out"]))
def test_figures_are_those_of_sets(rows: list[Row], option: Any) -> None:
    data, subjects = table(rows)
    report = measure(data.to_batches(max_chunksize=7), ["a", "b"], suppressed=option, subjects=subjects)
    counted = [row for row in named(rows) if option == "own_class" or row[:2] != ("*", "*")]
    classes: dict[Any, set[int]] = defaultdict(set)
    for row in counted:
        classes[row[:2]].add(row[3])
    smallest = {p: min(len(c) for c in classes.values() if p in c) for p in {row[3] for row in counted}}
    assert (report.rows, report.classes, report.figures.persons) == (
        len(counted),
        len(classes),
        len(smallest),
    )
    assert report.k == min(map(len, classes.values()), default=0)
    if not counted:
        return
    assert report.average_risk == pytest.approx(sum(1 / x for x in smallest.values()) / len(smallest))
    assert report.at_risk["0.1"] == pytest.approx(sum(x < 10 for x in smallest.values()) / len(smallest))
    assert report.figures.below(3) == (
        sum(len(c) < 3 for c in classes.values()), sum(x < 3 for x in smallest.values()),
    )  # fmt: skip
    assert sum(bar.records for bar in report.figures.histogram()) == len(smallest)
    prints = Counter(
        tuple(sorted(Counter(row[:2] for row in counted if row[3] == person).items())) for person in smallest
    )
    alone = sum(number == 1 for number in prints.values())
    assert report.figures.unique_persons == pytest.approx(alone / len(smallest))
    if option == "own_class":
        merged: dict[str, set[int]] = defaultdict(set)
        for row in counted:
            merged[row[1]].add(row[3])
        assert report.drop_one["a"].k == min(map(len, merged.values()))
        few = {p for c in merged.values() if len(c) < 3 for p in c}
        assert report.drop_one["a"].records_below[3] == len(few)


@settings(max_examples=30)
@given(TABLES, st.sampled_from([1, 50, 10**12]))
def test_how_persons_are_numbered_changes_no_figure(rows: list[Row], apart: int) -> None:
    """Numbers far above those of the rows are numbered anew; whoever is nobody's stays so."""
    data, subjects = table(rows)
    far = np.where(subjects < 0, subjects, subjects * apart + 3 * (apart - 1))
    plain = measure(data.to_batches(), ["a", "b"], subjects=subjects)
    assert measure(data.to_batches(), ["a", "b"], subjects=far) == plain
    one, other = (
        variety(data.to_batches(), ["a"], ["s"], left_out=False, subjects=whose)["s"]
        for whose in (subjects, far)
    )
    assert one == other


@settings(max_examples=30)
@given(TABLES)
def test_everybody_with_one_row_is_a_table_of_rows(rows: list[Row]) -> None:
    data, _subjects = table(rows)
    alone = np.arange(len(rows))
    plain = measure(data.to_batches(), ["a", "b"])
    found = measure(data.to_batches(), ["a", "b"], subjects=alone)
    assert found.figures.size_table == plain.figures.size_table
    for name in ("k", "max_risk", "average_risk", "at_risk", "rows"):
        assert getattr(found, name) == pytest.approx(getattr(plain, name))
    assert found.drop_one == plain.drop_one
    by_rows = variety(data.to_batches(), ["a", "b"], ["s"], left_out=False)["s"]
    by_persons = variety(data.to_batches(), ["a", "b"], ["s"], left_out=False, subjects=alone)["s"]
    assert by_persons.pop("several_values") == 0
    for name in ("distinct", "entropy", "t", "t_ordered", "beta", "delta", "alpha"):
        assert by_persons[name] == pytest.approx(by_rows[name]), name


VISITS = [
    ("a", "x", "1", 0),
    ("a", "x", "2", 0),
    ("a", "x", "1", 1),
    ("a", "x", "1", 2),
    ("b", "y", "3", 0),
    ("b", "y", "3", 3),
]


def test_sentences_say_persons_and_what_k_does_not_say() -> None:
    data, subjects = table(VISITS)
    report = measure(data.to_batches(), ["a", "b"], subjects=subjects)
    assert report.summary() == {
        "rows": 6, "classes": 2, "k": 2, "max_risk": 0.5, "average_risk": pytest.approx((2 / 2 + 2 / 3) / 4),
        "at_risk": {"0.05": 1.0, "0.075": 1.0, "0.1": 1.0}, "persons": 4, "unique_persons": 0.5,
    }  # fmt: skip
    said = [str(one) for one in explain(report)]
    assert "1 class has rows of only 2 persons" in said[0]
    assert "4 persons (6 rows)" in said[1]
    assert "tell 50.00 % of the persons apart" in said[-1]
    assert not any("records" in one for one in said)
    target = Target(kind="k", bound=3)
    assert not target.met_by(report.figures)
    assert [one.code for one in suggestions(report, target)] == ["generalise_column"] * 2
    with pytest.raises(EngineError) as error:
        measure(data.to_batches(), ["a"], subjects=subjects[:-1])
    assert error.value.code == "subjects_differ"


def test_a_person_of_several_values_may_have_either_in_every_figure() -> None:
    """In the first class the persons have {1, 2}, 1 and 1: all may have 1; the reference has 1 at (1/3 + 1 + 1) / 4."""
    data, subjects = table(VISITS)
    found = variety(data.to_batches(), ["a", "b"], ["s"], left_out=False, subjects=subjects)["s"]
    assert found["several_values"] == 1
    assert found["distinct"] == 1
    assert found["alpha"] == 1.0
    q1 = (1 / 3 + 1 + 1) / 4
    assert found["t"] == pytest.approx(1 - (1 / 3 + 1) / 4)  # the second class: all of value 3
    assert found["beta"] == pytest.approx(max(1 / ((1 / 3 + 1) / 4), 1 / q1, (1 / 3) / (1 / 3 / 4)) - 1)


def test_journalist_and_marketer_by_the_smallest_class_of_each_person() -> None:
    data, subjects = table(VISITS)
    people = table([("a", "x", "", n) for n in range(6)] + [("b", "y", "", n) for n in (0, 3, 7, 8)])
    found = with_population(
        data.to_batches, people[0].to_batches, ["a", "b"], subjects=subjects, population_subjects=people[1]
    )
    # Persons 0 and 3 hide among 4, the others among 6.
    assert found["marketer"] == pytest.approx((2 / 4 + 2 / 6) / 4)
    assert found["journalist"]["max_risk"] == 0.25
    assert found["presence"] == 0.5
    report = measure(data.to_batches(), ["a", "b"], subjects=subjects)
    estimated = with_sampling_fraction(report, 0.5)
    assert estimated["marketer"] == pytest.approx((2 / 4 + 2 / 6) / 4)


def test_persons_are_mixed_as_splitmix64_does() -> None:
    """The first numbers that the generator of Steele, Lea and Flood (2014) gives from the seed 0, as its authors print them."""
    wanted = [
        0xE220A8397B1DCDAF,
        0x6E789E6AA1B965F4,
        0x06C45D188009454F,
        0xF88BB8A8724C81EC,
        0x1B39896A51A8749B,
    ]
    assert _scattered(np.arange(5, dtype=np.uint64)).tolist() == wanted
