"""Draws of 53 bits with a seed, as the client takes them."""

from __future__ import annotations

import random
from collections.abc import Callable


def seeded(seed: int) -> Callable[[], int]:
    """The same draws each time."""
    source = random.Random(seed)
    return lambda: source.getrandbits(53)
