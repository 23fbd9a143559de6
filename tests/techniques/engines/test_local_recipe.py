"""Local recoding as a step of a recipe, measured on the written file by code that shares nothing with the engine."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from techniques.cli import main as cli
from techniques.core.messages import EngineError
from techniques.core.secrets import Secrets
from techniques.engines.local import DirectoryWorkspace, LocalRun, Source
from techniques.recipe.recipe import Recipe
from techniques.tables import detect
from tests.techniques.cli.test_anonymize import write
from tests.techniques.measuring import classes, equal_distance, read, suppressed

QI = ["sex", "age", "town"]
TOWNS = ["Aba", "Bern", "Chur", "Delft", ""]
TREE = [["Aba", "south", "*"], ["Bern", "alps", "*"], ["Chur", "alps", "*"], ["Delft", "north", "*"]]


def people(rows: int, seed: int) -> dict[str, list[str]]:
    draw = np.random.default_rng(seed)
    return {
        "sex": ["fm"[x] for x in draw.integers(0, 2, rows)],
        "age": [str(x) for x in draw.integers(18, 90, rows)],
        "town": [TOWNS[x] for x in draw.integers(0, 5, rows)],
        "illness": [["flu", "cold", "gout", "ulcer", ""][x] for x in draw.integers(0, 5, rows)],
        "name": [f"p{x}" for x in range(rows)],
    }


def recipe(**parameters: Any) -> str:
    model = {
        "k": 3,
        "recoding": "local",
        "suppression_limit": 0.3,
        "hierarchies": {
            "sex": {"kind": "star"},
            "age": {"kind": "free"},
            "town": {"kind": "table", "rows": TREE},
        },
        **parameters,
    }
    steps = [
        {"technique": "suppression.remove_column", "columns": ["name"]},
        {"technique": "model.k_anonymity", "columns": QI, "parameters": model},
        {"technique": "as_is", "columns": ["illness"], "parameters": {"reason": "studied"}},
    ]
    return json.dumps({"recipe": 1, "steps": steps})


def run(
    folder: Path, columns: dict[str, list[str]], text: str, name: str = "out"
) -> tuple[dict[str, Any], list[dict[str, str]]]:
    """What the step reports and the rows of the written file."""
    source = write(folder / "in.csv", columns)
    (folder / "recipe.json").write_text(text)
    out, report = folder / f"{name}.csv", folder / f"{name}.json"
    assert (
        cli.main(
            [
                "run",
                str(folder / "recipe.json"),
                str(source),
                str(out),
                "--order",
                "kept",
                "--report",
                str(report),
            ]
        )
        == 0
    )
    return json.loads(report.read_text())["steps"][1]["result"], read(out)


SETTINGS: list[dict[str, Any]] = [
    {},
    {"suppressed_rows": "star"},
    {"maximum_risk": 0.12},
    {"average_risk": 0.1},
    {"weights": {"age": 5.0, "town": 0.2}},
    {"sensitive": {"illness": {"distinct": 3}}},
    {"sensitive": {"illness": {"entropy": 2.2}}, "average_risk": 0.12},
    {"sensitive": {"illness": {"recursive_l": 2, "recursive_c": 1.5}}},
    {"sensitive": {"illness": {"t": 0.3}}, "suppressed_rows": "star"},
    {"minimum_levels": {"town": 1}, "maximum_levels": {"town": 1, "sex": 0}, "suppression_limit": 1.0},
]


@pytest.mark.parametrize("parameters", SETTINGS)
def test_the_written_file_holds_what_the_recipe_asks_for(tmp_path: Path, parameters: dict[str, Any]) -> None:
    columns = people(260, len(str(parameters)))
    figures, rows = run(tmp_path, columns, recipe(**parameters))
    starred = suppressed(rows, QI)
    found = classes(rows, QI)
    gone = len(columns["sex"]) - len(rows) + starred
    assert gone == figures["suppressed"] <= parameters.get("suppression_limit", 0.3) * 260
    assert starred == 0 or parameters.get("suppressed_rows") == "star"
    assert len(found) == figures["classes"]
    least = 9 if "maximum_risk" in parameters else 3
    assert min(map(len, found.values())) == figures["min_class"] >= least
    if "average_risk" in parameters:
        assert len(found) <= parameters["average_risk"] * (len(rows) - starred) + 1e-9
    if "minimum_levels" in parameters:
        left = [row for one in found.values() for row in one]
        assert {row["town"] for row in left} <= {"south", "alps", "north", ""}
        assert {row["sex"] for row in left} <= {"f", "m"}
    given = parameters.get("sensitive", {}).get("illness", {})
    for one in found.values():
        counts = sorted(Counter(row["illness"] for row in one).values(), reverse=True)
        shares = np.array(counts) / len(one)
        assert len(counts) >= given.get("distinct", 1)
        assert np.exp(-(shares * np.log(shares)).sum()) >= given.get("entropy", 1) - 1e-9
        if "recursive_l" in given:
            assert counts[0] < 1.5 * sum(counts[1:])
        if "t" in given:
            distance = equal_distance([row["illness"] for row in one], columns["illness"])
            assert distance <= 0.3 + 1e-9
            assert distance <= figures["sensitive"]["illness"]["t"] + 1e-9
    assert "name" not in rows[0]


def test_the_order_of_the_rows_changes_nothing_else(tmp_path: Path) -> None:
    """Sorted, both results are the same bytes: no row leaves a trace of its place."""
    columns = people(300, 5)
    text = recipe(sensitive={"illness": {"distinct": 2}}, suppressed_rows="star")
    first = run(tmp_path, columns, text)
    order = random.Random(3).sample(range(300), 300)
    mixed = {name: [cells[i] for i in order] for name, cells in columns.items()}
    second = run(tmp_path, mixed, text, "mixed")
    assert first[0] == second[0]
    assert [first[1][i] for i in order] == second[1]


def test_a_killed_run_is_taken_up_with_the_same_bytes(tmp_path: Path) -> None:
    columns = people(400, 8)
    path = write(tmp_path / "in.csv", columns)
    parsed = Recipe.parse(recipe(sensitive={"illness": {"t": 0.3}}, average_risk=0.15))
    with path.open("rb") as stream:
        found = detect(stream, path.name)
    source = Source(lambda: path.open("rb"), found, 400)
    secrets = Secrets(key=b"", seed=1)

    def made(folder: str) -> LocalRun:
        (tmp_path / folder).mkdir(exist_ok=True)
        return LocalRun(parsed, source, DirectoryWorkspace(tmp_path / folder), secrets)

    whole = made("whole")
    report = whole.execute_all()
    items = [item.key for item in whole.items()]
    for stop in range(1, len(items)):
        broken = made(f"broken{stop}")
        for key in items[:stop]:
            broken.execute(key)
        again = made(f"broken{stop}")
        assert again.execute_all(resume=True) == report
        name = whole.result_name
        assert (tmp_path / f"broken{stop}" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_a_recipe_gives_what_the_command_gives(tmp_path: Path) -> None:
    columns = people(300, 11)
    free = {name: {"kind": "free"} for name in QI}
    conditions = {"illness": {"distinct": 2, "t": 0.4}}
    for recoding in ("local", "full_domain"):
        text = recipe(
            recoding=recoding, hierarchies=free, sensitive=conditions, suppressed_rows="star",
            weights={"age": 2}, maximum_risk=0.25,
        )  # fmt: skip
        _, rows = run(tmp_path, columns, text)
        command = [
            "anonymize", str(tmp_path / "in.csv"), str(tmp_path / "same.csv"), "--qi", ",".join(QI), "--k", "3", "--order", "kept",
            "--sa", "illness", "--l", "2", "--t", "0.4", "--suppression-limit", "0.3", "--weights", "age=2",
            "--maximum-risk", "0.25", "--drop-unlisted",
        ]  # fmt: skip
        assert cli.main(command + ["--local"] * (recoding == "local")) == 0
        assert read(tmp_path / "same.csv") == rows


def test_columns_treated_before_and_rows_removed_before(tmp_path: Path) -> None:
    """The model sees what earlier steps have left, and none of the rows that they have removed."""
    columns = people(300, 4)
    content = json.loads(recipe())
    content["steps"][1]["parameters"]["sensitive"] = {"illness": {"distinct": 2}}
    content["steps"].insert(
        1, {"technique": "generalization.rounding", "columns": ["age"], "parameters": {"base": 10}}
    )
    content["steps"].insert(
        1, {"technique": "statistical.sampling", "columns": ["town"], "parameters": {"fraction": 0.5}}
    )
    source = write(tmp_path / "in.csv", columns)
    (tmp_path / "recipe.json").write_text(json.dumps(content))
    out = tmp_path / "out.csv"
    assert cli.main(["run", str(tmp_path / "recipe.json"), str(source), str(out), "--order", "kept"]) == 0
    rows = read(out)
    assert 0 < len(rows) <= 150
    found = classes(rows, QI)
    assert min(map(len, found.values())) >= 3
    assert all(len({row["illness"] for row in one}) >= 2 for one in found.values())


@pytest.mark.parametrize(
    ("parameters", "place", "says"),
    [
        ({"loss": "precision"}, "steps[1].parameters", "local recoding"),
        ({"minimum_levels": {"age": 1}}, "steps[1].parameters", "no levels"),
        ({"weights": {"illness": 1.0}}, "steps[1].parameters.weights.illness", "not a column"),
        ({"weights": {"age": 0.0}}, "steps[1].parameters.weights.age", "more than 0"),
        ({"maximum_risk": 0.0}, "steps[1].parameters.maximum_risk", "more than 0"),
    ],
)
def test_settings_that_make_no_sense_are_refused(parameters: dict[str, Any], place: str, says: str) -> None:
    with pytest.raises(EngineError) as error:
        Recipe.parse(recipe(**parameters))
    assert error.value.params["path"] == place
    assert says in str(error.value)


@pytest.mark.parametrize(
    ("parameters", "code"),
    [
        ({"k": 500}, "k_too_large"),
        ({"maximum_risk": 0.001}, "k_too_large"),
        ({"maximum_levels": {"town": 9}}, "level_unknown"),
        ({"maximum_levels": {"town": 0, "sex": 0}, "k": 100, "suppression_limit": 0.0}, "no_solution"),
    ],
)
def test_what_cannot_be_is_said_plainly(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], parameters: dict[str, Any], code: str
) -> None:
    write(tmp_path / "in.csv", people(120, 2))
    (tmp_path / "recipe.json").write_text(recipe(**parameters))
    names = ("recipe.json", "in.csv", "out.csv")
    assert cli.main(["run", *(str(tmp_path / name) for name in names)]) == 2
    assert capsys.readouterr().err
    assert not (tmp_path / "out.csv").exists()
