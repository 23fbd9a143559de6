"""Recipes as templates: variables, files that are included, tests of their own, and the schema for editors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from techniques.cli import main as cli
from techniques.recipe.recipe import Recipe

ROOT = Path(__file__).resolve().parents[4]
TEMPLATE = """recipe: 1
variables: {base: 5, note: study, town: null}
steps:
  - include: common/direct.yaml
  - technique: generalization.rounding
    columns: [days]
    parameters: {base: "${base}"}
  - technique: as_is
    columns: ["${town}"]
    parameters: {reason: "for the ${note}"}
tests:
  - name: days are rounded
    given: [{patient: P1, sex: f, days: 7, place: x}]
    expected: [{days: 5, place: x}]
  - name: to tens where the base says so
    variables: {base: 10}
    given: [{patient: P1, sex: f, days: 7, place: x}, {patient: P2, sex: null, days: 12, place: y}]
    expected: [{sex: null, days: 10}, {sex: woman, days: 10}]
"""
DIRECT = """steps:
  - technique: suppression.remove_column
    columns: [patient]
  - include: ../sex.yaml
"""
SEX = """title: Both
variables: {note: nobody, woman: woman}
steps:
  - technique: generalization.mapping
    columns: [sex]
    parameters: {mapping: {f: "${woman}"}}
"""
GIVEN = ["--set", "town=place"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder: a template that includes a file that includes another, and a table."""
    monkeypatch.chdir(tmp_path)
    Path("common").mkdir()
    Path("recipe.yaml").write_text(TEMPLATE)
    Path("common/direct.yaml").write_text(DIRECT)
    Path("sex.yaml").write_text(SEX)
    Path("in.csv").write_text("patient,sex,days,place\nP1,f,7,x\n")
    return tmp_path


def _run(*more: str) -> int:
    return cli.main(["run", "recipe.yaml", "in.csv", "out.csv", "--plain", "--report", "r.json", *more])


def test_a_template_becomes_a_recipe(folder: Path) -> None:
    assert _run(*GIVEN, "--set", "base=10", "--set", "note=42") == 0
    assert Path("out.csv").read_text().splitlines()[1].replace('"', "") == "woman,10,x"
    report = json.loads(Path("r.json").read_text())
    assert report["variables"] == {"base": 10, "note": "42", "town": "place", "woman": "woman"}
    plain = Recipe.parse(
        "steps: [{technique: suppression.remove_column, columns: [patient]},"
        " {technique: generalization.mapping, columns: [sex], parameters: {mapping: {f: woman}}},"
        " {technique: generalization.rounding, columns: [days], parameters: {base: 10}},"
        " {technique: as_is, columns: [place], parameters: {reason: for the 42}}]"
    )
    assert report["recipe_sha256"] == plain.content_hash()


def test_what_uses_no_variables_may_hold_their_signs(folder: Path) -> None:
    Path("recipe.yaml").write_text(
        "unlisted: keep\nsteps: [{technique: as_is, columns: [sex], parameters: {reason: 'as ${x} was'}}]"
    )
    assert _run() == 0


def test_a_recipe_over_several_tables_includes_too(folder: Path) -> None:
    Path("sets.yaml").write_text("tables: {in: {unlisted: keep, steps: [{include: common/direct.yaml}]}}")
    assert cli.main(["run", "sets.yaml", "in.csv", "out", "--set", "woman=W"]) == 0
    assert "W" in Path("out/in.csv").read_text()


def test_a_hierarchy_file_lies_beside_the_file_that_names_it(folder: Path) -> None:
    Path("common/place.csv").write_text("x;north\ny;south\n")
    Path("common/direct.yaml").write_text(
        "steps: [{technique: generalization.hierarchy, columns: [place],"
        " parameters: {level: 1, hierarchy: {kind: file, file: place.csv}}}]"
    )
    Path("recipe.yaml").write_text("unlisted: keep\nsteps: [{include: common/direct.yaml}]")
    assert _run() == 0
    assert "north" in Path("out.csv").read_text()


