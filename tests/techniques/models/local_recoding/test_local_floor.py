"""Local recoding is never worse than the best full-domain solution, whatever is asked for, and holds what it says."""

from __future__ import annotations

import math
import random
from collections import Counter

import pyarrow as pa
import pytest

from techniques.anonymization.release import Release, anonymize, written
from techniques.catalogue.models import Conditions, KAnonymitySettings
from techniques.core.messages import EngineError
from techniques.hierarchies.definitions import Table
from techniques.tables.dictionary import EncodedColumn, dictionary_encode
from tests.techniques.measuring import equal_distance, ordered_distance
from tests.techniques.searches import search

Cells = list[str | None]


def encoded(cells: Cells) -> EncodedColumn:
    return dictionary_encode(pa.array(cells, pa.string()))


def tree(draw: random.Random, leaves: int) -> list[list[str]]:
    groups = [draw.randrange(max(leaves // 2, 1)) for _ in range(leaves)]
    return [[f"v{leaf}", f"g{group}", "*"] for leaf, group in enumerate(groups)]


def drawn(seed: int) -> tuple[dict[str, Cells], Cells, KAnonymitySettings]:
    """A table with missing cells, its sensitive column, and something to ask for."""
    draw = random.Random(seed)
    rows, free = draw.choice([6, 20, 60]), draw.random() < 0.4
    trees = [tree(draw, draw.choice([2, 3, 6])) for _ in range(draw.choice([1, 2, 3]))]
    missing, skewed = draw.choice([0, 0, 0.2]), draw.random() < 0.5
    columns: dict[str, Cells] = {}
    for number, one in enumerate(trees):
        numbers = free and draw.random() < 0.5
        values = [str(x) for x in range(0, 100, 7)] if numbers else [row[0] for row in one]
        weights = [1 / (i + 1) ** 2 if skewed else 1 for i in range(len(values))]
        picked = draw.choices(values, weights, k=rows)
        columns[f"q{number}"] = [None if draw.random() < missing else cell for cell in picked]
    sensitive: Cells = [draw.choice(["1", "2", "3", "4", None]) for _ in range(rows)]
    conditions = draw.choice(
        [
            None,
            None,
            Conditions(distinct=2),
            Conditions(entropy=draw.choice([1.5, 2.7])),
            Conditions(t=draw.choice([0.1, 0.3])),
            Conditions(t=draw.choice([0.1, 0.3]), distance="ordered", distinct=3),
        ]
    )
    request = search(
        draw.choice([2, 3, 5]),
        {} if conditions is None else {"s": conditions},
        draw.choice([0.0, 0.04, 0.1, 0.3]),
        None if free else {f"q{i}": Table(kind="table", rows=one) for i, one in enumerate(trees)},
        columns=columns,
        average_risk=draw.choice([None, None, 0.1, 0.25]),
    )
    return columns, sensitive, request


def made(
    columns: dict[str, Cells], sensitive: Cells, request: KAnonymitySettings, local: bool
) -> Release | None:
    quasi = {name: encoded(cells) for name, cells in columns.items()}
    read = {"s": encoded(sensitive)} if request.sensitive else {}
    search = request.model_copy(update={"recoding": "local" if local else "full_domain"})
    try:
        return anonymize(quasi, read, search)
    except EngineError as error:
        if error.code != "no_solution":
            raise
        return None


def holds(inside: Cells, whole: Cells, wanted: Conditions) -> bool:
    shares = [count / len(inside) for count in Counter(inside).values()]
    distance = equal_distance if wanted.distance == "equal" else ordered_distance
    return (
        len(shares) >= (wanted.distinct or 1)
        and math.exp(-sum(share * math.log(share) for share in shares)) >= (wanted.entropy or 1) - 1e-9
        and (
            wanted.t is None
            or distance([one or "" for one in inside], [one or "" for one in whole]) <= wanted.t + 1e-9
        )
    )


@pytest.mark.parametrize("block", range(3))
def test_no_full_domain_solution_keeps_more(block: int) -> None:
    for seed in range(30 * block, 30 * block + 30):
        columns, sensitive, request = drawn(seed)
        whole, local = (made(columns, sensitive, request, local) for local in (False, True))
        if local is None:
            assert whole is None, seed
            continue
        if whole is not None:
            assert local.report["granularity"] >= whole.report["granularity"] - 1e-12, seed
        rows = len(sensitive)
        found: dict[tuple[str | None, ...], list[int]] = {}
        out = [written(local.columns[name], 0, rows).to_pylist() for name in columns]
        for row in range(rows):
            if local.suppressed[row]:
                assert {cells[row] for cells in out} == {"*"}
            else:
                found.setdefault(tuple(cells[row] for cells in out), []).append(row)
        gone = int(local.suppressed.sum())
        assert gone == local.report["suppressed"] <= request.suppression_limit * rows + 1e-9
        assert len(found) == local.report["classes"]
        assert all(len(inside) >= request.k for inside in found.values())
        if request.average_risk is not None:
            assert len(found) <= request.average_risk * (rows - gone) + 1e-9
        for wanted in request.sensitive.values():
            assert all(holds([sensitive[i] for i in one], sensitive, wanted) for one in found.values()), seed


def test_a_row_that_costs_all_others_their_values_is_suppressed() -> None:
    cells: Cells = ["x"] * 19 + ["y"]
    known = {"a": Table(kind="table", rows=[["x", "*"], ["y", "*"]])}
    for hierarchies in (known, None):
        found = made({"a": cells}, [], search(2, {}, 0.1, hierarchies, columns="a"), True)
        assert found is not None
        assert (found.report["suppressed"], found.report["granularity"]) == (1, pytest.approx(0.95))
        assert written(found.columns["a"], 0, 20).to_pylist() == ["x"] * 19 + ["*"]
        kept = made({"a": cells}, [], search(2, {}, 0.0, hierarchies, columns="a"), True)
        assert kept is not None
        assert kept.report["suppressed"] == 0


def test_one_outlier_of_many_rows() -> None:
    """Beyond the few units for which everything is tried."""
    draw = random.Random(1)
    cells: Cells = [str(draw.randrange(3000)) for _ in range(9000)]
    other: Cells = [draw.choice("uvw") for _ in range(9000)]
    other[17] = "outlier"
    table = {"a": cells, "b": other}
    found = made(table, [], search(100, {}, 0.01, columns=table), True)
    assert found is not None
    assert found.suppressed[17]
    assert found.report["suppressed"] == 1


def test_a_refusal_says_no_more_than_is_known() -> None:
    """Two groups that may not be put together: that no part of one is close enough is found, not proved."""
    columns: dict[str, Cells] = {"a": ["x"] * 6 + ["y"] * 6}
    sensitive: Cells = ["a"] * 6 + ["b", "c", "d"] * 2
    known = {"a": Table(kind="table", rows=[["x", "*"], ["y", "*"]])}
    bound = {"maximum_levels": {"a": 0}}
    quasi, read = {"a": encoded(columns["a"])}, {"s": encoded(sensitive)}

    def refusal(conditions: Conditions, limit: float) -> str:
        with pytest.raises(EngineError) as error:
            anonymize(quasi, read, search(2, {"s": conditions}, limit, known, True, **bound))
        assert error.value.code == "no_solution"
        return str(error.value)

    assert "Local recoding found no classes" in refusal(Conditions(t=0.1, distance="ordered"), 0.3)
    assert "No allowed generalisation" in refusal(Conditions(distinct=2), 0.3)
