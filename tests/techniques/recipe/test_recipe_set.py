"""Several tables under one recipe: the same person has the same pseudonym in all, and foreign keys still join."""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from techniques.cli.main import main
from techniques.core.messages import EngineError
from techniques.core.secrets import Secrets
from techniques.recipe.policy import require_national
from techniques.recipe.recipe import Recipe
from techniques.recipe.recipe_set import RecipeSet, table_secrets, whole
from techniques.recipe.text import load

CLINIC = """
title: Clinic
tables:
  patients:
    steps:
      - {technique: pseudonymization.keyed_hash, columns: [id, phone], parameters: {length: 20}}
      - {technique: generalization.date, column: born, parameters: {unit: year}}
  visits:
    steps:
      - {technique: pseudonymization.keyed_hash, column: patient, parameters: {length: 20}}
      - {technique: encryption.deterministic, column: number}
      - technique: randomization.date_shift
        columns: [patient, day]
        parameters: {subject: patient, maximum: 30}
      - {technique: randomization.noise, column: cost, parameters: {spread: 5.0}}
  results:
    unlisted: keep
    steps:
      - {technique: encryption.deterministic, column: visit}
      - {technique: randomization.noise, column: cost, parameters: {spread: 5.0}}
references:
  - {from: [visits, patient], to: [patients, id]}
  - {from: [results, visit], to: [visits, number]}
"""


def write(folder: Path) -> dict[str, list[dict[str, str]]]:
    people = [{"id": f"P{i}", "phone": f"138{i:08}", "born": f"{1950 + i}-05-06"} for i in range(40)]
    visits = [
        {"number": f"V{i}", "patient": f"P{i * 7 % 45}", "day": f"2024-01-{1 + i % 28:02}", "cost": "100"}
        for i in range(200)
    ]
    results = [{"visit": f"V{i % 200}" if i % 9 else "", "cost": "100", "value": str(i)} for i in range(300)]
    tables = {"patients": people, "visits": visits, "results": results}
    for name, rows in tables.items():
        with (folder / f"{name}.csv").open("w", newline="", encoding="utf-8") as stream:
            writer = csv.DictWriter(stream, rows[0])
            writer.writeheader()
            writer.writerows(rows)
    return tables


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8-sig") as stream:
        return list(csv.DictReader(stream))


def run(folder: Path, recipe: str = CLINIC, *more: str) -> int:
    (folder / "set.yaml").write_text(recipe)
    (folder / "key").write_text("a key of thirty-two bytes, or so")
    (folder / "seed").write_text("a seed")
    inputs = [f"{name}={folder / name}.csv" for name in ("patients", "visits")] + [
        str(folder / "results.csv")
    ]
    return main([
        "run", "--order", "kept", str(folder / "set.yaml"), *inputs, str(folder / "out"), "--key-file", str(folder / "key"),
        "--seed-file", str(folder / "seed"), "--report", str(folder / "report.json"), *more,
    ])  # fmt: skip


def test_foreign_keys_join_as_before(tmp_path: Path) -> None:
    before = write(tmp_path)
    assert run(tmp_path) == 0
    after = {name: read(tmp_path / f"out/{name}.csv") for name in before}
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "patients.csv",
        "results.csv",
        "visits.csv",
    ]
    # Row by row the same joins, including the keys that pointed nowhere.
    persons = {row["id"]: number for number, row in enumerate(before["patients"])}
    pseudonyms = {row["id"]: number for number, row in enumerate(after["patients"])}
    assert len(pseudonyms) == 40
    assert not set(persons) & set(pseudonyms)
    for old, new in zip(before["visits"], after["visits"], strict=True):
        assert persons.get(old["patient"]) == pseudonyms.get(new["patient"])
    numbers = {row["number"]: place for place, row in enumerate(after["visits"])}
    for old, new in zip(before["results"], after["results"], strict=True):
        assert (old["visit"] == "") == (new["visit"] == "")
        if old["visit"]:
            assert numbers[new["visit"]] == int(old["visit"][1:])
    # Intervals of one person stay.
    moves = defaultdict(set)
    for old, new in zip(before["visits"], after["visits"], strict=True):
        moves[old["patient"]].add(np.datetime64(new["day"]) - np.datetime64(old["day"]))
    assert all(len(days) == 1 for days in moves.values())
    # The phones of the same step have a domain of their own, and noise is another in each table.
    assert not {row["phone"] for row in after["patients"]} & set(pseudonyms)
    assert [row["cost"] for row in after["visits"]] != [row["cost"] for row in after["results"]][:200]
    report = json.loads((tmp_path / "report.json").read_text())
    lost = sum(row["patient"] not in persons for row in before["visits"])
    assert lost > 0
    assert report["references"] == [
        {"from": ["visits", "patient"], "to": ["patients", "id"],
         "rows_before": 200, "orphans_before": lost, "rows_after": 200, "orphans_after": lost},
        {"from": ["results", "visit"], "to": ["visits", "number"],
         "rows_before": 266, "orphans_before": 0, "rows_after": 266, "orphans_after": 0},
    ]  # fmt: skip
    assert set(report["tables"]) == set(before)


