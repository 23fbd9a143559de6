"""What a table of statistics is made of: its dimensions, what it counts or adds up, and how it is protected."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from techniques.core.messages import gettext_noop
from techniques.core.settings import ClosedModel

Name = Annotated[str, StringConstraints(min_length=1, max_length=512)]
Label = Annotated[str, StringConstraints(max_length=200)]
MOST_ROWS = 2000


class Span(ClosedModel):
    """A column that spans the table; ``tree`` has the totals between a value and the whole: a value, then what stands above it."""

    column: Name
    tree: list[list[Label]] = Field(default_factory=list, max_length=MOST_ROWS)

    @model_validator(mode="after")
    def _straight(self) -> Self:
        if len({len(row) for row in self.tree}) > 1 or any(len(row) < 2 for row in self.tree):
            raise PydanticCustomError(
                "table_invalid",
                gettext_noop(
                    "Each line of a hierarchy has a value and, after commas, as many groups as the others."
                ),
            )
        if len({row[0] for row in self.tree}) < len(self.tree):
            raise PydanticCustomError(
                "table_invalid", gettext_noop("A value is in two lines of a hierarchy.")
            )
        return self


class Definition(ClosedModel):
    """``persons`` counts them, ``rows`` counts rows of which a person may have several, ``sum`` adds up ``column``.

    ``holding`` is a column: where it is not empty, rows of one value are one contributor's. ``negative``: readers do not know that
    no value lies below zero. With a ``base`` all cells are rounded to multiples of it, else cells are hidden, so that the
    least of ``least`` is lost. Of an imported table the spans are those that have a tree.
    """

    kind: Literal["persons", "rows", "sum"]
    column: str = ""
    spans: list[Span] = Field(default_factory=list, max_length=4)
    holding: str = ""
    total: Name = "Total"
    negative: bool = False
    base: float | None = Field(default=None, gt=0, le=1e12)
    least: Literal["values", "cells"] = "values"

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if (self.kind == "sum") != bool(self.column):
            raise PydanticCustomError(
                "table_invalid", gettext_noop("Say which column is added up, and only where one is.")
            )
        if len({one.column for one in self.spans}) < len(self.spans):
            raise PydanticCustomError("table_invalid", gettext_noop("A column spans the table once."))
        return self

    @property
    def counts(self) -> bool:
        return self.kind == "persons"

    @property
    def columns(self) -> list[str]:
        """The columns that are read."""
        named = [*(one.column for one in self.spans), self.column, self.holding]
        return list(dict.fromkeys(one for one in named if one))

    @property
    def trees(self) -> dict[str, list[list[str]]]:
        return {one.column: one.tree for one in self.spans if one.tree}
