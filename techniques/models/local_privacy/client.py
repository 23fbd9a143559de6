"""What a person's device does with a value before it sends it. The standard library is all that it needs.

Every draw is a whole number of 53 bits, and no other arithmetic of chance is done with floating-point numbers: where a
probability has to be rounded, it is rounded to the side of less loss. So the ε that is asked for is never exceeded.
``draw`` is the source of chance; the system's own unless a test gives another.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable

BITS = 53
WHOLE = 1 << BITS
MARGIN = 8
"""Of 2^53: more than a rounding error of ``exp`` can move a probability."""
MICRO = 10**6
"""ε of noise is taken in millionths, rounded down."""
LEAST_EPSILON, MOST_EPSILON, MOST_STEPS = 0.001, 20.0, 10_000
Draw = Callable[[], int]


def system_draw() -> int:
    """A whole number from 0 to 2^53 − 1 that nobody foretells."""
    return secrets.randbits(BITS)


def truth(epsilon: float, choices: int) -> int:
    """How many of 2^53 draws tell the truth in a randomised response: e^ε / (e^ε + choices − 1), rounded down.

    Kairouz, Bonawitz and Ramage 2016; with two choices Warner 1965. Raises ValueError.
    """
    _check(epsilon, choices)
    return math.floor(WHOLE / (1 + (choices - 1) * math.exp(-epsilon))) - MARGIN


def flip(epsilon: float) -> int:
    """How many of 2^53 draws set a bit of unary encoding that is not the person's: 1 / (e^ε + 1), rounded up.

    Optimised unary encoding, Wang et al. 2017: the person's own bit is set in one of two draws. Raises ValueError.
    """
    _check(epsilon, 2)
    return math.ceil(WHOLE / (math.exp(epsilon) + 1)) + MARGIN


def response(place: int, choices: int, epsilon: float, draw: Draw = system_draw) -> int:
    """Randomised response: the place of one's choice, from 0, or, by chance, that of any other. Raises ValueError."""
    _check(epsilon, choices, place)
    if draw() < truth(epsilon, choices):
        return place
    other = below(choices - 1, draw)
    return other + (other >= place)


def unary(place: int, choices: int, epsilon: float, draw: Draw = system_draw) -> list[int]:
    """Optimised unary encoding: a bit for each choice, 0 or 1. Better than a response from about 3 e^ε + 2 choices on.
    Raises ValueError."""
    _check(epsilon, choices, place)
    others = flip(epsilon)
    return [int(draw() < (WHOLE // 2 if one == place else others)) for one in range(choices)]


def noisy(value: float, low: float, high: float, steps: int, epsilon: float, draw: Draw = system_draw) -> int:
    """A number with discrete Laplace noise, in steps of (high − low) / steps above ``low``; may lie outside the bounds.

    What lies outside is clamped; between two steps chance decides, so that the mean is right. Raises ValueError.
    """
    _check(epsilon, 2)
    if not (math.isfinite(value) and math.isfinite(low) and math.isfinite(high) and low < high):
        raise ValueError("the value and its bounds are finite numbers, and low lies below high")
    if steps != int(steps) or not 1 <= steps <= MOST_STEPS:
        raise ValueError(f"steps is a whole number from 1 to {MOST_STEPS}")
    exact = (min(max(value, low), high) - low) / (high - low) * steps
    place = min(math.floor(exact), steps)
    if draw() < (exact - place) * WHOLE:
        place += 1
    number, of = scale(steps, epsilon)
    return place + _discrete_laplace(number, of, draw)


def scale(steps: int, epsilon: float) -> tuple[int, int]:
    """The scale steps / ε of the noise as a fraction in lowest terms."""
    number, of = steps * MICRO, math.floor(epsilon * MICRO)
    shared = math.gcd(number, of)
    return number // shared, of // shared


def below(size: int, draw: Draw) -> int:
    """A whole number from 0 to size − 1, each as likely as the others; size is at most 2^53."""
    fair = WHOLE - WHOLE % size
    while (drawn := draw()) >= fair:
        pass
    return drawn % size


def _discrete_laplace(number: int, of: int, draw: Draw) -> int:
    """P(y) ~ exp(−|y| · of / number), exactly: Canonne, Kamath and Steinke 2020, algorithm 2."""
    while True:
        part = below(number, draw)
        if not _survives(part, number, draw):
            continue
        wholes = 0
        while _survives(1, 1, draw):
            wholes += 1
        size = (part + number * wholes) // of
        if below(2, draw) == 0:
            return size
        if size:
            return -size


def _survives(part: int, number: int, draw: Draw) -> bool:
    """True with probability exp(−part / number); part is at most number (algorithm 1)."""
    trial = 1
    while below(number * trial, draw) < part:
        trial += 1
    return trial % 2 == 1


def _check(epsilon: float, choices: int, place: int = 0) -> None:
    if not LEAST_EPSILON <= epsilon <= MOST_EPSILON:
        raise ValueError(f"epsilon lies between {LEAST_EPSILON} and {MOST_EPSILON:g}")
    if choices < 2 or choices != int(choices):
        raise ValueError("there are at least two choices")
    if place != int(place) or not 0 <= place < choices:
        raise ValueError("the place of a choice lies from 0 to choices - 1")
