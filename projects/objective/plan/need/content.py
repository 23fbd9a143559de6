"""What a need says: why it has come up, the five points of its necessity (T/ISC 0078 5.1 a), and whether it can be done (7.4)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, Self

from pydantic import Field, model_validator

from techniques.core.messages import gettext_noop

from ...enums import Instead, Met, Trigger
from ...targets.content import Content, Needed, problem
from ...targets.reading import content_read

DATED = (Trigger.WITHDRAWN, Trigger.CANCELLED, Trigger.EXPIRED)
"""What has to be done with by a day: consent was taken back, an account closed, a term of storage ends."""

POINTS = ("structured", "bearable", "unrecoverable", "usable")
"""The four points of T/ISC 0078 7.4 a to d."""


class Need(Content):
    """One need as it was raised; stored as JSON, a changed word has another hash."""

    trigger: Trigger
    due_on: date | None = None
    who: Needed
    act: Needed
    what: Needed
    ground: Needed
    scene: Needed
    benefit: Needed
    instead: list[Instead] = Field(min_length=1)
    instead_why: Needed
    structured: Met
    bearable: Met
    unrecoverable: Met
    usable: Met
    points_why: Needed
    resources: Needed
    skill: Needed
    time: Needed

    @model_validator(mode="after")
    def _agree(self) -> Self:
        if self.trigger in DATED and self.due_on is None:
            raise problem("due_on", gettext_noop("State the day by which it has to be done."))
        if Instead.NONE in self.instead and len(self.instead) > 1:
            text = gettext_noop("“Nothing else would do” is ticked, and something else beside it.")
            raise problem("instead", text)
        return self


def need_read(data: Any) -> Need:
    """Raises ``ValidationError`` with a dictionary of fields."""
    return content_read(Need, data)


def is_relative(need: Mapping[str, Any]) -> bool:
    """Whether a point of 7.4 is not met: then what comes out is anonymous only inside a controlled environment."""
    return any(need[point] != Met.YES for point in POINTS)
