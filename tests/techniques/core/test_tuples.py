"""Integers are numbered and told apart as NumPy does it, whatever their range."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from techniques.core.tuples import contains, distinct_keys, numbered_keys, sorted_keys

LIMITS = np.iinfo(np.int64)
KEYS = st.lists(st.integers(-3, 3) | st.integers(int(LIMITS.min), int(LIMITS.max)), max_size=20)


@given(KEYS)
def test_as_numpy_gives_them(keys: list[int]) -> None:
    numbers = np.array(keys, np.int64)
    expected, places = np.unique(numbers, return_inverse=True)
    found, number = numbered_keys(numbers)
    assert distinct_keys(numbers).tolist() == found.tolist() == expected.tolist()
    assert number.tolist() == places.tolist()


@given(KEYS, KEYS)
def test_found_among_others(some: list[int], keys: list[int]) -> None:
    found = contains(np.unique(np.array(some, np.int64)), np.array(keys, np.int64))
    assert found.tolist() == [key in some for key in keys]


@pytest.mark.parametrize("kind", [np.int16, np.int32, np.int64])
def test_of_the_kind_that_they_are(kind: type) -> None:
    numbers = np.array([7, -2, 7, 0], kind)
    found, number = numbered_keys(numbers)
    assert (found.dtype, distinct_keys(numbers).dtype) == (kind, kind)
    assert (found.tolist(), number.tolist()) == ([-2, 0, 7], [2, 0, 2, 1])


@pytest.mark.parametrize("number", [4095, 4096, 9000])
@pytest.mark.parametrize(
    ("least", "most"),
    [(0, 0), (0, 1), (-5, 2047), (7, 2**40), (-(2**61), 2**61), (int(LIMITS.min), int(LIMITS.max))],
)
def test_many_as_numpy_gives_them(number: int, least: int, most: int) -> None:
    numbers = np.random.default_rng(number).integers(least, most, number, np.int64, endpoint=True)
    expected, places = np.unique(numbers, return_inverse=True)
    before = numbers.copy()
    found, of_each = numbered_keys(numbers)
    assert np.array_equal(found, expected)
    assert np.array_equal(of_each, places)
    assert np.array_equal(distinct_keys(numbers), expected)
    assert np.array_equal(sorted_keys(numbers), np.sort(numbers))
    assert np.array_equal(numbers, before)
