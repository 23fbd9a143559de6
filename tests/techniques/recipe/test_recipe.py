"""Recipes: strict, complete in themselves, and wrong in plain words before any data are read."""

from __future__ import annotations

import json

import pytest

from techniques.core.messages import EngineError
from techniques.recipe.recipe import Recipe

GOOD = """
recipe: 1
title: visits
steps:
  - technique: suppression.remove_column
    columns: [name]
  - technique: generalization.rounding
    column: fee
    parameters: {base: 10}
  - technique: model.k_anonymity
    columns: [age, sex]
    parameters:
      k: 5
      hierarchies:
        age: {kind: intervals, widths: [5, 10]}
        sex: {kind: star}
"""


def refused(text: str) -> EngineError:
    with pytest.raises(EngineError) as error:
        Recipe.parse(text)
    return error.value


def test_a_recipe_and_its_canonical_form_are_the_same() -> None:
    recipe = Recipe.parse(GOOD)
    again = Recipe.from_data(json.loads(recipe.canonical()))
    assert again == recipe
    assert again.content_hash() == recipe.content_hash()


def test_the_hash_is_of_the_content_not_of_the_layout() -> None:
    plain = "steps: [{technique: generalization.rounding, column: fee, parameters: {base: %s}}]"
    as_json = (
        '{"steps": [{"parameters": {"method": "nearest", "base": 10.0}, "columns": ["fee"], '
        '"technique": "generalization.rounding"}], "recipe": 1}'
    )
    assert Recipe.parse(plain % "10").content_hash() == Recipe.parse(as_json).content_hash()
    assert Recipe.parse(plain % "10").content_hash() != Recipe.parse(plain % "5").content_hash()


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (("k: 5", "k: 1"), "steps[2].parameters.k"),
        (("k: 5", "k: '5'"), "steps[2].parameters.k"),
        (("k: 5", "k: 5.5"), "steps[2].parameters.k"),
        (("k: 5", "kk: 5"), "steps[2].parameters.kk"),
        (("widths: [5, 10]", "widths: [5, 12]"), "steps[2].parameters.hierarchies.age"),
        (("widths: [5, 10]", "widths: [5, x]"), "steps[2].parameters.hierarchies.age.widths[1]"),
        (("kind: star", "kind: stars"), "steps[2].parameters.hierarchies.sex"),
        (("sex: {kind: star}", "job: {kind: star}"), "steps[2].parameters.hierarchies"),
        (("base: 10", "base: 0"), "steps[1].parameters.base"),
        (("base: 10", "base: .inf"), "steps[1].parameters.base"),
        (("column: fee", "column: 3"), "steps[1].column"),
        (("column: fee", "column: fee\n    columns: [a]"), "steps[1]"),
        (("columns: [age, sex]", "columns: [age, age]"), "steps[2].columns"),
        (("generalization.rounding", "magic"), "steps[1].technique"),
        (("title: visits", "tilte: visits"), "tilte"),
        (("recipe: 1", "recipe: 2"), "recipe"),
        (("    column: fee", "    colour: red"), "steps[1].colour"),
        (("columns: [name]", "columns: [fee]"), "recipe"),
    ],
)
def test_what_is_wrong_is_named_by_its_place(change: tuple[str, str], path: str) -> None:
    error = refused(GOOD.replace(*change))
    assert error.params["path"] == path
    assert str(error).startswith(path)


@pytest.mark.parametrize(
    "text",
    ["a: [", "a: 1\na: 2", "a: &x 1\nb: *x", "steps: !!python/object/apply:os.getcwd []", "[" * 5000],
)
def test_text_that_is_no_recipe(text: str) -> None:
    assert refused(text).code in {"recipe_unreadable", "recipe_invalid"}


@pytest.mark.parametrize("text", ["", "- a", "42", "steps: []", "steps: 1"])
def test_data_that_are_no_recipe(text: str) -> None:
    assert refused(text).code == "recipe_invalid"


def test_an_empty_reason_is_no_reason() -> None:
    step = "steps: [{technique: as_is, column: a, parameters: {reason: '%s'}}]"
    assert refused(step % "    ").params["path"] == "steps[0].parameters"
    assert Recipe.parse(step % "needed for the study").steps[0].technique == "as_is"


def test_columns_are_compared_with_the_file() -> None:
    recipe = Recipe.parse(GOOD)
    recipe.check_columns(["name", "age", "sex", "fee"])
    with pytest.raises(EngineError) as missing:
        recipe.check_columns(["name", "age", "fee"])
    assert missing.value.code == "columns_missing"
    assert missing.value.params["path"] == "steps[2].columns"
    with pytest.raises(EngineError) as untreated:
        recipe.check_columns(["name", "age", "sex", "fee", "x", "y"])
    assert untreated.value.code == "columns_untreated"
    assert untreated.value.params["columns"] == "x, y"


