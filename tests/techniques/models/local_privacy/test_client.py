"""A million draws of each way to randomise: they are distributed as they should be, and lose no more than they say."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest

from techniques.models.local_privacy import client
from tests.techniques.models.differential_privacy.bounds import fits, loss_at_least

from .chance import seeded

RUNS = 500_000
"""Of each of two neighbours."""
STEPS = 6


@pytest.mark.parametrize(("choices", "epsilon"), [(2, math.log(3)), (5, 1.0)])
def test_responses(choices: int, epsilon: float) -> None:
    draw = seeded(choices)
    first, last = (
        np.array([client.response(place, choices, epsilon, draw) for _ in range(RUNS)])
        for place in (0, choices - 1)
    )
    own = math.exp(epsilon) / (math.exp(epsilon) + choices - 1)
    share = np.full(choices, (1 - own) / (choices - 1))
    share[0] = own
    assert fits(np.bincount(first, minlength=choices), share)
    assert fits(np.bincount(last, minlength=choices), share[::-1])
    assert 0.95 * epsilon < loss_at_least(first == 0, last == 0) <= epsilon


def test_unary_encoding() -> None:
    draw, choices, epsilon = seeded(7), 3, 1.5
    first, last = (
        np.array([client.unary(place, choices, epsilon, draw) for _ in range(RUNS)], dtype=bool)
        for place in (0, 2)
    )
    other = 1 / (math.exp(epsilon) + 1)
    for bits, shares in ((first, (0.5, other, other)), (last, (other, other, 0.5))):
        # Each of the eight answers, so that no bit hangs on another.
        each = [
            math.prod(share if one else 1 - share for one, share in zip(word, shares, strict=True))
            for word in np.ndindex(2, 2, 2)
        ]
        assert fits(np.bincount(bits @ (4, 2, 1), minlength=8), np.array(each))
    event = [bits[:, 0] & ~bits[:, 2] for bits in (first, last)]
    assert 0.97 * epsilon < loss_at_least(*event) <= epsilon


def test_noise() -> None:
    draw, epsilon = seeded(11), 2.0
    low, high = (
        np.array([client.noisy(value, 10, 40, STEPS, epsilon, draw) for _ in range(RUNS)])
        for value in (10, 40)
    )
    noise = np.concatenate([low, high - STEPS])
    reach = 40
    sizes = np.arange(-reach, reach + 1)
    weights = np.exp(-np.abs(sizes) * epsilon / STEPS)
    counts = np.bincount(np.clip(noise, -reach, reach) + reach, minlength=len(sizes))
    assert fits(counts, weights / weights.sum())
    assert 0.97 * epsilon < loss_at_least(low <= 0, high <= 0) <= epsilon
    assert 0.97 * epsilon < loss_at_least(high >= STEPS, low >= STEPS) <= epsilon


def test_the_audit_finds_a_client_that_loses_more() -> None:
    draw = seeded(3)
    first, last = (np.array([client.response(place, 2, 1.1, draw) for _ in range(RUNS)]) for place in (0, 1))
    assert loss_at_least(first == 0, last == 0) > 1.0


@pytest.mark.parametrize("epsilon", [0.001, 0.7, math.log(3), 5.0, 20.0])
@pytest.mark.parametrize("choices", [2, 3, 1000])
def test_what_is_rounded_is_rounded_to_less_loss(epsilon: float, choices: int) -> None:
    own = client.truth(epsilon, choices)
    others = (client.WHOLE - own) / (choices - 1)
    assert math.log(own / others) <= epsilon
    assert math.log(own / others) > epsilon - 1e-4
    flip = client.flip(epsilon)
    assert epsilon - 1e-4 < math.log((client.WHOLE - flip) / flip) <= epsilon
    number, of = client.scale(50, epsilon)
    assert epsilon - 1e-6 < 50 * of / number <= epsilon


def test_a_value_between_two_steps_is_right_on_average() -> None:
    draw = seeded(5)
    found = [client.noisy(0.33, 0, 1, 10, 20.0, draw) for _ in range(100_000)]
    assert abs(np.mean(found) - 3.3) < 5 * np.std(found) / math.sqrt(len(found))
    assert {client.noisy(value, 0, 1, 1, 20.0, seeded(2)) for value in (-5, 0)} == {0}


@pytest.mark.parametrize(
    "call",
    [
        lambda: client.response(0, 2, 0.0),
        lambda: client.response(0, 2, math.nan),
        lambda: client.response(2, 2, 1.0),
        lambda: client.response(0, 1, 1.0),
        lambda: client.unary(-1, 3, 1.0),
        lambda: client.unary(0, 3, 21.0),
        lambda: client.noisy(math.nan, 0, 1, 10, 1.0),
        lambda: client.noisy(0.5, 1, 0, 10, 1.0),
        lambda: client.noisy(0.5, 0, 1, 0, 1.0),
        lambda: client.noisy(0.5, 0, 1, 20_000, 1.0),
    ],
)
def test_what_makes_no_sense_is_refused(call) -> None:
    with pytest.raises(ValueError):
        call()


def test_it_needs_the_standard_library_alone() -> None:
    """A device gets the file as it is: nothing of this project and no other library is loaded with it."""
    ask = (
        "import runpy, sys; kit = runpy.run_path(sys.argv[1]); assert kit['response'](1, 4, 1.0) in range(4); "
        "print([one for one in sys.modules if one.partition('.')[0] in ('techniques', 'numpy', 'django')])"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", ask, client.__file__], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
