"""Generalisation and noise of places (GB/T 37964 C.2.4, C.2.8): settings and rows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, model_validator
from pydantic_core import PydanticCustomError

from techniques.catalogue.family import Family
from techniques.catalogue.shared_settings import result_decimals
from techniques.catalogue.table_c1 import PARTLY, TABLE_C1, YES
from techniques.catalogue.technique import IDENTIFYING, PERSONAL, Claims, Missing, Scope, Technique
from techniques.core.attributes import DataType
from techniques.core.messages import _
from techniques.core.settings import FitSettings, setting, whole_number
from techniques.hierarchies.definitions import REGION_LABELS, RegionUnit, region_form


class RegionGeneralizationSettings(FitSettings):
    """C.2.4: an address or division code becomes its county, city or province."""

    unit: RegionUnit = setting(
        _("Division kept"), _("Everything finer is dropped."), "city", labels=REGION_LABELS
    )
    form: Literal["text", "code"] = region_form()
    minimum_people: int = setting(
        _("Fewest people of a division"),
        _(
            "A division with fewer people gives way to the next larger one, up to the province. 0: not asked for."
        ),
        0,
        between=(0, 1_000_000_000),
    )
    populations: dict[str, Annotated[int, BeforeValidator(whole_number)]] = setting(
        _("Division and its people"),
        _("Full names or codes as they come out. A division that is not in the list counts as too small."),
        default_factory=dict,
        max_length=100_000,
    )


REGION = Technique(
    key="generalization.region",
    family=Family.GENERALISATION,
    name=_("Addresses to divisions"),
    summary=_("Each address or division code becomes its county, city or province."),
    clauses=("C.2.4", "A.5.1"),
    scope=Scope.COLUMN,
    settings=RegionGeneralizationSettings,
    implementation="techniques.families.generalization.region:RegionGeneralization",
    roles=IDENTIFYING,
    data_types=frozenset({DataType.REGION, DataType.TEXT}),
    claims=Claims(type=YES, statistics=PARTLY),
    keeps=_("Counts per division are exact; everything finer is lost."),
    not_for=_("Not with divisions of few inhabitants: choose a coarser one there."),
    masks_live=True,
    notice=_("No finer place than the division that is shown; no distances."),
)


class PositionSettings(FitSettings):
    """What all treatments of positions share: two columns."""

    latitude: str = setting(
        _("Column of the latitude"),
        _("A column of this step, in degrees, north positive."),
        min_length=1,
        max_length=1000,
        columns=True,
    )
    longitude: str = setting(
        _("Column of the longitude"),
        _("A column of this step, in degrees, east positive."),
        min_length=1,
        max_length=1000,
        columns=True,
    )

    @model_validator(mode="after")
    def _two_columns(self) -> Self:
        if self.latitude == self.longitude:
            raise PydanticCustomError("position_columns_same", _("latitude and longitude are two columns"))
        return self


_position = partial(
    Technique, scope=Scope.TABLE, roles=PERSONAL, data_types=frozenset({DataType.NUMBER}), missing=Missing.ROW
)


class PositionGeneralizationSettings(PositionSettings):
    """C.2.8: positions become areas in which enough people live."""

    minimum_people: int = setting(
        _("Fewest people of an area"),
        _("Areas are halved in both directions as long as each part keeps so many."),
        20_000,
        between=(2, 1_000_000_000),
    )
    people_per_row: float = setting(
        _("People that one row stands for"),
        _(
            "1 where every person has one row; for a sample the people divided by its rows. Never more than "
            "that: the areas would become too small."
        ),
        1.0,
        gt=0,
        le=1e9,
    )
    result: Literal["area", "centre"] = setting(
        _("What stands in the columns"),
        _("The limits of the area, or the position in its middle."),
        "area",
        labels={"area": _("Limits"), "centre": _("Middle of the area")},
    )


POSITION = _position(
    key="generalization.position",
    family=Family.GENERALISATION,
    name=_("Positions to areas"),
    summary=_(
        "Each position becomes a square in which enough people live: small in town, large in the country."
    ),
    clauses=("C.2.8", "A.5.1"),
    settings=PositionGeneralizationSettings,
    implementation="techniques.families.generalization.position:PositionGeneralization",
    whole_table=True,
    claims=Claims(order=PARTLY, type=PARTLY, statistics=PARTLY),
    keeps=_(
        "Counts per area are exact; order and numbers stay where the middle of the area is written and all areas "
        "are of one size."
    ),
    not_for=_("Not where rows are not people: then count their people first, or the areas become too small."),
    previewable=False,
)


class PositionNoiseSettings(PositionSettings):
    """C.2.8: a position is moved by some metres in town, and by more where few people live."""

    surroundings: Literal["country", "town", "column", "rows"] = setting(
        _("How densely the place is populated"),
        _("Decides which of the two distances is used. If in doubt: everywhere sparsely."),
        "country",
        labels={
            "country": _("Sparsely everywhere"),
            "town": _("Densely everywhere"),
            "column": _("A column of this step says it"),
            "rows": _("Densely where many rows lie within a square kilometre or so"),
        },
    )
    surroundings_column: str = setting(
        _("Column that says it"),
        _("A column of this step, which stays as it is."),
        "",
        max_length=1000,
        columns=True,
    )
    town_values: list[str] = setting(
        _("Its values that stand for densely populated places"),
        _("Every other value, and a missing one, stands for sparsely populated places."),
        default_factory=list,
        max_length=1000,
    )
    town_rows: int = setting(
        _("Rows within a square kilometre that make a place densely populated"),
        _("Counted in squares of a hundredth of a degree."),
        1000,
        between=(2, 1_000_000_000),
    )
    town_metres: float = setting(
        _("Largest distance in densely populated places"), _("In metres."), 100.0, gt=0, le=1e6
    )
    country_metres: float = setting(
        _("Largest distance in sparsely populated places"), _("In metres."), 5000.0, gt=0, le=1e6
    )
    smallest_share: float = setting(
        _("Smallest distance"),
        _("As a share of the largest, so that no position stays where it was."),
        0.1,
        ge=0,
        lt=1,
    )
    repeated: Literal["alike", "apart"] = setting(
        _("Rows at the same position"),
        _("Moved apart, the mean of many rows gives the place back."),
        "alike",
        labels={"alike": _("Are moved to the same place"), "apart": _("Are each moved by themselves")},
    )
    subject: str = setting(
        _("Column of the subject"),
        _(
            "A column of this step that stays as it is. The report then says how many subjects have several "
            "positions: trajectories are recognisable in spite of noise."
        ),
        "",
        max_length=1000,
        columns=True,
    )
    decimals: int = result_decimals(_("Five are about a metre."), 5, least=2)

    @property
    def keeps_draws(self) -> bool:
        """By record and position, or by position alone where rows at one share their draw."""
        return True

    @model_validator(mode="after")
    def _column_named(self) -> Self:
        if self.surroundings == "column" and not (self.surroundings_column and self.town_values):
            raise PydanticCustomError(
                "surroundings_unnamed", _("needs the column that says it, and its values")
            )
        return self

    def kept_columns(self, columns: Sequence[str]) -> list[str]:
        """What says how populated the place is, and that of the subject."""
        return [self.surroundings_column, self.subject]


POSITION_NOISE = _position(
    key="randomization.position_noise",
    family=Family.RANDOMISATION,
    name=_("Noise on positions"),
    summary=_(
        "Each position is moved at random: by up to 100 m in town, by up to 5 km where few people live."
    ),
    clauses=("C.2.8", "A.6.1", "A.6.2"),
    settings=PositionNoiseSettings,
    implementation="techniques.families.randomization.position_noise:PositionNoise",
    whole_table=True,
    properties=TABLE_C1["noise"],
    random=True,
    claims=Claims(type=YES, statistics=PARTLY),
    keeps=_("The neighbourhood: no position is moved further than the distance that is set."),
    not_for=_(
        "Not for tracks of one person: a few points are like a fingerprint in spite of noise. Not along coasts "
        "and borders unseen: noise knows no map."
    ),
)
