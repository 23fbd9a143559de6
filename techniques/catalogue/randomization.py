"""Randomisation (GB/T 37964 A.6): settings and rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from techniques.catalogue import places
from techniques.catalogue.family import Family
from techniques.catalogue.table_c1 import NO, PARTLY, TABLE_C1, YES
from techniques.catalogue.technique import (
    ANY_TYPE,
    QUASI_AND_SENSITIVE,
    Claims,
    Missing,
    Scope,
    Technique,
)
from techniques.core.attributes import DataType, Scene
from techniques.core.messages import gettext_noop
from techniques.core.settings import FitSettings, TechniqueSettings, labels


def _decimals() -> Any:
    return Field(
        default=2,
        ge=0,
        le=6,
        title=gettext_noop("Decimal places of the result"),
        description=gettext_noop("Results are rounded to so many places."),
    )


class NoiseSettings(FitSettings):
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


NOISE = Technique(
    key="randomization.noise",
    family=Family.RANDOMISATION,
    name=gettext_noop("Add noise"),
    summary=gettext_noop(
        "Each number is changed by a random amount of its own; the mean is expected to stay."
    ),
    clauses=("A.6.2", "A.6.1", "C.2.6"),
    scope=Scope.COLUMN,
    settings=NoiseSettings,
    implementation="techniques.families.randomization.noise:Noise",
    roles=QUASI_AND_SENSITIVE,
    data_types=frozenset({DataType.NUMBER}),
    properties=TABLE_C1["noise"],
    random=True,
    claims=Claims(
        order=NO,
        format=NO,
        type=YES,
        distinctness=NO,
        statistics=PARTLY,
        reversible=NO,
        notes=gettext_noop(
            "The mean is expected to stay, and the variance where that is chosen; relations with other "
            "columns become weaker."
        ),
        not_for=gettext_noop(
            "Not for values that repeat per person: their mean gives the value back. Not where impossible "
            "values, such as a negative age, do harm."
        ),
    ),
)


class CorrelatedNoiseSettings(FitSettings):
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


CORRELATED_NOISE = Technique(
    key="randomization.correlated_noise",
    family=Family.RANDOMISATION,
    name=gettext_noop("Correlated noise"),
    summary=gettext_noop(
        "Several numeric columns get noise that is correlated as they are: means, variances and covariances stay."
    ),
    clauses=("A.6.2", "A.6.1", "C.2.6"),
    scope=Scope.TABLE,
    settings=CorrelatedNoiseSettings,
    implementation="techniques.families.randomization.correlated_noise:CorrelatedNoise",
    roles=QUASI_AND_SENSITIVE,
    data_types=frozenset({DataType.NUMBER}),
    properties=TABLE_C1["noise"],
    random=True,
    claims=Claims(
        order=NO,
        format=NO,
        type=YES,
        distinctness=NO,
        statistics=YES,
        reversible=NO,
        notes=gettext_noop(
            "Means, variances and covariances of the complete rows stay, exactly (up to rounding) or in "
            "expectation as chosen."
        ),
        not_for=gettext_noop(
            "Not for skewed values with few large ones: noise of the column's spread does not hide these."
        ),
    ),
)


class PermutationSettings(TechniqueSettings):
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

    def kept_columns(self, columns: Sequence[str]) -> list[str]:
        """Those within whose groups values change places."""
        return self.within


PERMUTATION = Technique(
    key="randomization.permutation",
    family=Family.RANDOMISATION,
    name=gettext_noop("Permutation"),
    summary=gettext_noop(
        "The values of the columns change places among the rows, together, everywhere or only within groups."
    ),
    clauses=("A.6.3", "A.6.1", "C.2.6", "C.2.7"),
    scope=Scope.TABLE,
    settings=PermutationSettings,
    implementation="techniques.families.randomization.permutation:Permutation",
    roles=QUASI_AND_SENSITIVE,
    data_types=ANY_TYPE,
    properties=TABLE_C1["permutation"],
    missing=Missing.MOVED,
    random=True,
    claims=Claims(
        order=NO,
        format=PARTLY,
        type=YES,
        distinctness=PARTLY,
        statistics=YES,
        reversible=NO,
        notes=gettext_noop(
            "Every figure about a single column stays exactly, its set of values and their forms too, and relations "
            "among the columns that move together; relations with all others are lost, except with those within "
            "whose groups they move."
        ),
        not_for=gettext_noop(
            "Not for values that stand out by themselves, and not within groups so small or so uniform that "
            "the places can be guessed."
        ),
    ),
)


class MicroaggregationSettings(FitSettings):
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


MICROAGGREGATION = Technique(
    key="randomization.microaggregation",
    family=Family.RANDOMISATION,
    name=gettext_noop("Microaggregation"),
    summary=gettext_noop(
        "Groups of at least k similar rows are formed, and each row gets the mean of its group, or its most "
        "frequent category."
    ),
    clauses=("A.6.4", "A.6.1"),
    scope=Scope.TABLE,
    settings=MicroaggregationSettings,
    implementation="techniques.families.randomization.microaggregation:Microaggregation",
    roles=QUASI_AND_SENSITIVE,
    data_types=frozenset({DataType.NUMBER, DataType.CATEGORY}),
    properties=TABLE_C1["microaggregation"],
    missing=Missing.ROW,
    claims=Claims(
        order=PARTLY,
        format=NO,
        type=YES,
        distinctness=NO,
        statistics=YES,
        reversible=NO,
        notes=gettext_noop(
            "Means of numbers stay up to rounding, variances shrink, rare categories give way; every combination of results occurs at least k "
            "times. The order stays where one column is treated, not where several are."
        ),
        not_for=gettext_noop(
            "Not for very large tables with several columns: the work grows with the square of the rows."
        ),
    ),
    makes_equal=True,
    scenes=frozenset({Scene.STATISTICS}),
)


class DateNoiseSettings(FitSettings):
    """C.2.7 e: each date is moved by a random number of days of its own."""

    maximum: int = Field(
        default=30,
        ge=1,
        le=36_500,
        title=gettext_noop("Most days that a date is moved"),
        description=gettext_noop("Forward or backward; every number of days up to it is equally likely."),
    )


DATE_NOISE = Technique(
    key="randomization.date_noise",
    family=Family.RANDOMISATION,
    name=gettext_noop("Noise on dates"),
    summary=gettext_noop("Each date is moved by a random number of days of its own."),
    clauses=("C.2.7", "A.6.1", "A.6.2"),
    scope=Scope.COLUMN,
    settings=DateNoiseSettings,
    implementation="techniques.families.randomization.date_noise:DateNoise",
    roles=QUASI_AND_SENSITIVE,
    data_types=frozenset({DataType.DATE}),
    properties=TABLE_C1["noise"],
    random=True,
    claims=Claims(
        order=NO,
        format=NO,
        type=YES,
        distinctness=NO,
        statistics=PARTLY,
        reversible=NO,
        notes=gettext_noop("The mean date is expected to stay; order and distances between dates are lost."),
        not_for=gettext_noop(
            "Not for several dates of one person that must fit together: shift them by subject instead."
        ),
    ),
)


class DateShiftSettings(FitSettings):
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

    def kept_columns(self, columns: Sequence[str]) -> list[str]:
        """That of the subject."""
        return [self.subject]


DATE_SHIFT = Technique(
    key="randomization.date_shift",
    family=Family.RANDOMISATION,
    name=gettext_noop("Shift of dates by subject"),
    summary=gettext_noop(
        "All dates of a subject are moved by the same number of days, another one for each subject."
    ),
    clauses=("C.2.7", "A.6.1", "A.6.2"),
    scope=Scope.TABLE,
    settings=DateShiftSettings,
    implementation="techniques.families.randomization.date_shift:DateShift",
    roles=QUASI_AND_SENSITIVE,
    data_types=frozenset({DataType.DATE}),
    properties=TABLE_C1["noise"],
    random=True,
    claims=Claims(
        order=NO,
        format=NO,
        type=YES,
        distinctness=NO,
        statistics=PARTLY,
        reversible=NO,
        notes=gettext_noop(
            "Order and distances in days between the dates of one subject stay exactly, over all columns of the step."
        ),
        not_for=gettext_noop(
            "Not where one date of a subject is publicly known: it gives the shift away, and all others with it."
        ),
    ),
)


TECHNIQUES = (
    NOISE,
    CORRELATED_NOISE,
    PERMUTATION,
    MICROAGGREGATION,
    DATE_NOISE,
    DATE_SHIFT,
    places.POSITION_NOISE,
)