@pytest.mark.parametrize(
    ("file", "old", "new", "given", "said"),
    [
        ("recipe.yaml", "", "", [], "The variable town needs a value: --set town=VALUE"),
        ("recipe.yaml", "", "", [*GIVEN, "--set", "bse=1"], "There is no variable called bse; those of the recipe are: base"),
        ("recipe.yaml", "", "", ["--set", "town"], "--set town is not NAME=VALUE"),
        ("recipe.yaml", "", "", [*GIVEN, *GIVEN], "--set town is not NAME=VALUE, or the name is given twice"),
        ("recipe.yaml", "${base}", "${bse}", GIVEN, "recipe.yaml, line 7: there is no variable called bse"),
        ("recipe.yaml", "base: 5", "api_key: 5", GIVEN, "recipe.yaml, line 2: api_key: variables stand in recipe and report"),
        ("recipe.yaml", "base: 5", "7up: 5", GIVEN, "recipe.yaml, line 2: 7up: a variable is called by"),
        ("recipe.yaml", "common/direct", "common/none", GIVEN, "recipe.yaml, line 4: common/none.yaml cannot be read"),
        ("recipe.yaml", "include: common", "include: /common", GIVEN, "recipe.yaml, line 4: /common/direct.yaml: a file is named"),
        ("common/direct.yaml", "../sex.yaml", "../recipe.yaml", GIVEN, "line 4: ../recipe.yaml includes itself (recipe.yaml → common/direct.yaml → recipe.yaml)"),
        ("common/direct.yaml", "steps", "stepps", GIVEN, "common/direct.yaml, line 1: a file that is included is a mapping with steps"),
        ("sex.yaml", "title: Both", "output: {}", GIVEN, "sex.yaml, line 1: output: is not known in a file that is included"),
        ("sex.yaml", "generalization.mapping", "generalization.none", GIVEN, "sex.yaml, line 4: steps[1].technique: there is no technique"),
        ("sex.yaml", "columns: [sex]", "columns: [sex", GIVEN, "sex.yaml, line 6"),
        ("sex.yaml", "${woman}", "${man}", GIVEN, "sex.yaml, line 6: there is no variable called man"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_place(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    file: str,
    old: str,
    new: str,
    given: list[str],
    said: str,
) -> None:
    Path(file).write_text(Path(file).read_text().replace(old, new, 1))
    assert _run(*given) == 2
    assert said in capsys.readouterr().err
    assert not Path("out.csv").exists()


def test_what_includes_without_end_stops(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(12):
        Path(f"f{number}.yaml").write_text(
            f"steps: [{{include: f{number + 1}.yaml}}, {{include: f{number + 1}.yaml}}]"
        )
    Path("f12.yaml").write_text(SEX)
    Path("recipe.yaml").write_text("steps: [{include: f0.yaml}]")
    assert _run() == 2
    assert "more than 100 files are included" in capsys.readouterr().err


def test_tests_of_a_recipe(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["test", "recipe.yaml", *GIVEN]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "ok   days are rounded", "ok   to tens where the base says so", "all 2 tests passed",
    ]  # fmt: skip
    assert cli.main(["test", "recipe.yaml", *GIVEN, "--set", "base=2", "--quiet"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        'FAIL days are rounded: missing {"days": "5", "place": "x"}; not expected {"days": "8", "place": "x"}',
        "1 of 2 tests failed",
    ]
    assert cli.main(["test", "recipe.yaml", *GIVEN, "--set", "base=2", "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert [one["passed"] for one in said["tests"]] == [False, True]
    assert said["passed"] is False


def test_a_test_fails_by_what_a_run_would_say(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("recipe.yaml").write_text(
        TEMPLATE.replace("place: x}]\n    expected: [{days", "other: x}]\n    expected: [{days", 1)
    )
    assert cli.main(["test", "recipe.yaml", *GIVEN, "--quiet"]) == 1
    assert "FAIL days are rounded: " in capsys.readouterr().out
    Path("recipe.yaml").write_text(TEMPLATE.replace("[{days: 5, place: x}]", "[{patient: P1}]"))
    assert cli.main(["test", "recipe.yaml", *GIVEN, "--quiet"]) == 1
    assert "the result has no column patient" in capsys.readouterr().out
    Path("recipe.yaml").write_text(TEMPLATE.partition("tests:")[0])
    assert cli.main(["test", "recipe.yaml", *GIVEN]) == 2
    assert "recipe.yaml has no tests" in capsys.readouterr().err


def test_pseudonyms_are_the_same_in_each_test(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    steps = "steps: [{technique: pseudonymization.keyed_hash, columns: [patient]}]"
    test = "tests: [{name: one, given: [{patient: P1}], expected: [{patient: none}]}]"
    Path("recipe.yaml").write_text(f"{steps}\n{test}")
    found = []
    for _time in range(2):
        assert cli.main(["test", "recipe.yaml", "--json"]) == 1
        found.append(json.loads(capsys.readouterr().out)["tests"][0]["unexpected"])
    assert found[0] == found[1]


@pytest.fixture(scope="module")
def schema() -> Any:
    from techniques.recipe.schema import recipe_schema

    found = recipe_schema()
    jsonschema.Draft202012Validator.check_schema(found)
    return jsonschema.Draft202012Validator(found)


@pytest.mark.parametrize("text", [
    TEMPLATE, *(path.read_text() for path in sorted((ROOT / "docs/examples").glob("*.yaml")) if "recipe: 1" in path.read_text()),
    *(block for block in (ROOT / "docs/reference/recipes.md").read_text().split("```yaml\n")[1:2]),
])  # fmt: skip
def test_the_schema_takes_what_a_recipe_is(schema: Any, text: str) -> None:
    written = yaml.safe_load(text.partition("```")[0])
    assert [error.message for error in schema.iter_errors(written)] == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('base: "${base}"', "base: five"),
        ("generalization.rounding", "generalization.round"),
        ('base: "${base}"', "bse: 5"),
        ("columns: [days]", "columns: []"),
        ("recipe: 1", "recipe: 2"),
        ("expected: [{days", "expect: [{days"),
    ],
)
def test_the_schema_refuses_what_is_none(schema: Any, old: str, new: str) -> None:
    assert list(schema.iter_errors(yaml.safe_load(TEMPLATE.replace(old, new, 1))))


def test_the_schema_is_printed(capsys: pytest.CaptureFixture[str], schema: Any) -> None:
    assert cli.main(["recipe-schema"]) == 0
    assert json.loads(capsys.readouterr().out) == schema.schema
