"""Generalisation and noise of places (GB/T 37964 C.2.4, C.2.8): settings and rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from techniques.catalogue.family import Family
from techniques.catalogue.table_c1 import NO, PARTLY, TABLE_C1, YES
from techniques.catalogue.technique import IDENTIFYING, PERSONAL, Claims, Missing, Scope, Technique
from techniques.core.attributes import DataType
from techniques.core.messages import gettext_noop
from techniques.core.settings import FitSettings, labels, whole_number


class RegionGeneralizationSettings(FitSettings):
    """C.2.4: an address or division code becomes its county, city or province."""

    unit: Literal["county", "city", "province"] = Field(
        default="city",
        title=gettext_noop("Division kept"),
        description=gettext_noop("Everything finer is dropped."),
        json_schema_extra=labels(
            county=gettext_noop("County or district"),
            city=gettext_noop("City or prefecture"),
            province=gettext_noop("Province"),
        ),
    )
    form: Literal["text", "code"] = Field(
        default="text",
        title=gettext_noop("Form of the values"),
        description=gettext_noop("An address in words, or the division code."),
        json_schema_extra=labels(
            code=gettext_noop("Division code of 6 or 12 digits"), text=gettext_noop("Name or address")
        ),
    )
    minimum_people: int = Field(
        default=0,
        ge=0,
        le=1_000_000_000,
        title=gettext_noop("Fewest people of a division"),
        description=gettext_noop(
            "A division with fewer people gives way to the next larger one, up to the province. 0: not asked for."
        ),
    )
    populations: dict[str, Annotated[int, BeforeValidator(whole_number)]] = Field(
        default_factory=dict,
        max_length=100_000,
        title=gettext_noop("Division and its people"),
        description=gettext_noop(
            "Full names or codes as they come out. A division that is not in the list counts as too small."
        ),
    )


REGION = Technique(
    key="generalization.region",
    family=Family.GENERALISATION,
    name=gettext_noop("Addresses to divisions"),
    summary=gettext_noop("Each address or division code becomes its county, city or province."),
    clauses=("C.2.4", "A.5.1"),
    scope=Scope.COLUMN,
    settings=RegionGeneralizationSettings,
    implementation="techniques.families.generalization.region:RegionGeneralization",
    roles=IDENTIFYING,
    data_types=frozenset({DataType.REGION, DataType.TEXT}),
    claims=Claims(
        order=NO,
        format=NO,
        type=YES,
        distinctness=NO,
        statistics=PARTLY,
        reversible=NO,
        notes=gettext_noop("Counts per division are exact; everything finer is lost."),
        not_for=gettext_noop("Not with divisions of few inhabitants: choose a coarser one there."),
    ),
    masks_live=True,
    notice=gettext_noop("No finer place than the division that is shown; no distances."),
)


class PositionGeneralizationSettings(FitSettings):
    """C.2.8: positions become areas in which enough people live."""

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
    minimum_people: int = Field(
        default=20_000,
        ge=2,
        le=1_000_000_000,
        title=gettext_noop("Fewest people of an area"),
        description=gettext_noop("Areas are halved in both directions as long as each part keeps so many."),
    )
    people_per_row: float = Field(
        default=1.0,
        gt=0,
        le=1e9,
        title=gettext_noop("People that one row stands for"),
        description=gettext_noop(
            "1 where every person has one row; for a sample the people divided by its rows. Never more than "
            "that: the areas would become too small."
        ),
    )
    result: Literal["area", "centre"] = Field(
        default="area",
        title=gettext_noop("What stands in the columns"),
        description=gettext_noop("The limits of the area, or the position in its middle."),
        json_schema_extra=labels(area=gettext_noop("Limits"), centre=gettext_noop("Middle of the area")),
    )

    @model_validator(mode="after")
    def _two_columns(self) -> Self:
        if self.latitude == self.longitude:
            raise PydanticCustomError(
                "position_columns_same", gettext_noop("latitude and longitude are two columns")
            )
        return self


POSITION = Technique(
    key="generalization.position",
    family=Family.GENERALISATION,
    name=gettext_noop("Positions to areas"),
    summary=gettext_noop(
        "Each position becomes a square in which enough people live: small in town, large in the country."
    ),
    clauses=("C.2.8", "A.5.1"),
    scope=Scope.TABLE,
    settings=PositionGeneralizationSettings,
    implementation="techniques.families.generalization.position:PositionGeneralization",
    roles=PERSONAL,
    data_types=frozenset({DataType.NUMBER}),
    missing=Missing.ROW,
    claims=Claims(
        order=PARTLY,
        format=NO,
        type=PARTLY,
        distinctness=NO,
        statistics=PARTLY,
        reversible=NO,
        notes=gettext_noop(
            "Counts per area are exact; order and numbers stay where the middle of the area is written and all areas "
            "are of one size."
        ),
        not_for=gettext_noop(
            "Not where rows are not people: then count their people first, or the areas become too small."
        ),
    ),
    previewable=False,
)


class PositionNoiseSettings(FitSettings):
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

    def kept_columns(self, columns: Sequence[str]) -> list[str]:
        """What says how populated the place is, and that of the subject."""
        return [self.surroundings_column, self.subject]


POSITION_NOISE = Technique(
    key="randomization.position_noise",
    family=Family.RANDOMISATION,
    name=gettext_noop("Noise on positions"),
    summary=gettext_noop(
        "Each position is moved at random: by up to 100 m in town, by up to 5 km where few people live."
    ),
    clauses=("C.2.8", "A.6.1", "A.6.2"),
    scope=Scope.TABLE,
    settings=PositionNoiseSettings,
    implementation="techniques.families.randomization.position_noise:PositionNoise",
    roles=PERSONAL,
    data_types=frozenset({DataType.NUMBER}),
    properties=TABLE_C1["noise"],
    missing=Missing.ROW,
    random=True,
    claims=Claims(
        order=NO,
        format=NO,
        type=YES,
        distinctness=NO,
        statistics=PARTLY,
        reversible=NO,
        notes=gettext_noop("The neighbourhood: no position is moved further than the distance that is set."),
        not_for=gettext_noop(
            "Not for tracks of one person: a few points are like a fingerprint in spite of noise. Not along coasts "
            "and borders unseen: noise knows no map."
        ),
    ),
)
