"""What would make a table keep its bounds: found by searching, ordered by what is kept."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

from techniques.anonymization.release import anonymize
from techniques.anonymization.remedies import Bounds, remedies
from techniques.anonymization.settings import changed
from techniques.disclosure_risk.measure import measure
from techniques.hierarchies.definitions import Intervals, Star
from techniques.tables.dictionary import EncodedColumn, dictionary_encode
from tests.techniques.searches import search

HIERARCHIES = {"a": Intervals(kind="intervals", widths=[2, 4, 8]), "b": Star(), "c": Star()}


def table(rows: int = 300) -> dict[str, EncodedColumn]:
    draw = np.random.default_rng(3)
    values = {"a": draw.integers(0, 20, rows), "b": draw.integers(0, 3, rows), "c": draw.integers(0, 2, rows)}
    return {name: dictionary_encode(pa.array([str(v) for v in column])) for name, column in values.items()}


def test_ways_that_pass_come_first_and_the_cheapest_leads() -> None:
    found = remedies(table(), {}, search(2, {}, 0.2, HIERARCHIES), Bounds(k=10, suppression_limit=0.05))
    assert found.now is not None
    assert not found.now.passes
    passing = [remedy.outcome.passes if remedy.outcome else None for remedy in found.found]
    assert passing == sorted(passing, key=lambda one: (one is None, one is False))
    kept = [remedy.outcome.kept for remedy in found.found if remedy.outcome and remedy.outcome.passes]
    assert kept
    assert kept == sorted(kept, reverse=True)
    assert {remedy.code for remedy in found.found} == {"settings", "local", "drop"}


def test_each_outcome_is_what_the_search_finds() -> None:
    bounds = Bounds(k=3, max_risk=0.1, average_risk=0.05, suppression_limit=0.05)
    found = remedies(table(), {}, search(2, {}, 0.0, HIERARCHIES), bounds)
    settings = next(remedy for remedy in found.found if remedy.code == "settings")
    assert settings.settings == {"k": 10, "average_risk": 0.05, "suppression_limit": 0.05}
    report = anonymize(table(), {}, search(10, {}, 0.05, HIERARCHIES, average_risk=0.05)).report
    one = settings.outcome
    assert one is not None
    assert (one.k, one.levels, one.kept) == (report["min_class"], report["levels"], report["granularity"])
    assert one.average_risk == pytest.approx(report["average_risk"])
    assert one.passes
    assert set(one.emptied) <= {name for name, level in one.levels.items() if level}


def test_a_dropped_column_counts_as_lost() -> None:
    found = remedies(table(), {}, search(2, {}, 0.0, HIERARCHIES), Bounds(k=5))
    dropped = next(remedy.outcome for remedy in found.found if (remedy.code, remedy.column) == ("drop", "a"))
    assert dropped is not None
    rest = {name: column for name, column in table().items() if name != "a"}
    alone = anonymize(rest, {}, search(5, {}, 1.0, {n: HIERARCHIES[n] for n in rest})).report["granularity"]
    room = (1 - 1 / 3) + (1 - 1 / 2)
    assert dropped.kept == pytest.approx(alone * room / (room + 1 - 1 / 20))


def test_bounds_of_levels_are_lifted_one_by_one() -> None:
    options = {"maximum_levels": {"a": 0, "b": 0}}
    request = search(5, {}, 0.0, HIERARCHIES, **options)
    found = remedies(table(), {}, request, Bounds(k=5, suppression_limit=0.0))
    assert found.now is None
    assert {remedy.column for remedy in found.found if remedy.code == "unbind"} == {"a", "b"}
    assert (
        next(remedy for remedy in found.found if remedy.code == "unbind" and remedy.column == "a").outcome
        is not None
    )
    assert next(remedy for remedy in found.found if remedy.code == "settings").outcome is None


def test_suppressed_rows_that_stay_are_a_class_of_their_own() -> None:
    request = search(12, {}, 1.0, HIERARCHIES, maximum_levels={"a": 1})
    gone = remedies(table(), {}, request, Bounds(k=12)).now
    stay = remedies(table(), {}, request.model_copy(update={"suppressed_rows": "star"}), Bounds(k=12)).now
    assert gone is not None
    assert stay is not None
    pool = round(gone.suppressed * 300)
    assert pool
    assert stay.k == min(gone.k, pool)
    assert stay.average_risk == pytest.approx((gone.classes + 1) / 300)


@pytest.mark.parametrize("local", [False, True])
@pytest.mark.parametrize("k", [2, 12, 60, 150])
def test_where_suppressed_rows_stay_the_outcome_is_what_is_measured_on_the_written_table(k, local) -> None:
    """A class that is generalised up to ``*`` cannot be told from suppressed rows: it counts against the limit too."""
    hierarchies = {name: Star() for name in HIERARCHIES}
    quasi = table()
    rare = np.where(np.arange(300) < 40, np.arange(300), 0)
    quasi["a"] = dictionary_encode(pa.array([f"r{v}" for v in rare]))
    settings = changed(search(k, {}, 0.05, hierarchies, local), suppressed_rows="star")
    found = remedies(quasi, {}, settings, Bounds(k=k, suppression_limit=0.05)).now
    released = anonymize(quasi, {}, settings).columns
    written = pa.RecordBatch.from_pydict({name: one.gather(one.values) for name, one in released.items()})
    measured = measure([written], list(quasi))
    assert found is not None
    assert (found.k, found.classes) == (measured.k, measured.left_out.classes)
    assert found.suppressed == pytest.approx(measured.suppressed_rows / 300)
    assert found.passes is (measured.suppressed_rows <= 15 and measured.k >= k)


def test_a_local_recoding_is_asked_as_it_is() -> None:
    """Class by class much more is kept; levels there are none to tell of."""
    request = search(2, {}, 0.0, HIERARCHIES)
    whole = remedies(table(), {}, request, Bounds(k=10)).found
    local = remedies(table(), {}, request.model_copy(update={"recoding": "local"}), Bounds(k=10)).found
    best = next(one.outcome for one in local if one.code == "settings")
    assert best is not None
    assert best.passes
    assert best.levels == {}
    other = next(one.outcome for one in whole if one.code == "settings")
    assert other is not None
    assert best.kept > other.kept


BOUND = {"maximum_levels": {"a": 0, "b": 0, "c": 0}}


def bound_table(rows: int = 300) -> dict[str, EncodedColumn]:
    """Two columns that tell nearly everybody apart, and one of two values."""
    draw = np.random.default_rng(8)
    values = {
        "a": draw.integers(0, 90, rows),
        "b": draw.integers(0, 90, rows),
        "c": draw.integers(0, 2, rows),
    }
    return {name: dictionary_encode(pa.array([str(v) for v in column])) for name, column in values.items()}


def test_where_no_single_change_is_enough_the_most_promising_are_tried_two_by_two() -> None:
    request = search(2, {}, 1.0, HIERARCHIES, **BOUND)
    bounds = Bounds(k=5, suppression_limit=0.0)
    found = remedies(bound_table(), {}, request, bounds)
    passing = [remedy for remedy in found.found if remedy.outcome and remedy.outcome.passes]
    assert [(remedy.code, remedy.column) for remedy in passing] == [("unbind", "a")]
    assert [(one.code, one.column) for one in passing[0].further] == [("unbind", "b")]
    # One each for a, b and c, and local recoding, which belongs to no column: six pairs of them.
    assert found.pairs is not None
    assert (found.pairs.tried, found.pairs.possible) == (6, 18)
    one = passing[0].outcome
    assert one is not None
    lifted = changed(request, k=5, suppression_limit=0.0, maximum_levels={"c": 0})
    report = anonymize(bound_table(), {}, lifted).report
    assert (one.k, one.levels, one.kept) == (report["min_class"], report["levels"], report["granularity"])
    assert one.levels["c"] == 0, "the bound that stays is kept"
    assert found.as_dict()["ways"][0]["further"] == [{"code": "unbind", "column": "b"}]


def test_a_single_change_that_is_enough_leaves_pairs_alone() -> None:
    found = remedies(table(), {}, search(2, {}, 0.2, HIERARCHIES), Bounds(k=10, suppression_limit=0.05))
    assert found.pairs is None
    assert all(remedy.further == [] for remedy in found.found)


def test_pairs_end_with_their_time_and_say_how_far_they_came() -> None:
    ticks: list[float] = []
    request = search(2, {}, 1.0, HIERARCHIES, **BOUND)
    found = remedies(
        bound_table(), {}, request, Bounds(k=5, suppression_limit=0.0), tick=ticks.append, pair_seconds=-1.0
    )
    assert found.pairs is not None
    assert (found.pairs.tried, found.pairs.possible) == (0, 18)
    assert ticks == sorted(ticks)
    assert ticks[-1] == 1.0


def test_pairs_that_leave_no_column_are_not_tried() -> None:
    two = {name: column for name, column in bound_table().items() if name != "c"}
    known = {name: HIERARCHIES[name] for name in two}
    found = remedies(two, {}, search(2, {}, 1.0, known), Bounds(k=400))
    assert found.pairs is not None
    assert not [remedy for remedy in found.found if remedy.outcome]
    assert found.pairs.tried == 2, "each column with local recoding, and never both columns"


def test_classes_below_k_are_suppressed_at_the_levels_as_they_are() -> None:
    """T/ISC 0078 C.6 b: what is left are the very values of before, and every class has k rows."""
    request = search(2, {}, 0.2, HIERARCHIES)
    levels = anonymize(table(), {}, request).report["levels"]
    bounds = Bounds(k=6, suppression_limit=1.0)
    found = remedies(table(), {}, request, bounds, levels=levels)
    one = next(remedy for remedy in found.found if remedy.code == "suppress").outcome
    assert one is not None
    assert one.levels == levels
    assert one.passes
    before = anonymize(table(), {}, request)
    kept = ~before.suppressed
    sizes = Counter(
        zip(*([col.values[c].as_py() for c in col.codes] for col in before.columns.values()), strict=True)
    )
    rows = zip(*([col.values[c].as_py() for c in col.codes] for col in before.columns.values()), strict=True)
    gone = sum(not left or sizes[row] < 6 for left, row in zip(kept, rows, strict=True))
    assert one.suppressed == pytest.approx(gone / 300)
    assert 0 < gone < 300
    assert one.k >= 6


def test_more_is_not_suppressed_than_the_target_allows() -> None:
    request = search(2, {}, 0.2, HIERARCHIES)
    levels = anonymize(table(), {}, request).report["levels"]
    bounds = Bounds(k=6, suppression_limit=0.001)
    found = remedies(table(), {}, request, bounds, levels=levels)
    assert "suppress" not in {remedy.code for remedy in found.found}


def test_levels_that_nobody_knows_are_not_kept() -> None:
    found = remedies(table(), {}, search(2, {}, 0.2, HIERARCHIES), Bounds(k=6, suppression_limit=1.0))
    assert "suppress" not in {remedy.code for remedy in found.found}
