"""The typed content of the target and its hash: the answers of 5.2.2 and 5.2.3, and the plan of 5.2.4."""

from __future__ import annotations

from datetime import date
from itertools import pairwise
from typing import Annotated, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator, model_validator
from pydantic_core import PydanticCustomError

from techniques import catalogue
from techniques.core.messages import gettext_noop

from ..enums import Act, Candidate, Classification, Level, Promise, Protection, Regulation, RiskModel, Section

LONG = 4000
Text = Annotated[str, StringConstraints(strip_whitespace=True, max_length=LONG)]
Needed = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONG)]


class Content(BaseModel):
    """Base of every part: unknown fields are refused, enums are stored as their values."""

    model_config = ConfigDict(extra="forbid", use_enum_values=True, validate_default=True)


Kinship = Literal["file", "copy", "source", "notice", "subject", "columns"]
"""Why the register of releases names an earlier one."""
KINSHIPS: tuple[Kinship, ...] = get_args(Kinship)


class RelatedRelease(Content):
    """An earlier disclosure or de-identification that this data may be linked with (5.2.2 f).

    One that the planning manager may not see has a mark for its number and no title. ``by`` is why the register named it; empty
    where the planning manager found it without. ``is_outside``: it did not go through the portal.
    """

    number: Annotated[str, StringConstraints(max_length=40)]
    title: Annotated[str, StringConstraints(max_length=200)]
    sharing_type: Annotated[str, StringConstraints(max_length=20)] = ""
    state: Annotated[str, StringConstraints(max_length=40)] = ""
    by: list[Kinship] = Field(default_factory=list, exclude_if=lambda by: not by)
    is_outside: bool = Field(default=False, exclude_if=lambda outside: not outside)


class Scope(Content):
    """The six factors that decide what has to be de-identified (5.2.2 a to f)."""

    regulations: list[Regulation] = Field(min_length=1)
    laws: Needed
    classification: Classification
    policy: Needed
    promise: Promise
    source: Needed
    business: Needed
    use: Needed
    use_risk: Level
    related: list[RelatedRelease] = Field(default_factory=list, max_length=200)
    relation: Needed


MOST_QUERIES = 1000


class Profile(Content):
    """What recipients may do in the surroundings of the project (T/ISC 0078 11.2 b): less than the sharing type permits, or as much,
    and never more. ``queries_a_day`` bounds the SQL queries of one person in a day."""

    allowed: list[Act] = Field(min_length=1)
    queries_a_day: int | None = Field(
        default=None, ge=1, le=MOST_QUERIES, exclude_if=lambda most: most is None
    )

    @field_validator("allowed")
    @classmethod
    def _in_order(cls, allowed: list[Act]) -> list[Act]:
        if len(set(allowed)) < len(allowed):
            raise problem("profile", gettext_noop("Each act is named once."))
        # The order in which they were ticked says nothing, and must not make another content.
        return sorted(allowed, key=Act.values.index)

    @model_validator(mode="after")
    def _bounds_what_is_allowed(self) -> Self:
        if self.queries_a_day is not None and Act.QUERY not in self.allowed:
            raise problem(
                "profile", gettext_noop("SQL queries are bounded, and the profile does not allow any.")
            )
        return self


class Factors(Content):
    """The five factors that the target takes into account (5.2.3 a to e).

    ``profile`` is None where recipients may do all that the sharing type permits, and then no part of what is hashed.
    """

    use_after: Needed
    personal_information: Needed
    protections: list[Protection] = Field(min_length=1)
    protection: Needed
    risk_model: RiskModel
    risk_level: Needed
    candidates: list[Candidate] = Field(min_length=1)
    applicability: Needed
    profile: Profile | None = Field(default=None, exclude_if=lambda said: said is None)


def problem(field: str, message: str, **params: object) -> PydanticCustomError:
    """A consistency error about one field; ``message`` keeps its %(name)s placeholders for translation."""
    return PydanticCustomError(
        f"target_{field}", "{text}", {"field": field, "text": message, "params": params}
    )


# The techniques with which data may be prepared before they are treated (5.4.2), as the catalogue has them.
PREPARING = tuple(spec.key for spec in catalogue.techniques() if spec.prepares)


class Preparation(Content):
    """What is to be done to the data before they are treated (5.4.2): techniques in their order and how, or none and why."""

    steps: list[str] = Field(max_length=len(PREPARING))
    """Keys out of ``PREPARING``; empty: by choice nothing is prepared."""
    explanation: Annotated[str, StringConstraints(strip_whitespace=True, min_length=3, max_length=LONG)]
    """How each step is done, such as which columns get which form; of no step, why none is needed."""

    @field_validator("steps")
    @classmethod
    def _known_once(cls, steps: list[str]) -> list[str]:
        if not set(steps) <= set(PREPARING):
            raise problem("preparation", gettext_noop("There is no such step of preparation."))
        if len(set(steps)) < len(steps):
            raise problem("preparation", gettext_noop("Each step of preparation is named once."))
        return steps


class Deadlines(Content):
    """The day by which each stage is done, as far as the schedule names one (5.2.4). The fields are stages in their order."""

    objective: date | None = Field(default=None, exclude_if=lambda day: day is None)
    identification: date | None = Field(default=None, exclude_if=lambda day: day is None)
    processing: date | None = Field(default=None, exclude_if=lambda day: day is None)
    verification: date | None = Field(default=None, exclude_if=lambda day: day is None)
    release: date | None = Field(default=None, exclude_if=lambda day: day is None)

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        days = [day for name in DEADLINE_STAGES if (day := getattr(self, name)) is not None]
        if any(later < earlier for earlier, later in pairwise(days)):
            raise problem("deadlines", gettext_noop("A later stage cannot be done before an earlier one."))
        return self


DEADLINE_STAGES = tuple(Deadlines.model_fields)


class Plan(Content):
    """The nine sections of the implementation plan (5.2.4), and how the scheme prepares the data (5.4.2).

    ``preparation`` and ``deadlines`` are None in plans of before these questions, and then no part of what is hashed.
    """

    purpose: Needed
    goals: Needed
    data_objects: Needed
    sharing_mode: Needed
    team: Needed
    scheme: Needed
    stakeholders: Needed
    contingency: Needed
    schedule: Needed
    preparation: Preparation | None = Field(default=None, exclude_if=lambda given: given is None)
    deadlines: Deadlines | None = Field(default=None, exclude_if=lambda given: given is None)


assert set(Plan.model_fields) == {*Section.values, "preparation", "deadlines"}
