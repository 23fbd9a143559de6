"""From a parameter class to the plain description of its fields that a web form is made from."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import annotated_types
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from techniques.core.settings import ClosedModel, FitSettings

FieldKind = Literal[
    "integer",
    "decimal",
    "choice",
    "boolean",
    "text",
    "list",
    "mapping",
    "hierarchy",
    "hierarchies",
    "conditions",
    "column",
]


@dataclass(frozen=True)
class Choice:
    """One value of a choice field with the (untranslated) words for it."""

    value: str
    label: str


@dataclass(frozen=True)
class ParameterField:
    """One field of a form.

    ``minimum`` and ``maximum`` are inclusive unless the matching ``exclusive_…`` flag is set. ``default``
    is None both for "no default" (then ``required`` is true) and for "may be left empty".
    ``item_choices`` are the values that the entries of a list may take, empty where any text may stand. ``item_kind`` is that
    of a list's entries, or of what a mapping leads to. ``of_columns``: the value is a column, a list of columns, or leads from
    columns to something; every other text in it may be of the data.
    """

    name: str
    kind: FieldKind
    title: str
    help: str
    required: bool
    default: Any
    minimum: float | None
    maximum: float | None
    exclusive_minimum: bool
    choices: tuple[Choice, ...]
    item_choices: tuple[Choice, ...]
    item_kind: FieldKind | None
    max_length: int | None
    of_columns: bool

    def as_dict(self) -> dict[str, Any]:
        """The same as JSON-ready values."""
        return asdict(self)


def describe(parameters: type[ClosedModel]) -> list[ParameterField]:
    """The fields of ``parameters`` in the order in which a person should meet them."""
    own_first = sorted(parameters.model_fields.items(), key=lambda item: item[0] in FitSettings.model_fields)
    return [_field(name, info) for name, info in own_first]


def _field(name: str, info: FieldInfo) -> ParameterField:
    extra = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
    annotation = _without_none(info.annotation)
    words = extra.get("labels", {})
    assert isinstance(words, dict)  # set by `labels()` only
    kind = str(extra.get("kind") or _kind(annotation))
    item = _item(annotation)
    minimum, maximum, exclusive, max_length = _bounds(info)
    return ParameterField(
        name=name,
        kind=kind,  # type: ignore[arg-type]
        title=info.title or name,
        help=info.description or "",
        required=info.is_required(),
        default=_default(info),
        minimum=minimum,
        maximum=maximum,
        exclusive_minimum=exclusive,
        choices=_choices(annotation, words),
        item_choices=_choices(item, words),
        item_kind=_kind(item) if item is not None else None,
        max_length=max_length,
        of_columns=bool(extra.get("columns")) or kind in ("column", "hierarchies", "conditions"),
    )


def _item(annotation: Any) -> Any:
    """What a list holds, or what a mapping leads to; None for anything else."""
    if get_origin(annotation) not in (list, dict):
        return None
    held = get_args(annotation)[-1]
    return _without_none(get_args(held)[0] if get_origin(held) is Annotated else held)


def _without_none(annotation: Any) -> Any:
    if get_origin(annotation) is Union or type(annotation).__name__ == "UnionType":
        kept = [part for part in get_args(annotation) if part is not type(None)]
        if len(kept) == 1:
            return kept[0]
    return annotation


def _kind(annotation: Any) -> FieldKind:
    origin = get_origin(annotation)
    if origin is Literal:
        return "choice"
    if origin is list:
        return "list"
    if origin is dict:
        return "mapping"
    kinds: dict[Any, FieldKind] = {bool: "boolean", int: "integer", float: "decimal"}
    return kinds.get(annotation, "text")


def _choices(annotation: Any, words: dict[str, Any]) -> tuple[Choice, ...]:
    if get_origin(annotation) is not Literal:
        return ()
    return tuple(Choice(str(value), str(words.get(str(value), value))) for value in get_args(annotation))


def _default(info: FieldInfo) -> Any:
    default = info.get_default(call_default_factory=True, validated_data={})
    if default is PydanticUndefined:
        return None
    return default.model_dump(mode="json") if hasattr(default, "model_dump") else default


def _bounds(info: FieldInfo) -> tuple[float | None, float | None, bool, int | None]:
    minimum: Any = None
    maximum: Any = None
    exclusive = False
    max_length = None
    for rule in info.metadata:
        if isinstance(rule, annotated_types.Ge):
            minimum = rule.ge
        elif isinstance(rule, annotated_types.Gt):
            minimum, exclusive = rule.gt, True
        elif isinstance(rule, annotated_types.Le):
            maximum = rule.le
        elif isinstance(rule, annotated_types.MaxLen):
            max_length = rule.max_length
    return minimum, maximum, exclusive, max_length
