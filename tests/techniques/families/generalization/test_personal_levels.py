"""Values as coarse as each person asks for."""

from __future__ import annotations

import csv
import json
import random
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from techniques.cli.main import main
from techniques.core.messages import EngineError
from techniques.core.operations import Unfit
from techniques.recipe.recipe import Recipe
from tests.techniques.apply import cells_of, operation, run_whole, whole

KEY = "generalization.personal_levels"
ILLNESSES = [
    ["HIV", "blood", "severe", "*"],
    ["hepatitis", "blood", "severe", "*"],
    ["flu", "lungs", "mild", "*"],
    ["asthma", "lungs", "mild", "*"],
]
TREE = {"kind": "table", "rows": ILLNESSES}
LEVELS = {"HIV": 4, "hepatitis": 3, "asthma": 2}


def treated(values, wanted, levels=LEVELS):
    outcome = run_whole(KEY, [values, wanted], ("illness",), level_column="asked", tree=TREE, levels=levels)
    return cells_of(outcome)[0], outcome.report


def test_a_value_gives_way_to_its_ancestor_where_more_is_asked_for_than_it_has() -> None:
    values = ["HIV", "hepatitis", "flu", "flu", "flu", "asthma", "asthma", None]
    wanted = ["4", "4", "2", "3", None, "2", "9", "4"]
    illness, report = treated(values, wanted)
    # HIV has level 4 itself; a level above the tree's is its top.
    assert illness == ["HIV", "*", "lungs", "mild", "flu", "asthma", "*", None]
    assert report["levels_requested"] == {"2": 2, "3": 1, "4": 3, "9": 1}
    assert (report["levels_unrequested"], report["illness"]) == (1, {"generalised_as_requested": 4})


@given(
    st.lists(
        st.tuples(st.sampled_from([row[0] for row in ILLNESSES]), st.integers(0, 5)), min_size=1, max_size=30
    )
)
def test_everybody_gets_at_least_the_level_asked_for(rows: list[tuple[str, int]]) -> None:
    values, wanted = (
        [value for value, _level in rows],
        [str(level) if level else None for _value, level in rows],
    )
    illness, _report = treated(values, wanted)
    of = {row[0]: row for row in ILLNESSES}
    for (value, level), found in zip(rows, illness, strict=True):
        above = level > LEVELS.get(value, 1)
        assert found == (of[value][min(level, 4) - 1] if above else value)


def test_what_a_person_asks_for_holds_for_all_of_their_rows() -> None:
    table = whole([["HIV", "flu", "flu", "flu", "asthma"], ["3", None, "2", "4", None]])
    subjects = np.array([0, 1, 1, 0, -1], np.int32)
    made = operation(KEY, {"level_column": "asked", "tree": TREE, "levels": LEVELS}, 5, ("illness",))
    outcome = made.treat(replace(table, subjects=subjects), lambda share: None)
    # Whose the last row is, nobody knows: it is a person of its own.
    assert cells_of(outcome)[0] == ["HIV", "lungs", "lungs", "*", "asthma"]
    assert outcome.report["levels_requested"] == {"2": 1, "3": 1, "4": 1}
    assert outcome.report["levels_unrequested"] == 2


@pytest.mark.parametrize("cell", ["high", "-1", "0", "2.5"])
def test_a_cell_that_is_no_level_stops_the_run(cell: str) -> None:
    with pytest.raises(Unfit) as found:
        treated(["flu", "flu"], ["2", cell])
    assert (found.value.column, found.value.error.code) == (1, "values_not_levels")


def test_a_value_outside_the_tree_stops_the_run_only_where_it_must_give_way() -> None:
    illness, _report = treated(["gout", "flu"], [None, "2"])
    assert illness == ["gout", "lungs"]
    with pytest.raises(Unfit) as found:
        treated(["gout"], ["2"])
    assert (found.value.column, found.value.error.code) == (0, "values_not_in_hierarchy")


def _recipe(recoding: str, level: str = "asked") -> dict:
    sensitive = {
        "illness": {"distinct": 2, "alpha": 0.8, "levels": LEVELS | {"flu": 1}, "unlisted": "unknown"}
    }
    steps = [
        {"technique": KEY, "columns": ["illness"], "parameters": {"level_column": level, "tree": TREE, "levels": LEVELS}},
        {"technique": "suppression.remove_column", "columns": [level]},
        {
            "technique": "model.l_diversity",
            "columns": ["age", "sex"],
            "parameters": {
                "k": 4, "recoding": recoding, "hierarchies": {"age": {"kind": "free"}, "sex": {"kind": "star"}},
                "sensitive": sensitive,
            },
        },
        {"technique": "as_is", "columns": ["illness"], "parameters": {"reason": "studied"}},
    ]  # fmt: skip
    return {"recipe": 1, "steps": steps}


