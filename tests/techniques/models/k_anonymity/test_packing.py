"""Attributes in groups, places for keys, bounds of boxes: the same classes and solutions as without any of them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest

from techniques.anonymization.release import anonymize
from techniques.catalogue.models import Conditions
from techniques.hierarchies.definitions import Intervals, Star
from techniques.models.k_anonymity import grouping, problem
from techniques.models.k_anonymity.grouping import Ladder, Packing, classes_at, packed, smallest_at
from techniques.models.k_anonymity.products import class_sums, next_open, raise_box
from techniques.tables.dictionary import dictionary_encode
from tests.techniques.searches import search


def test_bundles_tell_cells_and_classes_as_the_columns_do() -> None:
    draw = np.random.default_rng(1)
    shared = 0
    for _ in range(60):
        sizes = draw.integers(1, 9, draw.integers(1, 7))
        rows = int(draw.integers(0, 80))
        columns = np.append(0, np.cumsum(sizes)).astype(np.int64)
        cells = np.array([draw.integers(a, b, rows) for a, b in pairwise(columns)], np.int32)
        bundles, *fields = packed(cells, columns, draw.permutation(len(sizes)), int(draw.integers(0, 40)))
        packing = Packing(*fields)
        shared += len(bundles) < len(sizes)
        for attribute in range(len(sizes)):
            assert (packing.cells(bundles, attribute) == cells[attribute]).all()

        # Two levels: the code itself, and half of it.
        codes = np.concatenate([np.arange(size) for size in sizes])
        ladder = Ladder(np.column_stack([codes, codes // 2]).ravel(), 2 * np.arange(len(codes)), columns)
        at = draw.integers(0, 2, len(sizes))
        counts = draw.integers(1, 5, rows)
        general = np.array([ladder.values[2 * cells[i] + at[i]] for i in range(len(sizes))])
        _, of = np.unique(general, axis=1, return_inverse=True)
        for places in (0, 1 << 12):
            number = np.full(places, -1, np.int32)
            widths = np.column_stack([sizes, (sizes + 1) // 2])
            class_of, here, first = classes_at(
                bundles, counts, widths, at, number, ladder.values, ladder.start, *packing
            )
            assert (number == -1).all()
            assert (np.equal.outer(class_of, class_of) == np.equal.outer(of.ravel(), of.ravel())).all()
            assert here.tolist() == [counts[class_of == one].sum() for one in range(len(here))]
            assert class_of[first].tolist() == list(range(len(here)))
            smallest = smallest_at(bundles, counts, widths, at, ladder.values, ladder.start, *packing)
            assert smallest == min(here.tolist(), default=1 << 62)
    assert shared > 20


@pytest.mark.parametrize("loss", ["geometric", "entropy", "discernibility", "class_size"])
def test_the_same_solution_however_attributes_are_packed(monkeypatch: pytest.MonkeyPatch, loss: str) -> None:
    draw = np.random.default_rng(2)
    hierarchies = {"a": Intervals(kind="intervals", widths=[2, 6]), "b": Star(), "c": Star(), "d": Star()}
    for number in range(6):
        rows = 400
        table = {
            name: dictionary_encode(pa.array(draw.integers(0, top, rows).astype(str)))
            for name, top in (("a", 24), ("b", 3), ("c", 4), ("d", 2), ("s", 5))
        }
        read = {"s": table.pop("s")}
        conditions = {"s": Conditions(t=0.3)} if number % 2 else {}
        limit = (0.05, 0.3, 1.0)[number % 3]
        request = search(4, sensitive=conditions, limit=limit, hierarchies=hierarchies, loss=loss)
        reports = []
        for least, places in ((1 << 40, 0), (1, 1 << 18), (20, 1 << 18)):
            monkeypatch.setattr(grouping, "_PACKED", least)
            monkeypatch.setattr(problem, "_MOST_DIRECT", places)
            made = anonymize(table, read if conditions else {}, request)
            reports.append({k: v for k, v in made.report.items() if k not in ("seconds", "search_seconds")})
        assert reports[0] == reports[1] == reports[2]


def test_attributes_share_a_group_as_long_as_few_pairs_occur() -> None:
    """Whether they do is known before the last row where there are too many, and shows in the last row where there are just
    too many."""
    few = np.repeat(np.arange(20), 50)
    for last, groups in ((0, 1), (1, 2)):
        cells = np.array([few, 20 + few], np.int32)
        cells[1, -1] -= last
        columns = np.array([0, 20, 40])
        assert len(packed(cells, columns, np.arange(2), 20)[0]) == groups


def test_a_box_of_bounds_and_the_next_node_below_them() -> None:
    draw = np.random.default_rng(3)
    for _ in range(40):
        widths = draw.integers(1, 5, draw.integers(1, 5))
        bounds = draw.random(widths)
        low = draw.integers(0, widths)
        high = draw.integers(low, widths)
        expected = bounds.copy()
        part = expected[tuple(slice(a, b + 1) for a, b in zip(low, high, strict=True))]
        np.maximum(part, 0.5, out=part)
        strides = np.array(bounds.strides) // bounds.itemsize
        flat = bounds.ravel()
        raise_box(flat, strides, low, high, 0.5)
        assert (flat == expected.ravel()).all()
        order, more = draw.permutation(flat.size), draw.random(flat.size)
        left = [place for place, at in enumerate(order) if place >= 2 and flat[at] + more[at] <= 0.7]
        assert next_open(order, 2, flat, more, 0.7) == (left[0] if left else max(flat.size, 2))


def test_what_classes_cost() -> None:
    draw = np.random.default_rng(4)
    for _ in range(30):
        sizes = draw.integers(1, 9, draw.integers(1, 30))
        kept, k, rows = (sizes > 2) & (draw.random(len(sizes)) < 0.8), 3, int(sizes.sum())
        least = np.where(kept, 0, draw.integers(0, sizes + 1))
        cost = np.minimum(np.maximum(sizes, k), rows)
        assert class_sums(sizes, kept, least, k, rows) == (
            kept.sum(), sizes[kept].sum(), (sizes[kept] ** 2).sum(), (sizes * cost).sum(), (least * (rows - cost)).sum(),
        )  # fmt: skip
