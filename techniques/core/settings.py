"""What the settings of all techniques, and what is told of them, share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from techniques.core.messages import _, filled


class Frozen(BaseModel):
    """What does not change once it was made: figures, findings, answers."""

    model_config = ConfigDict(frozen=True)


class Statement(Frozen):
    """A sentence and its parameters; ``formula`` is the computation with the values put in."""

    code: str
    message: str
    params: dict[str, int | float | str]
    formula: str = ""

    @classmethod
    def of(cls, code: str, message: str, /, formula: str = "", **params: int | float | str) -> Self:
        """The sentence ``code`` with its text and what stands in it."""
        return cls(code=code, message=message, params=params, formula=formula)

    def __str__(self) -> str:
        return filled(self.message, self.params)

    def for_programs(self) -> dict[str, Any]:
        """The sentence as it reads in English, and what it is made of, so that it can be said in another language."""
        return {"text": str(self), **self.model_dump(mode="json")}


class ClosedModel(Frozen):
    """A model that is closed (an unknown name is an error) and unchangeable: recipes, settings, hierarchies, answers.

    A recipe is validated strictly (no silent conversion); a web form may validate the same class
    with conversion, because a browser sends text only.
    """

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)


class TechniqueSettings(ClosedModel):
    """Settings of a technique, as a step of a recipe holds them.

    The properties below follow from the settings and not from the technique alone; most techniques keep the defaults.
    """

    @property
    def more_clauses(self) -> list[str]:
        """What these settings rest on beside the technique's own clauses."""
        return []

    @property
    def papers(self) -> list[str]:
        """The papers that say what these settings ask for, where no clause does."""
        return []

    @property
    def conditions(self) -> dict[str, Any]:
        """What the settings ask to hold of the result, JSON-ready; empty where they ask for nothing."""
        return {}

    @property
    def read_columns(self) -> list[str]:
        """Columns beside those of the step that are looked at and stay as they are."""
        return []

    def kept_columns(self, columns: Sequence[str]) -> list[str]:
        """Those of the step's ``columns`` that stay as they are: they only say how the others are treated."""
        return []

    @property
    def without_chance(self) -> bool:
        """Whether nothing is drawn with these settings, though the technique may draw."""
        return False

    @property
    def rests_on_key(self) -> bool:
        """Whether it is the run's key, kept after it, that a technique which needs a key uses."""
        return True

    @property
    def joins_releases(self) -> bool:
        """Whether equal values become equal in other runs too, so that whoever has two releases joins them."""
        return False

    @property
    def keeps_draws(self) -> bool:
        """Whether a record keeps what is drawn for it from run to run, where the recipe names records (D.5)."""
        return False

    @property
    def scaled_by_table(self) -> bool:
        """Whether the size of what is drawn is measured by all rows, so that it differs from release to release."""
        return False

    @property
    def one_to_one(self) -> bool:
        """Whether every value is assigned one of its own, which stands in the run's mapping table."""
        return False

    @property
    def notice(self) -> str:
        """What a recipient must not compute from its results (4.4), where that hangs on the settings: an untranslated message
        with the settings in it; empty where it is the same for all of the technique."""
        return ""

    @property
    def needs_whole_table(self) -> bool:
        """Whether all rows have to be in one place with these settings, though not with all of the technique."""
        return False

    @property
    def rows_made(self) -> Literal["", "groups", "persons"]:
        """What each row of the result is made of where it is no row of the source: the rows of a group, or those of a person."""
        return ""


class NoSettings(TechniqueSettings):
    """A technique that needs nothing but its columns."""


UnfitPolicy = Literal["error", "suppress"]


def setting(
    title: str,
    help: str,
    default: Any = ...,
    *,
    between: tuple[float, float] | None = None,
    labels: Mapping[str, str] | None = None,
    kind: str = "",
    columns: bool = False,
    **rules: Any,
) -> Any:
    """One field of settings with its title and help text, marked for translation by the caller.

    ``between`` has the smallest and the largest number that may be given. ``labels`` has the words that a form shows for
    choices, ``kind`` the kind of form field where the type does not tell it (:data:`techniques.core.fields.FieldKind`).
    ``columns`` marks what is a column, a list of columns, or leads from columns to something; every other text may be of the data.
    ``rules`` are pydantic's: ``gt``, ``max_length``, ``default_factory`` ….
    """
    if between:
        rules["ge"], rules["le"] = between
    shown: dict[str, Any] = ({"labels": dict(labels)} if labels else {}) | ({"kind": kind} if kind else {})
    shown |= {"columns": True} if columns else {}
    if "default_factory" not in rules:
        rules["default"] = default
    return Field(title=title, description=help, json_schema_extra=shown or None, **rules)


def whole_number(value: Any) -> Any:
    """A form sends texts; what is no whole number is left for the validation to refuse."""
    try:
        return int(value) if isinstance(value, str) else value
    except ValueError:
        return value


class FitSettings(TechniqueSettings):
    """Techniques that can only treat some values: numbers, dates, divisions, members of a hierarchy."""

    unfit: UnfitPolicy = setting(
        _("Values that do not fit"),
        _("What happens to a value that the technique cannot read, such as a word in a column of numbers."),
        "error",
        labels={
            "error": _("Stop the run and say in which rows"),
            "suppress": _("Suppress the value (it becomes missing)"),
        },
    )
