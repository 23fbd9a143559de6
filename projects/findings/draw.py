"""Which steps or rows a spot check takes: a draw that anybody can repeat with a calculator of SHA-256.

Every entry of the population is ranked by the SHA-256 of ``seed:entry``; those of the lowest ranks are drawn. The hash of
each is as good as random to who does not choose the seed, and the portal makes that of 16 fresh random bytes.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable


def seed_new() -> str:
    """32 hexadecimal digits that nobody chooses."""
    return secrets.token_hex(16)


def drawn(population: Iterable[str], *, seed: str, size: int) -> list[str]:
    """``size`` different entries, or all where there are fewer, in the order of the draw."""
    return sorted(set(population), key=lambda entry: _rank(seed, entry))[:size]


def rows_drawn(rows: int, *, seed: str, size: int) -> list[int]:
    """``size`` different numbers from 1 to ``rows``, or all where there are fewer, in the order of the draw.

    The SHA-256 of ``seed:1``, ``seed:2`` … as numbers, each divided by ``rows``: the remainder and 1 is drawn, unless it was
    before. No list of all rows is made, however many there are.
    """
    found: dict[int, None] = {}
    counter = 0
    while len(found) < min(size, rows):
        counter += 1
        found.setdefault(int(_rank(seed, str(counter)), 16) % rows + 1)
    return list(found)


def _rank(seed: str, entry: str) -> str:
    return hashlib.sha256(f"{seed}:{entry}".encode()).hexdigest()
