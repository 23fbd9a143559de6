"""A recipe while it is being written: raw entries of the form, kept as the person's own until they are saved.

Every button of the editor posts the whole form; the entries become a :class:`Draft`, the button changes
it, and the page is shown anew from it. So the editor needs no script, and a change of language loses
nothing. A draft holds settings only, never data.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from projects.core.numbers import whole_number
from techniques import catalogue
from techniques.catalogue.family import Family
from techniques.core.attributes import Scene
from techniques.core.fields import ParameterField

from ..wording import plain

Raw = dict[str, list[str]]
"""Entries by field name, as a browser sends them."""

COLUMN_MAPS = {"minimum_levels": "min", "maximum_levels": "max", "weights": "weight"}
"""Settings that are numbers by column: they stand beside the column's hierarchy, under these names."""
MAX_STEPS = 1000
_ENTRY = re.compile(r"s(\d{1,4})-(.+)", re.DOTALL)


@dataclass
class StepDraft:
    """One step: its technique, the positions of its columns in the file, and the entries of its settings.

    Settings are called ``p-NAME``, those of a hierarchy ``h-NAME`` or, per column, ``hPOSITION-NAME``,
    the conditions on a sensitive column ``cPOSITION-NAME``.
    """

    technique: str
    columns: list[int]
    values: Raw = field(default_factory=dict)


@dataclass
class Draft:
    """All entries. ``basis`` is the number of the version that they started from, 0 for none."""

    dataset: str
    basis: int
    general: Raw
    steps: list[StepDraft] = field(default_factory=list)

    @property
    def scene(self) -> str:
        """The scene of use whose preset the entries began from; "" for none, or for one that there is not."""
        code = self.general.get("scene", [""])[0]
        return code if code in set(Scene) else ""

    @property
    def note(self) -> str:
        """What is said of the version that they are to become."""
        return self.general.get("note", [""])[0].strip()

    @property
    def said(self) -> tuple[Any, ...]:
        """What the entries say of the recipe: equal for two drafts between which nobody would see a difference."""
        general = {name: entry for name, entry in self.general.items() if name != "note"}
        steps = [(one.technique, one.columns, _filled(one.values)) for one in self.steps]
        return _filled(general), steps

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Draft:
        steps = [StepDraft(**step) for step in data["steps"]]
        return cls(data["dataset"], data["basis"], data["general"], steps)


def _filled(raw: Raw) -> dict[str, list[str]]:
    """The entries that are not empty, with lines ended one way: a browser ends them another."""
    cleaned = {
        name: [entry.replace("\r\n", "\n").strip() for entry in given]
        for name, given in raw.items()
        if not name.endswith("-shown")
    }
    return {name: given for name, given in cleaned.items() if any(given)}


# -- from a recipe to entries -------------------------------------------------------------------


def draft_of(
    content: Mapping[str, Any], header: Sequence[str], *, dataset: str, basis: int, scene: str = ""
) -> Draft:
    """The entries that show the recipe ``content``; columns that the file no longer has are left out.

    ``scene`` is the scene of use that the content began from.
    """
    output = content.get("output", {})
    places = {column: position for position, column in enumerate(header)}
    records = content.get("records") or {}
    general = {
        "title": [content.get("title", "")],
        "unlisted": [content.get("unlisted", "refuse")],
        "order": [content.get("order", "shuffled")],
        "unprepared": [content.get("unprepared") or ""],
        "records": [str(places[one]) for one in records.get("columns", ()) if one in places],
        "records_purpose": [records.get("purpose", "")],
        **{name: [output.get(name, "same")] for name in ("format", "encoding", "delimiter")},
        "note": [""],
        "scene": [scene],
    }
    steps = []
    for step in content.get("steps", ()):
        columns = step["columns"] if "columns" in step else [step["column"]]
        steps.append(
            StepDraft(
                step["technique"],
                [places[column] for column in columns if column in places],
                raw_of(step["technique"], step.get("parameters", {}), places),
            )
        )
    return Draft(dataset, basis, general, steps)


def columns_lost(content: Mapping[str, Any], header: Sequence[str]) -> list[str]:
    """Columns that the recipe names and the file no longer has."""
    named = [column for step in content.get("steps", ()) for column in step.get("columns", ())]
    named += (content.get("records") or {}).get("columns", ())
    return [column for column in dict.fromkeys(named) if column not in header]


