"""l-diversity and t-closeness as steps of a recipe: the file that a run writes, and what a recipe may not ask for."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest
import yaml

from techniques.catalogue.models import KAnonymitySettings
from techniques.cli import main as cli
from techniques.core.messages import EngineError
from techniques.recipe.recipe import Recipe
from tests.techniques.models.k_anonymity.test_diverse_models import equal_distance

RECIPE = """
recipe: 1
steps:
  - technique: model.t_closeness
    columns: [sex, age]
    parameters:
      k: 3
      suppression_limit: 0.3
      suppressed_rows: remove
      hierarchies: {sex: {kind: star}, age: {kind: intervals, widths: [10, 20, 40]}}
      sensitive: {disease: {distinct: 2, t: 0.4}}
  - {technique: as_is, columns: [disease], parameters: {reason: needed for the study}}
"""


@pytest.mark.parametrize(
    ("technique", "sensitive", "clauses"),
    [
        ("k_anonymity", "{}", ["B.1.1", "A.3.5"]),
        ("k_anonymity", "{disease: {distinct: 2, alpha: 0.9}}", ["B.1.1", "A.3.5", "B.1.2"]),
        ("k_anonymity", "{disease: {beta: 100}}", ["B.1.1", "A.3.5", "B.1.3"]),
        ("t_closeness", "{disease: {distinct: 2, t: 0.9}}", ["B.1.3", "A.3.5", "B.1.1", "B.1.2"]),
    ],
)
def test_a_run_says_the_clauses_of_the_conditions_that_were_asked_for(
    tmp_path: Path, technique: str, sensitive: str, clauses: list[str]
) -> None:
    rows = "".join(f"{'fm'[n % 2]},{20 + n % 3},{'xyz'[n % 5 % 3]}\n" for n in range(60))
    (tmp_path / "in.csv").write_text("sex,age,disease\n" + rows)
    recipe = RECIPE.replace("t_closeness", technique).replace("{disease: {distinct: 2, t: 0.4}}", sensitive)
    (tmp_path / "recipe.yaml").write_text(recipe)
    files = [str(tmp_path / name) for name in ("recipe.yaml", "in.csv", "out.csv")]
    assert cli.main(["run", *files, "--report", str(tmp_path / "report.json")]) == 0
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert report["steps"][0]["clauses"] == clauses
    held = yaml.safe_load(sensitive)
    assert report["steps"][0]["conditions"] == {"k": 3} | ({"sensitive": held} if held else {})
    assert "conditions" not in report["steps"][1]


def test_what_a_run_was_asked_names_no_value() -> None:
    """Levels and hierarchies of sensitive values stay in the recipe."""
    given = {"alpha": 0.9, "levels": {"HIV": 3, "flu": 1}, "unlisted": "unknown"}
    settings = KAnonymitySettings(
        k=4, maximum_risk=0.1, hierarchies={"age": {"kind": "star"}}, sensitive={"disease": given}
    )
    assert settings.conditions == {
        "k": 4,
        "maximum_risk": 0.1,
        "sensitive": {"disease": {"alpha": 0.9, "unlisted": "unknown"}},
    }


def test_a_run_writes_a_file_that_holds_the_conditions(tmp_path: Path) -> None:
    draw = np.random.default_rng(2)
    table = [
        {"sex": "fm"[s], "age": str(a), "disease": "xyz"[d]}
        for s, a, d in zip(
            draw.integers(0, 2, 200), draw.integers(18, 90, 200), draw.integers(0, 3, 200), strict=True
        )
    ]
    stream = io.StringIO()
    writer = csv.DictWriter(stream, ["sex", "age", "disease"])
    writer.writeheader()
    writer.writerows(table)
    (tmp_path / "in.csv").write_text(stream.getvalue())
    (tmp_path / "recipe.yaml").write_text(RECIPE)
    done = cli.main(
        ["run", "--order", "kept", *(str(tmp_path / name) for name in ("recipe.yaml", "in.csv", "out.csv"))]
    )
    assert done == 0
    with (tmp_path / "out.csv").open(newline="") as result:
        rows = list(csv.DictReader(result))
    found = defaultdict(list)
    for row in rows:
        found[row["sex"], row["age"]].append(row["disease"])
    whole = [row["disease"] for row in table]
    assert rows
    assert Counter(row["disease"] for row in rows) <= Counter(whole)
    assert all(len(v) >= 3 and len(set(v)) >= 2 and equal_distance(v, whole) <= 0.4 for v in found.values())


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("distinct: 2, t: 0.4", "", "steps[0].parameters.sensitive.disease"),
        ("distinct: 2, t: 0.4", "recursive_l: 2", "steps[0].parameters.sensitive.disease"),
        ("t: 0.4", "t: 1.4", "steps[0].parameters.sensitive.disease.t"),
        ("distinct: 2, t: 0.4", "distinct: 2", "steps[0].parameters"),
        ("{disease: {", "{age: {", "steps[0].parameters.sensitive.age"),
    ],
)
def test_wrong_conditions_are_refused_with_their_place(old: str, new: str, place: str) -> None:
    with pytest.raises(EngineError) as error:
        Recipe.parse(RECIPE.replace(old, new))
    assert error.value.params["path"] == place


def test_a_sensitive_column_must_be_there_and_stay_as_it_was_read() -> None:
    recipe = Recipe.parse(RECIPE)
    with pytest.raises(EngineError) as missing:
        recipe.check_columns(["sex", "age"])
    assert missing.value.code == "columns_missing"
    with pytest.raises(EngineError, match="has looked at"):
        Recipe.parse(RECIPE.replace("as_is, columns: [disease], parameters: {reason: needed for the study}",
                                    "suppression.mask, columns: [disease], parameters: {keep_left: 1}"))  # fmt: skip