def test_values_come_back_table_by_table(tmp_path: Path) -> None:
    before = write(tmp_path)
    assert run(tmp_path) == 0
    secret = ["--key-file", str(tmp_path / "key"), "--seed-file", str(tmp_path / "seed")]
    for name, column in (("visits", "number"), ("results", "visit")):
        back = tmp_path / f"{name}-back.csv"
        result = str(tmp_path / f"out/{name}.csv")
        assert (
            main(["reverse", str(tmp_path / "set.yaml"), result, column, str(back), "--table", name, *secret])
            == 0
        )
        assert [row[column] for row in read(back)] == [row[column] for row in before[name]]
    assert main(["reverse", str(tmp_path / "set.yaml"), result, column, str(back), *secret]) == 2


def test_rows_left_without_their_counterpart_are_counted_or_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path)
    rare = "      - {technique: suppression.rare_records, columns: [born], parameters: {maximum_share: 1.0, minimum_count: 2}}\n"
    some = CLINIC.replace("  visits:\n", rare + "  visits:\n", 1)
    people = read(tmp_path / "patients.csv")
    with (tmp_path / "patients.csv").open("w", newline="") as stream:
        writer = csv.DictWriter(stream, people[0])
        writer.writeheader()
        # All born in two years but one person.
        writer.writerows(
            row | {"born": "1999-01-01" if i == 3 else "1950-01-01"} for i, row in enumerate(people)
        )
    assert run(tmp_path, some) == 0
    [first, _] = json.loads((tmp_path / "report.json").read_text())["references"]
    assert first["orphans_after"] > first["orphans_before"] > 0
    assert run(tmp_path, some.replace("to: [patients, id]}", "to: [patients, id], orphans: error}")) == 2
    assert "references[0]" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("old", "new", "code", "path"),
    [
        ("column: patient, parameters: {length: 20}", "column: patient, parameters: {length: 24}", "reference_differs", "references[0]"),
        ("column: visit}", "column: visit, parameters: {domain: other}}", "reference_differs", "references[1]"),
        ("from: [visits, patient]", "from: [visit, patient]", "reference_unknown", "references[0].from"),
        ("pseudonymization.keyed_hash, column: patient, parameters: {length: 20}", "pseudonymization.random, column: patient", "reference_not_joinable", "references[0]"),
        ("encryption.deterministic, column: visit", "suppression.remove_column, column: visit", "reference_removed", "references[1]"),
        ("encryption.deterministic, column: number", "suppression.mask, column: number", "reference_not_joinable", "references[1]"),
        ("length: 20}}\n      - {technique: generalization.date", "length: 2}}\n      - {technique: generalization.date", "recipe_invalid", "tables.patients.steps[0].parameters.length"),
        ("  patients:\n", "  ../patients:\n", "recipe_invalid", "tables.../patients"),
        ("orphans", "orphans", "", ""),
    ],
)  # fmt: skip
def test_what_does_not_join_is_refused_before_any_data_are_read(
    old: str, new: str, code: str, path: str
) -> None:
    if not code:
        assert RecipeSet.parse(CLINIC).needs_key()
        return
    assert old in CLINIC
    with pytest.raises(EngineError) as error:
        RecipeSet.parse(CLINIC.replace(old, new, 1))
    assert (error.value.code, error.value.params["path"]) == (code, path)


def test_references_over_several_tables_share_one_domain() -> None:
    recipes = RecipeSet.parse(CLINIC)
    domains = {
        (name, column): step.parameters.model_dump().get("domain")
        for name, recipe in recipes.tables.items()
        for step in recipe.steps
        for column in step.columns
        if "domain" in step.parameters.model_dump()
    }
    assert domains["patients", "id"] == domains["visits", "patient"] == "patients.id"
    assert domains["patients", "phone"] == ""
    assert domains["visits", "number"] == domains["results", "visit"] == "results.visit"
    assert whole(load(CLINIC)) == load(CLINIC)
    assert whole(load("steps: []")) == {"recipe": 1, "tables": {"": {"steps": []}}}
    assert (
        recipes.content_hash() != RecipeSet.parse(CLINIC.replace("length: 20", "length: 22")).content_hash()
    )


def test_tables_must_be_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path)
    (tmp_path / "set.yaml").write_text(CLINIC)
    assert main(["run", str(tmp_path / "set.yaml"), str(tmp_path / "visits.csv"), str(tmp_path / "out")]) == 2
    assert "patients" in capsys.readouterr().err
    assert run(tmp_path, CLINIC.replace("to: [patients, id]", "to: [patients, idd]")) == 2


