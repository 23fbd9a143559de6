"""How answers were randomised before they were collected (GB/T 37964-2019 B.2.3, B.2.5); loads no numerical library."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from techniques.core.messages import EngineError, _
from techniques.core.settings import ClosedModel
from techniques.models.local_privacy import client

MOST_CHOICES = 10_000


class Survey(ClosedModel):
    """How the answers were randomised: ``response`` and ``unary`` among ``choices``, ``number`` between ``low`` and ``high`` in so
    many ``steps``."""

    kind: Literal["response", "unary", "number"]
    epsilon: float = Field(ge=client.LEAST_EPSILON, le=client.MOST_EPSILON)
    choices: tuple[str, ...] = ()
    low: float | None = Field(default=None, allow_inf_nan=False)
    high: float | None = Field(default=None, allow_inf_nan=False)
    steps: int = Field(default=100, ge=1, le=client.MOST_STEPS)
    confidence: float = Field(default=0.95, ge=0.5, lt=1)

    @model_validator(mode="after")
    def _fits(self) -> Survey:
        if self.kind == "number":
            if self.low is None or self.high is None or self.low >= self.high or self.choices:
                raise EngineError(
                    "survey_bounds", _("A number needs two bounds, the lower one first, and no choices.")
                )
        elif not 2 <= len(set(self.choices)) == len(self.choices) <= MOST_CHOICES:
            text = _("The choices are at least two and at most %(most)d, each named once.")
            raise EngineError("survey_choices", text, most=MOST_CHOICES)
        return self