def test_unlisted_columns_by_statement() -> None:
    header = ["x", "name", "age", "sex", "fee"]
    assert Recipe.parse(GOOD + "unlisted: keep\n").output_columns(header) == ["x", "age", "sex", "fee"]
    assert Recipe.parse(GOOD + "unlisted: remove\n").output_columns(header) == ["age", "sex", "fee"]
    # What is removed is needed only where somebody looks at it before.
    assert Recipe.parse(GOOD + "unlisted: remove\n").needed_columns(header) == ["age", "sex", "fee"]
    named = Recipe.parse(GOOD + "unlisted: remove\nsubject: [name]\n")
    assert [
        column for column in named.needed_columns(header) if column not in named.output_columns(header)
    ] == ["name"]
    with pytest.raises(EngineError) as error:
        Recipe.parse("steps: [{technique: suppression.remove_column, column: x}]").check_columns(["x"])
    assert error.value.code == "columns_none_left"


def test_hierarchy_files_are_taken_into_the_recipe() -> None:
    text = GOOD.replace("{kind: star}", "{kind: file, file: sex.csv}")
    recipe = Recipe.parse(text, {"sex.csv": "男;*\n女;*\n".encode("gb18030")}.__getitem__)
    assert '"rows":[["男","*"],["女","*"]]' in recipe.canonical()
    other = Recipe.parse(text, {"sex.csv": b"m;*\nf;*\n"}.__getitem__)
    assert other.content_hash() != recipe.content_hash()
    with pytest.raises(EngineError) as missing:
        Recipe.parse(text, {}.__getitem__)
    assert missing.value.code == "hierarchy_file_missing"
    assert missing.value.params["path"] == "steps[2].parameters.hierarchies.sex"
    assert refused(text).code == "recipe_invalid"


@pytest.mark.parametrize("rows", ["[[a, x], [b]]", "[[a, x], [a, y]]", "[[a, x, p], [b, x, q]]"])
def test_unsound_hierarchy_tables(rows: str) -> None:
    error = refused(GOOD.replace("{kind: star}", f"{{kind: table, rows: {rows}}}"))
    assert "row 2" in str(error)


@pytest.mark.parametrize(
    ("technique", "parameters", "path"),
    [
        ("randomization.date_shift", "{subject: x}", "subject"),
        ("randomization.position_noise", "{latitude: a, longitude: x}", "longitude"),
        ("randomization.microaggregation", "{categories: [a, x]}", "categories"),
        ("synthesis.private", "{domains: {x: 0..9}}", "domains"),
    ],
)
def test_settings_name_columns_of_their_step(technique: str, parameters: str, path: str) -> None:
    step = f"steps: [{{technique: {technique}, columns: [a, b], parameters: {parameters}}}]"
    assert refused(step).params["path"] == f"steps[0].parameters.{path}"
    assert Recipe.parse(step.replace("x", "b"))


def test_masking_alone_is_pointed_out() -> None:
    """A.3.2: masking alone asks for further measures."""
    mask = "{technique: suppression.mask, column: a}"
    assert Recipe.parse(f"steps: [{mask}]").only_masks()
    rounding = "{technique: generalization.rounding, column: b, parameters: {base: 2}}"
    assert not Recipe.parse(f"steps: [{mask}, {rounding}]").only_masks()


@pytest.mark.parametrize(
    ("technique", "parameters", "fits"),
    [
        ("encryption.homomorphic", {}, False),
        ("encryption.order_preserving", {"minimum": 0, "maximum": 10}, False),
        ("as_is", {"reason": "the study sums them"}, True),
        ("suppression.remove_column", {}, True),
    ],
)
def test_ciphertexts_are_given_to_no_technique_that_needs_numbers(technique, parameters, fits):
    steps = [
        {"technique": "encryption.homomorphic", "columns": ["fee"], "parameters": {}},
        {"technique": technique, "columns": ["fee"], "parameters": parameters},
    ]
    if fits:
        assert len(Recipe.from_data({"recipe": 1, "title": "t", "steps": steps}).steps) == 2
        return
    with pytest.raises(EngineError, match="made ciphertexts of") as refused:
        Recipe.from_data({"recipe": 1, "title": "t", "steps": steps})
    assert refused.value.params["fault"] == "sealed"
