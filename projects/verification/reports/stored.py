"""JSON that is kept, hashed and signed, as types that are read by attribute.

What was not said when it was written stays unsaid, and what is not known here is kept, so that everything is written
back to the letter: the hashes that were signed rest on that.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict

Number = int | float
"""A whole number stays one: 5 and 5.0 are written differently, and hashed differently."""


class Stored(BaseModel):
    """A part of a report, as it was written."""

    model_config = ConfigDict(extra="allow", populate_by_name=True)

    def as_json(self) -> dict[str, Any]:
        """The same as JSON, to the letter."""
        return self.model_dump(by_alias=True, exclude_unset=True)


class Text(Stored):
    """An untranslated message with its parameters; ``columns`` names what it is about, joined by commas.

    ``formula`` is the computation with its values; ``code`` tells programs which message it is.
    """

    message: str = ""
    params: dict[str, Any] = {}
    columns: str = ""
    formula: str = ""
    code: str = ""


def text(message: str, **params: Any) -> Text:
    return Text(message=message, params=params)
