"""Every class of every result holds k, l and α, counted by code of its own."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from techniques.core.messages import EngineError
from techniques.hierarchies.build import build
from techniques.hierarchies.definitions import Table
from techniques.models.local_recoding.shapes import Shape, free, of_hierarchy
from techniques.models.personalized.forming import Attribute, Goal, by_algorithm_1, by_recoding
from techniques.models.personalized.sensitivity import Sensitivity

LETTERS = [[letter, group, "*"] for group in ("ab", "cd", "e") for letter in group]
ILLNESS = Sensitivity(
    [("p", "pq", "*"), ("q", "pq", "*"), ("r", "rs", "*"), ("s", "rs", "*"), ("t", "t", "*")],
    {"p": 1, "q": 3, "r": 1, "s": 2, "t": 2},
)
PAY = Sensitivity([("low", "*"), ("middle", "*"), ("high", "*")], {"low": 1, "middle": 1, "high": 2})

ROWS = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 9), st.integers(0, 4), st.integers(0, 2), st.integers(0, 7)),
    min_size=1,
    max_size=40,
)
GOALS = st.builds(Goal, st.integers(2, 4), st.integers(1, 3), st.sampled_from([0.5, 0.7, 0.8, 1.0]))


def table(rows: list[tuple[int, ...]]) -> tuple[list[Shape], list[NDArray[np.int32]], list[Attribute]]:
    columns = np.array(rows, dtype=np.int64).T
    texts = pa.array([row[0] for row in LETTERS])
    shapes = [
        of_hierarchy(build(Table(kind="table", rows=LETTERS), texts), False, "letter"),
        free(pa.array([str(number) for number in range(10)]), False),
    ]
    codes = [columns[0].astype(np.int32), columns[1].astype(np.int32)]
    return shapes, codes, [(ILLNESS, columns[2]), (PAY, columns[3])]


def members(class_of: NDArray[np.int32]) -> Iterator[list[int]]:
    found = defaultdict(list)
    for row, here in enumerate(class_of.tolist()):
        assert here >= 0
        found[here].append(row)
    yield from found.values()


def worst_share(values: list[int | None], number: int) -> float:
    known = Counter(value for value in values if value is not None)
    return (max(known.values(), default=0) + values.count(None)) / number


def holds(inside: list[int], attributes: list[Attribute], goal: Goal, person: list[int] | None) -> bool:
    """By rows, or by persons, of whom one with several values in the class may have any of them."""
    whose = list(range(10_000)) if person is None else person
    crowd = {whose[row] for row in inside}
    good = len(crowd) >= goal.k
    for sensitivity, values in attributes:
        of_person: dict[int, set[int]] = defaultdict(set)
        for row in inside:
            of_person[whose[row]].add(int(values[row]))
        alone = [next(iter(one)) if len(one) == 1 else None for one in of_person.values()]
        at = [{int(sensitivity.levels[value]) for value in one} for one in of_person.values()]
        levels = [next(iter(one)) if len(one) == 1 else None for one in at]
        # Whichever values those with several have, one there is.
        good &= max(1, len(set(alone) - {None})) >= goal.l
        good &= worst_share(levels, len(crowd)) <= goal.alpha + 1e-9
    return good


@pytest.mark.parametrize("ours", [False, True])
@pytest.mark.parametrize("by_person", [False, True])
@settings(max_examples=25, deadline=None)
@given(rows=ROWS, goal=GOALS, several=st.booleans())
def test_every_class_holds_every_condition(
    ours: bool, by_person: bool, rows: list[tuple[int, ...]], goal: Goal, several: bool
) -> None:
    shapes, codes, attributes = table(rows)
    attributes = attributes if several else attributes[:1]
    person = [row[4] for row in rows] if by_person else None
    subjects = None if person is None else np.array(person)
    whole = list(range(len(rows)))
    try:
        class_of = (
            by_recoding(shapes, codes, attributes, goal, subjects)
            if ours
            else by_algorithm_1(shapes, codes, attributes, goal, 3, subjects)
        )
    except EngineError:
        # Classes are formed of rows first, so persons may be refused what rows break.
        assert by_person or len(rows) < goal.least or not holds(whole, attributes, goal, None)
        return
    for inside in members(class_of):
        assert holds(inside, attributes, goal, person)


def test_a_table_of_just_one_class_is_one() -> None:
    shapes, codes, attributes = table([(0, 0, 0, 0, 0), (0, 0, 1, 0, 0)])
    assert by_recoding(shapes, codes, attributes[:1], Goal(k=2, l=1, alpha=0.5), None).tolist() == [0, 0]


def test_classes_are_those_that_a_reader_sees() -> None:
    shapes, codes, attributes = table([(0, 1, number % 5, number % 3, 0) for number in range(40)])
    assert by_algorithm_1(shapes, codes, attributes, Goal(3, 2, 0.8), 1).max() == 0


def test_a_seed_gives_the_same_classes_again() -> None:
    draw = np.random.default_rng(8)
    rows = list(zip(*(draw.integers(0, most, 200).tolist() for most in (5, 10, 5, 3, 8)), strict=True))
    shapes, codes, attributes = table(rows)
    first, again, other = (
        by_algorithm_1(shapes, codes, attributes, Goal(3, 2, 0.8), seed) for seed in (1, 1, 2)
    )
    assert (first == again).all()
    assert (first != other).any()


def test_records_that_fit_nowhere_alone_take_classes_in() -> None:
    # Two of level 3 in a corner: each would break α = 0.5 of a class of two, or has to be let in by a larger one.
    rows = [
        (0, 0, 2, 0, 0),
        (0, 0, 3, 2, 0),
        (4, 9, 1, 0, 0),
        (4, 9, 1, 2, 0),
        (4, 9, 4, 0, 0),
        (0, 1, 0, 2, 0),
    ]
    shapes, codes, attributes = table(rows)
    goal = Goal(2, 2, 0.5)
    for seed in range(5):
        for inside in members(by_algorithm_1(shapes, codes, attributes[:1], goal, seed)):
            assert holds(inside, attributes[:1], goal, None)


def test_local_recoding_finds_the_one_generalisation_that_holds() -> None:
    # Ten rows of which seven have one level; those with the letter a alone have too much of it.
    rows = [(0, 0, 0, 0, 0)] * 6 + [(0, 0, 1, 0, 0), (1, 0, 0, 0, 0), (1, 0, 1, 0, 0), (1, 0, 1, 0, 0)]
    shapes, codes, attributes = table(rows)
    assert by_recoding(shapes, codes, attributes[:1], Goal(2, 1, 0.7)).tolist() == [0] * 10


@pytest.mark.parametrize("by_person", [False, True])
def test_where_the_table_allows_a_class_has_one_more_than_is_asked_for(by_person: bool) -> None:
    """Pairs of rows that agree, or of persons of two rows each: two would do, and there are three at the least."""
    rows = [(pair % 5, pair, pair % 5, 0, 0) for pair in range(6) for _ in range(4 if by_person else 2)]
    shapes, codes, attributes = table(rows)
    subjects = np.arange(len(rows)) // 2 if by_person else None
    class_of = by_recoding(shapes, codes, attributes[:1], Goal(2), subjects)
    sizes = [len({row // 2 for row in inside} if by_person else inside) for inside in members(class_of)]
    assert min(sizes) >= 3
    assert len(sizes) > 1
    # Of threes, three together and no more.
    thrice = table([(group, group, number, 0, 0) for group in range(4) for number in range(3)])
    each = by_recoding(*thrice[:2], thrice[2][:1], Goal(2), np.arange(12) if by_person else None)
    assert np.bincount(each).tolist() == [3] * 4
    # Of just as many as are asked for there is one class all the same.
    few = 8 if by_person else 4
    codes = [column[:few] for column in codes]
    subjects = None if subjects is None else subjects[:few]
    assert by_recoding(shapes, codes, [(ILLNESS, attributes[0][1][:few])], Goal(4), subjects).max() == 0


def test_a_goal_of_values_is_one_of_as_many_rows() -> None:
    assert [Goal(*said).least for said in ((2, 3), (3, 2), (4, 4))] == [3, 3, 4]
    assert [Goal(2, *said).bare for said in ((1, 1.0), (2, 1.0), (1, 0.9), (0, 1.0))] == [
        True,
        False,
        False,
        True,
    ]
    assert Goal(2) == Goal(2, 1, 1.0)


def test_the_first_value_of_a_tree_is_a_value_like_the_others() -> None:
    """Two persons, one with the first value: they have two different ones, and one of unknown value would not."""
    shapes, codes, attributes = table([(0, 0, 0, 0, 0), (0, 0, 1, 0, 1)])
    goal = Goal(2, 2, 1.0)
    for search in (by_recoding, lambda *given: by_algorithm_1(*given[:4], 1, given[4])):
        assert search(shapes, codes, attributes[:1], goal, np.array([0, 1])).tolist() == [0, 0]


@pytest.mark.parametrize("level", [0, 4, -1])
def test_a_sensitivity_is_one_of_the_levels_of_the_tree(level: int) -> None:
    tree = [("p", "pq", "*"), ("q", "pq", "*")]
    for right in (1, 2, 3):
        assert Sensitivity(tree, {"p": right, "q": 1}).levels.tolist() == [right, 1]
    with pytest.raises(ValueError, match="one of the tree's"):
        Sensitivity(tree, {"p": 2, "q": level})
    with pytest.raises(ValueError, match="same length"):
        Sensitivity([("p", "pq", "*"), ("q", "pq")], {"p": 1, "q": 1})
    with pytest.raises(ValueError, match="same length"):
        Sensitivity([*tree, ("p", "pq", "*")], {"p": 1, "q": 1})


def test_leaves_under_each_node_of_a_tree() -> None:
    under = dict(zip(ILLNESS.labels, ILLNESS.under.tolist(), strict=True))
    # A node that is its only value's at every level is one node.
    assert under == {"p": 1, "q": 1, "r": 1, "s": 1, "t": 1, "pq": 2, "rs": 2, "*": 5}
    assert ILLNESS.height == 3


def test_each_row_is_asked_about_by_itself() -> None:
    """Its value once, none of them missing; levels are numbered from nought."""
    values = np.array([4, 0, 0, 2])
    one, numbers = ILLNESS.conditions(values, 2, 0.5)
    assert numbers.tolist() == [4, 0, 0, 2]
    assert one.combination.tolist() == [0, 1, 2, 3]
    assert (one.entries.values.tolist(), one.entries.counts.tolist()) == ([4, 0, 0, 2], [1] * 4)
    assert (one.size, one.missing, one.rows, one.levels.tolist()) == (5, False, 4.0, [0, 2, 0, 1, 1])
    assert [(asked.limit, asked.factor) for asked in one.conditions] == [(2, 0.0), (0.5, 3)]
    of_persons = ILLNESS.conditions_of_persons(values, 2, 0.5, np.array([0, 1, 1, 0], np.int32), 2)
    # One more for what is unknown, which has the least level.
    assert (of_persons.size, of_persons.levels.tolist()) == (6, [0, 0, 2, 0, 1, 1])
    assert of_persons.reference.tolist() == [0, 0.5, 0, 0.25, 0, 0.25]
