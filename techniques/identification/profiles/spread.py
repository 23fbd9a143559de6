"""Rows by their place on a line, in bars that tell of nobody alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from techniques.core.tuples import numbered_keys

MOST_BARS = 16
KEPT_BARS = 2048
Bar = tuple[int | None, int | None, int]
"""From, below, rows."""


class Spread:
    """Rows by place on a line, in bars that become coarser as the line becomes longer; exact in the bars kept."""

    def __init__(self, widths: list[int]) -> None:
        self.rows = 0
        self._widths = widths
        self._step = 0
        self._counts: dict[int, int] = {}

    def add(self, places: NDArray[np.int64], rows: NDArray[np.int64]) -> None:
        self.rows += int(rows.sum())
        if not len(places):
            return
        bars, index = numbered_keys(places // self._widths[self._step])
        counts = np.bincount(index, weights=rows)
        # A long line is made coarser before its many values are counted one by one.
        while len(bars) > KEPT_BARS and self._step + 1 < len(self._widths):
            ratio = self._widths[self._step + 1] // self._widths[self._step]
            self._coarsen(self._step + 1)
            bars, index = numbered_keys(bars // ratio)
            counts = np.bincount(index, weights=counts)
        for bar, count in zip(bars.tolist(), counts.tolist(), strict=True):
            self._counts[bar] = self._counts.get(bar, 0) + int(count)
        while len(self._counts) > KEPT_BARS and self._step + 1 < len(self._widths):
            self._coarsen(self._step + 1)

    def _coarsen(self, step: int) -> None:
        ratio = self._widths[step] // self._widths[self._step]
        joined: dict[int, int] = {}
        for bar, count in self._counts.items():
            joined[bar // ratio] = joined.get(bar // ratio, 0) + count
        self._step, self._counts = step, joined

    def bars(self, minimum: int) -> list[Bar]:
        """Bars of at least ``minimum`` rows each, as (from, below, rows); the ends are open. Empty below two of them.

        The width is chosen by what lies between the outer ``minimum`` rows on each side, so that one value far away neither
        shows nor crowds all others into one bar.
        """
        places = sorted(self._counts)
        inner = _without_ends(places, self._counts, minimum)
        if inner is None:
            return []
        step = self._step
        while (inner[1] - inner[0]) * self._widths[self._step] // self._widths[
            step
        ] >= MOST_BARS and step + 1 < len(self._widths):
            step += 1
        width, ratio = self._widths[step], self._widths[step] // self._widths[self._step]
        counts: dict[int, int] = {}
        for place in places:
            bar = min(max(place, inner[0]), inner[1]) // ratio
            counts[bar] = counts.get(bar, 0) + self._counts[place]
        joined: list[list[int]] = []
        for bar in sorted(counts):
            if joined and joined[-1][1] < minimum:
                joined[-1][1] += counts[bar]
            else:
                joined.append([bar, counts[bar]])
        if len(joined) > 1 and joined[-1][1] < minimum:
            joined[-2][1] += joined.pop()[1]
        if len(joined) < 2:
            return []
        edges = [None, *(bar * width for bar, _count in joined[1:]), None]
        return [
            (low, high, count) for low, high, (_bar, count) in zip(edges[:-1], edges[1:], joined, strict=True)
        ]


def _without_ends(places: list[int], counts: dict[int, int], minimum: int) -> tuple[int, int] | None:
    """The first and last place with at least ``minimum`` rows at or beyond it; None where there are too few rows."""
    if sum(counts.values()) < 2 * minimum:
        return None
    ends = []
    for order in (places, places[::-1]):
        passed = 0
        for place in order:
            passed += counts[place]
            if passed >= minimum:
                ends.append(place)
                break
    return (ends[0], ends[1]) if ends[0] <= ends[1] else None
