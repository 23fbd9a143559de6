"""Any table, any settings: the written file holds what was asked for, measured with csv and counters alone."""

from __future__ import annotations

import json
import math
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import event, example, given, settings
from hypothesis import strategies as st

from techniques.cli import main as cli
from tests.techniques.cli.test_anonymize import write
from tests.techniques.measuring import (
    as_two_values,
    classes,
    equal_distance,
    ordered_distance,
    read,
    suppressed,
    tree_distance,
    with_the_most_frequent,
    worst_ordered_distance,
)

QI = ["town", "age", "sex"]
TOWNS = ["Ürümqi", "北京", "a;b", "x,y", "*", ""]
PARENT = {"flu": "lung", "cold": "lung", "gout": "joint", "": ""}
TREE = {"kind": "table", "rows": [[v, p, "*"] for v, p in PARENT.items() if v]}
TOWN_TREE = {
    "kind": "table",
    "rows": [[t, "odd" if t.isascii() else "far", "everywhere"] for t in TOWNS if t],
}
HIERARCHIES = {
    "town": [{"kind": "star"}, {"kind": "free"}, TOWN_TREE],
    "age": [{"kind": "free"}, {"kind": "intervals", "widths": [5, 20]}],
    "sex": [{"kind": "star"}, {"kind": "free"}],
}
TABLES = st.lists(
    st.tuples(
        st.sampled_from(TOWNS),
        st.sampled_from([*map(str, range(18, 40)), ""]),
        st.sampled_from("mf"),
        st.sampled_from(list(PARENT)),
        st.sampled_from(["9", "10", "100", ""]),
        st.booleans(),
    ),
    min_size=4,
    max_size=70,
)
ILLNESS = st.sampled_from(
    [
        {"distinct": 2},
        {"distinct": 3, "t": 0.5},
        {"entropy": 1.7},
        {"recursive_l": 2, "recursive_c": 1.5},
        {"t": 0.35},
        {"t": 0.3, "distance": "hierarchical", "hierarchy": TREE},
    ]
)
COST = st.sampled_from([{"distinct": 2}, {"t": 0.3, "distance": "ordered"}])


@st.composite
def models(draw: st.DrawFn) -> dict[str, Any]:
    """Settings of a model that the recipe accepts."""
    hierarchies = {name: draw(st.sampled_from(kinds)) for name, kinds in HIERARCHIES.items()}
    found: dict[str, Any] = {
        "k": draw(st.integers(2, 4)),
        "recoding": draw(st.sampled_from(["local", "local", "full_domain"])),
        "suppression_limit": draw(st.sampled_from([0.0, 0.2, 1.0])),
        "suppressed_rows": draw(st.sampled_from(["remove", "star"])),
        "hierarchies": hierarchies,
        "sensitive": {},
    }
    if draw(st.booleans()):
        found["sensitive"]["illness"] = draw(ILLNESS)
    if draw(st.booleans()):
        found["sensitive"]["cost"] = draw(COST)
    found |= draw(st.sampled_from([{}, {}, {"average_risk": 0.2}, {"maximum_risk": 0.18}]))
    if hierarchies["age"]["kind"] == "intervals" and draw(st.booleans()):
        found |= {"minimum_levels": {"age": 1}, "maximum_levels": {"age": 2}}
    return found


def holds(values: list[str], whole: list[str], c: dict[str, Any]) -> bool:
    """The conditions by their definitions and the stricter reading of missing values, with the tolerance of rounding."""
    counts = with_the_most_frequent(values)
    if len(counts) < c.get("distinct", 0):
        return False
    if "entropy" in c:
        entropy = -sum(x / len(values) * math.log(x / len(values)) for x in counts)
        if entropy < math.log(c["entropy"]) - 1e-9:
            return False
    if "recursive_l" in c and counts[0] >= c["recursive_c"] * sum(counts[c["recursive_l"] - 1 :]):
        return False
    parent = PARENT | {"?here": "?here", "?there": "?there"}
    distance: float = {
        "equal": lambda: equal_distance(*as_two_values(values, whole)),
        "ordered": lambda: max(ordered_distance(values, whole), worst_ordered_distance(values, whole)),
        "hierarchical": lambda: tree_distance(*as_two_values(values, whole), parent),
    }[c.get("distance", "equal")]()
    return "t" not in c or distance <= c["t"] + 1e-9


def no_constant(name: str) -> Any:
    raise AssertionError(f"{name} in the report")


# Ten rows and one more read as suppressed ones do; the two that are left would be one class of an average above the bound.
OVER_THE_AVERAGE = (
    [("Ürümqi", "18", "m", "flu", "9", False)] * 6 + [("Ürümqi", "18", "m", "cold", "9", False)] * 4
    + [("Ürümqi", "20", "m", "flu", "9", False), ("Ürümqi", "20", "m", "cold", "9", False), ("北京", "20", "f", "cold", "9", False)]
)  # fmt: skip
BY_AVERAGE = {
    "k": 2, "recoding": "local", "suppression_limit": 0.0, "suppressed_rows": "remove",
    "hierarchies": {"town": {"kind": "star"}, "age": {"kind": "intervals", "widths": [5, 20]}, "sex": {"kind": "star"}},
    "sensitive": {"illness": {"recursive_l": 2, "recursive_c": 1.5}}, "average_risk": 0.2,
}  # fmt: skip