@pytest.mark.parametrize("recoding", ["local", "top_down"])
@pytest.mark.parametrize("persons", [False, True])
def test_a_recipe_holds_k_l_and_alpha_whatever_the_generalised_values_are(
    tmp_path: Path, recoding: str, persons: bool
) -> None:
    draw = random.Random(11)
    rows = [
        {
            "who": f"p{number // 2 if persons else number}", "age": str(draw.randrange(18, 80)), "sex": draw.choice("mf"),
            "illness": draw.choice(ILLNESSES)[0], "asked": draw.choice(["", "", "", "2", "3", "4"]),
        }
        for number in range(400)
    ]  # fmt: skip
    source, out = tmp_path / "in.csv", tmp_path / "out.csv"
    with source.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    recipe = _recipe(recoding)
    if persons:
        recipe["subject"] = ["who"]
    # Who it is stays for this test alone, so that persons can be counted in the file.
    recipe["steps"].append(
        {"technique": "as_is", "columns": ["who"], "parameters": {"reason": "for this test"}}
    )
    (tmp_path / "recipe.json").write_text(json.dumps(recipe))
    arguments = [str(tmp_path / "recipe.json"), str(source), str(out)]
    assert main(["run", *arguments]) == 0
    classes = defaultdict(list)
    with out.open() as stream:
        for row in csv.DictReader(stream):
            classes[row["age"], row["sex"]].append(row)
    assert sum(map(len, classes.values())) == 400
    level_of = LEVELS | {"flu": 1}
    for rows_here in classes.values():
        values = defaultdict(set)
        for row in rows_here:
            values[row["who"]].add(row["illness"])
        size = len(values)
        known = [next(iter(one)) for one in values.values() if len(one) == 1 and next(iter(one)) in level_of]
        unknown = size - len(known)
        assert size >= 4
        assert len(set(known)) >= 2
        for level in range(1, 5):
            assert sum(level_of[value] == level for value in known) + unknown <= 0.8 * size + 1e-9


def test_the_same_seed_gives_the_same_classes_and_another_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = random.Random(3)
    source = tmp_path / "in.csv"
    lines = [
        f"{draw.randrange(18, 80)},{draw.choice('mf')},{draw.choice(ILLNESSES)[0]},2" for _n in range(300)
    ]
    source.write_text("\n".join(["age,sex,illness,asked", *lines]))
    (tmp_path / "recipe.json").write_text(json.dumps(_recipe("top_down") | {"order": "kept"}))
    made = []
    for number, seed in enumerate(("1", "1", "2")):
        out = tmp_path / f"{number}.csv"
        monkeypatch.setenv("DEID_SEED", seed)
        assert main(["run", str(tmp_path / "recipe.json"), str(source), str(out)]) == 0
        made.append(out.read_text())
    assert made[0] == made[1] != made[2]


def test_a_recipe_without_the_column_of_levels_says_which_is_missing() -> None:
    recipe = Recipe.from_data(_recipe("local"))
    with pytest.raises(EngineError, match="no column called asked") as found:
        recipe.check_columns(["age", "sex", "illness"])
    assert found.value.code == "columns_missing"


def test_the_values_give_way_before_a_model_reads_them() -> None:
    data = _recipe("local")
    data["steps"] = [*data["steps"][2:], *data["steps"][:2]]
    with pytest.raises(EngineError, match="Treat it before that step"):
        Recipe.from_data(data)


def test_a_value_without_a_level_stops_the_model_unless_it_counts_as_unknown(tmp_path: Path) -> None:
    data = _recipe("local")
    del data["steps"][2]["parameters"]["sensitive"]["illness"]["unlisted"]
    source = tmp_path / "in.csv"
    source.write_text("age,sex,illness,asked\n" + "30,m,flu,2\n31,m,HIV,\n" * 20)
    (tmp_path / "recipe.json").write_text(json.dumps(data))
    assert main(["run", str(tmp_path / "recipe.json"), str(source), str(tmp_path / "out.csv")]) == 2
