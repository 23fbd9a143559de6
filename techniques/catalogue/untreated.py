"""No technique at all: a column that stays as it is, with a reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from pydantic import model_validator
from pydantic_core import PydanticCustomError

from techniques.catalogue.family import AnnexA, Family
from techniques.catalogue.technique import ANY_ROLE, ANY_TYPE, Scope, Technique
from techniques.core.messages import _
from techniques.core.settings import TechniqueSettings, setting


class AsIsSettings(TechniqueSettings):
    """4.1 a: a column stays as it is only with a reason that somebody can judge."""

    reason: str = setting(
        _("Reason"),
        _("Why this column may stay as it is. It is kept with the recipe."),
        min_length=3,
        max_length=500,
    )

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.reason.strip():
            raise PydanticCustomError("reason_blank", _("must say why"))
        return self

    def kept_columns(self, columns: Sequence[str]) -> list[str]:
        """All of them."""
        return list(columns)


AS_IS = Technique(
    key="as_is",
    family=Family.NONE,
    name=_("Leave as it is"),
    summary=_("The column goes into the result unchanged, with a reason on record."),
    clauses=("4.1 a",),
    scope=Scope.STRUCTURE,
    settings=AsIsSettings,
    roles=ANY_ROLE,
    data_types=ANY_TYPE,
    annex_a=AnnexA(availability=5.0, security=1.0, compliance=1.0),
)


TECHNIQUES = (AS_IS,)
