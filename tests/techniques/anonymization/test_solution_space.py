"""The solutions around the best: each does to the table what a run with its levels fixed does."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from techniques.anonymization.release import anonymize
from techniques.anonymization.solution_space import solution_space
from techniques.catalogue.models import Conditions, KAnonymitySettings
from techniques.hierarchies.definitions import Intervals, Star
from techniques.tables.dictionary import EncodedColumn, dictionary_encode
from tests.techniques.searches import search

HIERARCHIES = {"a": Intervals(kind="intervals", widths=[2, 4, 8]), "b": Star(), "c": Star()}


def table(rows: int = 250) -> dict[str, EncodedColumn]:
    draw = np.random.default_rng(5)
    values = {"a": draw.integers(0, 20, rows), "b": draw.integers(0, 3, rows), "c": draw.integers(0, 2, rows)}
    return {name: dictionary_encode(pa.array([str(v) for v in column])) for name, column in values.items()}


def settings(**more: object) -> KAnonymitySettings:
    return KAnonymitySettings.model_validate(
        {"k": 5, "suppression_limit": 0.1, "hierarchies": HIERARCHIES, **more}
    )


def test_a_small_lattice_is_shown_whole_and_every_node_is_true() -> None:
    found = solution_space(table(), {}, settings())
    assert found.complete
    assert len(found.nodes) == found.lattice_size == 5 * 2 * 2
    assert found.nodes[0].best
    order = [(not node.satisfies, node.loss) for node in found.nodes]
    assert order == sorted(order)
    for node in found.nodes:
        levels = dict(zip(found.columns, node.levels, strict=True))
        fixed = {"minimum_levels": levels, "maximum_levels": levels}
        report = anonymize(table(), {}, search(5, {}, 1.0, HIERARCHIES, **fixed)).report
        assert node.suppressed == pytest.approx(report["suppressed"] / 250)
        assert (node.classes, node.smallest) == (report["classes"], report["min_class"])
        assert (node.loss, node.kept) == pytest.approx((report["loss"], report["granularity"]))
        assert node.satisfies == (node.suppressed <= 0.1 and node.classes > 0)


def test_a_large_one_is_shown_around_the_best() -> None:
    found = solution_space(table(), {}, settings(), most=9)
    assert not found.complete
    assert len(found.nodes) == 9
    best = found.nodes[0]
    assert best.best
    whole = solution_space(table(), {}, settings())
    assert best.loss == whole.nodes[0].loss
    near = {
        n.levels
        for n in found.nodes
        if sum(abs(a - b) for a, b in zip(n.levels, best.levels, strict=True)) == 1
    }
    assert near, "its neighbours are among them"


def test_sensitive_attributes_and_bounds_count() -> None:
    columns = table()
    rare = dictionary_encode(pa.array(["x" if i % 9 else "y" for i in range(250)]))
    bounds = settings(sensitive={"s": Conditions(distinct=2)}, maximum_levels={"b": 0})
    found = solution_space(columns, {"s": rare}, bounds)
    assert found.lattice_size == 5 * 1 * 2
    report = anonymize(
        columns, {"s": rare},
        search(5, {"s": Conditions(distinct=2)}, 0.1, HIERARCHIES, maximum_levels={"b": 0}),
    ).report  # fmt: skip
    assert found.nodes[0].levels == tuple(report["levels"].values())


def test_where_nothing_satisfies_that_is_shown() -> None:
    bounds = settings(maximum_levels={"a": 0, "b": 0, "c": 0}, suppression_limit=0.0)
    found = solution_space(table(), {}, bounds)
    assert [node.satisfies for node in found.nodes] == [False]
    assert not found.nodes[0].best
