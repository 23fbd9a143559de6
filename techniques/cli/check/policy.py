"""What a table has to keep, as a file that lies beside the pipeline: written once, held against each new table."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from techniques.core.messages import EngineError, _
from techniques.core.settings import ClosedModel
from techniques.core.validation import validated
from techniques.data_utility.targets import UtilityTarget
from techniques.disclosure_risk.scales.degree import Capability, Scenario
from techniques.recipe import text as recipe_text

Share = Annotated[float, Field(gt=0.0, le=1.0, allow_inf_nan=False)]
Bound = Annotated[float, Field(ge=0.0, allow_inf_nan=False)]
Persons = Annotated[int, Field(ge=1)]
Column = Annotated[str, Field(min_length=1)]


class AboveBound(ClosedModel):
    """The share of records, or of persons, whose risk may be above a threshold."""

    threshold: Share
    share: Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]


class RiskBounds(ClosedModel):
    """Of the classes of the quasi-identifiers (GB/T 37964 B.1.4.1): persons where the policy names a subject, else rows."""

    k: Persons | None = None
    maximum: Share | None = None
    average: Share | None = None
    above: list[AboveBound] = Field(default_factory=list)


class RecursiveBound(ClosedModel):
    """Recursive (c,l)-diversity."""

    c: Annotated[float, Field(gt=0.0, allow_inf_nan=False)]
    l: Annotated[int, Field(ge=1)]  # noqa: E741 - the field's own letter


class SensitiveBounds(ClosedModel):
    """Of one sensitive attribute in every class (GB/T 37964 B.1.2, B.1.3)."""

    distinct: Annotated[int, Field(ge=1)] | None = None
    entropy: Annotated[float, Field(ge=1.0, allow_inf_nan=False)] | None = None
    recursive: RecursiveBound | None = None
    t: Bound | None = None
    t_ordered: Bound | None = None
    beta: Bound | None = None
    delta: Bound | None = None
    alpha: Bound | None = None


class DegreeBound(ClosedModel):
    """T/ISC 0078 annex C: the degree of K for this scenario and this capability has to reach 1."""

    scenario: Scenario = Scenario.EXTERNAL
    capability: Capability = Capability.MEDIUM


class Policy(ClosedModel):
    """A policy for ``deid check``, version 1. Columns are named as in the table.

    Identifiers are searched in every column, whatever the policy says; ``accept_findings`` names the columns in which they
    may be found. ``columns``: the table has these and no others.
    """

    policy: Literal[1]
    quasi_identifiers: list[Column] = Field(default_factory=list)
    subject: list[Column] | Literal["rows"] | None = None
    suppressed: Literal["own_class", "left_out"] = "own_class"
    columns: list[Column] | None = None
    accept_findings: list[Column] = Field(default_factory=list)
    risk: RiskBounds = RiskBounds()
    sensitive: dict[Column, SensitiveBounds] = Field(default_factory=dict)
    degree: DegreeBound | None = None
    utility: list[UtilityTarget] = Field(default_factory=list)

    @property
    def needs_classes(self) -> bool:
        """Whether something is asked that only classes of quasi-identifiers can tell."""
        bounds = self.risk.model_dump(exclude_none=True, exclude_defaults=True)
        return bool(bounds or self.sensitive or self.degree)

    @classmethod
    def parse(cls, text: str) -> Policy:
        """From YAML or JSON; EngineError ``policy_unreadable``, ``recipe_invalid`` with the place, ``policy_without_classes``."""
        try:
            data: Any = recipe_text.load(text)
        except EngineError as error:
            raise EngineError(
                "policy_unreadable",
                _("The policy is not valid YAML or JSON (line %(line)s, column %(column)s)."),
                line=error.params.get("line", "?"),
                column=error.params.get("column", "?"),
            ) from None
        policy = validated(cls, data, "policy")
        if policy.needs_classes and not policy.quasi_identifiers:
            text = _(
                "The policy sets bounds for classes but names no quasi-identifiers, from which classes are formed."
            )
            raise EngineError("policy_without_classes", text)
        if set(policy.quasi_identifiers) & set(policy.sensitive):
            text = _("The policy names a column both as a quasi-identifier and as a sensitive attribute.")
            raise EngineError("policy_column_twice", text)
        return policy
