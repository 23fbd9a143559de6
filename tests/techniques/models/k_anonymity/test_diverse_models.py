"""l-diversity, t-closeness and average risk: published optima, and any table against code of its own."""

from __future__ import annotations

import csv
import math
from collections import Counter, defaultdict
from collections.abc import Callable
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
from techniques.disclosure_risk.diversity import diversity
from techniques.hierarchies.definitions import parse_table
from techniques.models.k_anonymity import search as search_module
from tests.techniques.apply import operation, through_file
from tests.techniques.measuring import as_two_values, with_the_most_frequent, worst_ordered_distance
from tests.techniques.models.k_anonymity.test_k_anonymity import (
    LETTERS,
    NUMBERS,
    Q7,
    WIDE,
    naive_share,
    naive_value,
)

Cells = list[str | None]


def solve(
    columns: dict[str, Cells], read: dict[str, Cells], key: str = "model.k_anonymity", **parameters: Any
) -> tuple[dict[str, Any], list[tuple[Any, ...]], list[tuple[Any, ...]]]:
    """The report, the rows that are left with their sensitive values behind, and those that are gone."""
    every = {**columns, **read}
    made = operation(key, parameters, len(next(iter(every.values()))), tuple(columns))
    encoded = [pa.array(column, pa.string()).dictionary_encode() for column in every.values()]
    codes = [np.array(column.indices.fill_null(-1)).astype(np.int32) for column in encoded]
    distinct, counts = np.unique(np.column_stack(codes), axis=0, return_counts=True)
    split = [np.ascontiguousarray(distinct[:, i]) for i in range(len(codes))]
    state = made.fit(Tally([one.dictionary for one in encoded], split, counts), lambda share: None)
    dictionaries = made.restore(through_file(state))
    outcome = made.apply(codes if made.reads else codes[: len(columns)])
    cells = [
        [None if code < 0 else dictionary[int(code)].as_py() for code in column]
        for dictionary, column in zip(dictionaries, outcome.codes, strict=True)
    ]
    rows = list(zip(*cells, *read.values(), strict=True))
    left = [row for row, gone in zip(rows, outcome.removed, strict=True) if not gone]
    return (
        state.facts["report"],
        left,
        [row for row, gone in zip(rows, outcome.removed, strict=True) if gone],
    )


@pytest.mark.parametrize(
    ("key", "conditions", "levels", "suppressed", "classes", "smallest", "granularity"),
    [
        ("model.l_diversity", {"distinct": 3}, "03012110", 814, 289, 5, 0.7578),
        ("model.t_closeness", {"t": 0.2}, "14113121", 235, 6, 233, 0.1841),
    ],
)
def test_the_published_optima_on_adult(
    real_data_dir: Path,
    key: str,
    conditions: dict[str, Any],
    levels: str,
    suppressed: int,
    classes: int,
    smallest: int,
    granularity: float,
) -> None:
    with (real_data_dir / "adult_arx.csv").open(newline="") as stream:
        table = list(csv.DictReader(stream, delimiter=";"))
    names = [*Q7, "salary-class"]
    files = {n: real_data_dir / f"hierarchies/adult_hierarchy_{n}.csv" for n in names}
    hierarchies = {n: {"kind": "table", "rows": parse_table(f.read_bytes(), n)} for n, f in files.items()}
    report, left, gone = solve(
        {name: [row[name] for row in table] for name in names},
        {"occupation": [row["occupation"] for row in table]},
        key,
        k=5,
        suppression_limit=0.04,
        hierarchies=hierarchies,
        sensitive={"occupation": conditions},
    )
    assert "".join(str(report["levels"][name]) for name in names) == levels
    assert report["suppressed"] == suppressed == len(gone)
    assert (report["classes"], report["min_class"]) == (classes, smallest)
    assert report["granularity"] == pytest.approx(granularity, abs=5e-5)
    assert report["proved_optimal"]
    found = defaultdict(list)
    for row in left:
        found[row[:-1]].append(row[-1])
    assert (len(found), min(map(len, found.values()))) == (classes, smallest)
    measured = report["sensitive"]["occupation"]
    assert measured["distinct"] == min(len(set(values)) for values in found.values())
    if "t" in conditions:
        assert measured["t"] <= 0.2
        assert measured["t"] == pytest.approx(
            max(equal_distance(v, [r["occupation"] for r in table]) for v in found.values())
        )
    else:
        assert measured["distinct"] >= 3


OCCUPATION = {"t": 0.2, "distance": "hierarchical", "hierarchy": "occupation"}


