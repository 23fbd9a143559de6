"""Which solution a search ends with: all are looked at here, row by row, and of equal ones the first by suppressed rows and levels."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from math import log

import numpy as np
import pytest

from techniques.core.messages import EngineError
from techniques.core.subjects import Persons
from techniques.models.k_anonymity import search as search_module
from techniques.models.k_anonymity.class_search import _values
from techniques.models.k_anonymity.loss import Objective
from techniques.models.k_anonymity.problem import Problem
from techniques.models.k_anonymity.search import search
from tests.techniques.models.k_anonymity.test_bounds import Cells, attribute, nodes

ROWS = 35
EFFORT = 10_000


@dataclass
class Case:
    problem: Problem
    who: list[set[int]]
    """The persons of each combination."""
    counted: bool
    """Whether persons are counted, not rows."""


def drawn(seed: int, *, by_person: bool = False, average: float | None = None) -> Case:
    """Columns that say nearly the same: solutions lose as much by raising the one as by raising the other."""
    draw = np.random.default_rng(seed)
    attributes = [
        attribute(4, (1, 2), 0, 2, None),
        attribute(4, (1, 2), 0, 2, None),
        attribute(3, (1,), seed % 2, 1, None),
        attribute(1, (1,), 0, 1, None),
    ]
    one = draw.integers(0, 4, ROWS)
    other = np.where(draw.random(ROWS) < 0.8, one, draw.integers(0, 4, ROWS))
    columns = np.column_stack([one, other, draw.integers(0, 2, ROWS), np.zeros(ROWS, np.int64)])
    distinct, place = np.unique(columns, axis=0, return_inverse=True)
    place = place.reshape(-1).astype(np.int32)
    who = draw.integers(0, 20, ROWS).astype(np.int32) if by_person else np.arange(ROWS, dtype=np.int32)
    codes = [np.ascontiguousarray(distinct[:, i]).astype(np.int32) for i in range(4)]
    persons = Persons.of(place, who, len(distinct)) if by_person else None
    problem = Problem(attributes, codes, np.bincount(place), 2 + seed % 3, (), average, persons)
    return Case(problem, [set(who[place == here].tolist()) for here in range(len(distinct))], by_person)


@dataclass(order=True)
class Found:
    loss: float
    gone: int
    levels: tuple[int, ...]


def solutions(case: Case, kind: str, limit: float) -> list[Found]:
    """All that suppress no more than is allowed, the best first."""
    problem, found = case.problem, []
    cells = Cells(problem, "geometric" if kind in ("discernibility", "class_size") else kind)
    for levels in nodes(problem):
        keys = zip(
            *(one.maps[at][c] for one, at, c in zip(problem.attributes, levels, cells.codes, strict=True)),
            strict=True,
        )
        classes: dict[tuple[int, ...], list[int]] = {}
        for combination, key in enumerate(keys):
            classes.setdefault(tuple(map(int, key)), []).append(combination)
        crowd = {key: set().union(*(case.who[c] for c in inside)) for key, inside in classes.items()}
        size = {key: int(problem.counts[inside].sum()) for key, inside in classes.items()}
        units = {key: len(crowd[key]) if case.counted else size[key] for key in classes}
        kept = {key for key in classes if units[key] >= problem.k}
        while (
            kept
            and problem.average_risk is not None
            and average_of(kept, units, crowd) > problem.average_risk + 1e-9
        ):
            fewest = min(units[key] for key in kept)
            kept = {key for key in kept if units[key] > fewest}
        rows = sum(size[key] for key in kept)
        gone = problem.rows - rows
        left = len(set().union(*(crowd[key] for key in kept)))
        everybody = len(set().union(*case.who))
        if gone > limit * problem.rows + 1e-9 or everybody - left > limit * everybody + 1e-9:
            continue
        if kind == "discernibility":
            loss = (sum(size[key] ** 2 for key in kept) + gone * problem.rows) / problem.rows**2
        elif kind == "class_size":
            loss = 1 / len(kept) if kept else 1.0
        else:
            lost = np.zeros_like(problem.counts)
            for key in classes.keys() - kept:
                lost[classes[key]] = problem.counts[classes[key]]
            product = cells.product(cells.sums(levels, lost))
            loss = product ** (1 / 4) - 1 if kind == "geometric" else log(product) / 4
        found.append(Found(round(loss, 10), gone, levels))
    return sorted(found)


def average_of(
    kept: set[tuple[int, ...]], units: dict[tuple[int, ...], int], crowd: dict[tuple[int, ...], set[int]]
) -> float:
    """The mean over those who are left of one by the size of their smallest class."""
    smallest: dict[int, int] = {}
    for key in kept:
        for who in crowd[key]:
            smallest[who] = min(smallest.get(who, units[key]), units[key])
    return sum(1 / size for size in smallest.values()) / len(smallest)


KINDS = ["geometric", "arithmetic", "entropy", "precision", "discernibility", "class_size"]


@pytest.mark.parametrize("by_person", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_of_equal_solutions_the_fewest_rows_go_and_then_the_lowest_levels(kind: str, by_person: bool) -> None:
    equal = 0
    for seed in range(14):
        case = drawn(seed, by_person=by_person, average=0.25 if seed % 5 == 4 else None)
        limit = (0.0, 0.1, 0.3, 1.0)[seed % 4]
        every = solutions(case, kind, limit)
        made = search(case.problem, limit, EFFORT, lambda share: None, Objective(kind))
        if not every:
            assert made is None
            continue
        best = every[0]
        equal += sum(one.loss == best.loss for one in every) > 1
        assert made is not None
        assert made.loss == pytest.approx(best.loss, abs=1e-9)
        assert (made.check.suppressed_rows, made.levels) == (best.gone, best.levels)
        assert made.proved_optimal
        assert made.lower_bound == made.loss
    assert equal > 2


@pytest.mark.parametrize("kind", ["geometric", "entropy"])
def test_boxes_of_solutions_end_with_the_same_loss(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setattr(search_module, "_LARGE_LATTICE", 0)
    for seed in range(12):
        case, limit = drawn(seed), (0.0, 0.1, 0.3, 1.0)[seed % 4]
        every = solutions(case, kind, limit)
        made = search(case.problem, limit, EFFORT, lambda share: None, Objective(kind))
        assert (made is None) == (not every)
        if made is not None:
            assert made.loss == pytest.approx(every[0].loss, abs=1e-9)
            assert made.proved_optimal
            # No solution as good lies below it, one level of one column down.
            lower = {one.levels for one in every if (one.loss, one.gone) == (every[0].loss, every[0].gone)}
            down = {(*made.levels[:i], made.levels[i] - 1, *made.levels[i + 1 :]) for i in range(4)}
            assert not lower & down


@pytest.mark.parametrize("large", [0, 1 << 20])
@pytest.mark.parametrize("kind", ["geometric", "discernibility"])
def test_a_search_that_ends_early_says_what_nothing_falls_below(
    monkeypatch: pytest.MonkeyPatch, large: int, kind: str
) -> None:
    """With as few looks as it may take: its bound is none too high, and it calls optimal only what is."""
    monkeypatch.setattr(search_module, "_LARGE_LATTICE", large)
    proved, open_ = 0, 0
    for seed in range(6):
        case, limit = drawn(seed), (0.1, 0.3, 1.0)[seed % 3]
        every = solutions(case, kind, limit)
        for effort in (1, 2, 3, 5, 8, 13, 40):
            made = None
            with suppress(EngineError):
                made = search(case.problem, limit, effort, lambda share: None, Objective(kind))
                assert (made is None) == (not every)
            if made is None:
                continue
            assert made.lower_bound <= every[0].loss + 1e-9
            assert made.loss >= every[0].loss - 1e-9
            assert made.proved_optimal == (made.lower_bound == made.loss)
            assert not made.proved_optimal or made.loss == pytest.approx(every[0].loss, abs=1e-9)
            proved += made.proved_optimal
            open_ += not made.proved_optimal
    assert proved
    assert open_


@pytest.mark.parametrize("kind", ["geometric", "discernibility"])
def test_looks_are_counted_and_heard_of(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    """Every sixty-fourth look gives the share of the effort, which is never said to be all of it."""
    monkeypatch.setattr(search_module, "_LARGE_LATTICE", 0)
    attributes = [attribute(8, (1, 2, 4), 0, 3, None) for _ in range(4)]
    draw = np.random.default_rng(3)
    distinct = np.unique(draw.integers(0, 8, (200, 4)), axis=0)
    codes = [np.ascontiguousarray(distinct[:, i]).astype(np.int32) for i in range(4)]
    problem = Problem(attributes, codes, np.ones(len(distinct), np.int64), 5)
    heard: list[float] = []
    made = search(problem, 0.2, 128, heard.append, Objective(kind))
    assert made is not None
    shares = [share for share in heard if share > 0]
    assert shares == [min(number / 128, 0.99) for number in range(64, made.checks + 1, 64)]
    assert shares
    assert problem.lattice_size == 4**4


@pytest.mark.parametrize("limit", [2, 3, 5])
def test_what_no_node_above_and_none_below_falls_below(limit: int) -> None:
    """Of each row as many as its class has, k at the least; below, the rows that go look like all, and no longer like those."""
    some = 0
    for seed in range(4):
        problem = drawn(seed).problem
        problem.k = limit
        for levels in nodes(problem):
            found = problem.group(levels, problem.base)
            sizes = found.sizes.tolist()
            n, kept = problem.rows, [size for size in sizes if size >= limit]
            gone = n - sum(kept)
            value, above, below, number = _values(found, problem, "discernibility")
            assert number == gone
            assert value == pytest.approx((sum(size * size for size in kept) + gone * n) / n**2)
            assert above == pytest.approx(sum(size * max(size, limit) for size in sizes) / n**2)
            assert below == pytest.approx(sum(size * (n - limit) for size in sizes if size < limit) / n**2)
            assert below <= value
            some += below > 0
            assert _values(found, problem, "class_size") == (1 / max(len(kept), 1), 1 / len(sizes), 0.0, gone)
    assert some
