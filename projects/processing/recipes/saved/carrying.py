"""What of a recipe goes with it to other data, and what it becomes upon the columns of a table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from projects.datasets.models import Table
from projects.datasets.selectors import dataset_columns
from projects.datasets.tables.selectors import dataset_now
from projects.identification.enums import ENGINE_ROLE, ColumnRole
from projects.identification.models import ColumnVerdict
from projects.identification.selectors import verdicts_of
from techniques import catalogue
from techniques.catalogue.family import Family
from techniques.core.fields import ParameterField

from ...wording import technique_name
from ..suggestion import hierarchy_of

_GENERAL = ("unlisted", "order")
REASON = "reason"
"""Why a column stays as it is was said of other data: it is written anew."""


@dataclass
class Fitted:
    """A recipe upon the columns of a table: the content to start from, and sentences about what did not fit."""

    content: dict[str, Any]
    left: list[str] = field(default_factory=list)


def portable(content: Mapping[str, Any], given: Mapping[str, ColumnVerdict]) -> dict[str, Any]:
    """What is kept of the recipe of a table with the verdicts ``given``: techniques, settings and what the columns are.

    Nothing that may hold values of the data: of hierarchies only those that are rules, no list and no mapping of texts.
    """
    steps = [
        {
            "technique": step["technique"],
            "columns": list(step["columns"]),
            "parameters": {
                one.name: kept
                for one in catalogue.parameter_fields(step["technique"])
                if (kept := _kept(one, step.get("parameters", {}).get(one.name), given)) is not None
            },
        }
        for step in content["steps"]
    ]
    columns = {
        name: {"role": verdict.role, "kind": verdict.kind}
        for name, verdict in given.items()
        if any(name in step["columns"] or name in _named(step["parameters"]) for step in steps)
    }
    general = {name: content[name] for name in _GENERAL if content.get(name)}
    return {"saved": 1, **general, "columns": columns, "steps": steps}


def _named(parameters: Mapping[str, Any]) -> set[str]:
    """Columns that settings name."""
    found: set[str] = set()
    for value in parameters.values():
        if isinstance(value, dict | list):
            found |= {str(one) for one in value}
        else:
            found.add(str(value))
    return found


def _kept(one: ParameterField, value: Any, given: Mapping[str, ColumnVerdict]) -> Any:
    """The value of a setting as far as it tells nothing of the data; None where it stays behind."""
    if value is None or one.name == REASON:
        return None
    if one.kind == "hierarchy":
        return _rule(value)
    if one.kind == "hierarchies":
        return {name: rule for name, own in value.items() if (rule := _rule(own)) is not None}
    if one.kind == "conditions":
        return {
            name: {
                what: said
                for what, said in own.items()
                if not isinstance(said, dict) or _rule(said) is not None
            }
            for name, own in value.items()
        }
    if one.kind in ("list", "mapping") and not one.item_choices:
        are_columns = all(isinstance(entry, str) and entry in given for entry in value)
        are_numbers = one.kind == "list" and one.item_kind in ("integer", "decimal")
        return value if are_columns or are_numbers else None
    return value


def _rule(hierarchy: Any) -> Any:
    """A hierarchy that is a rule; None for a table of levels, whose rows are values."""
    return None if isinstance(hierarchy, Mapping) and hierarchy.get("kind") == "table" else hierarchy


def fitted(saved: Mapping[str, Any], table: Table) -> Fitted:
    """The saved recipe upon the columns of ``table``: by their names, and else by kind and role where these tell which."""
    dataset, given = dataset_now(table), verdicts_of(table)
    header = dataset_columns(dataset) if dataset is not None else []
    places = places_of(saved["columns"], header, given)
    found = Fitted({"recipe": 1, "title": "", "unlisted": "refuse"})
    found.content |= {name: saved[name] for name in _GENERAL if name in saved}
    steps = []
    for step in saved["steps"]:
        spec, name = catalogue.get(step["technique"]), technique_name(step["technique"])
        meant = [places[one] for one in step["columns"] if one in places]
        fits = [one for one in meant if _fits(spec, given.get(one))]
        unfit = [one for one in meant if one not in fits]
        if unfit:
            text = _("%(technique)s is not meant for the verdicts of: %(columns)s.")
            found.left.append(text % {"technique": name, "columns": _(", ").join(unfit)})
        if step["columns"] and not fits:
            found.left.append(_("%(technique)s: no column for it.") % {"technique": name})
            continue
        parameters = _parameters(step, places, fits, given)
        steps.append({"technique": step["technique"], "columns": fits, "parameters": parameters})
    found.content["steps"] = steps
    gone = [name for name in saved["columns"] if name not in places]
    if gone:
        text = _("Nothing here is like these columns of the saved recipe: %(columns)s.")
        found.left.append(text % {"columns": _(", ").join(gone)})
    treated = {column for step in steps for column in step["columns"]}
    untreated = [column for column in header if column not in treated]
    if untreated:
        text = _("The saved recipe says nothing about: %(columns)s.")
        found.left.append(text % {"columns": _(", ").join(untreated)})
    return found


def places_of(
    columns: Mapping[str, Mapping[str, str]], header: Sequence[str], given: Mapping[str, ColumnVerdict]
) -> dict[str, str]:
    """Column of the saved recipe → column here: the one of its name, else the only one left of its kind and role."""
    places = {name: name for name in columns if name in header}
    ours: dict[tuple[str, str], list[str]] = defaultdict(list)
    theirs: dict[tuple[str, str], list[str]] = defaultdict(list)
    for name in header:
        if name not in places and name in given and given[name].kind:
            ours[given[name].role, given[name].kind].append(name)
    for name, what in columns.items():
        if name not in places and what["kind"]:
            theirs[what["role"], what["kind"]].append(name)
    places |= {
        names[0]: ours[what][0] for what, names in theirs.items() if len(names) == len(ours[what]) == 1
    }
    return places


def _fits(spec: Any, verdict: ColumnVerdict | None) -> bool:
    """Whether the technique is meant for a column with this verdict; no direct identifier stays as it is."""
    if verdict is None or (verdict.role == ColumnRole.DIRECT and spec.family is Family.NONE):
        return False
    return ENGINE_ROLE[ColumnRole(verdict.role)] in {role.value for role in spec.roles}


def _parameters(
    step: Mapping[str, Any],
    places: Mapping[str, str],
    fits: Sequence[str],
    given: Mapping[str, ColumnVerdict],
) -> dict[str, Any]:
    """The settings with the columns of here; a hierarchy that stayed behind is the first for the column's kind."""
    made: dict[str, Any] = {}
    for one in catalogue.parameter_fields(step["technique"]):
        value = step["parameters"].get(one.name)
        if one.kind == "hierarchies":
            said = {places[name]: own for name, own in (value or {}).items() if name in places}
            made[one.name] = {name: said.get(name) or hierarchy_of(given[name]) for name in fits}
        elif one.kind == "hierarchy" and value is None:
            made[one.name] = hierarchy_of(given[fits[0]]) if fits else {"kind": "star"}
        elif value is None:
            continue
        elif one.kind in ("conditions", "mapping"):
            made[one.name] = {places[name]: own for name, own in value.items() if name in places}
        elif one.kind == "list" and one.item_kind == "text" and not one.item_choices:
            made[one.name] = [places[name] for name in value if name in places]
        elif one.kind == "column":
            made |= {one.name: places[value]} if value in places else {}
        else:
            made[one.name] = value
    return made
