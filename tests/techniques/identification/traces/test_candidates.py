"""How many originals remain behind a mask, by what is known of identifiers of the kind."""

from __future__ import annotations

import random

import numpy as np
import pytest

from techniques.identification.traces.candidates import MINIMUM, remaining, shown
from tests.techniques.drawn import id_number

# Beginnings and given names by turns, so that no place holds one sign throughout.
NAMES = [a + b + c for a in "王李张刘陈杨" for b in "建国丽春" for c in "华明芳"]


def left(values: list[str], *visible: tuple[int, int]) -> float:
    return float(np.median(remaining(values, shown(values, list(visible)))))


@pytest.mark.parametrize(
    ("visible", "least", "most"),
    [
        # Two in a hundred pairs of persons share their surname: one over that is no thousand.
        (((1, 2),), 30, 110),
        # One sign of the given name: the commonest of them are borne by one person in a hundred.
        (((0, 1), (2, 1)), 100, 700),
        (((0, 2),), 100, 700),
        (((2, 1),), MINIMUM, 50_000),
    ],
)
def test_a_hidden_part_of_a_name_counts_by_how_often_it_is_borne(visible, least, most):
    assert least <= left(NAMES, *visible) <= most
    assert least <= left([f"{name[0]}{name[1:]}" for name in reversed(NAMES)], *visible) <= most


def test_a_name_of_which_the_surname_stays_has_enough_originals():
    assert left(NAMES, (0, 1)) >= MINIMUM


def test_the_second_sign_of_a_compound_surname_follows_from_its_first():
    names = ["欧阳锋", "诸葛亮", "司马光", "上官婉", "皇甫松"] * 6
    assert left(names, (0, 1), (2, 1)) == 1
    assert left(names, (2, 1)) > 30


def test_the_surname_that_all_have_hides_nothing():
    assert left([f"王{name[1:]}" for name in NAMES], (1, 2)) == 1


def test_what_is_no_name_counts_as_before():
    draw = random.Random(4)
    numbers = [id_number(draw) for _ in range(60)]
    # Without its birth date: every date that exists, of which the check digit leaves one in eleven.
    assert 3_000 < left(numbers, (0, 6), (14, 4)) < 4_000
    phones = [f"139{draw.randrange(10**8):08}" for _ in range(60)]
    assert left(phones, (0, 3), (7, 4)) == 10_000
