"""Generalisation (GB/T 37964 A.5): settings and rows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from techniques.catalogue import places
from techniques.catalogue.bases import PERSONALIZED_PAPER
from techniques.catalogue.family import Family
from techniques.catalogue.table_c1 import PARTLY, TABLE_C1, YES
from techniques.catalogue.technique import (
    ANY_TYPE,
    IDENTIFYING,
    QUASI_AND_SENSITIVE,
    Claims,
    Scope,
    Technique,
)
from techniques.core.attributes import AttributeRole, DataType
from techniques.core.messages import _
from techniques.core.settings import FitSettings, TechniqueSettings, setting, whole_number
from techniques.hierarchies.definitions import (
    DATE_LABELS,
    DateUnit,
    HierarchyDefinition,
    interval_notation,
    interval_origin,
)

_row = partial(Technique, family=Family.GENERALISATION)


class MultiplesSettings(FitSettings):
    """What all rounding shares."""

    base: float = setting(_("Rounding base"), _("Every result is a multiple of it."), gt=0, le=1e12)


_rounding = partial(
    _row,
    clauses=("A.5.2",),
    roles=QUASI_AND_SENSITIVE,
    data_types=frozenset({DataType.NUMBER}),
    properties=TABLE_C1["rounding"],
    random=True,
    not_for=_("Not with a base that is small against the values: then they stay recognisable."),
)


class RoundingSettings(MultiplesSettings):
    """A.5.2: each number becomes a multiple of the base."""

    method: Literal["nearest", "stochastic", "down", "up"] = setting(
        _("Method"),
        _(
            "Stochastic rounding draws anew for every row and keeps the mean: 7 to base 10 becomes 10 with "
            "probability 0.7 and 0 with probability 0.3."
        ),
        "nearest",
        labels={
            "nearest": _("To the nearest multiple (ties away from zero)"),
            "stochastic": _("Stochastic, unbiased"),
            "down": _("Down"),
            "up": _("Up"),
        },
    )

    @property
    def without_chance(self) -> bool:
        """Every method but one is a rule."""
        return self.method != "stochastic"

    @property
    def keeps_draws(self) -> bool:
        """By record and value, where anything is drawn."""
        return self.method == "stochastic"


ROUNDING = _rounding(
    key="generalization.rounding",
    name=_("Rounding"),
    summary=_("Numbers become multiples of a base, nearest or at random without bias."),
    scope=Scope.COLUMN,
    settings=RoundingSettings,
    implementation="techniques.families.generalization.rounding:rounding",
    claims=Claims(order=PARTLY, type=YES, statistics=PARTLY),
    keeps=_("Order stays unless rounding is stochastic; stochastic rounding is expected to keep the mean."),
    masks_live=True,
    notice=_("Sums and means are approximate; exact values are not in the data."),
)


class ControlledRoundingSettings(MultiplesSettings):
    """A.5.2: rounding at random, so that the sum survives."""

    within: list[str] = setting(
        _("Columns in whose groups the sum survives"),
        _("Columns of this step that stay as they are. Empty: the sum of the whole column survives."),
        default_factory=list,
        max_length=20,
        columns=True,
    )

    def kept_columns(self, columns: Sequence[str]) -> list[str]:
        """Those in whose groups the sum survives."""
        return self.within


CONTROLLED_ROUNDING = _rounding(
    key="generalization.controlled_rounding",
    name=_("Controlled rounding"),
    summary=_("Numbers become neighbouring multiples of a base, at random but so that their sum survives."),
    scope=Scope.TABLE,
    settings=ControlledRoundingSettings,
    implementation="techniques.families.generalization.controlled_rounding:ControlledRounding",
    whole_table=True,
    claims=Claims(order=PARTLY, type=YES, statistics=YES),
    keeps=_(
        "Each sum is off by less than one base, and not at all where it is a multiple of the base; each value "
        "is expected to stay. Order stays between numbers that are a base or more apart."
    ),
)


class TopBottomCodingSettings(FitSettings):
    """A.5.3: values beyond a threshold are replaced by one label."""

    top: float | None = setting(_("Upper threshold"), _("Values at or above it are coded together."), None)
    bottom: float | None = setting(_("Lower threshold"), _("Values at or below it are coded together."), None)
    top_rows: int | None = setting(
        _("Choose the upper threshold so that at least this many rows reach it"),
        _("Instead of a fixed threshold."),
        None,
        ge=2,
    )
    bottom_rows: int | None = setting(
        _("Choose the lower threshold so that at least this many rows reach it"),
        _("Instead of a fixed threshold."),
        None,
        ge=2,
    )
    result: Literal["label", "threshold"] = setting(
        _("What a coded value becomes"),
        _("The bare threshold keeps the column numeric."),
        "label",
        labels={"label": _("A label such as >=90"), "threshold": _("The threshold itself")},
    )

    @model_validator(mode="after")
    def _something_to_do(self) -> Self:
        for value, rows, text in (
            (self.top, self.top_rows, _("give either the upper threshold or its number of rows, not both")),
            (
                self.bottom,
                self.bottom_rows,
                _("give either the lower threshold or its number of rows, not both"),
            ),
        ):
            if value is not None and rows is not None:
                raise PydanticCustomError("two_thresholds", text)
        if all(x is None for x in (self.top, self.bottom, self.top_rows, self.bottom_rows)):
            raise PydanticCustomError("no_threshold", _("needs at least one threshold"))
        if self.top is not None and self.bottom is not None and self.bottom >= self.top:
            raise PydanticCustomError(
                "thresholds_crossed", _("the lower threshold must be below the upper one")
            )
        return self


TOP_BOTTOM_CODING = _row(
    key="generalization.top_bottom_coding",
    name=_("Top and bottom coding"),
    summary=_("Values beyond a threshold are coded together, so that outliers do not stand out."),
    clauses=("A.5.3", "C.2.6"),
    scope=Scope.COLUMN,
    settings=TopBottomCodingSettings,
    implementation="techniques.families.generalization.top_bottom_coding:TopBottomCoding",
    roles=QUASI_AND_SENSITIVE,
    data_types=frozenset({DataType.NUMBER}),
    properties=TABLE_C1["top_bottom_coding"],
    claims=Claims(order=PARTLY, type=PARTLY, statistics=PARTLY),
    keeps=_(
        "Values between the thresholds do not change; order and numbers stay where the threshold itself is the code."
    ),
    not_for=_("Not where totals matter: large values carry much of them."),
    notice=_("No largest or smallest value, and no mean that depends on them, can be computed."),
)


class IntervalSettings(FitSettings):
    """A.5.1, C.2.6: numbers become intervals of one width."""

    width: float | None = setting(
        _("Width"), _("Width of an interval; leave it empty if you give boundaries."), None, gt=0, le=1e12
    )
    origin: float = interval_origin()
    cuts: list[float] = setting(
        _("Boundaries instead of a width"),
        _("Rising numbers; below the first and from the last on the ends are open."),
        default_factory=list,
        max_length=1000,
    )
    notation: Literal["half_open", "inclusive"] = interval_notation()

    @model_validator(mode="after")
    def _sound(self) -> Self:
        if any(a >= b for a, b in pairwise(self.cuts)):
            raise PydanticCustomError("cuts_not_rising", _("boundaries must rise"))
        if (self.width is None) == (not self.cuts):
            raise PydanticCustomError("width_or_cuts", _("needs either a width or boundaries"))
        numbers = self.cuts or [self.width or 1, self.origin]
        if self.notation == "inclusive" and any(x != int(x) for x in numbers):
            raise PydanticCustomError(
                "inclusive_needs_integers", _("this way of writing needs whole numbers")
            )
        return self


INTERVALS = _row(
    key="generalization.intervals",
    name=_("Numbers to intervals"),
    summary=_("Each number becomes the interval that it lies in."),
    clauses=("C.2.6", "A.5.1"),
    scope=Scope.COLUMN,
    settings=IntervalSettings,
    implementation="techniques.families.generalization.intervals:IntervalGeneralization",
    roles=QUASI_AND_SENSITIVE,
    data_types=frozenset({DataType.NUMBER}),
    claims=Claims(order=PARTLY, statistics=PARTLY),
    keeps=_("Intervals lie in the order of their values; counts per interval are exact."),
    not_for=_("Not with single intervals that hold few rows: code their ends together."),
    masks_live=True,
    notice=_("Only counts per interval; no exact mean, sum or difference."),
)


class DateGeneralizationSettings(FitSettings):
    """C.2.7: dates become periods."""

    unit: DateUnit = setting(
        _("Period"), _("A date becomes the period that it falls in."), "year", labels=DATE_LABELS
    )


DATE = _row(
    key="generalization.date",
    name=_("Dates to periods"),
    summary=_("Each date becomes its month, quarter, year or decade."),
    clauses=("C.2.7", "A.5.1"),
    scope=Scope.COLUMN,
    settings=DateGeneralizationSettings,
    implementation="techniques.families.generalization.date:DateGeneralization",
    roles=QUASI_AND_SENSITIVE,
    data_types=frozenset({DataType.DATE}),
    claims=Claims(order=YES, type=PARTLY, statistics=PARTLY),
    keeps=_("Periods sort like their dates; counts per period are exact, distances in days are lost."),
    not_for=_("Not where the order of events within a period matters."),
    masks_live=True,
    notice=_("No exact days, ages or durations; count by the period that is shown."),
)


class IpNetworkSettings(FitSettings):
    """A.5.1: each IP address becomes the network that it lies in."""

    ipv4_bits: int = setting(
        _("Bits of an IPv4 address that stay"),
        _("24 stand for 256 addresses, 16 for 65,536."),
        24,
        between=(8, 31),
    )
    ipv6_bits: int = setting(
        _("Bits of an IPv6 address that stay"),
        _("48 stand for one customer of a provider, 32 for the provider."),
        48,
        between=(16, 127),
    )
    result: Literal["network", "address"] = setting(
        _("What stands in the column"),
        _("The second is for systems that take addresses only."),
        "network",
        labels={
            "network": _("The network with its length, such as 192.0.2.0/24"),
            "address": _("The first address of the network, such as 192.0.2.0"),
        },
    )


IP_NETWORK = _row(
    key="generalization.ip_network",
    name=_("IP addresses to networks"),
    summary=_("Each IP address becomes the network that it lies in; IPv4 and IPv6 may be mixed."),
    clauses=("A.5.1", "3.7"),
    scope=Scope.COLUMN,
    settings=IpNetworkSettings,
    implementation="techniques.families.generalization.ip_network:IpNetwork",
    roles=IDENTIFYING,
    data_types=frozenset({DataType.TEXT, DataType.CATEGORY}),
    claims=Claims(order=PARTLY, type=PARTLY, statistics=PARTLY),
    keeps=_(
        "Networks lie in the order of their addresses; counts per network are exact. Equal addresses become equal "
        "networks, however they are written."
    ),
    not_for=_(
        "Not with networks that belong to one household or one small firm: the network then names them."
    ),
    notice=_("No single device, only its network; do not count people or devices by it."),
)


class HierarchyGeneralizationSettings(FitSettings):
    """A.5.1: each value is replaced by its ancestor at one level of a hierarchy."""

    hierarchy: HierarchyDefinition = setting(
        _("Hierarchy"), _("How values become coarser, level by level."), kind="hierarchy"
    )
    level: int = setting(
        _("Level"), _("0 leaves the value; the last level makes every value the same."), 1, between=(0, 50)
    )


HIERARCHY = _row(
    key="generalization.hierarchy",
    name=_("One level of a hierarchy"),
    summary=_("Each value becomes its ancestor at a chosen level."),
    clauses=("A.5.1",),
    scope=Scope.COLUMN,
    settings=HierarchyGeneralizationSettings,
    implementation="techniques.families.generalization.hierarchy:HierarchyGeneralization",
    roles=QUASI_AND_SENSITIVE,
    data_types=ANY_TYPE,
    claims=Claims(order=PARTLY, type=PARTLY, statistics=PARTLY),
    keeps=_("As far as the hierarchy keeps them; counts per group are exact."),
    not_for=_("Not at a level where groups hold few rows."),
)


class MappingSettings(TechniqueSettings):
    """A.5.1: values are replaced by a list of the executor's own."""

    mapping: dict[str, str] = setting(
        _("Value and what it becomes"), _("One pair per value."), min_length=1, max_length=100_000
    )
    others: Literal["error", "suppress", "keep"] = setting(
        _("Values that are not in the list"),
        _("Keeping them lets values through that nobody looked at."),
        "error",
        labels={
            "error": _("Stop the run and say in which rows"),
            "suppress": _("Suppress the value (it becomes missing)"),
            "keep": _("Leave them as they are"),
        },
    )


