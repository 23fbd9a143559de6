"""Statistical techniques (GB/T 37964 A.1): their settings and rows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal

from techniques.catalogue import shared_settings
from techniques.catalogue.family import AnnexA, Family
from techniques.catalogue.table_c1 import PARTLY, TABLE_C1, YES
from techniques.catalogue.technique import (
    ANY_TYPE,
    NOT_DIRECT,
    QUASI_AND_SENSITIVE,
    Claims,
    Missing,
    Scope,
    Technique,
)
from techniques.core.attributes import Scene
from techniques.core.messages import _
from techniques.core.settings import FitSettings, TechniqueSettings, setting

Statistic = Literal["sum", "mean", "minimum", "maximum", "median", "count"]


_row = partial(
    Technique, family=Family.STATISTICAL, scope=Scope.TABLE, data_types=ANY_TYPE, previewable=False
)


class SamplingSettings(TechniqueSettings):
    """A.1.2: only a random part of the rows goes into the result."""

    fraction: float = setting(
        _("Share of the rows"),
        _(
            "0 to 1; for a cluster sample the share of the clusters. Rounded to whole rows or clusters, at "
            "least one."
        ),
        gt=0,
        le=1,
    )
    method: Literal["simple", "stratified", "cluster"] = setting(
        _("Method"),
        _("What the columns of this step are for. Their values are not changed; missing is a value too."),
        "simple",
        labels={
            "simple": _("Simple: every row has the same chance, the columns do not matter"),
            "stratified": _("Stratified: the same share of each group with equal values in the columns"),
            "cluster": _("Cluster: groups with equal values in the columns come whole or not at all"),
        },
    )

    @property
    def keeps_draws(self) -> bool:
        """In a simple sample: whoever is drawn stays in it, as far as its size allows."""
        return self.method == "simple"

    def kept_columns(self, columns: Sequence[str]) -> list[str]:
        """All of them: rows go, values stay."""
        return list(columns)


SAMPLING = _row(
    key="statistical.sampling",
    name=_("Sampling"),
    summary=_(
        "Only a random part of the rows goes into the result, so that nobody can be sure who is in it."
    ),
    clauses=("A.1.2", "5.4.2 b"),
    settings=SamplingSettings,
    implementation="techniques.families.statistical.sampling:Sampling",
    whole_table=True,
    roles=NOT_DIRECT,
    properties=TABLE_C1["sampling"],
    missing=Missing.VALUE,
    random=True,
    claims=Claims(order=YES, format=YES, type=YES, distinctness=YES, statistics=PARTLY),
    keeps=_(
        "The values of the rows drawn do not change. Shares and means are those of the whole up to chance; "
        "counts and sums must be divided by the fraction, which stands in the report."
    ),
    not_for=_(
        "Not alone: a person who is known to be in the sample is as easy to find as before. Not where "
        "every row is needed."
    ),
)


class AggregationSettings(FitSettings):
    """A.1.3: figures of groups take the place of single values."""

    statistics: dict[str, Statistic] = setting(
        _("Column and its figure"),
        _(
            "One pair per column of this step that becomes a figure: sum, mean, minimum, maximum, median or "
            "count. The step's other columns form the groups."
        ),
        min_length=1,
        max_length=100,
        columns=True,
    )
    result: Literal["table", "replace"] = setting(
        _("What becomes of the rows"),
        _("A table needs every other column of the file to be removed."),
        "table",
        labels={
            "table": _("One row per group"),
            "replace": _("All rows stay, each with the figures of its group"),
        },
    )
    minimum_count: int = shared_settings.minimum_count(
        _("Fewest rows of a group"), _("Smaller groups are left out, and so is a figure of fewer values."), 10
    )
    maximum_share: float = shared_settings.suppressed_rows()
    decimals: int = shared_settings.result_decimals()

    @property
    def rows_made(self) -> Literal["", "groups"]:
        """Groups, unless their figures stand in every row."""
        return "groups" if self.result == "table" else ""


AGGREGATION = _row(
    key="statistical.aggregation",
    name=_("Aggregation"),
    summary=_(
        "Sums, means, counts and other figures of groups take the place of single values, as a table or in "
        "every row."
    ),
    clauses=("A.1.3",),
    settings=AggregationSettings,
    implementation="techniques.families.statistical.aggregation:Aggregation",
    whole_table=True,
    roles=QUASI_AND_SENSITIVE,
    properties=TABLE_C1["aggregation"],
    missing=Missing.LEFT_OUT,
    claims=Claims(type=PARTLY, statistics=PARTLY),
    keeps=_(
        "The chosen figure of each group that is large enough is exact up to rounding; everything inside "
        "a group is lost. The groups' own columns do not change."
    ),
    not_for=_(
        "Not for figures that one single row dominates, and not several times over with other groups: "
        "the differences tell single rows."
    ),
    makes_equal=True,
    scenes=frozenset({Scene.STATISTICS}),
    annex_a=AnnexA(security=5.0),
)


class RowPerPersonSettings(FitSettings):
    """Chapter 1: microdata has one row of each person; several become one."""

    keep: Literal["drawn", "first", "last"] = setting(
        _("Row that stays"),
        _("Of each person. What is not put together is that of this row."),
        "drawn",
        labels={
            "drawn": _("One drawn by lot"),
            "first": _("The first in the order of the file"),
            "last": _("The last in the order of the file"),
        },
    )
    collected: dict[str, Literal["values", "count", "sum", "mean", "minimum", "maximum"]] = setting(
        _("Column and how it is put together"),
        _(
            "One pair per column that takes all rows of the person: values (the different ones, side by side), count, sum, "
            "mean, minimum or maximum. Where the recipe names no subject, the step's other columns say whose the rows are."
        ),
        default_factory=dict,
        max_length=100,
        columns=True,
    )
    separator: str = setting(
        _("Between values"),
        _("Stands between values that are put side by side."),
        ";",
        min_length=1,
        max_length=10,
    )
    decimals: int = shared_settings.result_decimals()

    @property
    def rows_made(self) -> Literal["", "persons"]:
        """Persons, where anything of their other rows is in the one that stays."""
        return "persons" if self.collected else ""


ROW_PER_PERSON = _row(
    key="statistical.row_per_person",
    name=_("One row per person"),
    summary=_(
        "Of several rows of a person one stays, or all are put together in one, so that a class of k rows has k persons."
    ),
    clauses=("5.4.2 a",),
    settings=RowPerPersonSettings,
    implementation="techniques.families.statistical.row_per_person:RowPerPerson",
    whole_table=True,
    roles=NOT_DIRECT,
    missing=Missing.LEFT_OUT,
    random=True,
    claims=Claims(type=PARTLY, statistics=PARTLY),
    keeps=_(
        "Each person weighs one. Of the row that stays nothing changes but the columns that are put together; sums over these "
        "are those of all rows."
    ),
    not_for=_(
        "Not where what matters is in the course of several rows. Many values side by side may be nobody else's: they are a "
        "fingerprint, and have to be generalised like one."
    ),
    notice=_(
        "Each row is one of the rows of a person, or put together from all of them: do not count visits or other events by rows."
    ),
)


TECHNIQUES = (SAMPLING, AGGREGATION, ROW_PER_PERSON)
