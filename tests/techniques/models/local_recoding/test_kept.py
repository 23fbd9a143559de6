"""The same input gives the same output: what small tables became stays, of which kind their columns and whatever is asked.

The recodings themselves are held to what they promise in the files beside this one; here nothing may move unseen. On purpose they
are written anew with ``GOLDEN=write``.
"""

from __future__ import annotations

import hashlib
import json
import random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from techniques.anonymization.release import anonymize, written
from techniques.catalogue.models import Conditions
from techniques.core.messages import EngineError
from techniques.hierarchies.definitions import Table
from techniques.models.local_recoding import forming, shapes
from techniques.tables.dictionary import dictionary_encode
from tests.golden.keeping import compare
from tests.techniques.searches import search

TREES = [
    [[f"v{leaf}", f"g{leaf // 2}", f"h{leaf // 4}", "*"] for leaf in range(7)],
    [[f"v{leaf}", f"g{leaf * leaf % 3}", "*"] for leaf in range(5)],
]
ORDERED = Table(kind="table", rows=[[str(leaf), "low" if leaf < 3 else "high", "*"] for leaf in range(1, 6)])
CONDITIONS: list[dict[str, Any]] = [
    {}, {"distinct": 3}, {"entropy": 2.2}, {"t": 0.3}, {"t": 0.25, "distance": "ordered"},
    {"t": 0.3, "distance": "hierarchical", "hierarchy": ORDERED}, {"recursive_l": 2, "recursive_c": 2.0}, {"beta": 1.0},
    {"t": 0.35, "distinct": 2}, {"alpha": 0.6},
]  # fmt: skip


def case(number: int) -> tuple[dict[str, list[str | None]], list[str | None], dict[str, Any], np.ndarray]:
    """Columns, a sensitive one, what is asked, and whose the rows are."""
    draw = random.Random(number)
    rows = draw.choice([24, 60, 110])
    missing = draw.choice([0, 0, 0.1])
    columns: dict[str, list[str | None]] = {}
    trees: dict[str, Any] = {}
    kinds = draw.sample(["tree", "tree2", "number", "set", "number2"], draw.choice([2, 3, 4]))
    for kind in kinds:
        if kind.startswith("tree"):
            rows_of = TREES[kind == "tree2"]
            trees[kind] = Table(kind="table", rows=rows_of)
            values = [row[0] for row in rows_of]
        else:
            values = [str(x * x) for x in range(9)] if "number" in kind else [*"pqrstu"]
        weights = [1 / (place + 1) for place in range(len(values))]
        cells = draw.choices(values, weights, k=rows)
        columns[kind] = [None if draw.random() < missing else cell for cell in cells]
    sensitive = [draw.choice(["1", "2", "2", "3", "4", "5", None if missing else "1"]) for _ in range(rows)]
    condition = CONDITIONS[number % len(CONDITIONS)]
    more: dict[str, Any] = {}
    if draw.random() < 0.4:
        more["average_risk"] = draw.choice([0.12, 0.2])
    if draw.random() < 0.4:
        more["weights"] = {kind: draw.choice([0.5, 1.0, 3.0]) for kind in kinds}
    free = {kind: {"kind": "free"} for kind in kinds if kind not in trees}
    request = {
        "k": draw.choice([2, 3, 5]), "limit": draw.choice([0.0, 0.05, 0.15]), "hierarchies": {**trees, **free}, **more,
        "sensitive": {"s": Conditions(**condition)} if condition else {},
    }  # fmt: skip
    return columns, sensitive, request, np.array([draw.randrange(rows // 2) for _ in range(rows)], np.int32)


def made(number: int, by_person: bool = False) -> dict[str, Any]:
    columns, sensitive, request, whose = case(number)
    quasi = {name: dictionary_encode(pa.array(cells, pa.string())) for name, cells in columns.items()}
    read = {"s": dictionary_encode(pa.array(sensitive, pa.string()))} if request["sensitive"] else {}
    try:
        found = anonymize(quasi, read, search(local=True, **request), subjects=whose if by_person else None)
    except EngineError as error:
        return {"refused": error.code}
    texts = [written(found.columns[name], 0, len(sensitive)).to_pylist() for name in columns]
    report = found.report
    return {
        "rows": hashlib.sha256(json.dumps(texts).encode()).hexdigest()[:16],
        **{name: report[name] for name in ("classes", "suppressed", "min_class")},
        # As they are: rounded, a sum of another order may fall on the other side of a half.
        **{name: report[name] for name in ("granularity", "ncp", "loss", "average_risk")},
    }


@pytest.mark.parametrize("block", range(10))
def test_small_tables_become_what_they_became(block: int) -> None:
    """Every third of them counts persons."""
    found = {str(number): made(number, number % 3 == 2) for number in range(4 * block, 4 * block + 4)}
    compare(f"models/local_recoding_{block}.json", found)


@pytest.mark.parametrize("block", range(2))
def test_many_units_are_recoded_as_they_were(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of more units than every improvement is tried for; small tables take that way here."""
    monkeypatch.setattr(forming, "FEW", 0)
    found = {str(number): made(number) for number in range(20 * block, 20 * block + 20, 4)}
    compare(f"models/local_recoding_many_{block}.json", found)


@pytest.mark.parametrize("number", range(1, 40, 4))
def test_columns_of_many_values_cost_what_those_of_few_cost(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A column of more values than a table of costs holds is added up otherwise, and comes to the same."""
    few = made(number)
    monkeypatch.setattr(shapes, "_TABLE_VALUES", 3)
    many = made(number)
    assert {**many, "rows": ""} == pytest.approx({**few, "rows": ""})
