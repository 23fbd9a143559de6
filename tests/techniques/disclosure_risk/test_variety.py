"""l, t, β and δ where sensitive values are missing: never looser than any way to fill them in, as the search has it."""

from __future__ import annotations

import json
import math
import tempfile
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from techniques.cli import main as cli
from techniques.core.messages import EngineError
from techniques.disclosure_risk.diversity import (
    by_class,
    hierarchical,
    measured,
    recursive_bounds,
    recursive_l,
)
from tests.techniques.cli.test_anonymize import write
from tests.techniques.cli.test_risk import run
from tests.techniques.measuring import (
    classes,
    equal_distance,
    ordered_distance,
    read,
    suppressed,
    tree_distance,
)

PARENT = {"1": "low", "2": "low", "3": "high", "4": "high", "": ""}
LOWEST = {"distinct", "entropy", "recursive"}
"""Figures of which less is worse."""


def by_definition(rows: list[tuple[int, str]]) -> dict[str, float]:
    """The worst class of a table without missing values; an empty text is a value before all others."""
    whole = [value for _, value in rows]
    found: dict[str, list[float]] = {}
    for number in {c for c, _ in rows}:
        inside = [value for c, value in rows if c == number]
        counts = sorted(Counter(inside).values(), reverse=True)
        n = len(inside)
        gains = [inside.count(v) / n / (whole.count(v) / len(whole)) for v in set(inside)]
        for name, figure in {
            "distinct": len(counts),
            "entropy": math.exp(-sum(x / n * math.log(x / n) for x in counts)),
            "recursive": sum(counts[0] < 1.5 * sum(counts[place:]) - 1e-9 for place in range(len(counts))),
            "t": equal_distance(inside, whole),
            "t_ordered": ordered_distance(inside, whole),
            "t_hierarchical": tree_distance(inside, whole, PARENT),
            "beta": max(0.0, max(gains) - 1),
            "delta": max(abs(math.log(gain)) for gain in gains),
            "alpha": counts[0] / n,
        }.items():  # fmt: skip
            found.setdefault(name, []).append(figure)
    return {name: (min if name in LOWEST else max)(figures) for name, figures in found.items()}


def ours(rows: list[tuple[int, str]]) -> dict[str, float]:
    support = sorted({value for _, value in rows if value})
    number = {value: place for place, value in enumerate(["", *support])}
    values = np.array([number[value] for _, value in rows])
    reference = np.bincount(values, minlength=len(number)) / len(rows)
    found = by_class(np.array([c for c, _ in rows]), values, None, reference, 0, len(rows))
    nodes = np.array([{"": 0, "low": 1, "high": 2}[PARENT[value]] for value in number])
    assert all(
        recursive_l(found, 1.001 * c) >= least > recursive_l(found, 0.999 * c)
        for least, c in recursive_bounds(found).items()
    )
    return measured(found).as_dict() | {
        "recursive": recursive_l(found, 1.5),
        "t_hierarchical": hierarchical(found, [np.arange(len(number)), nodes]),
    }


@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.sampled_from(["1", "2", "3", "4", "", ""])), min_size=1, max_size=8
    )
)
@settings(max_examples=60)
def test_no_looser_than_any_way_to_fill_in_what_is_missing(rows: list[tuple[int, str]]) -> None:
    """As a value of its own, and filled in with values that occur; where nothing is missing they are the same."""
    known = sorted({value for _, value in rows if value})
    gaps = [place for place, (_, value) in enumerate(rows) if not value]
    found = ours(rows)
    for fill in [[""] * len(gaps), *product(known, repeat=min(len(gaps), 5))]:
        filled = list(rows)
        for place, value in zip(gaps, fill, strict=False):
            filled[place] = (rows[place][0], value)
        for place in gaps[len(fill) :]:
            filled[place] = (rows[place][0], known[0])
        for name, figure in by_definition(filled).items():
            worse = found[name] - figure if name not in LOWEST else figure - found[name]
            assert worse >= -1e-9, name
            assert gaps or worse <= 1e-9, name