@pytest.mark.parametrize(
    ("limit", "condition", "more", "levels", "suppressed", "classes", "smallest", "loss"),
    [
        (1.0, {"t": 0.2}, {}, "12003021", 8156, 23, 32, 0.6041652321447128),
        (0.04, OCCUPATION, {}, "14003221", 1088, 16, 33, 0.6967582451717038),
        (1.0, OCCUPATION, {}, "03003021", 7271, 37, 9, 0.5049846167933183),
        (0.04, {}, {"loss": "discernibility"}, "00123220", 60, 230, 5, 0.01018850263041042),
    ],
)
def test_optima_on_adult_that_looking_at_nearly_all_solutions_found(
    real_data_dir: Path,
    limit: float,
    condition: dict[str, Any],
    more: dict[str, Any],
    levels: str,
    suppressed: int,
    classes: int,
    smallest: int,
    loss: float,
) -> None:
    """Better bounds rule nearly all of them out and change nothing else."""
    with (real_data_dir / "adult_arx.csv").open(newline="") as stream:
        table = list(csv.DictReader(stream, delimiter=";"))
    names = [*Q7, "salary-class"]
    files = {n: real_data_dir / f"hierarchies/adult_hierarchy_{n}.csv" for n in [*names, "occupation"]}
    trees = {n: {"kind": "table", "rows": parse_table(f.read_bytes(), n)} for n, f in files.items()}
    if "hierarchy" in condition:
        condition = condition | {"hierarchy": trees["occupation"]}
    report, _, _ = solve(
        {name: [row[name] for row in table] for name in names},
        {"occupation": [row["occupation"] for row in table]} if condition else {},
        k=5,
        suppression_limit=limit,
        hierarchies={name: trees[name] for name in names},
        sensitive={"occupation": condition} if condition else {},
        **more,
    )
    assert "".join(str(report["levels"][name]) for name in names) == levels
    assert (report["suppressed"], report["classes"], report["min_class"]) == (suppressed, classes, smallest)
    assert report["loss"] == pytest.approx(loss, rel=1e-12)
    assert report["proved_optimal"]
    assert report["checks"] < report["lattice_size"] / 2


# -- any table, any mix ----------------------------------------------------------------------------

DISEASES = ["flu", "cold", "ulcer", "cancer", None]
TREE = {"flu": "lung", "cold": "lung", "ulcer": "other", "cancer": "other", None: "?"}
DISEASE_TREE = {
    "kind": "table",
    "rows": [[d, TREE[d], "*"] for d in DISEASES if d is not None],
}


def shares(values: list[Any], support: list[Any]) -> list[float]:
    counted = Counter(values)
    return [counted[value] / len(values) for value in support]


def equal_distance(values: list[Any], table: list[Any]) -> float:
    support = sorted(set(table), key=str)
    return sum(abs(p - q) for p, q in zip(shares(values, support), shares(table, support), strict=True)) / 2


def ordered_distance(values: list[Any], table: list[Any]) -> float:
    support = sorted(set(table), key=lambda v: (v is not None, float(v or 0)))
    if len(support) < 2:
        return 0.0
    running, total = 0.0, 0.0
    for p, q in zip(shares(values, support), shares(table, support), strict=True):
        running += p - q
        total += abs(running)
    return total / (len(support) - 1)


def tree_distance(values: list[Any], table: list[Any]) -> float:
    """Every pair of values: the earth that cannot stay below a group moves half way or all the way."""
    support = sorted(set(table), key=str)
    extra = dict(zip(support, np.subtract(shares(values, support), shares(table, support)), strict=True))
    groups = defaultdict(list)
    for value in support:
        groups[TREE.get(value, value)].append(extra[value])
    inside = sum(min(sum(x for x in g if x > 0), -sum(x for x in g if x < 0)) for g in groups.values())
    sums = [sum(g) for g in groups.values()]
    return float(inside / 2 + sum(x for x in sums if x > 0))


def holds(values: list[Any], table: list[Any], c: dict[str, Any]) -> bool:
    """The conditions by their definitions and the stricter reading of missing values, with the tolerance of rounding."""
    counts = with_the_most_frequent(values)
    if len(counts) < c.get("distinct", 0):
        return False
    if "entropy" in c:
        entropy = -sum(x / len(values) * math.log(x / len(values)) for x in counts)
        if entropy < math.log(c["entropy"]) - 1e-9:
            return False
    if "recursive_l" in c and not counts[0] < c["recursive_c"] * sum(counts[c["recursive_l"] - 1 :]) - 1e-9:
        return False
    if "t" in c:
        kind = c.get("distance", "equal")
        if kind == "ordered":
            found = max(ordered_distance(values, table), worst_ordered_distance(values, table))
        else:
            found = {"equal": equal_distance, "hierarchical": tree_distance}[kind](
                *as_two_values(values, table)
            )
        if found > c["t"] + 1e-9:
            return False
    return True


