"""Every loss and weight: the search finds what trying all solutions finds."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import log2
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from techniques.anonymization.release import anonymize
from techniques.catalogue.models import Conditions
from techniques.core.messages import EngineError
from techniques.hierarchies.definitions import Intervals, Star, Table
from techniques.tables.dictionary import dictionary_encode
from tests.techniques.models.k_anonymity.test_k_anonymity import LETTERS, naive_share, naive_value
from tests.techniques.searches import search

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
    """The least loss; of equal ones the fewest suppressed rows, then the lowest levels."""
    draw = np.random.default_rng(4)
    for number, limit in enumerate((0.0, 0.2, 1.0) * 4):
        count, k = 30 if number < 3 else int(draw.integers(8, 40)), 3 + number % 2
        rows = [
            ("abcd"[x], str(y), "mf"[z])
            for x, y, z in zip(*(draw.integers(0, top, count) for top in (4, 7, 2)), strict=True)
        ]
        table: dict[str, Any] = {
            name: dictionary_encode(pa.array([row[i] for row in rows])) for i, name in enumerate("abc")
        }
        request = search(k, {}, limit, HIERARCHIES, weights=dict(zip("abc", weights, strict=True)), loss=kind)
        report = anonymize(table, {}, request).report
        every = {levels: value(rows, levels, k, kind, weights) for levels in product(*map(range, LEVELS))}
        allowed = {one: of for one, of in every.items() if of[1] <= limit * count + 1e-9}
        wanted = min(loss for loss, _gone in allowed.values())
        assert report["proved_optimal"]
        assert report["loss"] == pytest.approx(wanted, abs=1e-9)
        found = tuple(report["levels"].values())
        assert allowed[found][0] == pytest.approx(wanted, abs=1e-9)
        equal = [(gone, one) for one, (loss, gone) in allowed.items() if loss <= wanted + 1e-11]
        assert (report["suppressed"], found) == min(equal)


def test_what_a_hierarchy_does_not_cover_is_lost() -> None:
    """A value given up for that reason is no detail kept, though its row stays."""
    column = dictionary_encode(pa.array(["x"] * 6 + ["y"] * 2 + [None] * 2))
    known = {"a": Table.model_validate({"kind": "table", "rows": [["x", "X"], ["z", "Z"]]})}
    for local in (False, True):
        report = anonymize({"a": column}, {}, search(2, {}, 0.0, known, local, unfit="suppress")).report
        # Three leaves: x, z and missing. Eight cells keep a leaf's share, two lose all.
        mean = (8 / 3 + 2) / 10
        assert report["suppressed"] == 0
        assert report["granularity"] == pytest.approx(1 - (mean - 1 / 3) / (1 - 1 / 3))
        assert report["loss"] == pytest.approx((mean - 1 / 3) / (1 - 1 / 3))
        assert report["ncp"] == pytest.approx(0.2)


@pytest.mark.parametrize("kind", ["geometric", "class_size"])
def test_more_columns_than_an_array_has_axes(kind: str) -> None:
    names = [f"c{number}" for number in range(70)]
    column = dictionary_encode(pa.array(["x", "y"] * 5))
    options = {"maximum_levels": dict.fromkeys(names[2:], 0)}
    for known in (options, {"maximum_levels": dict.fromkeys(names, 0)}):
        request = search(
            5, {}, 0.0, dict.fromkeys(names, Star(kind="star")), **known, loss=kind, unfit="error"
        )
        report = anonymize(dict.fromkeys(names, column), {}, request).report
        assert report["min_class"] == 5
        assert report["proved_optimal"]
        assert set(report["levels"].values()) == {0}


def test_a_search_that_ends_too_early_does_not_say_that_there_is_nothing() -> None:
    """The table as a whole is too one-sided, the larger of two classes is not: what is high is no solution, some of
    what is low is."""
    draw = np.random.default_rng(9)
    names = [f"c{number}" for number in range(21)]
    table = {name: dictionary_encode(pa.array([str(v) for v in draw.integers(0, 4, 60)])) for name in names}
    table["c20"] = dictionary_encode(pa.array(["left"] * 40 + ["right"] * 20))
    sensitive = {"s": dictionary_encode(pa.array(["x", "y"] * 20 + ["x"] * 18 + ["y"] * 2))}
    request = search(20, {"s": Conditions(entropy=1.98)}, 0.35, dict.fromkeys(names, Star()))
    report = anonymize(table, sensitive, request).report
    assert (report["levels"]["c20"], report["suppressed"]) == (0, 20)
    with pytest.raises(EngineError) as error:
        anonymize(table, sensitive, request.model_copy(update={"effort": 10}))
    assert error.value.code == "effort_used_up"
    with pytest.raises(EngineError) as error:
        anonymize(table, sensitive, request.model_copy(update={"suppression_limit": 0.0}))
    assert error.value.code == "no_solution"


def test_unknown_loss_and_weight() -> None:
    table = {"c": dictionary_encode(pa.array(["x", "x"]))}
    for wrong in ({"loss": "none"}, {"weights": {"c": 0.0}}):
        with pytest.raises(EngineError) as error:
            anonymize(table, {}, search(2, columns=table, **wrong))
        assert error.value.code == "objective_invalid"


@pytest.mark.parametrize("kind", ["geometric", "discernibility", "class_size"])
def test_nothing_is_proved_from_levels_that_are_not_nested(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Six thirds of sixteen places end before 2: one interval of the third level is two of the fourth."""
    monkeypatch.setattr("techniques.models.k_anonymity.search._LARGE_LATTICE", 0)
    third = 0.3333333333333333
    widths = [third, 2.0, 4.0]
    column = dictionary_encode(pa.array(["1.9999999999999999", "2.1"] * 2))
    made = anonymize(
        {"c": column},
        {},
        search(
            2,
            hierarchies={"c": Intervals(kind="intervals", widths=widths)},
            loss=kind,
            minimum_levels={"c": 1},
        ),
    )
    assert made.report["levels"] == {"c": 2}
    assert made.report["classes"] == 2