CONDITIONS = [
    ["--l", "2"],
    ["--l", "1.8", "--l-kind", "entropy"],
    ["--l", "2", "--l-kind", "recursive", "--c", "1.5"],
    ["--t", "0.4"],
    ["--t", "0.35", "--t-distance", "ordered"],
    ["--t", "0.4", "--t-distance", "hierarchical"],
]


@given(
    st.lists(
        st.tuples(
            st.sampled_from("xyz*"), st.sampled_from("abc"),
            st.sampled_from([*"1234" * 3, "", "*"]),
        ),
        min_size=4, max_size=40,
    ),
    st.sampled_from(CONDITIONS), st.sampled_from(["0", "0.4", "1"]), st.sampled_from([[], ["--local"]]),
)  # fmt: skip
@settings(max_examples=15)
def test_what_the_search_accepts_is_confirmed_on_the_written_file(
    rows: list[tuple[str, str, str]], conditions: list[str], limit: str, mode: list[str]
) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        source = write(folder / "in.csv", {n: [row[i] for row in rows] for i, n in enumerate("abs")})
        (folder / "h").mkdir()
        tree = "".join(f"{value};{parent};*\n" for value, parent in PARENT.items() if value)
        (folder / "h/s.csv").write_text(tree)
        for name, texts in (("a", "xyz*"), ("b", "abc")):
            (folder / f"h/{name}.csv").write_text("".join(f"{text};*\n" for text in texts))
        arguments = ["--qi", "a,b", "--hierarchies", str(folder / "h")]
        options = ["--k", "2", "--sa", "s", "--suppression-limit", limit, *conditions, *mode]
        out, figures, report = folder / "out.csv", folder / "figures.json", folder / "report.json"
        if cli.main(
            [
                "anonymize",
                str(source),
                str(out),
                "--order",
                "kept",
                *arguments,
                *options,
                "--report",
                str(report),
            ]
        ):
            return
        searched = json.loads(report.read_text())["sensitive"]["s"]
        named = ["--sensitive", "s", "--suppressed", "left-out", "--json", "--c", "1.5"]
        with pytest.MonkeyPatch.context() as patch, figures.open("w") as output:
            patch.setattr("sys.stdout", output)
            assert cli.main(["risk", str(out), *arguments, *named]) == 0
        found = json.loads(figures.read_text())["sensitive"]["s"]
        left, starred = classes(read(out), ["a", "b"]), suppressed(read(out), ["a", "b"])
    if not starred:  # a class of which nothing is told reads as suppressed rows do
        for name in searched.keys() & found.keys():
            assert searched[name] == pytest.approx(found[name]), name
    if not left:
        assert (found["distinct"], found["t"], found["recursive"]["l"]) == (0, 0, 0)
    elif "entropy" in conditions:
        assert found["entropy"] >= 1.8 - 1e-9
    elif "recursive" in conditions:
        assert found["recursive"]["l"] >= 2
    elif "ordered" in conditions:
        # Where texts are among the values they are no numbers, and nothing is in order unless it is asked for.
        assert found["t_ordered"] <= 0.35 + 1e-9
    elif "hierarchical" in conditions:
        assert found["t_hierarchical"] <= 0.4 + 1e-9
    elif "--t" in conditions:
        assert found["t"] <= 0.4 + 1e-9
    else:
        assert found["distinct"] >= 2


def test_a_value_that_is_missing_or_suppressed_adds_no_diversity(tmp_path: Path, capsys: Any) -> None:
    for nothing in ("", "*"):
        source = write(tmp_path / "in.csv", {"z": [*"AAABBB"], "s": ["f", "f", nothing, "f", "g", "g"]})
        assert run([str(source), "--qi", "z", "--sensitive", "s", "--json"]) == 0
        found = json.loads(capsys.readouterr().out)["sensitive"]["s"]
        assert (found["distinct"], found["entropy"], found["alpha"], found["unknown_rows"]) == (
            1,
            1.0,
            1.0,
            1,
        )
        made = tmp_path / "out.csv"
        options = ["--qi", "z", "--k", "3", "--sa", "s", "--l", "2"]
        for mode in ([], ["--local"]):
            assert cli.main(["anonymize", str(source), str(made), "--order", "kept", *options, *mode]) == 0
            assert len({row["z"] for row in read(made)}) == 1
        capsys.readouterr()


