"""Results that could make a measure hang, each in a column of its own: ``make bench-worst``.

Processor seconds of finding what each masked value stands for, as the gate and ``deid utility`` do for every column. As
patterns of one ``.*`` a star the first two took over 120 and 67 seconds. ``looked at`` is how many source values were held
against a mask; what it may be at most stands in ``tests/techniques/data_utility/test_worst_cases.py``.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from unittest import mock

import numpy as np
import pyarrow as pa

from techniques.data_utility import covering

WANTED = 1.0
"""Seconds for each case."""


def masked(value: str, left: int, right: int) -> str:
    return value[:left] + "*" * (len(value) - left - right) + value[len(value) - right :]


def cases() -> dict[str, tuple[list[str], list[str]]]:
    """Name → source values and what the result holds in their place."""
    draw = np.random.default_rng(1)

    def digits(count: int, length: int) -> list[str]:
        return ["".join(row) for row in draw.choice(list("0123456789"), (count, length))]

    def letters(count: int, length: int, signs: str) -> list[str]:
        return ["".join(row) for row in draw.choice(list(signs), (count, length))]

    accounts, identities = digits(30, 24), digits(800, 18)
    texts = letters(200, 2000, "abcdefgh 的一是在")
    few = letters(300, 120, "ab")
    alike = ["a" * size for size in range(100, 400)]
    return {
        "30 account numbers of 24 digits, 2 + 2": (accounts, [masked(v, 2, 2) for v in accounts]),
        "800 ID numbers, 6 + 4": (identities, [masked(v, 6, 4) for v in identities]),
        "800 ID numbers, 0 + 4": (identities, [masked(v, 0, 4) for v in identities]),
        "200 texts of 2,000 signs, 1 + 1": (texts, [masked(v, 1, 1) for v in texts]),
        "200 texts, every second sign a star": (
            texts,
            ["".join(c + "*" for c in v[:400:2]) + "x" for v in texts],
        ),
        "300 texts of two letters, stars between": (few, ["*".join(v[::3]) for v in few]),
        "300 runs of one letter, a*a*…*b": (alike, ["a*" * (len(v) // 2) + "b" for v in alike]),
        "10 masks of 5,000 stars": (texts, [f"{n}{'*' * 5000}{n}" for n in range(10)]),
    }


@contextmanager
def looked_at() -> Iterator[list[tuple[int, list[str]]]]:
    """Of each mask that is compared how many values it is held against, and its parts."""
    seen: list[tuple[int, list[str]]] = []
    compare = covering.fitting

    def counted(texts: pa.Array, parts: Sequence[str]) -> Any:
        seen.append((len(texts), list(parts)))
        return compare(texts, parts)

    with mock.patch.object(covering, "fitting", counted):
        yield seen


def covered(source: list[str], labels: list[str]) -> covering.Spread:
    different, counts = np.unique(np.array(labels, dtype=object), return_counts=True)
    return covering.spread(pa.array(sorted(set(source))), pa.array(different.tolist()), counts)


def main() -> None:
    covered(["1", "2"], ["1*"])  # loads what is loaded at first use
    print(f"{'masked column':<44}{'CPU s':>10}{'looked at':>12}{'resolved':>10}")
    for name, (source, labels) in cases().items():
        with looked_at() as seen:
            started = time.process_time()
            found = covered(source, labels)
            seconds = time.process_time() - started
        verdict = "ok" if seconds <= WANTED else "MISSED"
        looked = sum(count for count, _ in seen)
        share = found.mass.sum() / len(labels)
        print(f"{name:<44}{seconds:>10.4f}{looked:>12,}{share:>10.0%}  {WANTED:g} {verdict}")


if __name__ == "__main__":
    main()
