"""Randomisation (GB/T 37964 A.6): settings and rows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal, Self

from pydantic import model_validator
from pydantic_core import PydanticCustomError

from techniques.catalogue import places
from techniques.catalogue.family import Family
from techniques.catalogue.shared_settings import result_decimals
from techniques.catalogue.table_c1 import PARTLY, TABLE_C1, YES
from techniques.catalogue.technique import ANY_TYPE, QUASI_AND_SENSITIVE, Claims, Missing, Scope, Technique
from techniques.core.attributes import DataType, Scene
from techniques.core.messages import _
from techniques.core.settings import FitSettings, TechniqueSettings, setting

_row = partial(Technique, family=Family.RANDOMISATION, roles=QUASI_AND_SENSITIVE)
_noise = partial(_row, properties=TABLE_C1["noise"], random=True, claims=Claims(type=YES, statistics=PARTLY))


class NoiseSettings(FitSettings):
    """A.6.2: each number gets random noise of its own."""

    method: Literal["additive", "multiplicative"] = setting(
        _("Method"),
        _("Additive noise is of the same size for all values, multiplicative noise grows with the value."),
        "additive",
        labels={"additive": _("Add noise"), "multiplicative": _("Multiply by 1 plus noise")},
    )
    distribution: Literal["normal", "uniform"] = setting(
        _("Distribution of the noise"),
        _("Both have mean 0. Uniform noise is bounded by 1.73 times its spread."),
        "normal",
        labels={"normal": _("Normal"), "uniform": _("Uniform")},
    )
    spread: float = setting(
        _("Standard deviation of the noise"),
        _("In the unit chosen below; for multiplicative noise a factor, such as 0.1."),
        gt=0,
        le=1e12,
    )
    unit: Literal["value", "deviation"] = setting(
        _("Unit of the standard deviation"),
        _("Only for additive noise."),
        "value",
        labels={
            "value": _("That of the column"),
            "deviation": _("The standard deviation of the column itself"),
        },
    )
    keep_variance: bool = setting(
        _("Keep the variance"),
        _(
            "Draws the noisy values together around the mean, so that the variance is expected to be what it was. "
            "Only for additive noise."
        ),
        False,
    )
    decimals: int = result_decimals()

    @property
    def keeps_draws(self) -> bool:
        """By record and value."""
        return True

    @property
    def scaled_by_table(self) -> bool:
        """Where the column's own deviation is the unit or is kept."""
        return self.unit == "deviation" or self.keep_variance

    @model_validator(mode="after")
    def _fits_method(self) -> Self:
        if self.method == "multiplicative" and (self.keep_variance or self.unit == "deviation"):
            raise PydanticCustomError(
                "only_additive",
                _("the unit of the column's deviation and its variance are for additive noise only"),
            )
        return self


NOISE = _noise(
    key="randomization.noise",
    name=_("Add noise"),
    summary=_("Each number is changed by a random amount of its own; the mean is expected to stay."),
    clauses=("A.6.2", "A.6.1", "C.2.6"),
    scope=Scope.COLUMN,
    settings=NoiseSettings,
    implementation="techniques.families.randomization.noise:Noise",
    data_types=frozenset({DataType.NUMBER}),
    keeps=_(
        "The mean is expected to stay, and the variance where that is chosen; relations with other "
        "columns become weaker."
    ),
    not_for=_(
        "Not for values that repeat per person: their mean gives the value back. Not where impossible "
        "values, such as a negative age, do harm."
    ),
)


class CorrelatedNoiseSettings(FitSettings):
    """A.6.2: several numbers get noise that is correlated as they are."""

    spread: float = setting(
        _("Size of the noise"), _("In standard deviations of each column."), 0.3, gt=0, le=100
    )
    exact: bool = setting(
        _("Keep means and covariances exactly"),
        _("Up to rounding; otherwise they are kept in expectation."),
        True,
    )
    decimals: int = result_decimals()


CORRELATED_NOISE = _row(
    key="randomization.correlated_noise",
    name=_("Correlated noise"),
    summary=_(
        "Several numeric columns get noise that is correlated as they are: means, variances and covariances stay."
    ),
    clauses=("A.6.2", "A.6.1", "C.2.6"),
    scope=Scope.TABLE,
    settings=CorrelatedNoiseSettings,
    implementation="techniques.families.randomization.correlated_noise:CorrelatedNoise",
    whole_table=True,
    data_types=frozenset({DataType.NUMBER}),
    properties=TABLE_C1["noise"],
    random=True,
    claims=Claims(type=YES, statistics=YES),
    keeps=_(
        "Means, variances and covariances of the complete rows stay, exactly (up to rounding) or in "
        "expectation as chosen."
    ),
    not_for=_("Not for skewed values with few large ones: noise of the column's spread does not hide these."),
)


class PermutationSettings(TechniqueSettings):
    """A.6.3: the values of the columns change places among the rows."""

    within: list[str] = setting(
        _("Columns within whose groups values change places"),
        _(
            "Columns of this step that stay as they are; values move only between rows that agree in them. "
            "Empty: between all rows. The other columns move together."
        ),
        default_factory=list,
        max_length=20,
        columns=True,
    )

    def kept_columns(self, columns: Sequence[str]) -> list[str]:
        """Those within whose groups values change places."""
        return self.within


