"""Parameters of the randomisation techniques (GB/T 37964 A.6)."""

from __future__ import annotations

from typing import Any, Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from techniques.messages import gettext_noop
from techniques.parameters.base import FitParameters, Parameters, labels


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
    standardise: bool = Field(
        default=True,
        title=gettext_noop("All columns weigh the same"),
        description=gettext_noop("Measures distances in standard deviations instead of the columns' units."),
    )
    decimals: int = _decimals()
