"""Which rows of a data set that grows are the same record from one release to the next (GB/T 37964 D.5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from techniques.core.messages import _
from techniques.core.settings import ClosedModel, TechniqueSettings


class Records(ClosedModel):
    """What is drawn for a cell follows from its record and its value, under the key of the project or of a purpose.

    A record that did not change then reads as it did, and the mean of several releases tells no more than one of them.
    """

    columns: tuple[str, ...] = Field(min_length=1, max_length=20)
    """Columns of the source, before any step, that name a record: a number of a person or a visit, never a row number."""
    purpose: str = Field(default="", max_length=60)
    """The purpose whose key all projects share that release this data set; empty: the key of the project."""

    @field_validator("columns", mode="before")
    @classmethod
    def _listed(cls, given: Any) -> Any:
        return tuple(given) if isinstance(given, list) else given

    @model_validator(mode="after")
    def _named(self) -> Records:
        if len(set(self.columns)) < len(self.columns) or "" in self.columns:
            raise PydanticCustomError("records_named", _("names a column twice, or one without a name"))
        return self


def read_records(given: Any) -> Any:
    """A column's name alone or a list of names, as recipes in YAML and JSON may have them."""
    if isinstance(given, str):
        return {"columns": [given]}
    return {"columns": given} if isinstance(given, list) else given


def check_records(settings: Sequence[TechniqueSettings]) -> None:
    """PydanticCustomError where the records of a recipe with steps of these ``settings`` do nothing or give values away."""
    for number, one in enumerate(settings):
        if one.keeps_draws and one.scaled_by_table:
            # Twice the same draw at two sizes: two equations with two unknowns, one of which is the value.
            raise PydanticCustomError(
                "draws_scaled",
                _(
                    "steps[{number}] sizes its noise by the whole table; where records keep their draws, two releases would then "
                    "give the values away. State the standard deviation in the unit of the column and do not keep the variance, "
                    "or name no records."
                ),
                {"number": number, "fault": "records"},
            )
    if not any(one.keeps_draws for one in settings):
        raise PydanticCustomError(
            "records_unused",
            _(
                "the recipe names records, but no step draws anything that a record could keep. Name no records."
            ),
            {"fault": "records"},
        )
