"""Utility targets of a solution, told before it runs: what the gate would measure on the written result."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from techniques.anonymization.release import anonymize
from techniques.anonymization.remedies import Bounds, remedies
from techniques.anonymization.usefulness import UNMEASURED, Expected, Present, Usefulness
from techniques.data_utility.covering import labels_above
from techniques.data_utility.measure import assess
from techniques.data_utility.targets import parse
from techniques.hierarchies.definitions import Intervals, ModelHierarchy, Star, Table
from techniques.tables.dictionary import EncodedColumn, dictionary_encode
from tests.techniques.searches import search

HALVES = Table(kind="table", rows=[[value, "low" if value in "01" else "high", "*"] for value in "0123"])
HIERARCHIES: dict[str, ModelHierarchy] = {
    "a": Intervals(kind="intervals", widths=[2, 4, 8]),
    "b": HALVES,
    "c": Star(),
}
TARGETS = parse(
    [
        {"kind": "rows_retained", "bound": 0.9},
        {"kind": "suppressed_cells", "bound": 0.2},
        {"kind": "suppressed_cells", "bound": 0.2, "columns": ["b"]},
        {"kind": "missing_change", "bound": 0.1, "column": "a"},
        {"kind": "mean_change", "bound": 0.1, "column": "a"},
        {"kind": "total_variation", "bound": 0.3, "column": "b"},
        {"kind": "categories_kept", "bound": 0.5, "column": "b"},
        {"kind": "association_change", "bound": 0.1, "columns": ["b", "c"]},
        {"kind": "association_change", "bound": 0.1, "columns": ["b", "fee"]},
        {"kind": "mean_change", "bound": 0.1, "column": "fee"},
    ]
)


def table(rows: int, seed: int) -> dict[str, EncodedColumn]:
    draw = np.random.default_rng(seed)
    values = {
        "a": draw.integers(0, 20, rows),
        "b": draw.integers(0, 4, rows),
        "c": draw.integers(0, 2, rows),
        "fee": draw.integers(100, 900, rows),
    }
    made = {}
    for name, column in values.items():
        cells = [None if draw.random() < 0.05 else str(value) for value in column]
        made[name] = dictionary_encode(pa.array(cells, pa.string()))
    return made


def written(columns: dict[str, EncodedColumn], keep: Any) -> pa.RecordBatch:
    names = list(columns)
    return pa.record_batch([columns[n].to_arrow().filter(pa.array(keep)) for n in names], names=names)


def parts(columns: dict[str, EncodedColumn]) -> tuple[dict[str, EncodedColumn], dict[str, EncodedColumn]]:
    return {n: columns[n] for n in "abc"}, {"fee": columns["fee"]}


def nothing_yet(columns: dict[str, EncodedColumn]) -> Present:
    return Present([UNMEASURED] * len(TARGETS), dict.fromkeys(columns, 0.0))


@settings(max_examples=25)
@given(st.integers(12, 400), st.integers(0, 10_000), st.sampled_from([2, 5]), st.booleans(), st.booleans())
def test_what_is_expected_is_what_the_written_result_measures(
    rows: int, seed: int, k: int, local: bool, star: bool
) -> None:
    columns = table(rows, seed)
    quasi, fee = parts(columns)
    release = anonymize(quasi, {}, search(k, {}, 1.0, HIERARCHIES, local=local))
    stays = np.ones(rows, bool) if star else ~release.suppressed
    useful = Usefulness(TARGETS, quasi, fee, nothing_yet(columns), HIERARCHIES)
    figures = useful.expected(release.columns, stays)
    result = written({**release.columns, **fee}, stays)
    known = labels_above(HIERARCHIES)
    measured, _ = assess(TARGETS, [written(columns, np.ones(rows, bool))], [result], hierarchies=known)
    for one, other in zip(figures, measured, strict=True):
        assert one.passes == other.passed, other
        assert one.measured == pytest.approx(other.measured, nan_ok=False), other


def test_a_column_that_is_removed_takes_its_targets_with_it() -> None:
    columns = table(200, 1)
    quasi, fee = parts(columns)
    useful = Usefulness(TARGETS, quasi, fee, nothing_yet(columns))
    rest = {name: column for name, column in quasi.items() if name != "b"}
    figures = useful.expected(rest, np.ones(200, bool))
    lost = [one for one, target in zip(figures, TARGETS, strict=True) if "b" in target.needed_columns()]
    assert lost == [Expected(None, False)] * 5
    assert figures[0] == Expected(1.0, True)
    assert figures[1] == Expected(0.0, True), "of the columns that are left"


def test_what_other_steps_treat_stays_as_it_is_and_what_joins_it_is_left_to_a_run() -> None:
    """The fee is rounded by another step: its mean was measured, its association with b changes with b."""
    columns = table(200, 2)
    quasi, _fee = parts(columns)
    now = [UNMEASURED] * (len(TARGETS) - 1) + [Expected(0.3, False)]
    figures = Usefulness(
        TARGETS, quasi, {}, Present(now, {**dict.fromkeys("abc", 0.0), "fee": 0.4})
    ).expected(quasi, np.ones(200, bool))
    assert figures[-1] == Expected(0.3, False)
    assert figures[-2] == UNMEASURED
    assert figures[1].measured == pytest.approx(0.1), "four columns, one of them with 40 % of *"


def test_rows_that_a_sample_leaves_out_are_not_kept() -> None:
    columns = table(100, 3)
    quasi, fee = parts(columns)
    drawn = replace(nothing_yet(columns), drawn=0.5)
    assert Usefulness(TARGETS, quasi, fee, drawn).expected(quasi, np.ones(100, bool))[0] == Expected(
        0.5, False
    )


def test_a_way_that_misses_a_utility_target_does_not_pass() -> None:
    columns = table(300, 4)
    quasi, fee = parts(columns)
    bounds = Bounds(k=10, suppression_limit=0.5)
    request = search(2, {}, 0.2, HIERARCHIES)
    without = remedies(quasi, {}, request, bounds)
    wanted = parse([{"kind": "categories_kept", "bound": 1.0, "column": "b"}])
    useful = Usefulness(wanted, quasi, fee, Present([UNMEASURED], {}))
    found = remedies(quasi, {}, request, bounds, useful=useful)
    passing = [remedy for remedy in found.found if remedy.outcome and remedy.outcome.passes]
    assert {
        (remedy.code, remedy.column) for remedy in without.found if remedy.outcome and remedy.outcome.passes
    } > {(remedy.code, remedy.column) for remedy in passing if not remedy.further}
    assert passing, "some way keeps the values of b"
    for remedy in passing:
        assert remedy.outcome is not None
        assert [one.passes for one in remedy.outcome.utility] == [True]
    dropped = next(remedy for remedy in found.found if (remedy.code, remedy.column) == ("drop", "b"))
    assert dropped.outcome is not None
    assert not dropped.outcome.passes
    assert found.as_dict()["ways"][0]["outcome"]["utility"] == [{"measured": 1.0, "passes": True}]
