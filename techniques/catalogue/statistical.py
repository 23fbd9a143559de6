"""Parameters of the statistical techniques (GB/T 37964 A.1) and of controlled rounding (A.5.2)."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from techniques.core.messages import gettext_noop
from techniques.core.settings import FitParameters, Parameters, labels

Statistic = Literal["sum", "mean", "minimum", "maximum", "median", "count"]


class Sampling(Parameters):
    """A.1.2: only a random part of the rows goes into the result."""

    fraction: float = Field(
        gt=0,
        le=1,
        title=gettext_noop("Share of the rows"),
        description=gettext_noop(
            "0 to 1; for a cluster sample the share of the clusters. Rounded to whole rows or clusters, at "
            "least one."
        ),
    )
    method: Literal["simple", "stratified", "cluster"] = Field(
        default="simple",
        title=gettext_noop("Method"),
        description=gettext_noop(
            "What the columns of this step are for. Their values are not changed; missing is a value too."
        ),
        json_schema_extra=labels(
            simple=gettext_noop("Simple: every row has the same chance, the columns do not matter"),
            stratified=gettext_noop(
                "Stratified: the same share of each group with equal values in the columns"
            ),
            cluster=gettext_noop("Cluster: groups with equal values in the columns come whole or not at all"),
        ),
    )


class Aggregation(FitParameters):
    """A.1.3: figures of groups take the place of single values."""

    statistics: dict[str, Statistic] = Field(
        min_length=1,
        max_length=100,
        title=gettext_noop("Column and its figure"),
        description=gettext_noop(
            "One pair per column of this step that becomes a figure: sum, mean, minimum, maximum, median or "
            "count. The step's other columns form the groups."
        ),
    )
    result: Literal["table", "replace"] = Field(
        default="table",
        title=gettext_noop("What becomes of the rows"),
        description=gettext_noop("A table needs every other column of the file to be removed."),
        json_schema_extra=labels(
            table=gettext_noop("One row per group"),
            replace=gettext_noop("All rows stay, each with the figures of its group"),
        ),
    )
    minimum_count: int = Field(
        default=10,
        ge=2,
        le=1_000_000,
        title=gettext_noop("Fewest rows of a group"),
        description=gettext_noop("Smaller groups are left out, and so is a figure of fewer values."),
    )
    maximum_share: float = Field(
        default=0.05,
        ge=0,
        le=1,
        title=gettext_noop("Upper limit of suppressed rows"),
        description=gettext_noop("Share of the rows, 0 to 1; the run stops if more would be suppressed."),
    )
    decimals: int = Field(
        default=2,
        ge=0,
        le=6,
        title=gettext_noop("Decimal places of the result"),
        description=gettext_noop("Results are rounded to so many places."),
    )


class ControlledRounding(FitParameters):
    """A.5.2: rounding at random, so that the sum survives."""

    base: float = Field(
        gt=0,
        le=1e12,
        title=gettext_noop("Rounding base"),
        description=gettext_noop("Every result is a multiple of it."),
    )
    within: list[str] = Field(
        default_factory=list,
        max_length=20,
        title=gettext_noop("Columns in whose groups the sum survives"),
        description=gettext_noop(
            "Columns of this step that stay as they are. Empty: the sum of the whole column survives."
        ),
    )


def _number(value: Any) -> Any:
    """A form sends pairs of texts; what is no number is left for the validation to refuse."""
    try:
        return float(value) if isinstance(value, str | int) and not isinstance(value, bool) else value
    except ValueError:
        return value


class RareCombinations(Parameters):
    """A.3.3: single cells of rare combinations are suppressed, as few and as unimportant ones as possible."""

    minimum_count: int = Field(
        default=5,
        ge=2,
        le=1_000_000,
        title=gettext_noop("Fewest rows that must share a combination"),
        description=gettext_noop("A missing cell stands for any value of its column."),
    )
    importance: dict[str, Annotated[float, BeforeValidator(_number)]] = Field(
        default_factory=dict,
        max_length=1000,
        title=gettext_noop("Column and its importance"),
        description=gettext_noop(
            "Cells of columns with small numbers are suppressed first. A column without a number has 1."
        ),
    )
    maximum_share: float = Field(
        default=0.05,
        ge=0,
        le=1,
        title=gettext_noop("Upper limit of suppressed cells"),
        description=gettext_noop(
            "Share of the step's cells, 0 to 1; the run stops if more would be suppressed."
        ),
    )

    @model_validator(mode="after")
    def _positive(self) -> Self:
        if any(not weight > 0 for weight in self.importance.values()):
            raise PydanticCustomError("importance_not_positive", gettext_noop("importance must be above 0"))
        return self
