"""A bound on classes / rows, by trying: of the classes from a size on, and of the largest ones."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from techniques.models.k_anonymity.averages import most_kept, smallest_kept

TABLES = [[1, 1, 2, 3, 5, 8], [4, 4, 4], [1, 1, 1, 1], [2, 9], [7]]


@pytest.mark.parametrize("sizes", TABLES)
def test_from_which_size_on_classes_are_kept(sizes: list[int]) -> None:
    for bound in (Fraction(1, n) for n in (1, 2, 3, 4, 5, 7, 8, 9, 20)):
        wanted = max(sizes) + 1
        for size in sorted(set(sizes), reverse=True):
            kept = [one for one in sizes if one >= size]
            if Fraction(len(kept), sum(kept)) <= bound:
                wanted = size
        assert smallest_kept(np.array(sizes[::-1]), float(bound)) == wanted
        falling = sorted(sizes, reverse=True)
        sums = [sum(falling[:n]) for n in range(1, len(sizes) + 1) if Fraction(n, sum(falling[:n])) <= bound]
        assert most_kept(np.array(falling), float(bound)) == max(sums, default=0)


def test_of_no_class_nothing_is_kept() -> None:
    none = np.empty(0, np.int64)
    assert smallest_kept(none, 0.5) == most_kept(none, 0.5) == 0
