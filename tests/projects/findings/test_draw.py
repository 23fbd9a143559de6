"""A spot check draws what anybody can draw again."""

from __future__ import annotations

import hashlib
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from projects.findings.draw import drawn, seed_new

ENTRIES = [f"2026-{number:04d}/{step}" for number in range(20) for step in ("objective", "processing")]


def test_it_is_the_ranking_that_the_page_describes() -> None:
    """By hand: SHA-256 of seed, colon and entry as hexadecimal text, the lowest first."""
    ranks = {entry: hashlib.sha256(b"00ff:" + entry.encode()).hexdigest() for entry in ENTRIES}
    assert drawn(ENTRIES, seed="00ff", size=5) == sorted(ENTRIES, key=ranks.__getitem__)[:5]


@given(st.text("0123456789abcdef", min_size=1, max_size=32), st.integers(1, 60), st.randoms())
def test_the_order_of_the_list_changes_nothing(seed, size, shuffling) -> None:
    mixed = ENTRIES.copy()
    shuffling.shuffle(mixed)
    found = drawn(mixed, seed=seed, size=size)
    assert found == drawn(ENTRIES, seed=seed, size=size)
    assert len(found) == len(set(found)) == min(size, len(ENTRIES))


def test_everything_is_drawn_about_as_often() -> None:
    """Of 4000 draws of 10 among 40 each entry is in 1000 on average; eight standard deviations are 220."""
    counted = Counter(entry for seed in range(4000) for entry in drawn(ENTRIES, seed=str(seed), size=10))
    assert set(counted) == set(ENTRIES)
    assert all(abs(times - 1000) < 220 for times in counted.values())


def test_nobody_chooses_the_seed() -> None:
    assert len({seed_new() for _number in range(50)}) == 50
