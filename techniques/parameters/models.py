"""Parameters of the models that transform a table (GB/T 37964 Annex B)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from techniques.hierarchies.definitions import HierarchyDefinition
from techniques.messages import gettext_noop
from techniques.parameters.base import FitParameters, labels


class KAnonymity(FitParameters):
    """B.1.1 with A.3.5: full-domain generalisation and suppression of what stays rare, up to a limit."""

    k: int = Field(
        default=5,
        ge=2,
        le=1_000_000,
        title=gettext_noop("k: fewest rows that look alike"),
        description=gettext_noop(
            "Every row of the result shares its quasi-identifiers with at least k-1 others, so a stranger "
            "who knows them is right at most once in k."
        ),
    )
    suppression_limit: float = Field(
        default=0.05,
        ge=0,
        le=1,
        title=gettext_noop("Upper limit of suppressed rows"),
        description=gettext_noop("Share of the rows, 0 to 1, that may be suppressed instead of generalised."),
    )
    hierarchies: dict[str, HierarchyDefinition] = Field(
        title=gettext_noop("Hierarchy of each column"),
        description=gettext_noop("One for every quasi-identifier of this step."),
        json_schema_extra={"kind": "hierarchies"},
    )
    minimum_levels: dict[str, int] = Field(
        default_factory=dict,
        title=gettext_noop("Lowest level per column"),
        description=gettext_noop("The column is generalised at least this far."),
    )
    maximum_levels: dict[str, int] = Field(
        default_factory=dict,
        title=gettext_noop("Highest level per column"),
        description=gettext_noop("The column is generalised at most this far."),
    )
    suppressed_rows: Literal["remove", "star"] = Field(
        default="remove",
        title=gettext_noop("Suppressed rows"),
        description=gettext_noop(
            "Removed rows are no part of the result. Rows that stay form a class of their own, "
            "which may be smaller than k but tells nothing about its quasi-identifiers."
        ),
        json_schema_extra=labels(
            remove=gettext_noop("Are removed"), star=gettext_noop("Stay, their quasi-identifiers become *")
        ),
    )
    effort: int = Field(
        default=100_000,
        ge=10,
        le=100_000_000,
        title=gettext_noop("Most solutions to check"),
        description=gettext_noop(
            "If the search ends here, the best solution so far is used and how far it may be from the "
            "optimum is stated."
        ),
    )
