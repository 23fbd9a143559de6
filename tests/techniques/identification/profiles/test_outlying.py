"""Values that catch the eye: exact counts of a small table, and any table by definition."""

from __future__ import annotations

import math
from collections import defaultdict

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from techniques.identification.profiles.outlying import Outlying, Striking, outlying
from techniques.identification.profiles.profile import FEW
from techniques.tables.dictionary import dictionary_encode


def found(values: list[str | None], who: list[int] | None = None) -> Outlying:
    column = dictionary_encode(pa.array(values, pa.string()))
    return outlying(column, None if who is None else np.array(who, np.int32))


def test_numbers_by_hand() -> None:
    # Quartiles 3 and 8, fences -4.5 and 15.5.
    values = [str(n) for n in range(1, 10)] * 10 + ["15", "16", "99", "99", "-5", None]
    one = found(values)
    assert (one.below, one.above) == (Striking(1, 1), Striking(2, 3))
    assert one.rare == Striking(4, 5)


def test_texts_have_no_fences_nor_has_one_number_for_all() -> None:
    assert found(["a"] * 9 + ["b"] * 4 + ["c"] * 5) == Outlying(None, None, Striking(1, 4))
    assert found(["0"] * 90 + ["7"] * 10) == Outlying(None, None, Striking(0, 0))
    assert found([None, None]) == Outlying(None, None, Striking(0, 0))


def test_persons_are_counted_once_each() -> None:
    values = ["x"] * 6 + ["y"] * 6
    # Six rows of one person are one person; six persons are not few.
    assert found(values, [1] * 6 + [2, 3, 4, 5, 6, -1]) == Outlying(None, None, Striking(1, 1))
    assert found(values, [1] * 6 + [1, 2, 2, 2, 2, 2]) == Outlying(None, None, Striking(2, 2))


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.one_of(st.none(), st.integers(-3, 40).map(lambda n: n**3 // 50)), min_size=1, max_size=60),
    st.data(),
)
def test_by_definition(numbers: list[int | None], data: st.DataObject) -> None:
    drawn = st.lists(st.integers(-1, 12), min_size=len(numbers), max_size=len(numbers))
    who = data.draw(st.one_of(st.none(), drawn))
    persons = [(row, -1) if who is None or who[row] < 0 else (0, who[row]) for row in range(len(numbers))]
    holders = defaultdict(set)
    for value, person in zip(numbers, persons, strict=True):
        if value is not None:
            holders[value].add(person)

    def struck(values: list[int]) -> Striking:
        return Striking(len(values), len(set().union(*(holders[value] for value in values))))

    one = found([None if value is None else str(value) for value in numbers], who)
    assert one.rare == struck([value for value, held in holders.items() if len(held) < FEW])
    filled = sorted(value for value in numbers if value is not None)
    first, third = (
        (filled[math.ceil(share * len(filled)) - 1] for share in (0.25, 0.75)) if filled else (0, 0)
    )
    if first == third:
        assert (one.below, one.above) == (None, None)
    else:
        reach = 1.5 * (third - first)
        assert one.below == struck([value for value in holders if value < first - reach])
        assert one.above == struck([value for value in holders if value > third + reach])