def naive_best(
    rows: list[tuple[Any, ...]],
    k: int,
    limit: float,
    conditions: list[dict[str, Any]],
    average: float | None,
    holds: Callable[[list[Any], list[Any], dict[str, Any]], bool] = holds,
) -> float | None:
    """Least loss over all nodes, row by row; None where no node keeps to the limit."""
    best = None
    for levels in product(range(3), range(4), range(2)):
        classes = defaultdict(list)
        for row in rows:
            classes[tuple(naive_value(i, v, levels[i]) for i, v in enumerate(row[:3]))].append(row)
        kept = {
            label: inside
            for label, inside in classes.items()
            if len(inside) >= k
            and all(
                holds([r[3 + i] for r in inside], [r[3 + i] for r in rows], c)
                for i, c in enumerate(conditions)
            )
        }
        if average is not None:
            for size in sorted({len(inside) for inside in kept.values()}):
                if len(kept) <= average * sum(map(len, kept.values())) + 1e-9:
                    break
                kept = {label: inside for label, inside in kept.items() if len(inside) > size}
        suppressed = len(rows) - sum(map(len, kept.values()))
        if suppressed > limit * len(rows) + 1e-9:
            continue
        loss = 1.0
        for i in range(3):
            values = [row[i] for row in rows]
            by_value = {v: naive_share(i, values, v, levels[i]) for v in set(values)}
            leaves = next(iter(by_value.values()))[1]
            mean = suppressed + sum(by_value[r[i]][0] for inside in kept.values() for r in inside)
            if leaves > 1:
                loss *= 1 + (mean / len(rows) - 1 / leaves) / (1 - 1 / leaves)
        loss = loss ** (1 / 3) - 1
        best = loss if best is None else min(best, loss)
    return best


TABLES = st.lists(
    st.tuples(
        st.sampled_from([*"abcd", None]),
        st.sampled_from([*"0123456", None]),
        st.sampled_from("mf"),
        st.sampled_from(DISEASES),
        st.sampled_from(["10", "9", "100", None]),
    ),
    min_size=3,
    max_size=40,
)
CONDITION = st.sampled_from(
    [
        {"distinct": 2},
        {"distinct": 3},
        {"entropy": 1.8},
        {"recursive_l": 2, "recursive_c": 1.5},
        {"recursive_l": 3, "recursive_c": 2.0},
        {"t": 0.3},
        {"t": 0.5, "distinct": 2},
        {"t": 0.25, "distance": "ordered"},
        {"t": 0.3, "distance": "hierarchical"},
        {"entropy": 1.5, "t": 0.6, "distance": "hierarchical"},
    ]
)


@settings(max_examples=70)
@given(
    TABLES,
    st.integers(2, 3),
    st.sampled_from([0.0, 0.15, 0.5, 1.0]),
    CONDITION,
    st.one_of(st.none(), CONDITION.filter(lambda c: c.get("distance") != "hierarchical")),
    st.sampled_from([None, None, 0.2, 0.3]),
    st.sampled_from([0, 1 << 20]),
)
def test_optimal_and_as_varied_as_demanded_on_any_table(
    rows: list[tuple[Any, ...]],
    k: int,
    limit: float,
    first: dict[str, Any],
    second: dict[str, Any] | None,
    average: float | None,
    large: int,
) -> None:
    """Whatever values are missing. Also as lattices beyond ``large`` solutions are searched."""
    if first.get("distance") == "ordered":
        first = first | {"distance": "equal"}
    conditions = [first] if second is None else [first, second]
    wanted = naive_best(rows, k, limit, conditions, average)
    names = ["disease", "cost"][: len(conditions)]
    parameters: dict[str, Any] = {
        "k": k,
        "suppression_limit": limit,
        "hierarchies": {"a": LETTERS, "b": NUMBERS, "c": {"kind": "star"}},
        "sensitive": dict(zip(names, conditions, strict=True)),
    }
    if first.get("distance") == "hierarchical":
        parameters["sensitive"]["disease"] = first | {"hierarchy": DISEASE_TREE}
    if average is not None:
        parameters["average_risk"] = average
    columns = {name: [row[i] for row in rows] for i, name in enumerate("abc")}
    sensitive = {name: [row[3 + i] for row in rows] for i, name in enumerate(names)}
    if wanted is None:
        with pytest.raises(EngineError) as error:
            solve(columns, sensitive, **parameters)
        assert error.value.code == "no_solution"
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search_module, "_LARGE_LATTICE", large)
        report, left, gone = solve(columns, sensitive, **parameters)
    assert report["proved_optimal"]
    assert report["loss"] == pytest.approx(wanted, abs=1e-9)
    assert len(gone) == report["suppressed"] <= limit * len(rows) + 1e-9
    found = defaultdict(list)
    for row in left:
        found[row[:3]].append(row)
    for inside in found.values():
        assert len(inside) >= k
        for i, c in enumerate(conditions):
            assert holds([r[3 + i] for r in inside], [r[3 + i] for r in rows], c)
    if average is not None:
        assert len(found) <= average * len(left) + 1e-9
    assert report["classes"] == len(found)


