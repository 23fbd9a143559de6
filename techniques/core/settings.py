"""What the settings of all techniques share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from techniques.core.messages import gettext_noop


class ClosedModel(BaseModel):
    """ClosedModel of one step: closed (an unknown name is an error) and unchangeable once read.

    A recipe validates them strictly (no silent conversion); a web form may validate the same class
    with conversion, because a browser sends text only.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class TechniqueSettings(ClosedModel):
    """Settings of a technique, as a step of a recipe holds them.

    What follows from the settings, and not from the technique alone, is answered here; most techniques leave these
    answers as they are.
    """

    @property
    def read_columns(self) -> list[str]:
        """Columns beside those of the step that are looked at and stay as they are."""
        return []

    def kept_columns(self, columns: Sequence[str]) -> list[str]:
        """Those of the step's ``columns`` that stay as they are: they only say how the others are treated."""
        return []

    @property
    def without_chance(self) -> bool:
        """Whether nothing is drawn with these settings, though the technique may draw."""
        return False

    @property
    def one_to_one(self) -> bool:
        """Whether every value is assigned one of its own, which stands in the run's mapping table."""
        return False


class NoSettings(TechniqueSettings):
    """A technique that needs nothing but its columns."""


UnfitPolicy = Literal["error", "suppress"]


def labels(**texts: str) -> dict[str, Any]:
    """The words that a form shows for the choices of a field, marked for translation by the caller."""
    return {"labels": texts}


def whole_number(value: Any) -> Any:
    """A form sends texts; what is no whole number is left for the validation to refuse."""
    try:
        return int(value) if isinstance(value, str) else value
    except ValueError:
        return value


class FitSettings(TechniqueSettings):
    """Techniques that can only treat some values: numbers, dates, divisions, members of a hierarchy."""

    unfit: UnfitPolicy = Field(
        default="error",
        title=gettext_noop("Values that do not fit"),
        description=gettext_noop(
            "What happens to a value that the technique cannot read, such as a word in a column of numbers."
        ),
        json_schema_extra=labels(
            error=gettext_noop("Stop the run and say in which rows"),
            suppress=gettext_noop("Suppress the value (it becomes missing)"),
        ),
    )
