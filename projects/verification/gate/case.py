"""What one verification judges, and one row of its gate table: plain data for the worker."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, BinaryIO

from projects.objective.targets.risk import RiskTargets
from techniques.core.attributes import AttributeRole
from techniques.tables import open_table, plain_batches, plain_names

if TYPE_CHECKING:
    from techniques.recipe.recipe import Recipe
    from techniques.tables.formats import FileFormat

Text = dict[str, Any]
Tick = Callable[[float], None]


@dataclass
class Check:
    """One row of the gate table.

    ``unit``: share, count, number or none. ``sense``: at_most, at_least, below or none. ``fixes`` are what would make it
    pass, the cheapest first. ``plain`` says the number in words, ``formula`` with its real values. ``measure`` says
    by which of several formulas of its kind the number was found.
    """

    kind: str
    label: Text
    target: float | None = None
    measured: float | None = None
    passed: bool | None = None
    unit: str = "share"
    sense: str = "at_most"
    plain: Text | None = None
    formula: str = ""
    fixes: list[Text] = field(default_factory=list)
    details: list[Text] = field(default_factory=list)
    table: str = ""
    measure: str = ""

    def as_dict(self) -> dict[str, Any]:
        """JSON-ready; ``table`` is said only where there are several, ``measure`` where a kind has several."""
        content = asdict(self)
        for name in ("table", "measure"):
            if not content[name]:
                del content[name]
        return content


@dataclass(frozen=True)
class Table:
    """A table that can be read again and again.

    Cells that stand in a file with an apostrophe, because a spreadsheet would run them as formulas, are read without it:
    source and result are compared. Columns of a result are called as in the source, whose columns are ``names``.
    """

    open: Callable[[], BinaryIO]
    format: FileFormat
    rows: int
    names: Container[str] = ()

    def batches(self) -> Any:
        return (
            self.as_written()
            if self.format.kind == "parquet"
            else plain_batches(self.as_written(), self.names)
        )

    def as_written(self) -> Any:
        """The batches as they stand in the file, for who has the file's own hierarchies."""
        return open_table(self.open(), self.format).batches()

    def columns(self) -> list[str]:
        found = list(open_table(self.open(), self.format).columns)
        return found if self.format.kind == "parquet" else plain_names(found, self.names)


@dataclass(frozen=True)
class Case:
    """Everything that one verification judges."""

    source: Table
    result: Table
    recipe: Recipe
    roles: Mapping[str, AttributeRole]
    risk: RiskTargets
    utility: Sequence[Any]
    file_name: str
    result_sha256: str
    rows_in: int
    sharing_type: str
    sampling_fraction: float | None = None
    """Share of the source's rows that the recipe has drawn; None where it draws no sample."""
    rows_not_drawn: int = 0
    assessment: Mapping[str, Any] | None = None
    """The newest assessment of the surroundings: its number and what it found; None where nobody made one."""
    hierarchies: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    """The hierarchy to start from for a quasi-identifier that no model of the recipe generalises yet."""


def text(message: str, **params: Any) -> Text:
    return {"message": message, "params": params}
