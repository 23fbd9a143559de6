"""Parameters of the randomisation techniques (GB/T 37964 A.6)."""

from __future__ import annotations

from typing import Any, Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from techniques.core.messages import gettext_noop
from techniques.core.settings import FitParameters, Parameters, labels


def _decimals() -> Any:
    return Field(
        default=2,
        ge=0,
        le=6,
        title=gettext_noop("Decimal places of the result"),
        description=gettext_noop("Results are rounded to so many places."),
    )


class Noise(FitParameters):
    """A.6.2: each number gets random noise of its own."""

    method: Literal["additive", "multiplicative"] = Field(
        default="additive",
        title=gettext_noop("Method"),
        description=gettext_noop(
            "Additive noise is of the same size for all values, multiplicative noise grows with the value."
        ),
        json_schema_extra=labels(
            additive=gettext_noop("Add noise"), multiplicative=gettext_noop("Multiply by 1 plus noise")
        ),
    )
    distribution: Literal["normal", "uniform"] = Field(
        default="normal",
        title=gettext_noop("Distribution of the noise"),
        description=gettext_noop("Both have mean 0. Uniform noise is bounded by 1.73 times its spread."),
        json_schema_extra=labels(normal=gettext_noop("Normal"), uniform=gettext_noop("Uniform")),
    )
    spread: float = Field(
        gt=0,
        le=1e12,
        title=gettext_noop("Standard deviation of the noise"),
        description=gettext_noop("In the unit chosen below; for multiplicative noise a factor, such as 0.1."),
    )
    unit: Literal["value", "deviation"] = Field(
        default="value",
        title=gettext_noop("Unit of the standard deviation"),
        description=gettext_noop("Only for additive noise."),
        json_schema_extra=labels(
            value=gettext_noop("That of the column"),
            deviation=gettext_noop("The standard deviation of the column itself"),
        ),
    )
    keep_variance: bool = Field(
        default=False,
        title=gettext_noop("Keep the variance"),
        description=gettext_noop(
            "Draws the noisy values together around the mean, so that the variance is expected to be what it was. "
            "Only for additive noise."
        ),
    )
    decimals: int = _decimals()

    @model_validator(mode="after")
    def _fits_method(self) -> Self:
        if self.method == "multiplicative" and (self.keep_variance or self.unit == "deviation"):
            raise PydanticCustomError(
                "only_additive",
                gettext_noop(
                    "the unit of the column's deviation and its variance are for additive noise only"
                ),
            )
        return self


class CorrelatedNoise(FitParameters):
    """A.6.2: several numbers get noise that is correlated as they are."""

    spread: float = Field(
        default=0.3,
        gt=0,
        le=100,
        title=gettext_noop("Size of the noise"),
        description=gettext_noop("In standard deviations of each column."),
    )
    exact: bool = Field(
        default=True,
        title=gettext_noop("Keep means and covariances exactly"),
        description=gettext_noop("Up to rounding; otherwise they are kept in expectation."),
    )
    decimals: int = _decimals()


class Permutation(Parameters):
    """A.6.3: the values of the columns change places among the rows."""

    within: list[str] = Field(
        default_factory=list,
        max_length=20,
        title=gettext_noop("Columns within whose groups values change places"),
        description=gettext_noop(
            "Columns of this step that stay as they are; values move only between rows that agree in them. "
            "Empty: between all rows. The other columns move together."
        ),
    )


class Microaggregation(FitParameters):
    """A.6.4: groups of at least k similar rows get their mean."""

    k: int = Field(
        default=3,
        ge=2,
        le=100_000,
        title=gettext_noop("Smallest group (k)"),
        description=gettext_noop(
            "Each group has at least so many rows, and at most one less than twice as many."
        ),
    )
    categories: list[str] = Field(
        default_factory=list,
        max_length=1000,
        title=gettext_noop("Columns that are categories"),
        description=gettext_noop(
            "Columns of this step that get the most frequent value of the group instead of the mean. All others hold "
            "numbers."
        ),
    )
    standardise: bool = Field(
        default=True,
        title=gettext_noop("All columns weigh the same"),
        description=gettext_noop("Measures distances in standard deviations instead of the columns' units."),
    )
    decimals: int = _decimals()


class DateNoise(FitParameters):
    """C.2.7 e: each date is moved by a random number of days of its own."""

    maximum: int = Field(
        default=30,
        ge=1,
        le=36_500,
        title=gettext_noop("Most days that a date is moved"),
        description=gettext_noop("Forward or backward; every number of days up to it is equally likely."),
    )