def test_each_kind_of_diversity_and_closeness_with_its_formula(tmp_path: Path, capsys: Any) -> None:
    ages = ["30", "9", "9", "100", "30", "30"]
    grades = ["good", "bad", "bad", "fair", "good", "fair"]
    source = write(tmp_path / "in.csv", {"z": [*"AAABBB"], "age": ages, "grade": grades})
    (tmp_path / "x_hierarchy_grade.csv").write_text("good;fine\nfair;fine\nbad;poor\n")
    command = [str(source), "--qi", "z", "--sensitive", "age,grade", "--json"]
    assert run([*command, "--hierarchies", str(tmp_path)]) == 0
    found = json.loads(capsys.readouterr().out)["sensitive"]
    assert found["age"]["t_ordered"] == pytest.approx(max(
        ordered_distance(ages[:3], ages), ordered_distance(ages[3:], ages)
    ))  # fmt: skip
    parent = {"good": "fine", "fair": "fine", "bad": "poor"}
    # Two values under one node move half as far as those that only meet at the root.
    assert found["grade"]["t_hierarchical"] == pytest.approx(max(
        tree_distance(grades[:3], grades, parent), tree_distance(grades[3:], grades, parent)
    ))  # fmt: skip
    assert "t_ordered" not in found["grade"]
    assert "t_hierarchical" not in found["age"]
    assert found["grade"]["recursive"] == {"2": 2.0}  # r1 = 2 of three: below c times 1 for every c above 2
    for figures in found.values():
        assert figures["formulas"].keys() == figures.keys() - {"formulas", "unknown_rows"}
    assert run([*command, "--ordered", "grade", "--c", "2.5"]) == 0
    found = json.loads(capsys.readouterr().out)["sensitive"]["grade"]
    assert found["recursive"] == {"c": 2.5, "l": 2}
    assert found["t_ordered"] > 0
    (tmp_path / "x_hierarchy_grade.csv").write_text("good;fine\nfair;fine\n")
    for options, code in (
        (["--hierarchies", str(tmp_path)], "value_not_in_hierarchy"),
        (["--hierarchies", str(tmp_path / "none")], "hierarchy_folder_missing"),
        (["--c", "0"], "c_out_of_range"),
        (["--ordered", "z"], "unknown_column"),
    ):
        with pytest.raises(EngineError) as error:
            run([*command, *options])
        assert error.value.code == code
    with pytest.raises(EngineError, match="sensitive"):
        run([str(source), "--qi", "z", "--c", "2"])


def counted(classes_of: str, values: list[int], unknown: int = -1) -> Any:
    return by_class(np.array([ord(one) for one in classes_of]), np.array(values), unknown=unknown)


def test_recursive_bounds_reach_up_to_ten_values() -> None:
    """Twelve different values once each: r1 = 1, and 12 - l + 1 of them from the l-th on."""
    found = recursive_bounds(counted("A" * 12, [*range(12)]))
    assert found == pytest.approx({size: 1 / (12 - size + 1) for size in range(2, 11)})


def test_a_class_of_missing_cells_alone_is_one_value() -> None:
    """(c,1)-diverse, since r1 < c·r1, for every c above 1 and for no other; never (c,2)-diverse."""
    alone = counted("AAA", [0, 0, 0], unknown=0)
    beside = counted("AAABBBB", [0, 0, 0, 1, 1, 2, 2], unknown=0)
    for found in (alone, beside):
        assert [recursive_l(found, c) for c in (0.5, 1.0, 1.001, 2.0, 3.0)] == [0, 0, 1, 1, 1]
    known = counted("BBBB", [0, 0, 1, 1])
    assert [recursive_l(known, c) for c in (0.5, 1.0, 1.001, 2.0)] == [0, 1, 2, 2]
