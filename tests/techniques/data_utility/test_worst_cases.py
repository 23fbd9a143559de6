"""Masked columns that could make a measure hang: the work is bounded by what a mask begins with, and by its parts."""

from __future__ import annotations

import pyarrow.compute as pc
import pytest

from benchmarks.worst_cases import cases, covered, looked_at

CASES = cases()
UNRESOLVED = {
    "200 texts, every second sign a star",
    "300 runs of one letter, a*a*…*b",
    "10 masks of 5,000 stars",
}
"""Masks that no value fits."""


@pytest.mark.parametrize("name", CASES)
def test_the_work_is_bounded(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    source, labels = CASES[name]
    patterns: list[str] = []
    compare = pc.match_substring_regex

    def counted(values: object, pattern: str, **options: object) -> object:
        patterns.append(pattern)
        return compare(values, pattern, **options)

    monkeypatch.setattr(pc, "match_substring_regex", counted)
    with looked_at() as seen:
        found = covered(source, labels)
    # Each mask is compared once, with the values that begin as it does, and its runs of stars are one gap each.
    assert len(seen) == len(set(labels))
    values = set(source)
    beginnings = [sum(value.startswith(label.split("*")[0]) for value in values) for label in set(labels)]
    assert sorted(count for count, _ in seen) == sorted(beginnings)
    for _, parts in seen:
        assert len(parts) <= sum(1 for part in parts if part) + 2
    # A pattern has few gaps: with many each sign of a value could begin the next part of any of them.
    assert max((pattern.count(".*") for pattern in patterns), default=0) <= 7
    assert (found.mass.sum() < 1) == (name in UNRESOLVED)
