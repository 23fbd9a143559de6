"""No technique at all: a column that stays as it is, with a reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from techniques.catalogue.family import Family
from techniques.catalogue.technique import ANY_ROLE, ANY_TYPE, AnnexA, Scope, Technique
from techniques.core.messages import gettext_noop
from techniques.core.settings import TechniqueSettings


class AsIsSettings(TechniqueSettings):
    """4.1 a: a column stays as it is only with a reason that somebody can judge."""

    reason: str = Field(
        min_length=3,
        max_length=500,
        title=gettext_noop("Reason"),
        description=gettext_noop("Why this column may stay as it is. It is kept with the recipe."),
    )

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.reason.strip():
            raise PydanticCustomError("reason_blank", gettext_noop("must say why"))
        return self

    def kept_columns(self, columns: Sequence[str]) -> list[str]:
        """All of them."""
        return list(columns)


AS_IS = Technique(
    key="as_is",
    family=Family.NONE,
    name=gettext_noop("Leave as it is"),
    summary=gettext_noop("The column goes into the result unchanged, with a reason on record."),
    clauses=("4.1 a",),
    scope=Scope.STRUCTURE,
    settings=AsIsSettings,
    roles=ANY_ROLE,
    data_types=ANY_TYPE,
    annex_a=AnnexA(availability=5.0, security=1.0, compliance=1.0),
)


TECHNIQUES = (AS_IS,)
