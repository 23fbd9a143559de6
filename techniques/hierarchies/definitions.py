"""What a recipe may say about a hierarchy. No data, no numerical library: the web process imports this."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from techniques.core.messages import EngineError, _
from techniques.core.settings import ClosedModel, setting

DateUnit = Literal["month", "quarter", "year", "decade"]
RegionUnit = Literal["county", "city", "province"]
DATE_UNITS = get_args(DateUnit)
REGION_UNITS = get_args(RegionUnit)
DATE_LABELS = {"month": _("Month"), "quarter": _("Quarter"), "year": _("Year"), "decade": _("Decade")}
REGION_LABELS = {
    "county": _("County or district"),
    "city": _("City or prefecture"),
    "province": _("Province"),
}
MAX_TABLE_ROWS = 200_000

# Settings that hierarchies have in common with the techniques that go one level up.
interval_origin = partial(setting, _("Origin"), _("A boundary of the intervals, such as 0 or 18."), 0.0)
interval_notation = partial(
    setting,
    _("How intervals are written"),
    _("The second needs whole numbers."),
    "half_open",
    labels={"half_open": _("[20,30): 20 is in, 30 is not"), "inclusive": _("20-29: whole numbers only")},
)
region_form = partial(
    setting,
    _("Form of the values"),
    _("An address in words, or the division code."),
    "text",
    labels={"code": _("Division code of 6 or 12 digits"), "text": _("Name or address")},
)


class Star(ClosedModel):
    """Two levels: the value, and ``*``."""

    kind: Literal["star"] = "star"


class Intervals(ClosedModel):
    """Numbers in intervals that grow level by level; each width is a multiple of the one before."""

    kind: Literal["intervals"]
    widths: list[float] = setting(
        _("Widths, finest first"),
        _("One level per width; each is a multiple of the one before it."),
        min_length=1,
        max_length=20,
    )
    origin: float = interval_origin()
    notation: Literal["half_open", "inclusive"] = interval_notation()

    @model_validator(mode="after")
    def _nested(self) -> Self:
        for finer, coarser in pairwise(self.widths):
            ratio = coarser / finer if finer > 0 else 0
            if ratio < 2 - 1e-9 or abs(ratio - round(ratio)) > 1e-9:
                raise PydanticCustomError(
                    "widths_not_nested", _("each width must be a multiple of the one before it")
                )
        if min(self.widths) <= 0:
            raise PydanticCustomError("width_not_positive", _("a width must be above 0"))
        if self.notation == "inclusive" and any(x != int(x) for x in [*self.widths, self.origin]):
            raise PydanticCustomError(
                "inclusive_needs_integers", _("this way of writing needs whole numbers")
            )
        return self


class Dates(ClosedModel):
    """Dates to ever longer periods."""

    kind: Literal["dates"]
    units: list[DateUnit] = setting(
        _("Periods, shortest first"),
        _("One level per period."),
        ["month", "year", "decade"],
        min_length=1,
        labels=DATE_LABELS,
    )

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        _require_order([DATE_UNITS.index(unit) for unit in self.units])
        return self


class Masks(ClosedModel):
    """Ever more characters hidden from one end; a value keeps its length."""

    kind: Literal["mask"]
    characters: list[int] = setting(
        _("Characters hidden per level"), _("Rising numbers, such as 1, 2, 4."), min_length=1, max_length=50
    )
    side: Literal["right", "left"] = setting(
        _("Hidden from"),
        _("The end whose characters go first."),
        "right",
        labels={"right": _("The right"), "left": _("The left")},
    )
    character: str = setting(
        _("Mask character"), _("Stands for each hidden character."), "*", min_length=1, max_length=1
    )

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if min(self.characters) < 1:
            raise PydanticCustomError("mask_level_empty", _("a level must hide a character"))
        _require_order(self.characters)
        return self


class Regions(ClosedModel):
    """Chinese administrative divisions, from a six-digit code or from the beginning of an address."""

    kind: Literal["regions"]
    units: list[RegionUnit] = setting(
        _("Divisions, smallest first"),
        _("One level per division."),
        ["county", "city", "province"],
        min_length=1,
        labels=REGION_LABELS,
    )
    form: Literal["code", "text"] = region_form()

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        _require_order([REGION_UNITS.index(unit) for unit in self.units])
        return self


class Table(ClosedModel):
    """An explicit table: one row per value, leaf first, one column per level."""

    kind: Literal["table"]
    rows: list[list[str]] = setting(
        _("Rows, value first"),
        _("One row per value: the value, then what it becomes level by level."),
        min_length=1,
        max_length=MAX_TABLE_ROWS,
    )

    @model_validator(mode="after")
    def _sound(self) -> Self:
        width = len(self.rows[0])
        leaves = set()
        parents: list[dict[str, str]] = [{} for _ in range(width)]
        for number, row in enumerate(self.rows, start=1):
            if len(row) != width or width < 1:
                raise PydanticCustomError(
                    "table_ragged", _("row {row} has another number of levels"), {"row": number}
                )
            if row[0] in leaves:
                raise PydanticCustomError("table_repeats", _("row {row} repeats a value"), {"row": number})
            leaves.add(row[0])
            for level, (child, parent) in enumerate(pairwise(row)):
                if parents[level].setdefault(child, parent) != parent:
                    raise PydanticCustomError(
                        "table_two_parents",
                        _("row {row}: the entry of level {level} already stands under another parent"),
                        {"row": number, "level": level},
                    )
        return self


class Free(ClosedModel):
    """No hierarchy of one's own: any intervals of numbers and any sets of other values where classes are recoded one
    by one; where columns are generalised as a whole, intervals of doubling width, or the value and ``*``."""

    kind: Literal["free"]


HierarchyDefinition = Annotated[
    Star | Intervals | Dates | Masks | Regions | Table, Field(discriminator="kind")
]
ModelHierarchy = Annotated[
    Star | Intervals | Dates | Masks | Regions | Table | Free, Field(discriminator="kind")
]
"""What a quasi-identifier of a model may have."""

KINDS: dict[str, tuple[str, type[ClosedModel]]] = {
    "star": (_("Keep or suppress"), Star),
    "intervals": (_("Numbers in intervals"), Intervals),
    "dates": (_("Dates in periods"), Dates),
    "regions": (_("Administrative divisions"), Regions),
    "mask": (_("Characters masked"), Masks),
    "table": (_("Table of levels"), Table),
    "free": (_("Without a hierarchy: intervals and sets as needed"), Free),
}
"""Name and class of each kind of hierarchy, in the order in which a form offers them."""
MODELS_ONLY = frozenset({"free"})
"""Kinds for quasi-identifiers of a model alone."""

FileReader = Callable[[str], bytes]
"""Gives the content of a hierarchy file that a recipe names; raises FileNotFoundError or KeyError."""


def inline_files(value: Any, read: FileReader | None, path: str) -> Any:
    """Replace every ``{kind: file, file: NAME}`` under ``value`` by the table that the file holds.

    After this a recipe depends on nothing outside itself, so its hash covers the hierarchies too.
    ``path`` is the place in the recipe, for errors.
    """
    if isinstance(value, dict):
        if value.get("kind") == "file":
            return _table_from_file(value, read, path)
        return {key: inline_files(item, read, f"{path}.{key}") for key, item in value.items()}
    if isinstance(value, list):
        return [inline_files(item, read, f"{path}[{i}]") for i, item in enumerate(value)]
    return value


def _table_from_file(value: dict[str, Any], read: FileReader | None, path: str) -> dict[str, Any]:
    name = value.get("file")
    if set(value) != {"kind", "file"} or not isinstance(name, str):
        raise EngineError("recipe_invalid", _("%(path)s: give the name of a file"), path=path)
    if read is None:
        raise EngineError("recipe_invalid", _("%(path)s: files cannot be used here"), path=path)
    try:
        content = read(name)
    except (OSError, KeyError):
        raise EngineError(
            "hierarchy_file_missing", _("%(path)s: the file %(file)s cannot be read"), path=path, file=name
        ) from None
    return {"kind": "table", "rows": parse_table(content, path)}


def parse_table(content: bytes, path: str) -> list[list[str]]:
    """Rows of a hierarchy file: semicolon, comma or tab separated, UTF-8 or GB18030, leaf first."""
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            text = content.decode(encoding)
            break
        except UnicodeDecodeError:
            continue
    else:
        raise EngineError("hierarchy_file_encoding", _("%(path)s: the file is not text"), path=path)
    first = text.split("\n", 1)[0]
    delimiter = next((mark for mark in ";\t," if mark in first), ";")
    try:
        return [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row]
    except csv.Error:
        raise EngineError(
            "hierarchy_file_invalid", _("%(path)s: the file is no table of separated texts"), path=path
        ) from None


def _require_order(numbers: list[int]) -> None:
    if any(finer >= coarser for finer, coarser in pairwise(numbers)):
        raise PydanticCustomError("levels_not_ordered", _("levels must go from fine to coarse"))
