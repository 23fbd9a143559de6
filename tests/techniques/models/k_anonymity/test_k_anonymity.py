"""k-anonymity: the published optima, and properties checked by code that shares nothing with the search."""

from __future__ import annotations

import csv
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from techniques.core.messages import EngineError
from techniques.core.operations import Tally, Unfit
from techniques.hierarchies.build import build
from techniques.hierarchies.definitions import Star, parse_table
from techniques.models.k_anonymity.problem import Attribute, Problem
from tests.techniques.apply import operation, through_file

KEY = "model.k_anonymity"
Q7 = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass"]
Q9 = [*Q7, "occupation", "salary-class"]


def tally_of(columns: list[list[str | None]]) -> tuple[Tally, list[Any]]:
    """Distinct combinations of a table given by columns, and the codes of its rows."""
    encoded = [pa.array(column, pa.string()).dictionary_encode() for column in columns]
    codes = [np.array(column.indices.fill_null(-1)).astype(np.int32) for column in encoded]
    distinct, counts = np.unique(np.column_stack(codes), axis=0, return_counts=True)
    split = [np.ascontiguousarray(distinct[:, i]) for i in range(len(columns))]
    return Tally([column.dictionary for column in encoded], split, counts), codes


def solve(
    columns: dict[str, list[str | None]], **parameters: Any
) -> tuple[dict[str, Any], list[tuple[str | None, ...]]]:
    """The report of the step and the rows that are left."""
    made = operation(KEY, parameters, len(next(iter(columns.values()))), tuple(columns))
    tally, codes = tally_of(list(columns.values()))
    state = made.fit(tally, lambda share: None)
    dictionaries = made.restore(through_file(state))
    outcome = made.apply(codes)
    cells = [
        [None if code < 0 else dictionary[int(code)].as_py() for code in column]
        for dictionary, column in zip(dictionaries, outcome.codes, strict=True)
    ]
    rows = [row for row, gone in zip(zip(*cells, strict=True), outcome.removed, strict=True) if not gone]
    return state.facts["report"], rows


@pytest.mark.parametrize(
    ("columns", "limit", "levels", "suppressed", "classes", "smallest", "loss", "granularity"),
    [
        (Q7, 0.0, "0401322", 0, 20, 14, 0.5644, 0.3009),
        (Q9, 0.04, "030111120", 1178, 370, 5, 0.2661, 0.6755),
        (Q9, 1.0, "030021110", 2553, 602, 5, 0.2204, 0.7514),
    ],
)
def test_the_published_optima_on_adult(
    real_data_dir: Path,
    columns: list[str],
    limit: float,
    levels: str,
    suppressed: int,
    classes: int,
    smallest: int,
    loss: float,
    granularity: float,
) -> None:
    with (real_data_dir / "adult_arx.csv").open(newline="") as stream:
        table = list(csv.DictReader(stream, delimiter=";"))
    hierarchies = {
        name: {
            "kind": "table",
            "rows": parse_table(
                (real_data_dir / f"hierarchies/adult_hierarchy_{name}.csv").read_bytes(), name
            ),
        }
        for name in columns
    }
    data = {name: [row[name] for row in table] for name in columns}
    report, rows = solve(data, k=5, suppression_limit=limit, hierarchies=hierarchies)
    assert "".join(str(report["levels"][name]) for name in columns) == levels
    assert report["suppressed"] == suppressed == len(table) - len(rows)
    assert (report["classes"], report["min_class"]) == (classes, smallest)
    assert report["loss"] == pytest.approx(loss, abs=5e-5)
    assert report["granularity"] == pytest.approx(granularity, abs=5e-5)
    assert report["proved_optimal"]
    sizes = Counter(rows)
    assert (len(sizes), min(sizes.values())) == (classes, smallest)


LETTERS = {"kind": "table", "rows": [[c, "ab" if c in "ab" else "cd", "*"] for c in "abcd"]}
NUMBERS = {"kind": "intervals", "widths": [2, 4]}
TABLES = st.lists(
    st.tuples(st.sampled_from([*"abcd", None]), st.sampled_from([*"0123456", None]), st.sampled_from("mf")),
    min_size=1,
    max_size=40,
)


