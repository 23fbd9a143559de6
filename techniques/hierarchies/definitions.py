"""What a recipe may say about a hierarchy. No data, no numerical library: the web process imports this."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from itertools import pairwise
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from techniques.core.messages import EngineError, gettext_noop
from techniques.core.settings import ClosedModel, labels

DateUnit = Literal["month", "quarter", "year", "decade"]
RegionUnit = Literal["county", "city", "province"]
DATE_UNITS = ("month", "quarter", "year", "decade")
REGION_UNITS = ("county", "city", "province")
MAX_TABLE_ROWS = 200_000


class Star(ClosedModel):
    """Two levels: the value, and ``*``."""

    kind: Literal["star"] = "star"


class Intervals(ClosedModel):
    """Numbers in intervals that grow level by level; each width is a multiple of the one before."""

    kind: Literal["intervals"]
    widths: list[float] = Field(
        min_length=1,
        max_length=20,
        title=gettext_noop("Widths, finest first"),
        description=gettext_noop("One level per width; each is a multiple of the one before it."),
    )
    origin: float = Field(
        default=0.0,
        title=gettext_noop("Origin"),
        description=gettext_noop("A boundary of the intervals, such as 0 or 18."),
    )
    notation: Literal["half_open", "inclusive"] = Field(
        default="half_open",
        title=gettext_noop("How intervals are written"),
        description=gettext_noop("The second needs whole numbers."),
        json_schema_extra=labels(
            half_open=gettext_noop("[20,30): 20 is in, 30 is not"),
            inclusive=gettext_noop("20-29: whole numbers only"),
        ),
    )

    @model_validator(mode="after")
    def _nested(self) -> Self:
        for finer, coarser in pairwise(self.widths):
            ratio = coarser / finer if finer > 0 else 0
            if ratio < 2 - 1e-9 or abs(ratio - round(ratio)) > 1e-9:
                raise PydanticCustomError(
                    "widths_not_nested", gettext_noop("each width must be a multiple of the one before it")
                )
        if min(self.widths) <= 0:
            raise PydanticCustomError("width_not_positive", gettext_noop("a width must be above 0"))
        if self.notation == "inclusive" and any(x != int(x) for x in [*self.widths, self.origin]):
            raise PydanticCustomError(
                "inclusive_needs_integers", gettext_noop("this way of writing needs whole numbers")
            )
        return self


class Dates(ClosedModel):
    """Dates to ever longer periods."""

    kind: Literal["dates"]
    units: list[DateUnit] = Field(
        default=["month", "year", "decade"],
        min_length=1,
        title=gettext_noop("Periods, shortest first"),
        description=gettext_noop("One level per period."),
        json_schema_extra=labels(
            month=gettext_noop("Month"),
            quarter=gettext_noop("Quarter"),
            year=gettext_noop("Year"),
            decade=gettext_noop("Decade"),
        ),
    )

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        _require_order([DATE_UNITS.index(unit) for unit in self.units])
        return self


class Masks(ClosedModel):
    """Ever more characters hidden from one end; a value keeps its length."""

    kind: Literal["mask"]
    characters: list[int] = Field(
        min_length=1,
        max_length=50,
        title=gettext_noop("Characters hidden per level"),
        description=gettext_noop("Rising numbers, such as 1, 2, 4."),
    )
    side: Literal["right", "left"] = Field(
        default="right",
        title=gettext_noop("Hidden from"),
        description=gettext_noop("The end whose characters go first."),
        json_schema_extra=labels(right=gettext_noop("The right"), left=gettext_noop("The left")),
    )
    character: str = Field(
        default="*",
        min_length=1,
        max_length=1,
        title=gettext_noop("Mask character"),
        description=gettext_noop("Stands for each hidden character."),
    )

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if min(self.characters) < 1:
            raise PydanticCustomError("mask_level_empty", gettext_noop("a level must hide a character"))
        _require_order(self.characters)
        return self


class Regions(ClosedModel):
    """Chinese administrative divisions, from a six-digit code or from the beginning of an address."""

    kind: Literal["regions"]
    units: list[RegionUnit] = Field(
        default=["county", "city", "province"],
        min_length=1,
        title=gettext_noop("Divisions, smallest first"),
        description=gettext_noop("One level per division."),
        json_schema_extra=labels(
            county=gettext_noop("County or district"),
            city=gettext_noop("City or prefecture"),
            province=gettext_noop("Province"),
        ),
    )
    form: Literal["code", "text"] = Field(
        default="text",
        title=gettext_noop("Form of the values"),
        description=gettext_noop("An address in words, or the division code."),
        json_schema_extra=labels(
            code=gettext_noop("Division code of 6 or 12 digits"), text=gettext_noop("Name or address")
        ),
    )

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        _require_order([REGION_UNITS.index(unit) for unit in self.units])
        return self


class Table(ClosedModel):
    """An explicit table: one row per value, leaf first, one column per level."""

    kind: Literal["table"]
    rows: list[list[str]] = Field(
        min_length=1,
        max_length=MAX_TABLE_ROWS,
        title=gettext_noop("Rows, value first"),
        description=gettext_noop("One row per value: the value, then what it becomes level by level."),
    )

    @model_validator(mode="after")
    def _sound(self) -> Self:
        width = len(self.rows[0])
        leaves = set()
        parents: list[dict[str, str]] = [{} for _ in range(width)]
        for number, row in enumerate(self.rows, start=1):
            if len(row) != width or width < 1:
                raise PydanticCustomError(
                    "table_ragged", gettext_noop("row {row} has another number of levels"), {"row": number}
                )
            if row[0] in leaves:
                raise PydanticCustomError(
                    "table_repeats", gettext_noop("row {row} repeats a value"), {"row": number}
                )
            leaves.add(row[0])
            for level, (child, parent) in enumerate(pairwise(row)):
                if parents[level].setdefault(child, parent) != parent:
                    raise PydanticCustomError(
                        "table_two_parents",
                        gettext_noop(
                            "row {row}: the entry of level {level} already stands under another parent"
                        ),
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
    "star": (gettext_noop("Keep or suppress"), Star),
    "intervals": (gettext_noop("Numbers in intervals"), Intervals),
    "dates": (gettext_noop("Dates in periods"), Dates),
    "regions": (gettext_noop("Administrative divisions"), Regions),
    "mask": (gettext_noop("Characters masked"), Masks),
    "table": (gettext_noop("Table of levels"), Table),
    "free": (gettext_noop("Without a hierarchy: intervals and sets as needed"), Free),
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
        raise EngineError("recipe_invalid", gettext_noop("%(path)s: give the name of a file"), path=path)
    if read is None:
        raise EngineError("recipe_invalid", gettext_noop("%(path)s: files cannot be used here"), path=path)
    try:
        content = read(name)
    except (OSError, KeyError):
        raise EngineError(
            "hierarchy_file_missing",
            gettext_noop("%(path)s: the file %(file)s cannot be read"),
            path=path,
            file=name,
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
        raise EngineError(
            "hierarchy_file_encoding", gettext_noop("%(path)s: the file is not text"), path=path
        )
    first = text.split("\n", 1)[0]
    delimiter = next((mark for mark in ";\t," if mark in first), ";")
    try:
        return [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row]
    except csv.Error:
        raise EngineError(
            "hierarchy_file_invalid",
            gettext_noop("%(path)s: the file is no table of separated texts"),
            path=path,
        ) from None


def _require_order(numbers: list[int]) -> None:
    if any(finer >= coarser for finer, coarser in pairwise(numbers)):
        raise PydanticCustomError("levels_not_ordered", gettext_noop("levels must go from fine to coarse"))
