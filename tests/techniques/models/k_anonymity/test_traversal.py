"""The kernel of a search looks at the nodes that Python would look at, and finds what Python would find."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from techniques.anonymization.release import anonymize
from techniques.catalogue.models import Conditions
from techniques.core.messages import EngineError
from techniques.hierarchies.definitions import Intervals, Star
from techniques.models.k_anonymity import problem, sensitive
from techniques.models.k_anonymity import search as search_module
from techniques.models.k_anonymity.grouping import nearest, start_of
from techniques.models.k_anonymity.products import factor, lattice, level_factors
from techniques.models.k_anonymity.traversal import FOUND, NODE, START, Stop, Traversal
from techniques.tables.dictionary import dictionary_encode
from tests.techniques.searches import search

CASES = [
    (conditions, limit, effort)
    for conditions in ({}, {"s": Conditions(t=0.3)}, {"s": Conditions(distinct=2)})
    for limit in (0.0, 0.1, 1.0)
    for effort in (10, 40, 100_000)
]


class ByPython(Traversal):
    """One that leaves every node to Python."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.able = False


@pytest.mark.parametrize("loss", ["geometric", "arithmetic", "entropy"])
@pytest.mark.parametrize("small", [0, 1 << 20])
def test_a_kernel_looks_at_the_same_nodes_as_python(
    monkeypatch: pytest.MonkeyPatch, loss: str, small: int
) -> None:
    monkeypatch.setattr(problem, "_SMALL", small)
    monkeypatch.setattr(problem, "_SHARED", 4)
    draw = np.random.default_rng(11)
    hierarchies = {"a": Intervals(kind="intervals", widths=[2, 6]), "b": Star(), "c": Star(), "d": Star()}
    found = 0
    for number, (conditions, limit, effort) in enumerate(CASES):
        table = {
            name: dictionary_encode(pa.array(draw.integers(0, top, 500).astype(str)))
            for name, top in (("a", 24), ("b", 3), ("c", 4), ("d", 2), ("s", 5))
        }
        read = {"s": table.pop("s")}
        # Every second time some nodes have too many classes to be judged together.
        monkeypatch.setattr(
            sensitive, "most_cells", lambda entries, few=number % 2: entries if few else 4 * entries
        )
        request = search(4, conditions, limit, hierarchies, loss=loss, effort=effort)
        subjects = draw.integers(0, 400, 500).astype(np.int32) if number % 4 == 3 else None
        reports = []
        for made in (Traversal, ByPython):
            monkeypatch.setattr(search_module, "Traversal", made)
            try:
                report = anonymize(table, read if conditions else {}, request, subjects=subjects).report
            except EngineError as error:
                reports.append({"error": error.code, **error.params})
            else:
                reports.append({k: v for k, v in report.items() if k not in ("seconds", "search_seconds")})
        assert reports[0] == reports[1]
        found += "error" not in reports[0]
    assert found > len(CASES) // 2


def test_why_a_kernel_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once for each node that others start from and for each that may be the best; Python has one node in 64."""
    stops: list[Stop] = []
    monkeypatch.setattr(problem, "_SMALL", 0)
    monkeypatch.setattr(problem, "_SHARED", 100)

    class Watched(Traversal):
        def on(self, *arguments: Any) -> Stop:
            stops.append(super().on(*arguments))
            return stops[-1]

    monkeypatch.setattr(search_module, "Traversal", Watched)
    draw = np.random.default_rng(12)
    table = {
        name: dictionary_encode(pa.array(draw.integers(0, 24, 4000).astype(str)))
        for name in ("a", "b", "c", "d")
    }
    intervals = Intervals(kind="intervals", widths=[2, 4, 8, 16])
    report = anonymize(table, {}, search(4, {}, 1.0, dict.fromkeys(table, intervals))).report
    why = [stop.why for stop in stops]
    assert report["checks"] >= 64
    assert 1 <= why.count(NODE) <= report["checks"] // 64
    assert why.count(START) > 1
    assert why.count(FOUND) > 0
    assert len(why) < report["checks"] // 2


@pytest.mark.parametrize("whole", [False, True])
def test_bounds_and_heights_of_a_lattice(whole: bool) -> None:
    draw = np.random.default_rng(13)
    for _ in range(30):
        widths = draw.integers(1, 5, draw.integers(1, 6))
        factors = 1 + draw.random((len(widths), int(widths.max())))
        bounds, heights, strides = lattice(factors, widths, whole)
        nodes = list(product(*(range(width) for width in widths)))
        assert len(bounds) == len(nodes)
        for place, node in enumerate(nodes):
            assert bounds[place] == pytest.approx(np.prod(factors[range(len(node)), node]), rel=1e-14)
            assert heights[place] == (np.prod(np.array(node) + 1) if whole else sum(node))
            assert place == np.array(node) @ strides
    totals, smallest, weights = draw.random((2, 4)) * 9, np.array([0.1, 1.0]), np.array([0.5, 1.5])
    made = level_factors(totals, np.array([1, 0]), np.array([3, 2]), 9, smallest, weights, whole)
    for i, lowest in enumerate((1, 0)):
        for level in range(3):
            assert made[i, level] == factor(totals[i, lowest + level], 9, smallest[i], weights[i], whole)


def test_a_node_starts_from_the_nearest_once_what_it_shares_is_formed() -> None:
    floors, lengths = np.array([[1, 2, 0], [2, 2, 0], [1, 3, 0]]), np.array([9, 5, 4])
    steps, lowest = np.array([[1, 0, 0], [1, 3, 0]]), np.array([1, 2, 0])
    formed = np.zeros((2, 9), np.bool_)
    formed[-1, 1] = True
    at = np.array([2, 2, 5])
    assert start_of(floors, lengths, 3, steps, formed, lowest, at) == nearest(floors, lengths, 3, at) == 1
    assert start_of(floors, lengths, 3, steps, formed, lowest, np.array([2, 3, 5])) == -1
