"""The typed content of the target and its hash: the answers of 5.2.2 and 5.2.3, and the plan of 5.2.4."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from ..enums import Candidate, Classification, Level, Promise, Protection, Regulation, RiskModel, Section

LONG = 4000
Text = Annotated[str, StringConstraints(strip_whitespace=True, max_length=LONG)]
Needed = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONG)]


class Content(BaseModel):
    """Base of every part: unknown fields are refused, enums are stored as their values."""

    model_config = ConfigDict(extra="forbid", use_enum_values=True, validate_default=True)


class RelatedRelease(Content):
    """An earlier disclosure or de-identification that this data may be linked with (5.2.2 f)."""

    number: Annotated[str, StringConstraints(max_length=40)]
    title: Annotated[str, StringConstraints(max_length=200)]
    sharing_type: Annotated[str, StringConstraints(max_length=20)] = ""
    state: Annotated[str, StringConstraints(max_length=40)] = ""


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


class Factors(Content):
    """The five factors that the target takes into account (5.2.3 a to e)."""

    use_after: Needed
    personal_information: Needed
    protections: list[Protection] = Field(min_length=1)
    protection: Needed
    risk_model: RiskModel
    risk_level: Needed
    candidates: list[Candidate] = Field(min_length=1)
    applicability: Needed


class Plan(Content):
    """The nine sections of the implementation plan (5.2.4)."""

    purpose: Needed
    goals: Needed
    data_objects: Needed
    sharing_mode: Needed
    team: Needed
    scheme: Needed
    stakeholders: Needed
    contingency: Needed
    schedule: Needed


assert set(Plan.model_fields) == set(Section.values)
