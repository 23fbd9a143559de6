"""What a saved recipe becomes upon the columns of a table, and what of it does not fit."""

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

from ...wording import technique_name
from ..suggestion import hierarchy_of
from .portability import GENERAL, references


@dataclass
class Fitted:
    """A recipe upon the columns of a table: the content to start from, and sentences about what did not fit."""

    content: dict[str, Any]
    left: list[str] = field(default_factory=list)


def fitted(saved: Mapping[str, Any], table: Table) -> Fitted:
    """The saved recipe upon the columns of ``table``: by their names, and else by kind and role where these tell which."""
    dataset, given = dataset_now(table), verdicts_of(table)
    header = dataset_columns(dataset) if dataset is not None else []
    places = places_of(saved["columns"], header, given)
    found = Fitted({"recipe": 1, "title": "", "unlisted": "refuse"})
    found.content |= {name: saved[name] for name in GENERAL if name in saved}
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
            found.left.append(_("%(technique)s: no suitable column.") % {"technique": name})
            continue
        parameters = _parameters(step, places, fits, given, found.left)
        steps.append({"technique": step["technique"], "columns": fits, "parameters": parameters})
    found.content["steps"] = steps
    gone = [name for name in saved["columns"] if name not in places]
    if gone:
        text = _("Nothing here corresponds to these columns of the saved recipe: %(columns)s.")
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
    left: list[str],
) -> dict[str, Any]:
    """The settings with the columns of here; a hierarchy that stayed behind is the first for the column's kind.

    What no column of here stands for, and what stayed behind when the recipe was saved, is said in ``left``.
    """
    made: dict[str, Any] = {}
    fields = catalogue.parameter_fields(step["technique"])
    meant = {"technique": technique_name(step["technique"])}
    here = {
        name: place
        for name, place in places.items()
        # A column of the step that the technique is not meant for is none in its settings either.
        if name not in step["columns"] or place in fits
    }
    for one in fields:
        value = step["parameters"].get(one.name)
        if one.kind == "hierarchies":
            said = {here[name]: own for name, own in (value or {}).items() if name in here}
            made[one.name] = {name: said.get(name) or hierarchy_of(given[name]) for name in fits}
        elif one.kind == "hierarchy" and value is None:
            made[one.name] = hierarchy_of(given[fits[0]]) if fits else {"kind": "star"}
        elif value is not None and one.of_columns:
            if (there := _moved(value, here)) is not None:
                made[one.name] = there
            if gone := [name for name in references(value) if name not in here]:
                text = _(
                    "%(technique)s, setting “%(setting)s”: no column here stands for %(columns)s. Without it the step does something "
                    "else than in the saved recipe: look at this setting."
                )
                left.append(text % (meant | {"setting": _(one.title), "columns": _(", ").join(gone)}))
        elif value is not None:
            made[one.name] = value
    if behind := [_(one.title) for one in fields if one.name in step.get("left", ())]:
        text = _(
            "%(technique)s: text may come from the data, so the content of these settings was left "
            "behind, wholly or in part: %(settings)s. Check them."
        )
        left.append(text % (meant | {"settings": _(", ").join(behind)}))
    return made


def _moved(value: Any, here: Mapping[str, str]) -> Any:
    """A setting of columns with those of here; None where it is one column that is not here."""
    if isinstance(value, str):
        return here.get(value)
    if isinstance(value, list):
        return [here[name] for name in value if name in here]
    return {here[name]: own for name, own in value.items() if name in here}
