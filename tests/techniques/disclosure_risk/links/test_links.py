"""Which columns single persons out and which follow from others: a small table by hand, and any table by definition."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations, permutations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from techniques.disclosure_risk.links import following as follows
from techniques.disclosure_risk.links.counting import Cells
from techniques.disclosure_risk.links.following import Follows, following
from techniques.disclosure_risk.links.singling import NEARLY_ALL, Singled, singling
from techniques.tables.dictionary import dictionary_encode

Rows = list[tuple[str | None, ...]]


def cells(rows: Rows, who: list[int] | None = None) -> Cells:
    columns = {
        f"c{place}": dictionary_encode(pa.array([row[place] for row in rows], pa.string()))
        for place in range(len(rows[0]))
    }
    return Cells.of(columns, None if who is None else np.array(who, np.int32))


def test_a_small_table_by_hand() -> None:
    # Persons 1 and 2 share their birth date, 3 and 4 their place; nobody shares both.
    rows: Rows = [("1990", "A", "m"), ("1990", "B", "m"), ("1991", "C", "f"), ("1992", "C", "f")]
    found = singling(cells(rows))
    assert (found.persons, found.searched, found.alone) == (4, 6, 5)
    assert found.sets == (
        Singled(("c0", "c1"), 4),
        Singled(("c0",), 2),
        Singled(("c1",), 2),
    )


def test_several_rows_of_one_person_are_one_person() -> None:
    rows: Rows = [("a", "x"), ("a", "x"), ("b", "x"), ("b", "y"), (None, "z")]
    made = cells(rows, [7, 7, 3, 3, -1])
    assert made.persons == 3
    # By rows, nobody is alone with a or b; by persons, both are. What is missing is known of nobody.
    assert (cells(rows).alone((0,)), made.alone((0,))) == (0, 2)
    assert (cells(rows).alone((1,)), made.alone((1,))) == (2, 2)
    assert made.alone((0, 1)) == 2


@pytest.mark.parametrize(("wrong", "agrees"), [(0, 200), (4, 196), (5, None)])
def test_a_column_follows_or_nearly(wrong: int, agrees: int | None) -> None:
    rows: Rows = [(f"p{n % 20}", f"r{n % 20 // 5}") for n in range(200)]
    rows[:wrong] = [(place, "r9") for place, _region in rows[:wrong]]
    found = following(cells(rows))
    assert found == ([Follows("c1", "c0", 200, agrees)] if agrees else [])


def test_nothing_follows_from_what_each_person_has_alone_nor_what_nearly_all_have() -> None:
    unique: Rows = [(str(n), f"r{n % 3}") for n in range(100)]
    assert following(cells(unique)) == []
    constant: Rows = [(f"p{n % 10}", "x" if n < 195 else "y") for n in range(200)]
    assert following(cells(constant)) == []
    # A person with many rows is compared with nobody: the value of c0 is of one person alone.
    of_one: Rows = [(f"p{n % 30}", f"r{n % 30 % 4}") for n in range(300)]
    assert following(cells(of_one, [n % 30 for n in range(300)])) == []
    assert [one.source for one in following(cells(of_one))] == ["c0"]


def test_persons_are_compared_and_not_their_rows() -> None:
    # Each person has eight departments, and the floor follows from the department.
    rows: Rows = [(f"d{n % 8}", f"f{n % 8 // 2}") for n in range(200)]
    assert following(cells(rows, [n // 8 % 3 for n in range(200)])) == []
    several = following(cells(rows, [n // 8 % 12 for n in range(200)]))
    assert several == [Follows("c1", "c0", 12, 12)]
    # One row of one person that departs takes the person, once.
    rows[:3] = [("d0", "f9"), ("d1", "f9"), ("d2", "f9")]
    whose = [n // 2 for n in range(200)]
    assert following(cells(rows, whose)) == [Follows("c1", "c0", 100, 98)]


CELL = st.one_of(st.none(), st.sampled_from("abc"))


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.tuples(CELL, CELL, CELL, CELL), min_size=1, max_size=24),
    st.data(),
)
def test_by_definition(rows: Rows, data: st.DataObject) -> None:
    numbers = st.lists(st.integers(-1, 8), min_size=len(rows), max_size=len(rows))
    who = data.draw(st.one_of(st.none(), numbers))
    persons = [(row, -1) if who is None or who[row] < 0 else (0, who[row]) for row in range(len(rows))]
    found = singling(made := cells(rows, who))
    n = len(set(persons))
    expected = {}
    for size in (1, 2, 3):
        for chosen in combinations(range(4), size):
            holders = defaultdict(set)
            for row, person in zip(rows, persons, strict=True):
                values = tuple(row[column] for column in chosen)
                if None not in values:
                    holders[values].add(person)
            expected[chosen] = len({next(iter(one)) for one in holders.values() if len(one) == 1})
            assert made.alone(chosen) == expected[chosen]

    def parts(chosen: tuple[int, ...]) -> list[tuple[int, ...]]:
        return [part for size in range(1, len(chosen)) for part in combinations(chosen, size)]

    searched = [c for c in expected if all(expected[part] < NEARLY_ALL * n for part in parts(c))]
    assert (found.persons, found.searched) == (n, len(searched))
    assert found.alone == sum(expected[chosen] > 0 for chosen in searched)
    listed = {tuple(int(name[1:]) for name in one.columns): one.persons for one in found.sets}
    worth = [
        chosen
        for chosen in searched
        if expected[chosen] and all(expected[part] < NEARLY_ALL * expected[chosen] for part in parts(chosen))
    ]
    assert listed == {
        c: expected[c] for c in sorted(worth, key=lambda c: (-expected[c], len(c), c))[: len(listed)]
    }
    assert len(listed) == min(len(worth), 10)


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.tuples(CELL, CELL, CELL), min_size=1, max_size=40),
    st.data(),
)
def test_following_by_definition(rows: Rows, data: st.DataObject) -> None:
    numbers = st.lists(st.integers(-1, 12), min_size=len(rows), max_size=len(rows))
    who = data.draw(st.one_of(st.none(), numbers))
    persons = [(row, -1) if who is None or who[row] < 0 else (0, who[row]) for row in range(len(rows))]
    expected = set()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(follows, "LEAST", 2)
        found = following(cells(rows, who))
    for source, column in permutations(range(3), 2):
        holders = defaultdict(set)
        units = set()
        for row, person in zip(rows, persons, strict=True):
            holders[row[source]].add(person)
            if row[source] is not None and row[column] is not None:
                units.add((person, row[source], row[column]))
        of_value = Counter(one[1] for one in units)
        several = [one for one in units if of_value[one[1]] > 1 and len(holders[one[1]]) > 1]
        order = list(dict.fromkeys(row[column] for row in rows if row[column] is not None))
        of_source = {
            value: _commonest([b for _p, a, b in several if a == value], order) for _p, value, _b in several
        }
        common = _commonest([b for _p, _a, b in several], order)
        compared = len({one[0] for one in several})
        unusual = len({person for person, _a, b in several if b != common})
        agree = compared - len({person for person, a, b in several if b != of_source[a]})
        if (
            compared >= max(2, 0.1 * len({one[0] for one in units}))
            and unusual >= 2
            and agree >= 0.98 * compared
            and compared - agree <= 0.2 * unusual
        ):
            expected.add(Follows(f"c{column}", f"c{source}", compared, agree))
    assert set(found) == expected


def _commonest(values: list[str], order: list[str | None]) -> str | None:
    """Of values that are equally common the one that comes first in the file."""
    times = Counter(values)
    return max(order, key=times.__getitem__, default=None)
