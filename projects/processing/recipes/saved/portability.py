"""What of a recipe goes with it to other data: choices, numbers and names of columns, and no other text."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from projects.identification.models import ColumnVerdict
from techniques import catalogue
from techniques.core.fields import ParameterField

GENERAL = ("unlisted", "order")
_NUMBERS = ("integer", "decimal", "boolean")
Carried = tuple[Any, bool]
"""What goes along, None for nothing, and whether that is all that was there."""


def portable(content: Mapping[str, Any], given: Mapping[str, ColumnVerdict]) -> dict[str, Any]:
    """What is kept of the recipe of a table with the verdicts ``given``: techniques, settings and what the columns are.

    ``left`` of a step names the settings that stay behind, wholly or in part: a text that is no choice and no column may be of the
    data.
    """
    steps = []
    for step in content["steps"]:
        fields = catalogue.parameter_fields(step["technique"])
        parameters, left = _carried_all(fields, step.get("parameters", {}), given)
        steps.append(
            {
                "technique": step["technique"],
                "columns": list(step["columns"]),
                "parameters": parameters,
                "left": left,
            }
        )
    named = {name for step in steps for name in (*step["columns"], *_named(step))}
    columns = {
        name: {"role": verdict.role, "kind": verdict.kind} for name, verdict in given.items() if name in named
    }
    general = {name: content[name] for name in GENERAL if content.get(name)}
    return {"saved": 1, **general, "columns": columns, "steps": steps}


def references(value: Any) -> list[str]:
    """The columns that the value of a setting of columns names."""
    return [value] if isinstance(value, str) else list(value)


def _named(step: Mapping[str, Any]) -> set[str]:
    """Columns that the settings of a step name."""
    fields = {one.name: one for one in catalogue.parameter_fields(step["technique"])}
    return {
        column
        for name, value in step["parameters"].items()
        if fields[name].of_columns
        for column in references(value)
    }


def _carried_all(
    fields: Iterable[ParameterField], values: Mapping[str, Any], columns: Collection[str]
) -> tuple[dict[str, Any], list[str]]:
    """What goes along of several settings by name, and the names of those that do not go whole."""
    made: dict[str, Any] = {}
    left: list[str] = []
    for one in fields:
        value = values.get(one.name)
        if value is None:
            continue
        kept, is_whole = _carried(one, value, columns)
        if kept is not None:
            made[one.name] = kept
        if not is_whole:
            left.append(one.name)
    return made, left


def _carried(one: ParameterField, value: Any, columns: Collection[str]) -> Carried:
    if one.kind == "hierarchy":
        return _hierarchy(value)
    if one.of_columns:
        return _of_columns(one, value, columns)
    if one.kind == "list":
        fits = all(_is_plain(one.item_kind, one.item_choices, entry) for entry in value)
    else:
        fits = _is_plain(one.kind, one.choices, value)
    # What it is anyway where nothing is said of it need not go along.
    return (value, True) if fits else (None, not value or value == one.default)


def _of_columns(one: ParameterField, value: Any, columns: Collection[str]) -> Carried:
    """A column, columns, or what columns lead to."""
    if isinstance(value, str):
        return (value, True) if value in columns else (None, not value)
    if isinstance(value, list):
        known = [name for name in value if name in columns]
        return known, len(known) == len(value)
    made, is_whole = {}, True
    for name, own in value.items():
        kept, all_of_it = _entry(one, own, columns) if name in columns else (None, False)
        if kept is not None:
            made[name] = kept
        is_whole = is_whole and all_of_it
    return made, is_whole


def _entry(one: ParameterField, own: Any, columns: Collection[str]) -> Carried:
    """What a column leads to."""
    if one.kind == "hierarchies":
        return _hierarchy(own)
    if one.kind == "conditions":
        made, left = _carried_all(catalogue.condition_fields(), own, columns)
        return made, not left
    fits = _is_plain(one.item_kind, one.item_choices, own)
    return (own if fits else None), fits


def _hierarchy(value: Mapping[str, Any]) -> Carried:
    """A hierarchy that is a rule; nothing of one that is made of values."""
    fields = next(one.fields for one in catalogue.hierarchy_kinds() if one.kind == value["kind"])
    made, left = _carried_all(fields, value, ())
    if any(one.required and one.name in left for one in fields):
        return None, False
    return {"kind": value["kind"], **made}, not left


def _is_plain(kind: str | None, choices: Iterable[Any], value: Any) -> bool:
    """Whether it is a number, or one of the choices."""
    if kind in _NUMBERS:
        return isinstance(value, int | float)
    return kind == "choice" and str(value) in {choice.value for choice in choices}
