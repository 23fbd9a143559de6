"""Algorithm 1 of Cao et al. 2018 again, line by line in plain Python: the same classes from the same draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from techniques.core.messages import EngineError
from techniques.models.conditions.judging import DISTINCT, SHARE
from techniques.models.local_recoding.costs import Units, covering
from techniques.models.personalized.top_down import clustered, divided, inserted
from tests.techniques.models.local_recoding.test_forming import requirements
from tests.techniques.models.local_recoding.test_steps import VALUES, Plain, drawn


def rows_of_one(seed: int, number: int, distinct: int) -> Plain:
    """Records, each a row; the sensitive value is judged where ``distinct`` is asked for."""
    plain = drawn(seed, number)
    values = np.random.default_rng(seed + 50).integers(0, VALUES, (number, 1)).astype(np.int32)
    plain.units = Units(plain.units.cells, np.ones(number, np.int64), values)
    plain.asked = requirements((DISTINCT, float(distinct), 0, VALUES, False), values=VALUES)
    plain.distinct = distinct
    return plain


def divided_plainly(plain: Plain, records: list[int], k: int, draws: NDArray[np.float64]) -> list[list[int]]:
    """Lines 1 to 5: two far records, every other goes to the nearer one, and the smaller part is filled up to k."""
    waiting, found, drawn_so_far = [records], [], 0
    while waiting:
        part = waiting.pop()
        if len(part) < 2 * k:
            found.append(part)
            continue
        seed = part[int(draws[drawn_so_far % len(draws)] * len(part))]
        drawn_so_far += 1
        apart = {other: plain.cost([seed, other]) for other in part if other != seed}
        far = next(other for other, cost in apart.items() if cost == max(apart.values()))
        groups = [[seed], [far]]
        for record in part:
            if record in (seed, far):
                continue
            near, off = (plain.cost([*group, record]) for group in groups)
            groups[off < near or (off == near and len(groups[1]) < len(groups[0]))].append(record)
        small = 0 if len(groups[0]) < k else 1
        if len(groups[small]) < k:
            covered = list(groups[small])
            others = [record for record in part if record not in covered]
            nearest = sorted(others, key=lambda record: plain.cost([*covered, record]))
            groups[small] += nearest[: k - len(covered)]
            groups[1 - small] = [record for record in groups[1 - small] if record not in groups[small]]
        parts = [[record for record in part if record in group] for group in groups]
        waiting += [parts[1], parts[0]]
    return found


@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("seed", range(5))
def test_clusters_are_split_around_far_records(seed: int, k: int) -> None:
    plain = rows_of_one(seed, 26, 2)
    draw = np.random.default_rng(seed)
    records = draw.permutation(26).astype(np.int64)
    draws = draw.random(26)
    order, starts = divided(plain.costs, plain.units.cells, records, k, draws)
    found = [order[a:b].tolist() for a, b in pairwise(starts)]
    assert found == divided_plainly(plain, records.tolist(), k, draws)
    assert all(k <= len(one) < 2 * k for one in found)


def clustered_plainly(plain: Plain, k: int, random: np.random.Generator) -> list[set[int]]:
    """All lines: what holds is a class, what does not is split again, and who is left goes where it adds least."""
    classes: list[list[int]] = []
    number = len(plain.units.rows)
    left = random.permutation(number).tolist()
    while left and (not classes or len(left) >= 2 * k):
        parts = divided_plainly(plain, left, k, random.random(len(left)))
        good = [part for part in parts if plain.holds(part)]
        if not good:
            break
        classes += good
        left = [record for part in parts if part not in good for record in part]
    for record in list(left) if classes else []:
        more = [
            plain.cost([*one, record]) * (len(one) + 1) - plain.cost(one) * len(one)
            if plain.holds([*one, record])
            else np.inf
            for one in classes
        ]
        if min(more) < np.inf:
            classes[more.index(min(more))].append(record)
            left.remove(record)
    if left:
        inside = list(left)
        while len(inside) < k or not plain.holds(inside):
            if not classes:
                raise LookupError
            price = [plain.cost([*inside, *one]) for one in classes]
            inside += classes.pop(price.index(min(price)))
        classes.append(inside)
    return [set(one) for one in classes]


@pytest.mark.parametrize("distinct", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", range(6))
def test_the_algorithm_as_it_is_printed(seed: int, distinct: int) -> None:
    """Conditions on a number of values are kept by every larger class, so everybody finds a place in the end."""
    plain, k = rows_of_one(seed, 18 + seed, distinct), 2 + seed % 3
    class_of, classes = clustered(plain.costs, plain.units, k, plain.asked, np.random.default_rng(seed))
    wanted = clustered_plainly(plain, k, np.random.default_rng(seed))
    found = [set(np.flatnonzero(class_of == here).tolist()) for here in range(classes)]
    assert {frozenset(one) for one in found} == {frozenset(one) for one in wanted}
    assert set(class_of.tolist()) == set(range(classes))


def test_who_cannot_hold_it_together_is_told() -> None:
    plain = rows_of_one(1, 12, 5)
    with pytest.raises(EngineError) as refused:
        clustered(plain.costs, plain.units, 2, plain.asked, np.random.default_rng(1))
    assert refused.value.code == "no_solution"


@dataclass
class Shared(Plain):
    """No value has more than ``limit`` of the rows of a class: what holds may be broken by who comes in, and mended by others."""

    limit: float = 1.0

    def holds(self, members: Sequence[int]) -> bool:
        most = max(Counter(self.units.values[list(members), 0].tolist()).values())
        return most / len(members) <= self.limit + 1e-9


def shared(seed: int, number: int, limit: float) -> Shared:
    plain = rows_of_one(seed, number, 0)
    asked = requirements((SHARE, limit, 0, VALUES, False), values=VALUES)
    return Shared(plain.costs, plain.units, plain.whole, asked, 0, limit)


@pytest.mark.parametrize("limit", [0.4, 0.5, 0.7])
@pytest.mark.parametrize("seed", range(8))
def test_where_who_comes_in_may_break_what_holds(seed: int, limit: float) -> None:
    plain, k = shared(seed, 20 + seed, limit), 2 + seed % 2
    try:
        wanted = clustered_plainly(plain, k, np.random.default_rng(seed))
    except LookupError:
        with pytest.raises(EngineError):
            clustered(plain.costs, plain.units, k, plain.asked, np.random.default_rng(seed))
        return
    class_of, classes = clustered(plain.costs, plain.units, k, plain.asked, np.random.default_rng(seed))
    found = [set(np.flatnonzero(class_of == here).tolist()) for here in range(classes)]
    assert {frozenset(one) for one in found} == {frozenset(one) for one in wanted}


@pytest.mark.parametrize("seed", range(8))
def test_who_is_left_goes_one_by_one_where_it_adds_least(seed: int) -> None:
    """To what all rows of the class lose, of classes of several sizes; who fits nowhere keeps nobody behind from it."""
    plain = shared(seed, 40, 0.45)
    draw = np.random.default_rng(seed)
    class_of = np.minimum(draw.integers(0, 9, 40), 5).astype(np.int32)
    left = draw.permutation(np.flatnonzero(draw.random(40) < 0.5))
    class_of[left] = -1
    _, class_of[class_of >= 0] = np.unique(class_of[class_of >= 0], return_inverse=True)
    classes = int(class_of.max()) + 1
    members = [np.flatnonzero(class_of == here).tolist() for here in range(classes)]
    wanted = class_of.tolist()
    for record in left.tolist():
        more = {
            here: plain.cost([*one, record]) * (len(one) + 1) - plain.cost(one) * len(one)
            for here, one in enumerate(members)
            if plain.holds([*one, record])
        }
        if more:
            wanted[record] = min(more, key=lambda here: (more[here], here))
            members[wanted[record]].append(record)
    extents = covering(plain.costs.columns, plain.units.cells, class_of, classes)
    inserted(plain.costs, plain.units, plain.asked, class_of, extents, left)
    assert class_of.tolist() == wanted
    # Afterwards what the classes cover has been brought up to date.
    after = covering(plain.costs.columns, plain.units.cells, class_of, classes)
    assert (extents.first == after.first).all()
    assert (extents.last == after.last).all()