def raw_of(key: str, parameters: Mapping[str, Any], places: Mapping[str, int]) -> Raw:
    """The entries of one step's settings, defaults filled in."""
    raw: Raw = {}
    for one in catalogue.parameter_fields(key):
        value = parameters.get(one.name, one.default)
        if one.kind == "hierarchy":
            raw |= hierarchy_raw("h-", value or {"kind": "star"})
        elif one.kind == "hierarchies":
            for column, definition in (value or {}).items():
                if column in places:
                    raw |= hierarchy_raw(f"h{places[column]}-", definition)
        elif one.kind == "conditions":
            named = {places[column]: given for column, given in (value or {}).items() if column in places}
            raw[f"p-{one.name}"] = [str(position) for position in named]
            for position, given in named.items():
                raw |= conditions_raw(f"c{position}-", given)
        elif one.name in COLUMN_MAPS:
            for column, given in (value or {}).items():
                if column in places:
                    raw[f"h{places[column]}-{COLUMN_MAPS[one.name]}"] = [plain(given)]
        else:
            raw[f"p-{one.name}"] = entries(one, value)
    return raw


def hierarchy_raw(prefix: str, definition: Mapping[str, Any]) -> Raw:
    """The entries of one hierarchy; settings that the definition leaves out have their defaults."""
    kind = definition["kind"]
    raw: Raw = {f"{prefix}kind": [kind], f"{prefix}shown": [kind]}
    for one in hierarchy_fields(kind):
        raw[f"{prefix}{one.name}"] = entries(one, definition.get(one.name, one.default))
    return raw


def conditions_raw(prefix: str, conditions: Mapping[str, Any]) -> Raw:
    """The entries of the conditions on one sensitive column, defaults filled in."""
    raw: Raw = {}
    for one in catalogue.condition_fields():
        value = conditions.get(one.name, one.default)
        if one.kind == "hierarchy":
            raw |= hierarchy_raw(f"{prefix}h-", value)
        else:
            raw[f"{prefix}{one.name}"] = entries(one, value)
    return raw


def sensitive_positions(step: StepDraft) -> list[int]:
    """Columns that a step reads as sensitive attributes, as far as the form knows them."""
    names = [one.name for one in catalogue.parameter_fields(step.technique) if one.kind == "conditions"]
    entries = (whole_number(entry) for name in names for entry in step.values.get(f"p-{name}", []))
    return [position for position in entries if position >= 0]


def hierarchy_fields(kind: str) -> tuple[ParameterField, ...]:
    """The settings of one kind of hierarchy; none for an unknown one."""
    return next((one.fields for one in catalogue.hierarchy_kinds() if one.kind == kind), ())


def entries(one: ParameterField, value: Any) -> list[str]:
    """A value as a browser would send it."""
    if value is None:
        return [""]
    if one.kind == "boolean":
        return ["on"] if value else []
    if one.kind == "list" and one.item_kind == "list":
        return [table_text(value)]
    if one.kind == "mapping":
        return [table_text(list(value.items()))]
    if one.kind == "list" and one.item_kind == "text":
        return ["\n".join(value)]
    if one.kind == "list":
        return [str(item) for item in value] if one.item_choices else [", ".join(plain(v) for v in value)]
    return [plain(value)]


def table_text(rows: Sequence[Sequence[str]]) -> str:
    """The rows as a person pastes them, separated by semicolons."""
    target = io.StringIO()
    csv.writer(target, delimiter=";", lineterminator="\n").writerows(rows)
    return target.getvalue()


# -- from what was posted to entries ---------------------------------------------------------------


def draft_read(posted: Any, *, columns: int, dataset: str) -> Draft:
    """The entries of a posted form (``QueryDict``). What no form of ours would send is dropped."""
    general: Raw = {}
    steps: dict[int, Raw] = {}
    for name, values in posted.lists():
        if name.startswith("g-"):
            general[name[2:]] = values
        elif found := _ENTRY.fullmatch(name):
            steps.setdefault(int(found[1]), {})[found[2]] = values
    read = []
    for number in sorted(steps)[:MAX_STEPS]:
        raw = steps[number]
        technique = raw.pop("technique", [""])[0]
        positions = [p for p in map(whole_number, raw.pop("columns", [])) if 0 <= p < columns]
        if technique in {spec.key for spec in catalogue.techniques()}:
            read.append(StepDraft(technique, sorted(set(positions)), raw))
    return Draft(dataset, max(whole_number(posted.get("basis", "")), 0), general, read)