def naive_value(column: int, value: str | None, level: int) -> str | None:
    """A value at a level, said again in the plainest way."""
    if level == (3, 3, 1)[column] or (column == 0 and level == 2):
        return "*"
    if value is None or level == 0:
        return value
    if column == 0:
        return "ab" if value in "ab" else "cd"
    width = 2 * level
    low = int(value) // width * width
    return f"[{low},{low + width})"


def naive_share(column: int, values: list[str | None], value: str | None, level: int) -> tuple[float, int]:
    """Share of the leaves under a value at a level, and the leaves of the hierarchy."""
    leaves: list[str | None] = (
        [*"abcd"] if column == 0 else sorted({v for v in values if v is not None})  # type: ignore[type-var]
    )
    if None in values:
        leaves = [*leaves, None]
    label = naive_value(column, value, level)
    under = [leaf for leaf in leaves if naive_value(column, leaf, level) == label]
    return len(under) / len(leaves), len(leaves)


def naive_loss(rows: list[tuple[Any, ...]], levels: tuple[int, ...], k: int) -> tuple[float, int]:
    """Loss and suppressed rows by the definition, row by row."""
    general = [tuple(naive_value(i, v, levels[i]) for i, v in enumerate(row)) for row in rows]
    sizes = Counter(general)
    result = 1.0
    for i in range(3):
        values = [row[i] for row in rows]
        shares = [naive_share(i, values, v, levels[i]) for v in values]
        leaves = shares[0][1]
        mean = sum(
            share if sizes[g] >= k else 1.0 for (share, _), g in zip(shares, general, strict=True)
        ) / len(rows)
        if leaves > 1:
            result *= 1 + (mean - 1 / leaves) / (1 - 1 / leaves)
    return result ** (1 / 3) - 1, sum(size for size in sizes.values() if size < k)


@settings(max_examples=80)
@given(TABLES, st.integers(2, 4), st.sampled_from([0.0, 0.1, 0.5, 1.0]), st.sampled_from(["remove", "star"]))
def test_optimal_and_anonymous_on_any_table(
    rows: list[tuple[Any, ...]], k: int, limit: float, treatment: str
) -> None:
    columns = {name: [row[i] for row in rows] for i, name in enumerate(("a", "b", "c"))}
    parameters = {
        "k": k,
        "suppression_limit": limit,
        "suppressed_rows": treatment,
        "hierarchies": {"a": LETTERS, "b": NUMBERS, "c": {"kind": "star"}},
    }
    # Where all rows may go, none of fewer than k being left is an answer.
    if len(rows) < k and limit < 1.0:
        with pytest.raises(EngineError) as error:
            solve(columns, **parameters)
        assert error.value.code == "k_too_large"
        return
    report, left = solve(columns, **parameters)
    every = [naive_loss(rows, levels, k) for levels in product(range(3), range(4), range(2))]
    best = min(loss for loss, suppressed in every if suppressed <= limit * len(rows) + 1e-9)
    assert report["proved_optimal"]
    assert report["loss"] == pytest.approx(best, abs=1e-9)
    starred = [row for row in left if row == ("*", "*", "*")] if treatment == "star" else []
    assert report["suppressed"] <= limit * len(rows) + 1e-9
    if treatment == "remove":
        assert len(left) == len(rows) - report["suppressed"]
        assert all(size >= k for size in Counter(left).values())
        assert min(Counter(left).values(), default=0) == report["min_class"]
    else:
        assert len(left) == len(rows)
        assert len(starred) >= report["suppressed"]
        assert all(size >= k for row, size in Counter(left).items() if row != ("*", "*", "*"))


def random_table(rows: int, seed: int) -> dict[str, list[str | None]]:
    draw = np.random.default_rng(seed)
    return {
        "a": [str(x) for x in draw.integers(0, 60, rows)],
        "b": [str(x) for x in draw.integers(0, 60, rows)],
        "c": [str(x) for x in draw.integers(0, 2, rows)],
    }


WIDE = {"kind": "intervals", "widths": [2, 4, 8, 16, 32]}


