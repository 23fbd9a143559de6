"""Generalisation (GB/T 37964 A.5): settings and rows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from techniques.catalogue import places
from techniques.catalogue.family import Family
from techniques.catalogue.table_c1 import NO, PARTLY, TABLE_C1, YES
from techniques.catalogue.technique import (
    ANY_TYPE,
    IDENTIFYING,
    QUASI_AND_SENSITIVE,
    Claims,
    Scope,
    Technique,
)
from techniques.core.attributes import DataType
from techniques.core.messages import gettext_noop
from techniques.core.settings import FitSettings, TechniqueSettings, labels
from techniques.hierarchies.definitions import HierarchyDefinition


class RoundingSettings(FitSettings):
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

    @property
    def without_chance(self) -> bool:
        """Every method but one is a rule."""
        return self.method != "stochastic"


ROUNDING = Technique(
    key="generalization.rounding",
    family=Family.GENERALISATION,
    name=gettext_noop("Rounding"),
    summary=gettext_noop("Numbers become multiples of a base, nearest or at random without bias."),
    clauses=("A.5.2",),
    scope=Scope.COLUMN,
    settings=RoundingSettings,
    implementation="techniques.families.generalization.rounding:rounding",
    roles=QUASI_AND_SENSITIVE,
    data_types=frozenset({DataType.NUMBER}),
    properties=TABLE_C1["rounding"],
    random=True,
    claims=Claims(
        order=PARTLY,
        format=NO,
        type=YES,
        distinctness=NO,
        statistics=PARTLY,
        reversible=NO,
        notes=gettext_noop(
            "Order stays unless rounding is stochastic; stochastic rounding is expected to keep the mean."
        ),
        not_for=gettext_noop(
            "Not with a base that is small against the values: then they stay recognisable."
        ),
    ),
    masks_live=True,
    notice=gettext_noop("Sums and means are approximate; exact values are not in the data."),
)


class ControlledRoundingSettings(FitSettings):
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

    def kept_columns(self, columns: Sequence[str]) -> list[str]:
        """Those in whose groups the sum survives."""
        return self.within


CONTROLLED_ROUNDING = Technique(
    key="generalization.controlled_rounding",
    family=Family.GENERALISATION,
    name=gettext_noop("Controlled rounding"),
    summary=gettext_noop(
        "Numbers become neighbouring multiples of a base, at random but so that their sum survives."
    ),
    clauses=("A.5.2",),
    scope=Scope.TABLE,
    settings=ControlledRoundingSettings,
    implementation="techniques.families.generalization.controlled_rounding:ControlledRounding",
    roles=QUASI_AND_SENSITIVE,
    data_types=frozenset({DataType.NUMBER}),
    properties=TABLE_C1["rounding"],
    random=True,
    claims=Claims(
        order=PARTLY,
        format=NO,
        type=YES,
        distinctness=NO,
        statistics=YES,
        reversible=NO,
        notes=gettext_noop(
            "Each sum is off by less than one base, and not at all where it is a multiple of the base; each value "
            "is expected to stay. Order stays between numbers that are a base or more apart."
        ),
        not_for=gettext_noop(
            "Not with a base that is small against the values: then they stay recognisable."
        ),
    ),
)


class TopBottomCodingSettings(FitSettings):
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


TOP_BOTTOM_CODING = Technique(
    key="generalization.top_bottom_coding",
    family=Family.GENERALISATION,
    name=gettext_noop("Top and bottom coding"),
    summary=gettext_noop("Values beyond a threshold are coded together, so that outliers do not stand out."),
    clauses=("A.5.3", "C.2.6"),
    scope=Scope.COLUMN,
    settings=TopBottomCodingSettings,
    implementation="techniques.families.generalization.top_bottom_coding:TopBottomCoding",
    roles=QUASI_AND_SENSITIVE,
    data_types=frozenset({DataType.NUMBER}),
    properties=TABLE_C1["top_bottom_coding"],
    claims=Claims(
        order=PARTLY,
        format=NO,
        type=PARTLY,
        distinctness=NO,
        statistics=PARTLY,
        reversible=NO,
        notes=gettext_noop(
            "Values between the thresholds do not change; order and numbers stay where the threshold itself is the code."
        ),
        not_for=gettext_noop("Not where totals matter: large values carry much of them."),
    ),
    notice=gettext_noop("No largest or smallest value, and no mean that depends on them, can be computed."),
)


class IntervalSettings(FitSettings):
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


INTERVALS = Technique(
    key="generalization.intervals",
    family=Family.GENERALISATION,
    name=gettext_noop("Numbers to intervals"),
    summary=gettext_noop("Each number becomes the interval that it lies in."),
    clauses=("C.2.6", "A.5.1"),
    scope=Scope.COLUMN,
    settings=IntervalSettings,
    implementation="techniques.families.generalization.intervals:IntervalGeneralization",
    roles=QUASI_AND_SENSITIVE,
    data_types=frozenset({DataType.NUMBER}),
    claims=Claims(
        order=PARTLY,
        format=NO,
        type=NO,
        distinctness=NO,
        statistics=PARTLY,
        reversible=NO,
        notes=gettext_noop("Intervals lie in the order of their values; counts per interval are exact."),
        not_for=gettext_noop("Not with single intervals that hold few rows: code their ends together."),
    ),
    masks_live=True,
    notice=gettext_noop("Only counts per interval; no exact mean, sum or difference."),
)


class DateGeneralizationSettings(FitSettings):
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


DATE = Technique(
    key="generalization.date",
    family=Family.GENERALISATION,
    name=gettext_noop("Dates to periods"),
    summary=gettext_noop("Each date becomes its month, quarter, year or decade."),
    clauses=("C.2.7", "A.5.1"),
    scope=Scope.COLUMN,
    settings=DateGeneralizationSettings,
    implementation="techniques.families.generalization.date:DateGeneralization",
    roles=QUASI_AND_SENSITIVE,
    data_types=frozenset({DataType.DATE}),
    claims=Claims(
        order=YES,
        format=NO,
        type=PARTLY,
        distinctness=NO,
        statistics=PARTLY,
        reversible=NO,
        notes=gettext_noop(
            "Periods sort like their dates; counts per period are exact, distances in days are lost."
        ),
        not_for=gettext_noop("Not where the order of events within a period matters."),
    ),
    masks_live=True,
    notice=gettext_noop("No exact days, ages or durations; count by the period that is shown."),
)


class IpNetworkSettings(FitSettings):
    """A.5.1: each IP address becomes the network that it lies in."""

    ipv4_bits: int = Field(
        default=24,
        ge=8,
        le=31,
        title=gettext_noop("Bits of an IPv4 address that stay"),
        description=gettext_noop("24 stand for 256 addresses, 16 for 65,536."),
    )
    ipv6_bits: int = Field(
        default=48,
        ge=16,
        le=127,
        title=gettext_noop("Bits of an IPv6 address that stay"),
        description=gettext_noop("48 stand for one customer of a provider, 32 for the provider."),
    )
    result: Literal["network", "address"] = Field(
        default="network",
        title=gettext_noop("What stands in the column"),
        description=gettext_noop("The second is for systems that take addresses only."),
        json_schema_extra=labels(
            network=gettext_noop("The network with its length, such as 192.0.2.0/24"),
            address=gettext_noop("The first address of the network, such as 192.0.2.0"),
        ),
    )


IP_NETWORK = Technique(
    key="generalization.ip_network",
    family=Family.GENERALISATION,
    name=gettext_noop("IP addresses to networks"),
    summary=gettext_noop("Each IP address becomes the network that it lies in; IPv4 and IPv6 may be mixed."),
    clauses=("A.5.1", "3.7"),
    scope=Scope.COLUMN,
    settings=IpNetworkSettings,
    implementation="techniques.families.generalization.ip_network:IpNetwork",
    roles=IDENTIFYING,
    data_types=frozenset({DataType.TEXT, DataType.CATEGORY}),
    claims=Claims(
        order=PARTLY,
        format=NO,
        type=PARTLY,
        distinctness=NO,
        statistics=PARTLY,
        reversible=NO,
        notes=gettext_noop(
            "Networks lie in the order of their addresses; counts per network are exact. Equal addresses become equal "
            "networks, however they are written."
        ),
        not_for=gettext_noop(
            "Not with networks that belong to one household or one small firm: the network then names them."
        ),
    ),
    notice=gettext_noop("No single device, only its network; do not count people or devices by it."),
)


class HierarchyGeneralizationSettings(FitSettings):
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


HIERARCHY = Technique(
    key="generalization.hierarchy",
    family=Family.GENERALISATION,
    name=gettext_noop("One level of a hierarchy"),
    summary=gettext_noop("Each value becomes its ancestor at a chosen level."),
    clauses=("A.5.1",),
    scope=Scope.COLUMN,
    settings=HierarchyGeneralizationSettings,
    implementation="techniques.families.generalization.hierarchy:HierarchyGeneralization",
    roles=QUASI_AND_SENSITIVE,
    data_types=ANY_TYPE,
    claims=Claims(
        order=PARTLY,
        format=NO,
        type=PARTLY,
        distinctness=NO,
        statistics=PARTLY,
        reversible=NO,
        notes=gettext_noop("As far as the hierarchy keeps them; counts per group are exact."),
        not_for=gettext_noop("Not at a level where groups hold few rows."),
    ),
)


class MappingSettings(TechniqueSettings):
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


MAPPING = Technique(
    key="generalization.mapping",
    family=Family.GENERALISATION,
    name=gettext_noop("Values by a list"),
    summary=gettext_noop("Each value becomes what a list of your own says."),
    clauses=("A.5.1",),
    scope=Scope.COLUMN,
    settings=MappingSettings,
    implementation="techniques.families.generalization.mapping:Mapping",
    roles=QUASI_AND_SENSITIVE,
    data_types=frozenset({DataType.CATEGORY, DataType.TEXT}),
    claims=Claims(
        order=NO,
        format=NO,
        type=NO,
        distinctness=NO,
        statistics=PARTLY,
        reversible=NO,
        notes=gettext_noop("Whatever the list keeps; counts per result are exact."),
        not_for=gettext_noop("Not with values passed through that nobody looked at."),
    ),
)


TECHNIQUES = (
    ROUNDING,
    CONTROLLED_ROUNDING,
    TOP_BOTTOM_CODING,
    INTERVALS,
    DATE,
    places.REGION,
    places.POSITION,
    IP_NETWORK,
    HIERARCHY,
    MAPPING,
)