def test_results_of_a_set_meet_no_other_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path)
    (tmp_path / "set.yaml").write_text(CLINIC)
    names = ("patients", "visits", "results")
    inputs = [f"{name}={tmp_path / name}.csv" for name in names]
    kept = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    out = str(tmp_path / "out")
    for folder, options in (
        (str(tmp_path), []),  # each result would lie where its input is
        (out, ["--report", f"{out}/visits.csv"]),
        (out, ["--report", str(tmp_path / "set.yaml")]),
        (out, ["--generate-key", f"{out}/patients.csv"]),
        (str(tmp_path / "set.yaml"), []),
    ):
        assert main(["run", str(tmp_path / "set.yaml"), *inputs, folder, *options]) == 2
        assert "Traceback" not in capsys.readouterr().err
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == kept


def test_secrets_of_tables() -> None:
    secrets = Secrets(b"k" * 32, 1)
    one, two = table_secrets(secrets, "a"), table_secrets(secrets, "b")
    assert one.require_salt() == two.require_salt() == secrets.require_salt()
    assert one.shared_key("x") == two.shared_key("x")
    assert one.uniform("x", 3).tolist() != two.uniform("x", 3).tolist()


# -- national commercial cryptography only ---------------------------------------------------------

SM = "steps: [{technique: encryption.deterministic, column: a}, {technique: pseudonymization.keyed_hash, column: b, parameters: {algorithm: hmac-sm3}}]"


def test_a_table_without_a_name_has_the_secrets_as_they_are() -> None:
    secrets = Secrets(b"k" * 32, 1)
    assert table_secrets(secrets, "") is secrets
    recipe = {"recipe": 1, "steps": [{"technique": "suppression.remove_column", "columns": ["a"]}]}
    alone = RecipeSet.from_data({"recipe": 1, "tables": {"": recipe}})
    assert alone.tables == {"": Recipe.from_data(recipe)}
    # Under any name one table without references has the hash of its recipe; a second table makes it another.
    named = RecipeSet.from_data({"recipe": 1, "tables": {"data": recipe}})
    assert alone.content_hash() == named.content_hash() == Recipe.from_data(recipe).content_hash()
    two = RecipeSet.from_data({"recipe": 1, "tables": {"data": recipe, "more": recipe}})
    assert two.content_hash() not in {named.content_hash(), Recipe.from_data(recipe).content_hash()}
    # Beside others it is a table like them, and what is wrong with it stands at its own place.
    beside = RecipeSet.from_data({"recipe": 1, "tables": {"": recipe, "more": recipe}})
    assert beside.content_hash() not in {two.content_hash(), alone.content_hash()}
    for name, place in (("", "steps"), ("more", "tables.more.steps")):
        with pytest.raises(EngineError) as error:
            RecipeSet.from_data({"recipe": 1, "tables": {"": recipe, "more": recipe} | {name: {"steps": 1}}})
        assert error.value.params["path"] == place
    with pytest.raises(EngineError, match="must be a name"):
        RecipeSet.from_data({"recipe": 1, "tables": {"a/b": recipe}})
    # Whoever writes a set names its tables: a name becomes that of a file.
    with pytest.raises(EngineError, match="must be a name"):
        RecipeSet.parse(json.dumps({"recipe": 1, "tables": {"": recipe}}))


def test_the_report_of_a_set_of_one_table_has_the_hash_of_its_recipe(tmp_path: Path) -> None:
    (tmp_path / "set.yaml").write_text(
        "tables: {data: {unlisted: keep, steps: [{technique: suppression.remove_column, column: a}]}}"
    )
    (tmp_path / "data.csv").write_text("a,b\n1,2\n")
    paths = [str(tmp_path / name) for name in ("set.yaml", "data.csv", "out")]
    assert main(["run", "--order", "kept", *paths, "--report", str(tmp_path / "report.json")]) == 0
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["recipe_sha256"] == report["tables"]["data"]["recipe_sha256"]


@pytest.mark.parametrize(
    ("recipe", "path"),
    [
        (SM.replace("column: a}", "column: a, parameters: {algorithm: aes-siv}}"), "steps[0].parameters.algorithm"),
        (SM.replace("hmac-sm3", "hmac-sha256"), "steps[1].parameters.algorithm"),
        ("steps: [{technique: encryption.format_preserving, column: a, parameters: {algorithm: ff1-aes}}]", "steps[0].parameters.algorithm"),
        ("steps: [{technique: encryption.order_preserving, column: a, parameters: {algorithm: aes, minimum: 0.0, maximum: 9.0}}]", "steps[0].parameters.algorithm"),
        ("steps: [{technique: encryption.homomorphic, column: a}]", "steps[0].technique"),
    ],
)  # fmt: skip
def test_other_cryptography_is_refused_with_its_place(recipe: str, path: str) -> None:
    with pytest.raises(EngineError) as error:
        require_national(Recipe.parse(recipe))
    assert (error.value.code, error.value.params["path"]) == ("algorithm_not_national", path)


