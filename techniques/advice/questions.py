"""The 13 factors of GB/T 37964 5.4.3 as questions about the data set or each column, and the shape of their answers.
A factor without an answer speaks neither for nor against any technique.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from techniques.core.attributes import AttributeRole, DataType
from techniques.core.messages import _
from techniques.core.settings import ClosedModel
from techniques.core.validation import invalid, validated


@dataclass(frozen=True)
class Option:
    """One answer to a question, with the (untranslated) words for it."""

    value: str
    label: str


@dataclass(frozen=True)
class Question:
    """One factor. ``letter`` is its place in 5.4.3; ``kind`` is ``boolean`` or ``choice``."""

    name: str
    letter: str
    scope: Literal["dataset", "column"]
    kind: Literal["boolean", "choice"]
    text: str
    help: str
    options: tuple[Option, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return asdict(self)


QUESTIONS: tuple[Question, ...] = (
    Question("quantify_risk", "a", "dataset", "boolean",
             _("Must the risk of re-identification be put in numbers?"),
             _("Then a privacy model is needed, or techniques whose results a model can measure.")),
    Question("aggregate_enough", "b", "dataset", "boolean",
             _("Are figures about groups enough?"),
             _("If nobody needs single records, none should be released.")),
    Question("deletable", "c", "column", "boolean",
             _("May the data of this column be deleted?"),
             _("What the purpose does not need is best left out.")),
    Question("unique", "d", "column", "boolean",
             _("Must different values stay different?"),
             _("For example a number by which records are distinguished.")),
    Question("reversible", "e", "column", "boolean",
             _("Must the values be recoverable by an authorised person?"),
             _("What can be recovered is de-identified, not anonymised.")),
    Question("order", "f", "column", "boolean",
             _("Must the order of the values stay?"),
             _("For sorting and for range queries.")),
    Question("format", "g", "column", "boolean",
             _("Must the format stay, such as length and kind of characters?"),
             _("Where systems check the form of the values.")),
    Question("statistics", "h", "column", "boolean",
             _("Must statistical characteristics stay, such as mean, sum, maximum and minimum?"),
             _("Roughly preserved counts as preserved, if the technique says how roughly.")),
    Question("integrity", "i", "column", "choice",
             _("Which integrity of a relational database must stay?"),
             _("With referential integrity, equal values must become equal in all tables."),
             (Option("none", _("None")), Option("entity", _("Entity integrity")),
              Option("referential", _("Referential integrity")),
              Option("user_defined", _("User-defined integrity")))),
    Question("type_may_change", "j", "column", "boolean",
             _("May the data type change?"),
             _("For example from a number to an interval, or from a word to a number.")),
    Question("equal_values", "k", "column", "boolean",
             _("Must at least some number of records share their values?"),
             _("So that nobody stands out by this attribute.")),
    Question("noise_allowed", "l", "column", "boolean",
             _("May values be changed at random?"),
             _("Then single records are no longer true.")),
    Question("cost", "m", "dataset", "choice",
             _("What may de-identification cost?"),
             _("In computing and in effort; the classes are those of Table C.1."),
             (Option("low", _("Little")), Option("medium", _("A fair amount")),
              Option("high", _("As much as it takes")))),
)  # fmt: skip
"""The factors in the standard's order."""


SCENES: tuple[Option, ...] = (
    Option("statistics", _("Statistical analysis")),
    Option("development", _("System development and test")),
    Option("display", _("Display to users of a running system")),
    Option("operations", _("Access by operations staff")),
)
"""Where the result is used (T/ISC 0078 Annex B); an answer of the data set beside the 13 factors."""


class DatasetAnswers(ClosedModel):
    """Answers about the data set as a whole."""

    quantify_risk: bool | None = None
    aggregate_enough: bool | None = None
    cost: Literal["low", "medium", "high"] | None = None
    scene: Literal["statistics", "development", "display", "operations"] | None = None
    weights: dict[Literal["availability", "timeliness", "security", "compliance"], float] = Field(
        default_factory=dict
    )
    """What each dimension of T/ISC 0078 8.3 weighs; 1 where nothing is said."""

    @model_validator(mode="after")
    def _positive(self) -> Self:
        if any(not 0 <= weight <= 100 for weight in self.weights.values()):
            raise PydanticCustomError("weight_out_of_range", _("a weight lies between 0 and 100"))
        return self


class ColumnAnswers(ClosedModel):
    """Answers about one column, with the role and the type that identification has found."""

    role: AttributeRole
    data_type: DataType
    deletable: bool | None = None
    unique: bool | None = None
    reversible: bool | None = None
    order: bool | None = None
    format: bool | None = None
    statistics: bool | None = None
    integrity: Literal["none", "entity", "referential", "user_defined"] | None = None
    type_may_change: bool | None = None
    equal_values: bool | None = None
    noise_allowed: bool | None = None


class Answers(ClosedModel):
    """All answers; they are evidence together with the advice and the choice (5.4.3)."""

    dataset: DatasetAnswers = DatasetAnswers()
    columns: dict[str, ColumnAnswers] = Field(min_length=1, max_length=10_000)

    @classmethod
    def from_data(cls, data: Any) -> Self:
        """Read answers from lists and mappings; EngineError with the place in ``path``."""
        if not isinstance(data, dict):
            raise invalid("answers", _("%(path)s: must be a mapping"))
        # Not strict: roles and types come as words.
        return validated(cls, data)
