"""The bounds by which a column surely follows from no other one, against what is counted over every row."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from techniques.disclosure_risk.links.counting import Cells
from techniques.disclosure_risk.links.refuting import Bounds, bounds
from techniques.tables.dictionary import dictionary_encode

CELL = st.one_of(st.none(), st.sampled_from("abc"))


def cells(rows: list[tuple[str | None, ...]], who: list[int] | None = None) -> Cells:
    columns = {
        f"c{place}": dictionary_encode(pa.array([row[place] for row in rows], pa.string()))
        for place in range(len(rows[0]))
    }
    return Cells.of(columns, None if who is None else np.array(who, np.int32))


def test_a_small_table_by_hand() -> None:
    # "a" has x twice and y once, "b" is of one person alone, and what is missing agrees with nobody.
    made = cells([("a", "x"), ("a", "x"), ("a", "y"), ("b", "x"), ("a", None), (None, "x")])
    assert list(bounds(made, 0, 1.0)) == [Bounds(1, 0, 4, 4, 1)]
    # Of y's one person nothing is told; of the four who have x two share the commonest value of the other column.
    assert list(bounds(made, 1, 1.0)) == [Bounds(0, 1, 4, 4, 1)]


def test_counting_ends_once_enough_disagree() -> None:
    made = cells([(group, str(n)) for group in "abc" for n in range(10)])
    assert [one.disagree for one in bounds(made, 0, 1.0)] == [27]
    assert [one.disagree for one in bounds(made, 0, 0.1)] == [9]


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(CELL, CELL), min_size=1, max_size=40), st.data())
def test_never_beyond_what_is_counted(rows: list[tuple[str | None, ...]], data: st.DataObject) -> None:
    numbers = st.lists(st.integers(-1, 12), min_size=len(rows), max_size=len(rows))
    who = data.draw(st.one_of(st.none(), numbers))
    persons = [(n, -1) if who is None or who[n] < 0 else (0, who[n]) for n in range(len(rows))]
    holders, of_value = defaultdict(set), defaultdict(Counter)
    for (here, _there), person in zip(rows, persons, strict=True):
        holders[here].add(person)
    pairs = {(here, there, person) for (here, there), person in zip(rows, persons, strict=True)}
    pairs = {pair for pair in pairs if None not in pair[:2]}
    for here, there, _person in pairs:
        of_value[here][there] += 1
    several = {pair for pair in pairs if len(holders[pair[0]]) > 1 and of_value[pair[0]].total() > 1}
    # Whichever of several commonest values is chosen, so many persons have another one.
    commonest = {here: counts.most_common(1)[0][0] for here, counts in of_value.items()}
    found = next(bounds(cells(rows, who), 0, 1.0))
    assert found.compared >= len({pair[2] for pair in several})
    assert found.both <= len({pair[2] for pair in pairs})
    assert found.disagree <= len({pair[2] for pair in several if pair[1] != commonest[pair[0]]})