class DateShift(FitParameters):
    """C.2.7: all dates of one subject are moved by the same number of days, so that its intervals stay."""

    subject: str = Field(
        min_length=1,
        max_length=1000,
        title=gettext_noop("Column of the subject"),
        description=gettext_noop(
            "A column of this step that says whose dates these are, and stays as it is. Rows in which it is "
            "missing are each moved by themselves."
        ),
    )
    minimum: int = Field(
        default=1,
        ge=0,
        le=36_500,
        title=gettext_noop("Fewest days that dates are moved"),
        description=gettext_noop("With 0 some subjects keep their true dates."),
    )
    maximum: int = Field(
        default=365,
        ge=1,
        le=36_500,
        title=gettext_noop("Most days that dates are moved"),
        description=gettext_noop("Forward or backward, drawn for each subject."),
    )
    domain: str = Field(
        default="",
        max_length=100,
        title=gettext_noop("Domain of the subjects"),
        description=gettext_noop(
            "Tables with the same domain and seed move the dates of one subject alike. Empty: the name of the "
            "subject's column."
        ),
    )

    @model_validator(mode="after")
    def _range(self) -> Self:
        if self.minimum > self.maximum:
            raise PydanticCustomError(
                "shift_empty", gettext_noop("the fewest days must not be more than the most days")
            )
        return self


class PositionNoise(FitParameters):
    """C.2.8: a position is moved by some metres in town, and by more where few people live."""

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
    surroundings: Literal["country", "town", "column", "rows"] = Field(
        default="country",
        title=gettext_noop("How densely the place is populated"),
        description=gettext_noop(
            "Decides which of the two distances is used. If in doubt: everywhere sparsely."
        ),
        json_schema_extra=labels(
            country=gettext_noop("Sparsely everywhere"),
            town=gettext_noop("Densely everywhere"),
            column=gettext_noop("A column of this step says it"),
            rows=gettext_noop("Densely where many rows lie within a square kilometre or so"),
        ),
    )
    surroundings_column: str = Field(
        default="",
        max_length=1000,
        title=gettext_noop("Column that says it"),
        description=gettext_noop("A column of this step, which stays as it is."),
    )
    town_values: list[str] = Field(
        default_factory=list,
        max_length=1000,
        title=gettext_noop("Its values that stand for densely populated places"),
        description=gettext_noop(
            "Every other value, and a missing one, stands for sparsely populated places."
        ),
    )
    town_rows: int = Field(
        default=1000,
        ge=2,
        le=1_000_000_000,
        title=gettext_noop("Rows within a square kilometre that make a place densely populated"),
        description=gettext_noop("Counted in squares of a hundredth of a degree."),
    )
    town_metres: float = Field(
        default=100.0,
        gt=0,
        le=1e6,
        title=gettext_noop("Largest distance in densely populated places"),
        description=gettext_noop("In metres."),
    )
    country_metres: float = Field(
        default=5000.0,
        gt=0,
        le=1e6,
        title=gettext_noop("Largest distance in sparsely populated places"),
        description=gettext_noop("In metres."),
    )
    smallest_share: float = Field(
        default=0.1,
        ge=0,
        lt=1,
        title=gettext_noop("Smallest distance"),
        description=gettext_noop("As a share of the largest, so that no position stays where it was."),
    )
    repeated: Literal["alike", "apart"] = Field(
        default="alike",
        title=gettext_noop("Rows at the same position"),
        description=gettext_noop("Moved apart, the mean of many rows gives the place back."),
        json_schema_extra=labels(
            alike=gettext_noop("Are moved to the same place"),
            apart=gettext_noop("Are each moved by themselves"),
        ),
    )
    subject: str = Field(
        default="",
        max_length=1000,
        title=gettext_noop("Column of the subject"),
        description=gettext_noop(
            "A column of this step that stays as it is. The report then says how many subjects have several "
            "positions: trajectories are recognisable in spite of noise."
        ),
    )
    decimals: int = Field(
        default=5,
        ge=2,
        le=6,
        title=gettext_noop("Decimal places of the result"),
        description=gettext_noop("Five are about a metre."),
    )

    @model_validator(mode="after")
    def _column_named(self) -> Self:
        if self.surroundings == "column" and not (self.surroundings_column and self.town_values):
            raise PydanticCustomError(
                "surroundings_unnamed", gettext_noop("needs the column that says it, and its values")
            )
        if self.latitude == self.longitude:
            raise PydanticCustomError(
                "position_columns_same", gettext_noop("latitude and longitude are two columns")
            )
        return self