def test_effort_used_up_gives_a_sound_answer_with_its_bound() -> None:
    table = random_table(300, 1)
    parameters = {"k": 5, "hierarchies": {"a": WIDE, "b": WIDE, "c": {"kind": "star"}}}
    full, _ = solve(table, **parameters)
    short, rows = solve(table, **parameters, effort=10)
    assert full["proved_optimal"]
    assert not short["proved_optimal"]
    assert short["lower_bound"] <= full["loss"] <= short["loss"]
    assert min(Counter(rows).values()) >= 5
    assert solve(table, **parameters, effort=10)[0] == short


def test_bounds_per_column_are_kept() -> None:
    table = random_table(300, 2)
    hierarchies = {"a": WIDE, "b": WIDE, "c": {"kind": "star"}}
    report, _ = solve(
        table,
        k=3,
        hierarchies=hierarchies,
        minimum_levels={"c": 1},
        maximum_levels={"a": 4},
        suppression_limit=0.0,
    )
    assert report["levels"]["c"] == 1
    assert report["levels"]["a"] <= 4
    with pytest.raises(EngineError) as none:
        solve(table, k=3, hierarchies=hierarchies, maximum_levels={"a": 0, "b": 0}, suppression_limit=0.0)
    assert none.value.code == "no_solution"
    with pytest.raises(EngineError) as unknown:
        solve(table, k=3, hierarchies=hierarchies, maximum_levels={"a": 9})
    assert unknown.value.code == "level_unknown"


def test_values_that_a_hierarchy_misses() -> None:
    table: dict[str, list[str | None]] = {"a": ["a", "b", "z", "a"], "c": ["m", "m", "m", "m"]}
    hierarchies = {"a": LETTERS, "c": {"kind": "star"}}
    with pytest.raises(Unfit) as unfit:
        solve(table, k=2, hierarchies=hierarchies)
    assert unfit.value.column == 0
    assert unfit.value.positions.tolist() == [2]
    report, rows = solve(table, k=2, hierarchies=hierarchies, unfit="suppress", suppression_limit=0.3)
    assert report["suppressed"] == 1
    assert Counter(rows) == {("ab", "m"): 3}


def test_constant_column_and_all_rows_alike() -> None:
    report, rows = solve({"c": ["m"] * 5}, k=5, hierarchies={"c": {"kind": "star"}})
    assert (report["loss"], report["classes"], report["levels"]) == (0.0, 1, {"c": 0})
    assert rows == [("m",)] * 5


def test_keys_wider_than_64_bits() -> None:
    """20 columns of 20 values: no single number holds a combination."""
    draw = np.random.default_rng(3)
    base = [[str(x) for x in draw.integers(0, 20, 20)] for _ in range(20)]
    table = {f"q{i}": base[i] * 5 for i in range(20)}
    hierarchies = {name: {"kind": "star"} for name in table}
    report, rows = solve(table, k=5, hierarchies=hierarchies, effort=50)
    assert report["loss"] == 0
    assert min(Counter(rows).values()) == 5


def test_classes_of_many_columns_are_told_apart_with_few_rankings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forty-five columns of three values and a missing one are more combinations than one number holds."""
    draw = np.random.default_rng(3)
    rows = draw.integers(0, 2, (60, 45))[draw.integers(0, 60, 200)]
    rows[::7, 44] = 2
    hierarchy = build(Star(), pa.array(["x", "y", "z"]))
    attribute = Attribute.from_hierarchy(hierarchy, True, 0, 1)
    problem = Problem([attribute] * 45, list(rows.T.astype(np.int32)), np.arange(1, 201), 2)
    ranked = []
    unique = np.unique
    monkeypatch.setattr(np, "unique", lambda *args, **more: ranked.append(1) or unique(*args, **more))
    found = problem.group((0,) * 44 + (1,), problem.base)
    monkeypatch.undo()
    assert len(ranked) <= 2
    expected = Counter()
    for row, count in zip(rows[:, :44].tolist(), range(1, 201), strict=True):
        expected[tuple(row)] += count
    assert {
        tuple(rows[i, :44].tolist()): size for i, size in zip(found.first, found.sizes, strict=True)
    } == expected
    assert (found.sizes[found.class_of] == [expected[tuple(row)] for row in rows[:, :44].tolist()]).all()
