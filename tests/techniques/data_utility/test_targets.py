"""Utility targets: typed, stored as JSON, never passed when they could not run."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from pydantic import ValidationError

from techniques.data_utility.covering import spread
from techniques.data_utility.measure import assess
from techniques.data_utility.targets import (
    TARGET_TYPES,
    AssociationChange,
    CategoriesKept,
    MeanChange,
    MissingChange,
    RowsRetained,
    SuppressedCells,
    TotalVariation,
    defaults,
    parse,
)


def batches(data: dict[str, list], size: int = 3) -> list[pa.RecordBatch]:
    return pa.table({k: pa.array(v, pa.string()) for k, v in data.items()}).to_batches(max_chunksize=size)


def one(target, source: dict[str, list], result: dict[str, list], **options):
    return assess([target], batches(source), batches(result), **options)[0][0]


def test_stored_and_read_again() -> None:
    targets = [
        *defaults("public"),
        MissingChange(column="a", bound=0.1),
        MeanChange(column="a", bound=0.05),
        TotalVariation(column="a", bound=0.2),
        AssociationChange(columns=("a", "b"), bound=0.1),
        CategoriesKept(column="a", bound=0.9),
    ]
    assert {t.kind for t in targets} == set(TARGET_TYPES)
    assert parse([t.model_dump(mode="json") for t in targets]) == targets
    assert all(t.title for t in targets)


@pytest.mark.parametrize(
    "data",
    [
        {"kind": "nothing", "bound": 0.1},
        {"kind": "rows_retained", "bound": 1.2},
        {"kind": "rows_retained", "bound": float("nan")},
        {"kind": "mean_change", "bound": 0.1},
        {"kind": "mean_change", "bound": 0.1, "column": ""},
        {"kind": "association_change", "bound": 0.1, "columns": ["a", "a"]},
        {"kind": "rows_retained", "bound": 0.1, "more": 1},
    ],
)
def test_wrong_targets_are_refused(data: dict) -> None:
    with pytest.raises(ValidationError):
        parse([data])


def test_defaults_ask_more_the_more_protected_the_sharing() -> None:
    rows = [defaults(s)[0].bound for s in ("public", "controlled", "enclave")]
    assert rows == sorted(rows)


def test_rows_and_cells() -> None:
    source = {"a": ["x"] * 10}
    found = one(RowsRetained(bound=0.8), source, {"a": ["x"] * 8})
    assert (found.measured, found.passed, found.source, found.result) == (0.8, True, 10, 8)
    assert not one(RowsRetained(bound=0.81), source, {"a": ["x"] * 8}).passed
    starred = {"a": ["*", "x", None, "*"], "b": ["x"] * 4}
    assert one(SuppressedCells(bound=0.25), source, starred).measured == 0.25
    assert one(SuppressedCells(bound=0.25, columns=("a",)), source, starred).measured == 0.5
    assert one(SuppressedCells(bound=0.25, columns=("a",)), source, starred).passed is False
    assert one(MissingChange(column="a", bound=0.2), source, starred).measured == 0.25


def test_mean_of_intervals_and_open_ends() -> None:
    source = {"a": ["20", "30", "40", "50", None]}
    assert one(
        MeanChange(column="a", bound=0.0), source, {"a": ["20-30", "30-40", "[35,45)", "45~55"]}
    ).result == (pytest.approx((25 + 35 + 40 + 50) / 4))
    assert one(MeanChange(column="a", bound=0.0), source, {"a": ["<=30", ">=40"]}).passed  # 30 and 40
    assert one(MeanChange(column="a", bound=0.2), source, {"a": ["35", "*"]}).measured == 0.0
    words = one(MeanChange(column="a", bound=1), source, {"a": ["many", "few"]})
    assert (words.passed, words.measured) == (False, None)
    assert words.reason


def test_total_variation() -> None:
    source = {"a": ["x"] * 6 + ["y"] * 2}
    same = one(TotalVariation(column="a", bound=0.0), source, {"a": ["x"] * 3 + ["y"]})
    assert (same.measured, same.passed) == (0.0, True)
    assert one(TotalVariation(column="a", bound=1), source, {"a": ["y"]}).measured == 0.75
    # All suppressed: nothing known, spread evenly over x and y.
    assert one(TotalVariation(column="a", bound=1), source, {"a": ["*"]}).measured == 0.25
    # A label that covers nothing has moved altogether.
    assert one(TotalVariation(column="a", bound=1), source, {"a": ["z"]}).measured == 1.0
    tree = {"a": {"x": ("letter", "*"), "y": ("letter", "*")}}
    assert (
        one(TotalVariation(column="a", bound=1), source, {"a": ["letter"]}, hierarchies=tree).measured == 0.25
    )


@pytest.mark.parametrize(
    ("source", "result", "distance"),
    [
        (["20", "21", "30", "31"], ["20-29", "20-29", "30-39", "30-39"], 0.0),
        (["20", "21", "30", "31"], ["[20,30)", "[20,30)", ">=30", ">=30"], 0.0),
        (["20", "20", "20", "30"], ["20-39"] * 4, 0.25),
        (["1990-01-05", "1990-02-07", "1991-01-01"], ["1990", "1990", "1991"], 0.0),
        (["1990-01-05", "1990-02-07", "1991-01-01"], ["1990-01", "1990-02", "1991-Q1"], 0.0),
        (["1990-01-05", "1995-02-07", "2001-01-01"], ["1990-1999", "1990-1999", "2000-2009"], 0.0),
        (["广东省广州市", "广东省深圳市", "北京市"], ["广东省", "广东省", "北京市"], 0.0),
        (["13812345678", "13912345678"], ["138****5678", "139****5678"], 0.0),
        (["440106", "440104", "110101"], ["4401**", "4401**", "1101**"], 0.0),
        (["149", "151", "248", "252"], ["100", "200", "200", "300"], 0.0),
    ],
)
def test_generalised_values_cover_source_values(
    source: list[str], result: list[str], distance: float
) -> None:
    found = one(TotalVariation(column="a", bound=0), {"a": source}, {"a": result})
    assert found.measured == pytest.approx(distance)


def test_association() -> None:
    x = [str(i) for i in range(40)]
    source = {"a": x, "b": [str(2 * i) for i in range(40)], "c": ["u", "v"] * 20, "d": ["u", "v"] * 20}
    shuffled = dict(source, b=[str((i * 17) % 40) for i in range(40)], d=["u", "u", "v", "v"] * 10)
    found = one(AssociationChange(columns=("a", "b"), bound=0.5), source, shuffled)
    assert found.source == pytest.approx(1.0)
    assert found.measured == pytest.approx(1.0 - found.result)
    assert not found.passed
    categories = one(AssociationChange(columns=("c", "d"), bound=0.5), source, shuffled)
    assert (categories.source, categories.result) == (pytest.approx(1.0), pytest.approx(0.0))
    constant = one(AssociationChange(columns=("c", "d"), bound=1), source, dict(source, d=["u"] * 40))
    assert (constant.passed, constant.measured) == (False, None)


def test_categories_kept() -> None:
    found = one(CategoriesKept(column="a", bound=0.6), {"a": list("wxyz")}, {"a": ["w", "x", "other", "*"]})
    assert (found.measured, found.passed) == (0.5, False)


@pytest.mark.parametrize(
    "target",
    [
        MissingChange(column="b", bound=1),
        MeanChange(column="b", bound=1),
        TotalVariation(column="b", bound=1),
        CategoriesKept(column="b", bound=0),
        AssociationChange(columns=("a", "b"), bound=1),
        SuppressedCells(columns=("b",), bound=1),
    ],
)
def test_a_check_that_cannot_run_is_not_passed(target) -> None:
    data = {"a": ["x", "y"]}
    found = one(target, data, data)
    assert (found.passed, found.measured) == (False, None)
    assert found.reason % found.params


def test_empty_tables_never_pass() -> None:
    empty, full = {"a": []}, {"a": ["x"]}
    for target in (RowsRetained(bound=0), SuppressedCells(bound=1), TotalVariation(column="a", bound=1)):
        assert not one(target, empty, full).passed
    assert not one(SuppressedCells(bound=1), full, empty).passed
    assert one(RowsRetained(bound=0), full, empty).measured == 0.0


def test_compare() -> None:
    source = {"a": ["10", "20", "30", None], "b": list("xxyy"), "gone": list("1234")}
    result = {"a": ["10-20", "*", "30", ""], "b": list("xxyy"), "new": list("1234")}
    found = {c.column: c for c in assess((), batches(source), batches(result))[1]}
    assert list(found) == ["a", "b"]
    assert found["a"].missing == (0.25, 0.25)
    assert found["a"].suppressed == (0.0, 0.25)
    assert found["a"].mean == (20.0, 22.5)
    assert found["a"].quantiles[0]["0.5"] == 20.0
    assert found["b"].mean == (None, None)
    assert found["b"].total_variation == 0.0
    assert assess((), batches(source), []) == ([], [])


def test_batches_do_not_matter() -> None:
    source = {"a": [str(i % 13) for i in range(500)], "b": [str(i % 7) for i in range(500)]}
    result = {"a": [str(i % 13 // 3) for i in range(450)], "b": [str(i % 7) for i in range(450)]}
    targets = [
        MeanChange(column="a", bound=1),
        TotalVariation(column="a", bound=1),
        AssociationChange(columns=("a", "b"), bound=1),
    ]
    first, _columns = assess(targets, batches(source, 500), batches(result, 500))
    second, _columns = assess(targets, batches(source, 17), batches(result, 31))
    assert [t.measured for t in first] == pytest.approx([t.measured for t in second])


def test_targets_and_comparison_in_one_pass() -> None:
    source = {"a": [str(i % 13) for i in range(500)], "b": [str(i % 7) for i in range(500)], "c": ["x"] * 500}
    result = {
        "b": [str(i % 7) for i in range(450)],
        "a": ["*"] * 100 + [str(i % 13 // 3) for i in range(350)],
    }
    targets = [
        RowsRetained(bound=0.5),
        SuppressedCells(bound=0.01),
        TotalVariation(column="a", bound=1),
        TotalVariation(column="c", bound=1),
        AssociationChange(columns=("a", "b"), bound=1),
    ]
    reached: list[int] = []
    results, compared = assess(targets, batches(source), batches(result), tick=reached.append)
    assert results == [one(target, source, result) for target in targets]
    assert compared == assess((), batches(source), batches(result))[1]
    assert [item.column for item in compared] == ["b", "a"]
    assert reached == sorted(reached)
    assert reached[-1] == 950
    assert assess(targets[:1], batches(source), []) == ([one(targets[0], source, {})], [])


def test_labels_of_local_recoding_cover_their_values() -> None:
    """Sets, also of values with the separator in them, stretches of an order, and closed intervals."""
    source = pa.array(["a", "b", "x;y", "Chur", "Bern", "Delft", "3", "5", "9"])
    labels = pa.array(["{a;x;y}", "Bern … Chur", "[3,5]", "{;b}", "{?}"])
    found = spread(source, labels, np.array([4, 2, 6, 1, 3]))
    mass = dict(zip(source.to_pylist(), found.mass.tolist(), strict=True))
    assert mass == {"a": 2, "x;y": 2, "Bern": 1, "Chur": 1, "3": 3, "5": 3, "b": 1, "Delft": 0, "9": 0}
    assert found.unresolved == 3