def test_a_larger_table_is_solved_alike_with_and_without_shortcuts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rolled-up classes and raised bounds change nothing but the time."""
    from techniques.models.k_anonymity import problem as module

    draw = np.random.default_rng(5)
    columns: dict[str, Cells] = {name: [str(x) for x in draw.integers(0, 60, 3000)] for name in "ab"}
    columns["c"] = [str(x) for x in draw.integers(0, 2, 3000)]
    sensitive: dict[str, Cells] = {"s": [str(x) for x in draw.geometric(0.4, 3000)]}
    parameters = {
        "k": 4,
        "hierarchies": {"a": WIDE, "b": WIDE, "c": {"kind": "star"}},
        "sensitive": {"s": {"distinct": 2, "t": 0.35, "distance": "ordered"}},
    }
    fast = solve(columns, sensitive, **parameters)
    monkeypatch.setattr(module, "nested", lambda maps, sizes: False)
    slow = solve(columns, sensitive, **parameters)
    assert fast[0]["checks"] < slow[0]["checks"]
    ignored = {"checks"}
    assert {k: v for k, v in fast[0].items() if k not in ignored} == {
        k: v for k, v in slow[0].items() if k not in ignored
    }
    assert fast[1] == slow[1]
    monkeypatch.undo()
    monkeypatch.setattr(search_module, "_LARGE_LATTICE", 0)
    plain = solve(columns, sensitive, **parameters)
    assert plain[0]["levels"] == fast[0]["levels"]
    assert plain[0]["loss"] == pytest.approx(fast[0]["loss"], abs=1e-12)
    assert plain[0]["proved_optimal"]
    short = solve(columns, sensitive, **parameters, effort=20)[0]
    assert not short["proved_optimal"]
    assert short["lower_bound"] <= fast[0]["loss"] <= short["loss"]


@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.sampled_from(["1", "2", "5", "9", "10"])), min_size=1, max_size=60
    )
)
@settings(max_examples=60)
def test_measures_of_variety_by_their_definitions(rows: list[tuple[int, str]]) -> None:
    support = sorted({value for _, value in rows}, key=float)
    values = [value for _, value in rows]
    found = diversity(np.array([c for c, _ in rows]), np.array([support.index(v) for v in values]))
    classes = [[v for c, v in rows if c == number] for number in {c for c, _ in rows}]
    assert found.distinct == min(len(set(inside)) for inside in classes)
    assert found.t == pytest.approx(max(equal_distance(inside, values) for inside in classes))
    assert found.t_ordered == pytest.approx(max(ordered_distance(inside, values) for inside in classes))
    gains = [
        (inside.count(v) / len(inside)) / (values.count(v) / len(values))
        for inside in classes
        for v in inside
    ]
    assert found.beta == pytest.approx(max(0.0, max(gains) - 1))
    assert found.delta == pytest.approx(max(abs(math.log(g)) for g in gains))
    assert found.entropy == pytest.approx(
        min(math.exp(-sum(n / len(i) * math.log(n / len(i)) for n in Counter(i).values())) for i in classes)
    )


# -- as part of a recipe ---------------------------------------------------------------------------


def test_a_tree_that_misses_a_sensitive_value() -> None:
    columns: dict[str, Cells] = {"c": ["m"] * 4}
    sensitive: dict[str, Cells] = {"s": ["flu", "cold", "ulcer", "gout"]}
    parameters = {
        "k": 2,
        "hierarchies": {"c": {"kind": "star"}},
        "sensitive": {"s": {"t": 0.5, "distance": "hierarchical", "hierarchy": DISEASE_TREE}},
    }
    with pytest.raises(Unfit) as unfit:
        solve(columns, sensitive, **parameters)
    assert (unfit.value.column, unfit.value.positions.tolist()) == (1, [3])
    assert solve(columns, sensitive, **parameters, unfit="suppress")[0]["suppressed"] == 0