def test_national_cryptography_passes_and_is_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    require_national(Recipe.parse(SM))
    tables = RecipeSet.parse(CLINIC).tables
    for recipe in tables.values():
        require_national(recipe)
    (tmp_path / "set.yaml").write_text(
        CLINIC.replace(
            "column: number}", "column: number, parameters: {algorithm: aes-siv, domain: x}}"
        ).replace("column: visit}", "column: visit, parameters: {algorithm: aes-siv, domain: x}}")
    )
    inputs = [str(tmp_path / f"{name}.csv") for name in tables]
    assert main(["run", str(tmp_path / "set.yaml"), *inputs, str(tmp_path / "out"), "--national"]) == 2
    assert "tables.visits.steps[1].parameters.algorithm" in capsys.readouterr().err
    (tmp_path / "in.csv").write_text("a,b\n1,2\n3,4\n")
    (tmp_path / "r.yaml").write_text(SM.replace("hmac-sm3", "hmac-sha256"))
    monkeypatch.setenv("DEID_KEY", "k" * 32)
    monkeypatch.setenv("DEID_SEED", "s")
    arguments = [
        "run",
        "--order",
        "kept",
        str(tmp_path / "r.yaml"),
        str(tmp_path / "in.csv"),
        str(tmp_path / "out.csv"),
    ]
    assert main([*arguments, "--national"]) == 2
    assert "steps[1].parameters.algorithm" in capsys.readouterr().err
    monkeypatch.setenv("DEID_NATIONAL_CRYPTOGRAPHY", "1")
    assert main(arguments) == 2
    (tmp_path / "r.yaml").write_text(SM)
    assert main(arguments) == 0
    back = [
        "reverse",
        str(tmp_path / "r.yaml"),
        str(tmp_path / "out.csv"),
        "a",
        str(tmp_path / "back.csv"),
        "--national",
    ]
    assert main(back) == 0
    assert [row["a"] for row in read(tmp_path / "back.csv")] == ["1", "3"]


def test_national_secrets_draw_otherwise_and_evenly() -> None:
    default, national = Secrets(b"k" * 32, 1), Secrets(b"k" * 32, 1, national=True)
    assert default.fingerprint() != national.fingerprint()
    assert default.require_salt() != national.require_salt()
    draws = national.uniform("x", 50_000)
    assert draws.tolist() != default.uniform("x", 50_000).tolist()
    assert abs(draws.mean() - 0.5) < 0.01
    assert np.histogram(draws, 10)[0].min() > 4700


def _two(first: str, second: str, more: str = "") -> str:
    return (
        "tables:\n"
        f"  patients: {{unlisted: keep, steps: [{first}]}}\n"
        f"  visits: {{unlisted: keep, steps: [{second}]}}\n{more}"
    )


HASHED = "{{technique: pseudonymization.keyed_hash, columns: [{}], parameters: {{length: 20{}}}}}"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (HASHED.format("phone", ""), HASHED.format("phone", "")),
        (HASHED.format("phone", ""), HASHED.format("phone", ", prefix: V")),
        (HASHED.format("phone", ", domain: persons"), HASHED.format("caller", ", domain: persons")),
        (
            "{technique: encryption.deterministic, columns: [phone]}",
            "{technique: encryption.deterministic, columns: [phone]}",
        ),
    ],
)
def test_columns_that_could_be_joined_are_linked_or_have_other_domains(first: str, second: str) -> None:
    with pytest.raises(EngineError) as refusal:
        RecipeSet.parse(_two(first, second))
    assert refusal.value.code == "joinable_undeclared"
    assert refusal.value.params["source"] == "patients.phone"
    column = "caller" if "caller" in second else "phone"
    assert refusal.value.params["target"] == f"visits.{column}"
    if first == second:
        link = f"references: [{{from: [visits, {column}], to: [patients, phone]}}]\n"
        assert RecipeSet.parse(_two(first, second, link))


def test_columns_with_other_domains_or_draws_of_their_own_cannot_be_joined() -> None:
    for technique in ("pseudonymization.keyed_hash", "encryption.deterministic"):
        step = "{{technique: {}, columns: [phone], parameters: {{domain: {}}}}}"
        assert RecipeSet.parse(_two(step.format(technique, "one"), step.format(technique, "two")))
    noise = "{technique: randomization.noise, columns: [cost], parameters: {spread: 5.0}}"
    assert RecipeSet.parse(_two(noise, noise))