def hierarchies_complete(step: StepDraft, definitions: Mapping[int, Mapping[str, Any]]) -> bool:
    """Fill in what the form could not show yet: hierarchies of newly chosen columns and kinds.

    ``definitions`` gives a first hierarchy per position. Returns whether anything had to be filled in.
    """
    new = False
    for position in sensitive_positions(step):
        if f"c{position}-distance" not in step.values:
            step.values |= conditions_raw(f"c{position}-", {})
            new = True
    for prefix, first in _slots(step, definitions):
        kind = step.values.get(f"{prefix}kind", [""])[0]
        shown = step.values.get(f"{prefix}shown", [""])[0]
        if not kind:
            step.values |= hierarchy_raw(prefix, first)
            new = True
        elif kind != shown:
            step.values |= hierarchy_raw(prefix, {"kind": kind})
            new = True
    return new


def _slots(
    step: StepDraft, definitions: Mapping[int, Mapping[str, Any]]
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    kinds = {one.kind for one in catalogue.parameter_fields(step.technique)}
    if "hierarchy" in kinds:
        yield "h-", definitions.get(step.columns[0], {"kind": "star"}) if step.columns else {"kind": "star"}
    if "hierarchies" in kinds:
        for position in step.columns:
            yield f"h{position}-", definitions.get(position, {"kind": "star"})
    for position in sensitive_positions(step):
        yield f"c{position}-h-", {"kind": "star"}


# -- what the buttons do -----------------------------------------------------------------------


def step_move(draft: Draft, number: int, by: int) -> str:
    """Exchange a step with its neighbour; returns the anchor to come back to."""
    other = number + by
    if 0 <= number < len(draft.steps) and 0 <= other < len(draft.steps):
        draft.steps[number], draft.steps[other] = draft.steps[other], draft.steps[number]
        number = other
    return f"step-{number + 1}"


def step_remove(draft: Draft, number: int) -> str:
    if 0 <= number < len(draft.steps):
        del draft.steps[number]
    return "steps"


def step_add(
    draft: Draft, key: str, columns: list[int], parameters: Mapping[str, Any], places: Mapping[str, int]
) -> str:
    """Add a step at the end, one that brings values into form behind those of its kind that stand first; buttons move it."""
    step = StepDraft(key, columns, raw_of(key, parameters, places))
    place = len(draft.steps)
    if catalogue.get(key).family is Family.PREPARATION:
        families = [catalogue.get(one.technique).family for one in draft.steps]
        place = next((n for n, family in enumerate(families) if family is not Family.PREPARATION), place)
    draft.steps.insert(place, step)
    return f"step-{place + 1}"


def step_join(draft: Draft, number: int, position: int) -> None:
    if 0 <= number < len(draft.steps):
        draft.steps[number].columns = sorted({*draft.steps[number].columns, position})


def columns_give(
    draft: Draft,
    choice: str,
    positions: list[int],
    parameters: Mapping[str, Any],
    places: Mapping[str, int],
    *,
    instead: bool,
) -> str:
    """Treat several columns at once: ``join:N`` by a step that is there, ``new:KEY`` by one more step, ``none`` by none.

    With ``instead`` they leave every other step; one that is left without columns goes. Returns the anchor to come back to.
    """
    kind, _colon, value = choice.partition(":")
    joined = draft.steps[int(value)] if kind == "join" else None
    if instead or kind == "none":
        for step in draft.steps:
            if step is not joined:
                step.columns = [one for one in step.columns if one not in positions]
        draft.steps = [step for step in draft.steps if step.columns or step is joined]
    if joined is not None:
        joined.columns = sorted({*joined.columns, *positions})
        return f"step-{draft.steps.index(joined) + 1}"
    return step_add(draft, value, positions, parameters, places) if kind == "new" else "recipe-columns"


def step_leave(draft: Draft, number: int, position: int) -> str:
    """Take a column out of a step; a step without columns goes."""
    if 0 <= number < len(draft.steps):
        step = draft.steps[number]
        step.columns = [one for one in step.columns if one != position]
        if not step.columns:
            del draft.steps[number]
    return f"column-{position}"
