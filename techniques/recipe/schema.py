"""The JSON schema of a recipe's file, for editors: what may stand where, each technique with its own settings."""

from __future__ import annotations

from typing import Any

from techniques import catalogue
from techniques.recipe.recipe import Output, Recipe
from techniques.recipe.recipe_set import Reference
from techniques.recipe.template import RecipeTest

_USED = {"type": "string", "pattern": r"\$\{[A-Za-z_]\w*\}"}


def recipe_schema() -> dict[str, Any]:
    """The schema of a recipe of one table or of several, with variables, files that are included, and tests."""
    definitions: dict[str, Any] = {}

    def of(model: Any) -> Any:
        """The schema of a model, its definitions put with the others; any number or choice may be a variable's."""
        found = model.model_json_schema(by_alias=True, ref_template="#/$defs/{model}")
        for name, one in found.pop("$defs", {}).items():
            definitions[name] = _variable(one)
        return _variable(found)

    names = {"type": "array", "items": {"type": "string"}, "minItems": 1}
    steps: list[dict[str, Any]] = [
        {
            "title": spec.key,
            "description": spec.summary,
            "type": "object",
            "properties": {
                "technique": {"const": spec.key},
                "column": {"type": "string"},
                "columns": {"anyOf": [names, _USED]},
                "parameters": of(spec.settings),
            },
            "required": ["technique"],
            "oneOf": [{"required": ["column"]}, {"required": ["columns"]}],
            "additionalProperties": False,
        }
        for spec in catalogue.techniques()
    ]
    include = {
        "type": "object",
        "properties": {"include": {"type": "string"}},
        "required": ["include"],
        "additionalProperties": False,
    }
    # Chosen by the technique, so that an editor complains of the setting that is wrong and not of every technique.
    chosen = [
        {
            "if": {"properties": {"technique": step["properties"]["technique"]}, "required": ["technique"]},
            "then": step,
        }
        for step in steps
    ]
    keys = [spec.key for spec in catalogue.techniques()]
    definitions["step"] = {
        "type": "object",
        "if": {"required": ["include"]},
        "then": include,
        "else": {
            "required": ["technique"],
            "properties": {"technique": {"enum": keys}},
            "allOf": chosen,
        },
    }
    table = of(Recipe)["properties"]
    # A name alone may stand for a list of one.
    table["subject"] = {"anyOf": [{"type": "string"}, names | {"minItems": 0}, {"type": "null"}]}
    table["records"] = {}
    table["steps"] = {"type": "array", "items": {"$ref": "#/$defs/step"}, "minItems": 1}
    table["output"] = of(Output)
    definitions["table"] = {
        "type": "object", "properties": table, "required": ["steps"], "additionalProperties": False,
    }  # fmt: skip
    shared = {"recipe": {"const": 1}, "title": {"type": "string"}, "variables": {"type": "object"}}
    several = shared | {
        "tables": {"type": "object", "additionalProperties": {"$ref": "#/$defs/table"}},
        "references": {"type": "array", "items": of(Reference)},
    }
    one = shared | table | {"tests": {"type": "array", "items": of(RecipeTest)}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Recipe",
        "type": "object",
        "if": {"required": ["tables"]},
        "then": {"properties": several, "additionalProperties": False},
        "else": {"properties": one, "required": ["steps"], "additionalProperties": False},
        "$defs": definitions,
    }


def _variable(schema: Any) -> Any:
    """The same, in which a number, a truth value, a list or a choice may be a variable's."""
    if isinstance(schema, list):
        return [_variable(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {
        key: {name: _variable(one) for name, one in value.items()}
        if key == "properties"
        else _variable(value)
        for key, value in schema.items()
    }
    if inner.get("type") in ("integer", "number", "boolean", "array") or "enum" in inner:
        return {"anyOf": [inner, _USED]}
    return inner
