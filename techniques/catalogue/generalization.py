"""Parameters of the generalisation techniques (GB/T 37964 A.5)."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from techniques.core.messages import gettext_noop
from techniques.core.settings import FitParameters, Parameters, labels, whole_number
from techniques.hierarchies.definitions import HierarchyDefinition


class Rounding(FitParameters):
    """A.5.2: each number becomes a multiple of the base."""

    base: float = Field(
        gt=0,
        le=1e12,
        title=gettext_noop("Rounding base"),
        description=gettext_noop("Every result is a multiple of it."),
    )
    method: Literal["nearest", "stochastic", "down", "up"] = Field(
        default="nearest",
        title=gettext_noop("Method"),
        description=gettext_noop(
            "Stochastic rounding draws anew for every row and keeps the mean: 7 to base 10 becomes 10 with "
            "probability 0.7 and 0 with probability 0.3."
        ),
        json_schema_extra=labels(
            nearest=gettext_noop("To the nearest multiple (ties away from zero)"),
            stochastic=gettext_noop("Stochastic, unbiased"),
            down=gettext_noop("Down"),
            up=gettext_noop("Up"),
        ),
    )


class TopBottomCoding(FitParameters):
    """A.5.3: values beyond a threshold are replaced by one label."""

    top: float | None = Field(
        default=None,
        title=gettext_noop("Upper threshold"),
        description=gettext_noop("Values at or above it are coded together."),
    )
    bottom: float | None = Field(
        default=None,
        title=gettext_noop("Lower threshold"),
        description=gettext_noop("Values at or below it are coded together."),
    )
    top_rows: int | None = Field(
        default=None,
        ge=2,
        title=gettext_noop("Choose the upper threshold so that at least this many rows reach it"),
        description=gettext_noop("Instead of a fixed threshold."),
    )
    bottom_rows: int | None = Field(
        default=None,
        ge=2,
        title=gettext_noop("Choose the lower threshold so that at least this many rows reach it"),
        description=gettext_noop("Instead of a fixed threshold."),
    )
    result: Literal["label", "threshold"] = Field(
        default="label",
        title=gettext_noop("What a coded value becomes"),
        description=gettext_noop("The bare threshold keeps the column numeric."),
        json_schema_extra=labels(
            label=gettext_noop("A label such as >=90"), threshold=gettext_noop("The threshold itself")
        ),
    )

    @model_validator(mode="after")
    def _something_to_do(self) -> Self:
        if self.top is not None and self.top_rows is not None:
            raise PydanticCustomError(
                "two_thresholds",
                gettext_noop("give either the upper threshold or its number of rows, not both"),
            )
        if self.bottom is not None and self.bottom_rows is not None:
            raise PydanticCustomError(
                "two_thresholds",
                gettext_noop("give either the lower threshold or its number of rows, not both"),
            )
        if all(x is None for x in (self.top, self.bottom, self.top_rows, self.bottom_rows)):
            raise PydanticCustomError("no_threshold", gettext_noop("needs at least one threshold"))
        if self.top is not None and self.bottom is not None and self.bottom >= self.top:
            raise PydanticCustomError(
                "thresholds_crossed", gettext_noop("the lower threshold must be below the upper one")
            )
        return self


class IntervalGeneralization(FitParameters):
    """A.5.1, C.2.6: numbers become intervals of one width."""

    width: float | None = Field(
        default=None,
        gt=0,
        le=1e12,
        title=gettext_noop("Width"),
        description=gettext_noop("Width of an interval; leave it empty if you give boundaries."),
    )
    origin: float = Field(
        default=0.0,
        title=gettext_noop("Origin"),
        description=gettext_noop("A boundary of the intervals, such as 0 or 18."),
    )
    cuts: list[float] = Field(
        default_factory=list,
        max_length=1000,
        title=gettext_noop("Boundaries instead of a width"),
        description=gettext_noop("Rising numbers; below the first and from the last on the ends are open."),
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
    def _sound(self) -> Self:
        if any(a >= b for a, b in pairwise(self.cuts)):
            raise PydanticCustomError("cuts_not_rising", gettext_noop("boundaries must rise"))
        if (self.width is None) == (not self.cuts):
            raise PydanticCustomError("width_or_cuts", gettext_noop("needs either a width or boundaries"))
        numbers = self.cuts or [self.width or 1, self.origin]
        if self.notation == "inclusive" and any(x != int(x) for x in numbers):
            raise PydanticCustomError(
                "inclusive_needs_integers", gettext_noop("this way of writing needs whole numbers")
            )
        return self


class DateGeneralization(FitParameters):
    """C.2.7: dates become periods."""

    unit: Literal["month", "quarter", "year", "decade"] = Field(
        default="year",
        title=gettext_noop("Period"),
        description=gettext_noop("A date becomes the period that it falls in."),
        json_schema_extra=labels(
            month=gettext_noop("Month"),
            quarter=gettext_noop("Quarter"),
            year=gettext_noop("Year"),
            decade=gettext_noop("Decade"),
        ),
    )


class RegionGeneralization(FitParameters):
    """C.2.4: an address or division code becomes its county, city or province."""

    unit: Literal["county", "city", "province"] = Field(
        default="city",
        title=gettext_noop("Division kept"),
        description=gettext_noop("Everything finer is dropped."),
        json_schema_extra=labels(
            county=gettext_noop("County or district"),
            city=gettext_noop("City or prefecture"),
            province=gettext_noop("Province"),
        ),
    )
    form: Literal["text", "code"] = Field(
        default="text",
        title=gettext_noop("Form of the values"),
        description=gettext_noop("An address in words, or the division code."),
        json_schema_extra=labels(
            code=gettext_noop("Division code of 6 or 12 digits"), text=gettext_noop("Name or address")
        ),
    )
    minimum_people: int = Field(
        default=0,
        ge=0,
        le=1_000_000_000,
        title=gettext_noop("Fewest people of a division"),
        description=gettext_noop(
            "A division with fewer people gives way to the next larger one, up to the province. 0: not asked for."
        ),
    )
    populations: dict[str, Annotated[int, BeforeValidator(whole_number)]] = Field(
        default_factory=dict,
        max_length=100_000,
        title=gettext_noop("Division and its people"),
        description=gettext_noop(
            "Full names or codes as they come out. A division that is not in the list counts as too small."
        ),
    )


class PositionGeneralization(FitParameters):
    """C.2.8: positions become areas in which enough people live."""

    latitude: str = Field(
        min_length=1,
        max_length=1000,
        title=gettext_noop("Column of the latitude"),
        description=gettext_noop("A column of this step, in degrees, north positive."),
    )
    longitude: str = Field(
        min_length=1,
        max_length=1000,
        title=gettext_noop("Column of the longitude"),
        description=gettext_noop("A column of this step, in degrees, east positive."),
    )
    minimum_people: int = Field(
        default=20_000,
        ge=2,
        le=1_000_000_000,
        title=gettext_noop("Fewest people of an area"),
        description=gettext_noop("Areas are halved in both directions as long as each part keeps so many."),
    )
    people_per_row: float = Field(
        default=1.0,
        gt=0,
        le=1e9,
        title=gettext_noop("People that one row stands for"),
        description=gettext_noop(
            "1 where every person has one row; for a sample the people divided by its rows. Never more than "
            "that: the areas would become too small."
        ),
    )
    result: Literal["area", "centre"] = Field(
        default="area",
        title=gettext_noop("What stands in the columns"),
        description=gettext_noop("The limits of the area, or the position in its middle."),
        json_schema_extra=labels(area=gettext_noop("Limits"), centre=gettext_noop("Middle of the area")),
    )

    @model_validator(mode="after")
    def _two_columns(self) -> Self:
        if self.latitude == self.longitude:
            raise PydanticCustomError(
                "position_columns_same", gettext_noop("latitude and longitude are two columns")
            )
        return self


class HierarchyGeneralization(FitParameters):
    """A.5.1: each value is replaced by its ancestor at one level of a hierarchy."""

    hierarchy: HierarchyDefinition = Field(
        title=gettext_noop("Hierarchy"),
        description=gettext_noop("How values become coarser, level by level."),
        json_schema_extra={"kind": "hierarchy"},
    )
    level: int = Field(
        default=1,
        ge=0,
        le=50,
        title=gettext_noop("Level"),
        description=gettext_noop("0 leaves the value; the last level makes every value the same."),
    )


class Mapping(Parameters):
    """A.5.1: values are replaced by a list of the executor's own."""

    mapping: dict[str, str] = Field(
        min_length=1,
        max_length=100_000,
        title=gettext_noop("Value and what it becomes"),
        description=gettext_noop("One pair per value."),
    )
    others: Literal["error", "suppress", "keep"] = Field(
        default="error",
        title=gettext_noop("Values that are not in the list"),
        description=gettext_noop("Keeping them lets values through that nobody looked at."),
        json_schema_extra=labels(
            error=gettext_noop("Stop the run and say in which rows"),
            suppress=gettext_noop("Suppress the value (it becomes missing)"),
            keep=gettext_noop("Leave them as they are"),
        ),
    )
