"""Every loss and weight: the search finds what trying all solutions finds."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import log2
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from techniques.hierarchies.definitions import Intervals, Star, Table
from techniques.messages import EngineError
from techniques.models.release import Request, anonymize
from techniques.tables.dictionary import dictionary_encode
from tests.techniques.test_k_anonymity import LETTERS, naive_share, naive_value

HIERARCHIES = {
    "a": Table.model_validate(LETTERS),
    "b": Intervals(kind="intervals", widths=[2, 4]),
    "c": Star(),
}
LEVELS = (3, 4, 2)


def value(
    rows: list[tuple[str, ...]], levels: tuple[int, ...], k: int, kind: str, weights: tuple[float, ...]
) -> tuple[float, int]:
    """A loss by its definition, row by row, and the suppressed rows."""
    n = len(rows)
    general = [tuple(naive_value(i, v, levels[i]) for i, v in enumerate(row)) for row in rows]
    sizes = Counter(general)
    kept = [sizes[g] >= k for g in general]
    gone = n - sum(kept)
    if kind == "discernibility":
        return sum(sizes[g] if keep else n for g, keep in zip(general, kept, strict=True)) / n**2, gone
    if kind == "class_size":
        return 1 / max(sum(size >= k for size in sizes.values()), 1), gone
    losses = []
    for i in range(3):
        column = [row[i] for row in rows]
        counts, groups = Counter(column), Counter(g[i] for g in general)
        cells = []
        for row, g, keep in zip(rows, general, kept, strict=True):
            if kind == "precision":
                cost = levels[i] / (LEVELS[i] - 1)
            elif kind == "entropy":
                cost = log2(groups[g[i]] / counts[row[i]]) / log2(n)
            else:
                share, leaves = naive_share(i, list(column), row[i], levels[i])
                cost = (share - 1 / leaves) / (1 - 1 / leaves) if leaves > 1 else 0.0
                keep = keep or leaves < 2
            cells.append(cost if keep else 1.0)
        losses.append(sum(cells) / n)
    share = np.array(weights) / sum(weights)
    if kind == "geometric":
        return float(np.prod((1 + np.array(losses)) ** share) - 1), gone
    return float((np.array(losses) * share).sum()), gone


@pytest.mark.parametrize("weights", [(1.0, 1.0, 1.0), (3.0, 0.5, 1.0)])
@pytest.mark.parametrize(
    "kind", ["geometric", "arithmetic", "precision", "entropy", "discernibility", "class_size"]
)
def test_the_least_of_all_solutions(kind: str, weights: tuple[float, ...]) -> None:
    draw = np.random.default_rng(4)
    for limit in (0.0, 0.2, 1.0):
        rows = [
            ("abcd"[x], str(y), "mf"[z])
            for x, y, z in zip(*(draw.integers(0, top, 30) for top in (4, 7, 2)), strict=True)
        ]
        table: dict[str, Any] = {
            name: dictionary_encode(pa.array([row[i] for row in rows])) for i, name in enumerate("abc")
        }
        request = Request(
            3, {}, limit, HIERARCHIES, weights=dict(zip("abc", weights, strict=True)), loss=kind
        )
        report = anonymize(table, {}, request).report
        every = [value(rows, levels, 3, kind, weights) for levels in product(*map(range, LEVELS))]
        wanted = min(loss for loss, gone in every if gone <= limit * 30 + 1e-9)
        assert report["proved_optimal"]
        assert report["loss"] == pytest.approx(wanted, abs=1e-9)
        found = tuple(report["levels"].values())
        assert value(rows, found, 3, kind, weights)[0] == pytest.approx(wanted, abs=1e-9)


def test_unknown_loss_and_weight() -> None:
    table = {"c": dictionary_encode(pa.array(["x", "x"]))}
    for request in (Request(2, loss="none"), Request(2, weights={"c": 0.0})):
        with pytest.raises(EngineError):
            anonymize(table, {}, request)
