"""Statistical techniques (GB/T 37964 A.1): their settings and rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from techniques.catalogue.family import Family
from techniques.catalogue.table_c1 import NO, PARTLY, TABLE_C1, YES
from techniques.catalogue.technique import (
    ANY_TYPE,
    NOT_DIRECT,
    QUASI_AND_SENSITIVE,
    AnnexA,
    Claims,
    Missing,
    Scope,
    Technique,
)
from techniques.core.attributes import Scene
from techniques.core.messages import gettext_noop
from techniques.core.settings import FitSettings, TechniqueSettings, labels

Statistic = Literal["sum", "mean", "minimum", "maximum", "median", "count"]


class SamplingSettings(TechniqueSettings):
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

    def kept_columns(self, columns: Sequence[str]) -> list[str]:
        """All of them: rows go, values stay."""
        return list(columns)


SAMPLING = Technique(
    key="statistical.sampling",
    family=Family.STATISTICAL,
    name=gettext_noop("Sampling"),
    summary=gettext_noop(
        "Only a random part of the rows goes into the result, so that nobody can be sure who is in it."
    ),
    clauses=("A.1.2", "5.4.2 b"),
    scope=Scope.TABLE,
    settings=SamplingSettings,
    implementation="techniques.families.statistical.sampling:Sampling",
    roles=NOT_DIRECT,
    data_types=ANY_TYPE,
    properties=TABLE_C1["sampling"],
    missing=Missing.VALUE,
    random=True,
    claims=Claims(
        order=YES,
        format=YES,
        type=YES,
        distinctness=YES,
        statistics=PARTLY,
        reversible=NO,
        notes=gettext_noop(
            "The values of the rows drawn do not change. Shares and means are those of the whole up to chance; "
            "counts and sums must be divided by the fraction, which stands in the report."
        ),
        not_for=gettext_noop(
            "Not alone: a person who is known to be in the sample is as easy to find as before. Not where "
            "every row is needed."
        ),
    ),
    previewable=False,
)


class AggregationSettings(FitSettings):
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


AGGREGATION = Technique(
    key="statistical.aggregation",
    family=Family.STATISTICAL,
    name=gettext_noop("Aggregation"),
    summary=gettext_noop(
        "Sums, means, counts and other figures of groups take the place of single values, as a table or in "
        "every row."
    ),
    clauses=("A.1.3",),
    scope=Scope.TABLE,
    settings=AggregationSettings,
    implementation="techniques.families.statistical.aggregation:Aggregation",
    roles=QUASI_AND_SENSITIVE,
    data_types=ANY_TYPE,
    properties=TABLE_C1["aggregation"],
    missing=Missing.LEFT_OUT,
    claims=Claims(
        order=NO,
        format=NO,
        type=PARTLY,
        distinctness=NO,
        statistics=PARTLY,
        reversible=NO,
        notes=gettext_noop(
            "The chosen figure of each group that is large enough is exact up to rounding; everything inside "
            "a group is lost. The groups' own columns do not change."
        ),
        not_for=gettext_noop(
            "Not for figures that one single row dominates, and not several times over with other groups: "
            "the differences tell single rows."
        ),
    ),
    previewable=False,
    makes_equal=True,
    scenes=frozenset({Scene.STATISTICS}),
    annex_a=AnnexA(security=5.0),
)


TECHNIQUES = (
    SAMPLING,
    AGGREGATION,
)
