"""What cells have lost: figures by their formulas, by the report of the search, and how they grow."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from techniques.anonymization.release import anonymize
from techniques.data_utility.loss import ColumnLoss, information_loss
from techniques.hierarchies.definitions import Table
from techniques.tables.dictionary import dictionary_encode
from tests.techniques.data_utility.test_whole import coded
from tests.techniques.searches import search

ROWS = [["p", "P", "*"], ["q", "P", "*"], ["r", "R", "*"], ["s", "R", "*"], ["t", "R", "*"]]
TREE = Table(kind="table", rows=ROWS)


def lost(before: list[str], after: list[str], tree: Table | None = None) -> ColumnLoss:
    """The loss of one column; an empty cell is a missing one."""
    columns = [
        {"a": dictionary_encode(pa.array([c or None for c in cells], pa.string()))}
        for cells in (before, after)
    ]
    found = information_loss(*columns, ["a"], {"a": tree} if tree else None)
    assert (found.ncp, found.granularity, found.precision) == pytest.approx(
        (found.columns["a"].ncp, found.columns["a"].granularity, found.columns["a"].precision)
    )
    return found.columns["a"]


def test_by_hand_with_a_hierarchy() -> None:
    """Of five leaves: p kept 1/5, P 2/5, R 3/5, * 1; levels 0, 1, 1, 2 of 2."""
    found = lost(["p", "q", "s", "t"], ["p", "P", "R", "*"], TREE)
    mean = (1 + 2 + 3 + 5) / 5 / 4
    assert found.ncp == pytest.approx((0 + 2 / 5 + 3 / 5 + 1) / 4)
    assert found.granularity == pytest.approx(1 - (mean - 1 / 5) / (1 - 1 / 5))
    assert found.precision == pytest.approx(1 - (0 + 1 + 1 + 2) / 2 / 4)
    assert found.unresolved == 0
    # A label above another value is no level of this one; it covers two of the five leaves all the same.
    wrong = lost(["s"], ["p"], TREE)
    assert (wrong.precision, wrong.unresolved) == (None, 1)


def test_by_hand_without_a_hierarchy() -> None:
    """Four different values and a missing one are five leaves; an interval costs its width by NCP."""
    found = lost(["10", "20", "30", "50", ""], ["10", "[20,40)", "{30;50}", "*", ""])
    mean = (1 + 2 + 2 + 5 + 1) / 5 / 5
    assert found.granularity == pytest.approx(1 - (mean - 1 / 5) / (4 / 5))
    assert found.ncp == pytest.approx((0 + 20 / 40 + 2 / 5 + 1 + 0) / 5)
    assert found.precision is None
    unknown = lost(["x", "y"], ["letter", "letter"])
    assert (unknown.ncp, unknown.granularity, unknown.unresolved) == (1.0, 0.0, 2)
    assert lost(["x", "y"], ["", "y"]).ncp == 0.5


def test_the_whole_weighs_a_column_by_what_it_can_lose() -> None:
    before, after = coded(a=["1", "2"], b=["x", "x"]), coded(a=["*", "*"], b=["x", "x"])
    found = information_loss(before, after, ["a", "b"])
    assert (found.ncp, found.granularity) == (0.5, 0.0)


@settings(max_examples=25, deadline=None)
@given(
    cells=st.lists(st.tuples(st.sampled_from("pqrst"), st.sampled_from("pqrst")), min_size=6, max_size=40),
    k=st.integers(2, 3),
    local=st.booleans(),
)
def test_the_figures_of_a_search_are_found_again(cells: list[tuple[str, str]], k: int, local: bool) -> None:
    before = coded(a=[one for one, _ in cells], b=[other for _, other in cells])
    trees = {"a": TREE, "b": TREE}
    made = anonymize(before, {}, search(k, {}, 0.3, trees, local))
    found = information_loss(before, made.columns, ["a", "b"], trees)
    assert found.granularity == pytest.approx(made.report["granularity"], abs=1e-12)
    assert found.ncp == pytest.approx(made.report["ncp"], abs=1e-12)
    assert found.unresolved == 0
    if local:
        free = anonymize(before, {}, search(k, {}, 0.3, None, True, columns=before))
        again = information_loss(before, free.columns, ["a", "b"])
        assert again.granularity == pytest.approx(free.report["granularity"], abs=1e-12)
        assert again.ncp == pytest.approx(free.report["ncp"], abs=1e-12)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.sampled_from(["p", "q", "r", "s", "t", ""]), min_size=1, max_size=30))
def test_nothing_lost_where_nothing_changed_and_more_at_each_level(cells: list[str]) -> None:
    path = {row[0]: row for row in ROWS} | {"": ["", "", "*"]}
    found = [lost(cells, [path[cell][level] for cell in cells], TREE) for level in range(3)]
    assert (found[0].ncp, found[0].granularity, found[0].precision) == (0.0, pytest.approx(1.0), 1.0)
    assert (found[2].granularity, found[2].precision) == (pytest.approx(0.0), 0.0)
    for finer, coarser in pairwise(found):
        assert 0 <= finer.ncp <= coarser.ncp <= 1
        assert finer.granularity >= coarser.granularity - 1e-12
        assert finer.precision is not None
        assert coarser.precision is not None
        assert finer.precision >= coarser.precision
    plain = lost(cells, cells)
    assert (plain.ncp, plain.granularity, plain.unresolved) == (0.0, pytest.approx(1.0), 0)


def test_many_labels_are_looked_up_at_once() -> None:
    numbers = np.arange(3000)
    found = lost([str(n) for n in numbers], [f"[{n // 2 * 2},{n // 2 * 2 + 1}]" for n in numbers])
    assert found.ncp == pytest.approx(1 / 2999)


def test_an_interval_that_stood_in_the_source_has_lost_nothing() -> None:
    """Middles 30 and 50; what took the place of another value is penalised by the half of the range that it spans."""
    assert lost(["20-40", "40-60"], ["20-40", "40-60"]).ncp == 0
    assert lost(["20-40", "40-60"], ["20-40", "20-40"]).ncp == pytest.approx(0.5 / 2)