PERMUTATION = _row(
    key="randomization.permutation",
    name=_("Permutation"),
    summary=_(
        "The values of the columns change places among the rows, together, everywhere or only within groups."
    ),
    clauses=("A.6.3", "A.6.1", "C.2.6", "C.2.7"),
    scope=Scope.TABLE,
    settings=PermutationSettings,
    implementation="techniques.families.randomization.permutation:Permutation",
    whole_table=True,
    data_types=ANY_TYPE,
    properties=TABLE_C1["permutation"],
    missing=Missing.MOVED,
    random=True,
    claims=Claims(format=PARTLY, type=YES, distinctness=PARTLY, statistics=YES),
    keeps=_(
        "Every figure about a single column stays exactly, its set of values and their forms too, and relations "
        "among the columns that move together; relations with all others are lost, except with those within "
        "whose groups they move."
    ),
    not_for=_(
        "Not for values that stand out by themselves, and not within groups so small or so uniform that "
        "the places can be guessed."
    ),
)


class MicroaggregationSettings(FitSettings):
    """A.6.4: groups of at least k similar rows get their mean."""

    k: int = setting(
        _("Smallest group (k)"),
        _("Each group has at least so many rows, and at most one less than twice as many."),
        3,
        between=(2, 100_000),
    )
    categories: list[str] = setting(
        _("Columns that are categories"),
        _(
            "Columns of this step that get the most frequent value of the group instead of the mean. All others hold "
            "numbers."
        ),
        default_factory=list,
        max_length=1000,
        columns=True,
    )
    standardise: bool = setting(
        _("All columns weigh the same"),
        _("Measures distances in standard deviations instead of the columns' units."),
        True,
    )
    decimals: int = result_decimals()


MICROAGGREGATION = _row(
    key="randomization.microaggregation",
    name=_("Microaggregation"),
    summary=_(
        "Groups of at least k similar rows are formed, and each row gets the mean of its group, or its most "
        "frequent category."
    ),
    clauses=("A.6.4", "A.6.1"),
    scope=Scope.TABLE,
    settings=MicroaggregationSettings,
    implementation="techniques.families.randomization.microaggregation:Microaggregation",
    whole_table=True,
    data_types=frozenset({DataType.NUMBER, DataType.CATEGORY}),
    properties=TABLE_C1["microaggregation"],
    missing=Missing.ROW,
    claims=Claims(order=PARTLY, type=YES, statistics=YES),
    keeps=_(
        "Means of numbers stay up to rounding, variances shrink, rare categories give way; every combination of results occurs at least k "
        "times. The order stays where one column is treated, not where several are."
    ),
    not_for=_("Not for very large tables with several columns: the work grows with the square of the rows."),
    makes_equal=True,
    scenes=frozenset({Scene.STATISTICS}),
)


class DateNoiseSettings(FitSettings):
    """C.2.7 e: each date is moved by a random number of days of its own."""

    maximum: int = setting(
        _("Most days that a date is moved"),
        _("Forward or backward; every number of days up to it is equally likely."),
        30,
        between=(1, 36_500),
    )

    @property
    def keeps_draws(self) -> bool:
        """By record and date."""
        return True


DATE_NOISE = _noise(
    key="randomization.date_noise",
    name=_("Noise on dates"),
    summary=_("Each date is moved by a random number of days of its own."),
    clauses=("C.2.7", "A.6.1", "A.6.2"),
    scope=Scope.COLUMN,
    settings=DateNoiseSettings,
    implementation="techniques.families.randomization.date_noise:DateNoise",
    data_types=frozenset({DataType.DATE}),
    keeps=_("The mean date is expected to stay; order and distances between dates are lost."),
    not_for=_("Not for several dates of one person that must fit together: shift them by subject instead."),
)


class DateShiftSettings(FitSettings):
    """C.2.7: all dates of one subject are moved by the same number of days, so that its intervals stay."""

    subject: str = setting(
        _("Column of the subject"),
        _(
            "A column of this step that says whose dates these are, and stays as it is. Rows in which it is "
            "missing are each moved by themselves."
        ),
        min_length=1,
        max_length=1000,
        columns=True,
    )
    minimum: int = setting(
        _("Fewest days that dates are moved"),
        _("With 0 some subjects keep their true dates."),
        1,
        between=(0, 36_500),
    )
    maximum: int = setting(
        _("Most days that dates are moved"),
        _("Forward or backward, drawn for each subject."),
        365,
        between=(1, 36_500),
    )
    domain: str = setting(
        _("Domain of the subjects"),
        _(
            "Tables with the same domain and seed move the dates of one subject alike. Empty: the name of the "
            "subject's column."
        ),
        "",
        max_length=100,
    )

    @property
    def keeps_draws(self) -> bool:
        """By subject."""
        return True

    @model_validator(mode="after")
    def _range(self) -> Self:
        if self.minimum > self.maximum:
            raise PydanticCustomError("shift_empty", _("the fewest days must not be more than the most days"))
        return self

    def kept_columns(self, columns: Sequence[str]) -> list[str]:
        """That of the subject."""
        return [self.subject]


DATE_SHIFT = _noise(
    key="randomization.date_shift",
    name=_("Shift of dates by subject"),
    summary=_("All dates of a subject are moved by the same number of days, another one for each subject."),
    clauses=("C.2.7", "A.6.1", "A.6.2"),
    scope=Scope.TABLE,
    settings=DateShiftSettings,
    implementation="techniques.families.randomization.date_shift:DateShift",
    whole_table=True,
    data_types=frozenset({DataType.DATE}),
    keeps=_(
        "Order and distances in days between the dates of one subject stay exactly, over all columns of the step."
    ),
    not_for=_(
        "Not where one date of a subject is publicly known: it gives the shift away, and all others with it."
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
