"""Utility targets: what has to survive de-identification, as numbers that can be checked.

They are set when the objective is (GB/T 37964 5.2, 5.5.3), before anything is processed, and decide
afterwards by themselves. Shares are between 0 and 1.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, field_validator

from techniques.core.messages import _

SharingType = Literal["public", "controlled", "enclave"]
Share = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]
Column = Annotated[str, Field(min_length=1)]


class _Target(BaseModel):
    """``title`` is the untranslated text for a person, ``sense`` which side of the bound passes."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    title: ClassVar[str]
    sense: ClassVar[Literal["at_least", "at_most"]] = "at_most"
    bound: Share

    def passes(self, measured: float) -> bool:
        """Whether ``measured`` keeps the bound; what is not a number never does."""
        if self.sense == "at_least":
            return measured >= self.bound - 1e-12
        return measured <= self.bound + 1e-12

    def needed_columns(self) -> tuple[str, ...]:
        """The named columns, which must be in both tables."""
        one = getattr(self, "column", None)
        return (one,) if one else getattr(self, "columns", ())


class RowsRetained(_Target):
    """Rows of the result over rows of the source."""

    title: ClassVar[str] = _("Share of rows kept")
    sense: ClassVar[Literal["at_least", "at_most"]] = "at_least"
    kind: Literal["rows_retained"] = "rows_retained"


class SuppressedCells(_Target):
    """Cells of the result that are ``*``, among ``columns`` or, when empty, all of its columns."""

    title: ClassVar[str] = _("Share of suppressed cells")
    kind: Literal["suppressed_cells"] = "suppressed_cells"
    columns: tuple[Column, ...] = ()


class MissingChange(_Target):
    """Difference of the shares of missing cells of a column, either way."""

    title: ClassVar[str] = _("Change of the share of missing values")
    kind: Literal["missing_change"] = "missing_change"
    column: Column


class MeanChange(_Target):
    """Relative change of a numeric column's mean; 0.05 is ±5 %. An interval counts with its middle,
    an open end such as ``>=90`` with its bound; suppressed cells do not count."""

    title: ClassVar[str] = _("Relative change of the mean")
    kind: Literal["mean_change"] = "mean_change"
    column: Column


class TotalVariation(_Target):
    """Total variation distance of a column's distributions. A generalised value is spread evenly over
    the source values that it covers, ``*`` over all of them; what covers nothing counts as moved."""

    title: ClassVar[str] = _("Distance of the distributions")
    kind: Literal["total_variation"] = "total_variation"
    column: Column


class AssociationChange(_Target):
    """Change of the association of two columns: of Pearson's correlation where both are numbers, of
    Cramér's V otherwise. Rows with a missing or suppressed cell of either do not count."""

    title: ClassVar[str] = _("Change of the association of two columns")
    kind: Literal["association_change"] = "association_change"
    columns: tuple[Column, Column]

    @field_validator("columns")
    @classmethod
    def _two_different(cls, value: tuple[str, str]) -> tuple[str, str]:
        if value[0] == value[1]:
            raise ValueError("the association of a column with itself is always 1")
        return value


class CategoriesKept(_Target):
    """Share of the source's different values that the result still has."""

    title: ClassVar[str] = _("Share of categories kept")
    sense: ClassVar[Literal["at_least", "at_most"]] = "at_least"
    kind: Literal["categories_kept"] = "categories_kept"
    column: Column


UtilityTarget = Annotated[
    RowsRetained
    | SuppressedCells
    | MissingChange
    | MeanChange
    | TotalVariation
    | AssociationChange
    | CategoriesKept,
    Field(discriminator="kind"),
]
TARGET_TYPES: dict[str, type[_Target]] = {
    cls.model_fields["kind"].default: cls for cls in get_args(get_args(UtilityTarget)[0])
}
_LIST: TypeAdapter[list[UtilityTarget]] = TypeAdapter(list[UtilityTarget])

_DEFAULTS: dict[SharingType, tuple[float, float]] = {
    # (rows kept at least, suppressed cells at most): what may be lost shrinks with the protection
    # that the form of sharing itself gives.
    "public": (0.80, 0.20),
    "controlled": (0.90, 0.10),
    "enclave": (0.95, 0.05),
}


def defaults(sharing_type: SharingType) -> list[UtilityTarget]:
    """The targets that a new project starts with; columns' own targets are added by people."""
    rows, cells = _DEFAULTS[sharing_type]
    return [RowsRetained(bound=rows), SuppressedCells(bound=cells)]


def parse(data: Any) -> list[UtilityTarget]:
    """Targets from stored JSON data. Raises pydantic's ``ValidationError`` for anything unknown."""
    return _LIST.validate_python(data)