MAPPING = _row(
    key="generalization.mapping",
    name=_("Values by a list"),
    summary=_("Each value becomes what a list of your own says."),
    clauses=("A.5.1",),
    scope=Scope.COLUMN,
    settings=MappingSettings,
    implementation="techniques.families.generalization.mapping:Mapping",
    roles=QUASI_AND_SENSITIVE,
    data_types=frozenset({DataType.CATEGORY, DataType.TEXT}),
    claims=Claims(statistics=PARTLY),
    keeps=_("Whatever the list keeps; counts per result are exact."),
    not_for=_("Not with values passed through that nobody looked at."),
)


class PersonalLevelsSettings(TechniqueSettings):
    """A.5.1, as each person asks: personalised protection levels (Cao et al. 2018, section 3.3.3)."""

    level_column: str = setting(
        _("Column with the protection levels"),
        _(
            "The name of the column that says what each person asks for: a whole number from 1 on, 1 the least; an empty cell asks "
            "for nothing. It is read here; remove it in a later step."
        ),
        kind="column",
        min_length=1,
    )
    tree: HierarchyDefinition = setting(
        _("Tree of the values"),
        _(
            "Level 1 is the value itself, each further level what stands above it; the last makes all values the same."
        ),
        kind="hierarchy",
    )
    levels: dict[str, Annotated[int, BeforeValidator(whole_number), Field(ge=1, le=100)]] = setting(
        _("Sensitivity level of each value"),
        _(
            "A value is generalised where its person asks for a higher level than this. A value that is not named has level 1."
        ),
        default_factory=dict,
        max_length=100_000,
    )

    @property
    def read_columns(self) -> list[str]:
        """That of the levels."""
        return [self.level_column]


PERSONAL_LEVELS = _row(
    key="generalization.personal_levels",
    name=_("Levels that persons ask for"),
    summary=_(
        "A sensitive value becomes its ancestor in a tree where its person asks for more protection than the value has anyway."
    ),
    clauses=("A.5.1",),
    papers=(PERSONALIZED_PAPER,),
    scope=Scope.TABLE,
    settings=PersonalLevelsSettings,
    implementation="techniques.families.generalization.personal_levels:PersonalLevels",
    whole_table=True,
    roles=frozenset({AttributeRole.SENSITIVE_ATTRIBUTE}),
    data_types=frozenset({DataType.CATEGORY, DataType.TEXT}),
    claims=Claims(statistics=PARTLY),
    keeps=_("Values of persons who ask for nothing stay; counts at the top of the tree are exact."),
    not_for=_(
        "Not alone: it forms no classes. Let a model with l and α follow, which reads the values as they are then."
    ),
    notice=_(
        "Values may be coarser than others because their persons asked for it: do not count single values as if all were there."
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
    PERSONAL_LEVELS,
)
