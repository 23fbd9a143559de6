"""Every condition on every class that a small table can have, against its definition; and what a finer table may keep."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from techniques.models.conditions import equal_closeness
from techniques.models.conditions.judging import KINDS, all_hold, judge
from techniques.models.conditions.values import Condition, Requirements, Tree
from tests.techniques.measuring import (
    as_two_values,
    equal_distance,
    ordered_distance,
    tree_distance,
    with_the_most_frequent,
    worst_ordered_distance,
)

Class = list[str]
NAMES = ["", "1", "2", "3", "4"]
WHOLE = {False: (0, 5, 3, 3, 1), True: (2, 5, 3, 2, 0)}
"""How often each value is in the table, the missing one first, without and with missing ones."""
PARENT = {"1": "low", "2": "low", "3": "high", "4": "high", "?here": "?here", "?there": "?there"}


def cells(counts: tuple[int, ...]) -> Class:
    return [name for name, count in zip(NAMES, counts, strict=True) for _cell in range(count)]


def requirements(kind: str, limit: float, factor: float, missing: bool) -> Requirements:
    counts = [count for count in WHOLE[missing] if count]
    rows, size = sum(counts), len(counts)
    known = size - missing
    # The values, then "low" and "high" (a missing value stands below the root), then the root.
    parents = [size + 2] * missing + [size, size] + [size + 1] * (known - 2) + [size + 2, size + 2]
    heights = [0.0] * size + [0.5, 0.5, 1.0]
    tree = Tree(np.array(parents), np.array(heights))
    one = SimpleNamespace(
        conditions=[Condition(KINDS.index(kind), limit, factor)], size=size, missing=missing, rows=float(rows),
        reference=np.array(counts) / rows, tree=tree, levels=np.array([0] * (missing + 2) + [1] * (known - 2)),
    )  # fmt: skip
    return Requirements.of([one])


def gain(values: Class, whole: Class) -> float:
    """Cao & Karras: the greatest (p - q) / q, of missing values as one of their own and as any other."""
    found = -1.0
    for fill in {"", *whole}:
        here, there = ([one or fill for one in some] for some in (values, whole))
        if fill and "" in values:  # those that are missing elsewhere are not this value
            there = [*(one or fill for one in values), *cells(tuple(
                whole.count(name) - values.count(name) for name in NAMES))]  # fmt: skip
        found = max(found, *(here.count(v) / len(here) * len(there) / there.count(v) - 1 for v in set(here)))
    return found


def entropy(values: Class) -> float:
    return math.exp(
        -sum(x / len(values) * math.log(x / len(values)) for x in with_the_most_frequent(values) if x)
    )


def recursive(values: Class, place: int) -> tuple[int, int]:
    counts = with_the_most_frequent(values)
    return counts[0], sum(counts[place - 1 :])


def share(values: Class) -> float:
    known = [values.count(name) for name in set(values) - {""}]
    return (max(known, default=0) + values.count("")) / len(values)


DEFINITIONS: list[tuple[str, float, float, Callable[[Class, Class], bool]]] = [
    *(("distinct", n, 0, lambda v, w, n=n: len(set(v) - {""}) >= n) for n in (1, 2, 3)) ,
    *(("entropy", n, 0, lambda v, w, n=n: entropy(v) >= n - 1e-9) for n in (1.5, 2, 2.8)),
    *(
        ("recursive", n, c, lambda v, w, n=n, c=c: recursive(v, n)[0] < c * recursive(v, n)[1] - 1e-9)
        for n, c in ((2, 1), (2, 2), (3, 3), (4, 9))
    ),
    *(("equal", t, 0, lambda v, w, t=t: equal_distance(*as_two_values(v, w)) <= t + 1e-9) for t in (0.1, 0.25, 0.5)),
    *(
        (
            "ordered", t, 0,
            lambda v, w, t=t: max(ordered_distance(v, w), worst_ordered_distance(v, w) if "" in w else 0) <= t + 1e-9,
        )
        for t in (0.1, 0.25, 0.5)
    ),
    *(("hierarchical", t, 0, lambda v, w, t=t: tree_distance(*as_two_values(v, w), PARENT) <= t + 1e-9) for t in (0.1, 0.25, 0.5)),
    *(("likeness", b, 0, lambda v, w, b=b: gain(v, w) <= b + 1e-9) for b in (0.2, 1.0, 2.0)),
    *(("share", a, 0, lambda v, w, a=a: share(v) <= a + 1e-9) for a in (0.4, 0.5, 0.75, 1.0)),
    *(
        ("share", a, 2, lambda v, w, a=a: share([PARENT.get(one, one) for one in v]) <= a + 1e-9)
        for a in (0.5, 0.6, 0.8)
    ),
]  # fmt: skip


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize(
    ("kind", "limit", "factor", "wanted"), DEFINITIONS, ids=lambda one: "" if callable(one) else str(one)
)
def test_every_class_is_judged_by_the_definition(
    kind: str, limit: float, factor: float, wanted: Callable[[Class, Class], bool], missing: bool
) -> None:
    """By both kernels; and the most rows that a class of a finer table has are no fewer than a part that holds it."""
    asked, whole = requirements(kind, limit, factor, missing), cells(WHOLE[missing])
    occurring = [place for place, count in enumerate(WHOLE[missing]) if count]
    every = [one for one in product(*(range(count + 1) for count in WHOLE[missing])) if sum(one)]
    answers: dict[tuple[int, ...], bool] = {}
    for counts in every:
        answers[counts] = wanted(cells(counts), whole)
        histogram = np.array([counts[place] for place in occurring])
        assert bool(all_hold(histogram, sum(counts), asked)) is answers[counts], counts
    kept, least = judged([[counts[place] for place in occurring] for counts in every], asked, missing, 1)
    assert kept.tolist() == list(answers.values())
    good = np.array([one for one, holds in answers.items() if holds])
    for counts, gone in zip(every, least.tolist(), strict=True):
        parts = good[(good <= np.array(counts)).all(axis=1)] if len(good) else good
        assert gone <= sum(counts) - max(parts.sum(axis=1), default=0) if len(parts) else True, counts
        assert (gone == 0) is answers[counts]


def judged(histograms: list[list[int]], asked: Requirements, missing: bool, k: int) -> tuple[Any, Any]:
    """What :func:`judge` says of classes, each of them two combinations that share their rows."""
    start, values, counts = [0], [], []
    for histogram in histograms:
        for half in (0, 1):
            for value, count in enumerate(histogram):
                if part := count - count // 2 if half else count // 2:
                    values.append(value)
                    counts.append(part)
            start.append(len(values))
    order = np.arange(2 * len(histograms), dtype=np.int32)
    members = (order, np.arange(0, 2 * len(histograms) + 1, 2))
    entries = (np.array(start), np.array(values, np.int32), np.array(counts))
    kept, least = np.ones(len(histograms), np.bool_), np.zeros(len(histograms), np.int64)
    sizes = np.array([sum(one) for one in histograms])
    judge(members, sizes, entries, asked, missing, k, kept, least)
    return kept, least


def halves(kind: str, limit: float, factor: float, missing: bool = False) -> Requirements:
    """Of a table of 1,000 rows in which two known values are as frequent as each other, and 200 missing if any."""
    reference = np.array([0.2, 0.4, 0.4] if missing else [0.5, 0.5])
    one = SimpleNamespace(
        conditions=[Condition(KINDS.index(kind), limit, factor)], size=len(reference), missing=missing, rows=1000.0,
        reference=reference, tree=Tree.flat(len(reference)), levels=np.arange(len(reference)),
    )  # fmt: skip
    return Requirements.of([one])


@pytest.mark.parametrize(
    ("kind", "limit", "factor", "gone"),
    [
        ("distinct", 3, 0, 12),  # a part has no more values than the class
        ("entropy", 2, 0, 8),  # 2 and 2
        ("recursive", 2, 2, 6),  # fewer than 4, and 2
        ("recursive", 2, 0.9, 12),  # fewer than 2 of 2: never
        ("equal", 0.1, 0, 7),  # 3 and 2
        ("equal", 0.3, 0, 2),  # 8 and 2
        ("hierarchical", 0.1, 0, 7),
        ("ordered", 0.1, 0, 1),  # not worked out
        ("likeness", 0.5, 0, 4),  # 6 and 2
        ("share", 0.5, 0, 1),  # not worked out
        ("share", 0.5, 2, 1),
    ],
)
def test_what_a_finer_table_has_to_leave_out(kind: str, limit: float, factor: float, gone: int) -> None:
    """Ten rows of one value and two of the other, by hand."""
    asked = halves(kind, limit, factor)
    kept, least = judged([[10, 2], [6, 6] if kind != "distinct" else [0, 12]], asked, False, 1)
    assert least.tolist() == [gone, 0 if kept[1] else 12]
    assert not kept[0]
    _kept, least = judged([[10, 2]], asked, False, 12 - gone)
    assert least.tolist() == [gone]
    _kept, least = judged([[10, 2]], asked, False, 12 - gone + 1)
    assert least.tolist() == [12], "what may stay is no class of k"
    kept, least = judged([[10, 2]], asked, False, 13)
    assert (kept.tolist(), least.tolist()) == ([True], [0]), "what is smaller than k is left alone"


def test_missing_values_may_all_be_the_rarest_one() -> None:
    """Basic β-likeness at 1 of a table of 1,000 rows, a tenth of which has a value that the class has not."""
    one = SimpleNamespace(
        conditions=[Condition(KINDS.index("likeness"), 1.0, 0.0)], size=3, missing=True, rows=1000.0,
        reference=np.array([0.4, 0.1, 0.5]), tree=Tree.flat(3), levels=np.arange(3),
    )  # fmt: skip
    asked = Requirements.of([one])
    # Four of ten may be more of it than 2 · 0.1 and a touch; two of ten may not.
    for counts, good in (((4, 0, 6), False), ((2, 0, 8), True), ((3, 0, 7), False), ((0, 0, 10), True)):
        assert bool(all_hold(np.array(counts), 10, asked)) is good
        assert judged([list(counts)], asked, True, 1)[0].tolist() == [good]


def test_shares_of_the_table_are_those_under_each_node_of_a_tree() -> None:
    """Of four values, the first two of them under one node, that and the third under the next, all four under the root."""
    tree = Tree(np.array([4, 4, 5, 6, 5, 6]), np.array([0, 0, 0, 0, 0.25, 0.75, 1.0]))
    one = SimpleNamespace(
        conditions=[Condition(KINDS.index("hierarchical"), 0.2, 0.0)], size=4, missing=False, rows=100.0,
        reference=np.array([0.1, 0.2, 0.3, 0.4]), tree=tree, levels=np.arange(4),
    )  # fmt: skip
    found = Requirements.of([one]).trees
    fall = [0.25, 0.25, 0.75, 1.0, 0.5, 0.25, 0.0]
    assert found.fall == pytest.approx(fall)
    assert found.shares == pytest.approx(
        [share * by for share, by in zip([0.1, 0.2, 0.3, 0.4, 0.3, 0.6, 1.0], fall, strict=True)]
    )
    # Twice: the second attribute's nodes stand behind the first one's.
    both = Requirements.of([one, one])
    assert both.trees.shares.tolist() == [*found.shares, *found.shares]
    assert both.conditions["tree"].tolist() == [0, 7]
    assert both.conditions["root"].tolist() == [6, 13]
    assert both.conditions["first"].tolist() == [0, 4]
    assert both.conditions["end"].tolist() == [4, 8]
    assert both.levels.tolist() == [0, 1, 2, 3] * 2


@pytest.mark.parametrize("limit", [0.0, 0.125, 0.25, 0.5])
def test_the_most_rows_of_a_class_that_may_be_one_by_the_shares_of_the_table(limit: float) -> None:
    """All are tried; also where the distance is just what is allowed."""
    draw = np.random.default_rng(4)
    part_rows = getattr(equal_closeness.part_rows, "py_func", equal_closeness.part_rows)
    shares, several = np.array([0.5, 0.25, 0.125, 0.125]), set()
    for _ in range(80):
        histogram = draw.integers(0, 9, 4)
        rows = int(histogram.sum())
        if not rows:
            continue
        distances = {
            number: sum(
                max(0.0, share - count / number) for share, count in zip(shares, histogram, strict=True)
            )
            for number in range(1, rows)
        }
        wanted = max((number for number, distance in distances.items() if distance <= limit), default=0)
        found = part_rows(SimpleNamespace(limit=limit), histogram, rows, shares)
        assert found == wanted
        several.add(int(found))
        # Just as many as may be: one more is too far.
        exact = np.array([4, 2, 1, 1]) * 2
        assert part_rows(SimpleNamespace(limit=0.0), exact, 17, shares) == 16
    assert len(several) > 3 or limit == 0.0