@settings(max_examples=110)
@given(TABLES, models())
@example(OVER_THE_AVERAGE, BY_AVERAGE)
def test_any_written_file_holds_what_its_recipe_asks_for(
    rows: list[tuple[Any, ...]], model: dict[str, Any]
) -> None:
    """Rows that an earlier step removes are neither in the file nor in what the conditions compare with."""
    names = [*QI, "illness", "cost", "note"]
    columns = {name: [str(row[i]) for row in rows] for i, name in enumerate(names)}
    columns["note"] = ["rare" if row[-1] and i == 0 else "usual" for i, row in enumerate(rows)]
    left = [i for i in range(len(rows)) if columns["note"][i] == "usual"]
    steps = [
        {"technique": "suppression.rare_records", "columns": ["note"], "parameters": {"minimum_count": 2, "maximum_share": 0.5}},
        {"technique": "model.k_anonymity", "columns": QI, "parameters": model},
        {"technique": "as_is", "columns": ["illness", "cost"], "parameters": {"reason": "studied"}},
    ]  # fmt: skip
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        source = write(folder / "in.csv", columns)
        (folder / "recipe.json").write_text(json.dumps({"recipe": 1, "steps": steps}))
        out, figures = folder / "out.csv", folder / "report.json"
        done = cli.main(
            [
                "run",
                str(folder / "recipe.json"),
                str(source),
                str(out),
                "--order",
                "kept",
                "--report",
                str(figures),
            ]
        )
        if done:
            assert not out.exists()
            event("refused")
            return
        written = read(out)
        report = json.loads(figures.read_text(), parse_constant=no_constant)["steps"][1]["result"]
    found = classes(written, QI)
    event(f"{model['recoding']}: {len(found) > 1}")
    starred = suppressed(written, QI)
    gone = len(left) - sum(map(len, found.values()))
    # A class of which nothing is told reads as suppressed rows do.
    assert report["suppressed"] <= gone
    assert report["suppressed"] <= model["suppression_limit"] * len(left) + 1e-9
    if model["suppressed_rows"] == "star":
        assert len(written) == len(left)
    assert starred + sum(map(len, found.values())) == len(written)
    least = 6 if "maximum_risk" in model else model["k"]
    for name, conditions in model["sensitive"].items():
        whole = [columns[name][i] for i in left]
        for one in found.values():
            assert holds([row[name] for row in one], whole, conditions)
    assert all(len(one) >= least for one in found.values())
    if "average_risk" in model:
        assert len(found) <= 0.2 * sum(map(len, found.values())) + 1e-9
    if "minimum_levels" in model:
        assert all(row["age"] == "" or "," in row["age"] or row["age"] == "*" for row in written)
    # Rows that were alike are alike: nothing in a row tells its place or its number.
    if model["suppressed_rows"] == "star":
        became = {
            (tuple(columns[name][i] for name in names[:5]), tuple(row[name] for name in QI))
            for i, row in zip(left, written, strict=True)
        }
        assert len(became) == len({before for before, _ in became})


@pytest.mark.parametrize("recoding", ["local", "full_domain"])
@pytest.mark.parametrize("kind", ["free", "star"])
def test_every_row_suppressed_a_constant_column_and_one_row_too_few(
    tmp_path: Path, recoding: str, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def result(columns: dict[str, list[str]], **parameters: Any) -> dict[str, Any]:
        write(tmp_path / "in.csv", columns)
        model = {
            "recoding": recoding,
            "hierarchies": {"a": {"kind": kind}},
            "suppressed_rows": "star",
            **parameters,
        }
        steps = [{"technique": "model.k_anonymity", "columns": ["a"], "parameters": model}]
        (tmp_path / "r.json").write_text(json.dumps({"recipe": 1, "unlisted": "keep", "steps": steps}))
        paths = [str(tmp_path / name) for name in ("r.json", "in.csv", "out.csv")]
        report = tmp_path / "report.json"
        if cli.main(["run", "--order", "kept", *paths, "--report", str(report)]):
            return {}
        figures: dict[str, Any] = json.loads(report.read_text(), parse_constant=no_constant)
        return dict(figures["steps"][0]["result"])

    nothing = result(
        {"a": list("pqrs"), "s": ["x"] * 4}, k=2, sensitive={"s": {"distinct": 2}}, suppression_limit=1.0
    )
    assert (nothing["suppressed"], nothing["classes"], nothing["min_class"]) == (4, 0, 0)
    assert (nothing["granularity"], nothing["loss"], nothing["ncp"]) == (0.0, 1.0, 1.0)
    assert {row["a"] for row in read(tmp_path / "out.csv")} == {"*"}
    constant = result({"a": ["p"] * 4}, k=4)
    assert (constant["granularity"], constant["loss"], constant["classes"]) == (1.0, 0.0, 1)
    assert result({"a": ["p"] * 4}, k=5) == {}
    assert "k is 5" in capsys.readouterr().err
    assert result({"a": ["p"] * 4}, k=2, average_risk=0.2) == {}
    assert "No allowed generalisation" in capsys.readouterr().err
