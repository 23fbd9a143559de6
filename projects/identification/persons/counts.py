"""How many rows of a table belong to one person by a key: numbers, never a value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from techniques.identification.subjects import RowsOfPersons

Bar = tuple[int, int | None, int]


@dataclass(frozen=True)
class Counted:
    """What was counted by the key ``columns``; ``kind`` is what the scan takes it for, empty where it did not look.

    ``known`` rows are of ``identified`` persons; in ``unknown`` rows the whole key is missing, and each counts as a person
    of its own. ``most`` are the rows of the person who has most. ``histogram``: (from so many rows, to so many or None, persons).
    """

    columns: tuple[str, ...]
    kind: str
    known: int
    unknown: int
    identified: int
    most: int
    histogram: tuple[Bar, ...]

    @classmethod
    def of(cls, columns: Sequence[str], found: RowsOfPersons, kind: str = "") -> Self:
        """What the engine has counted."""
        return cls(
            tuple(columns), kind, found.rows, found.unknown, found.persons, found.most, found.histogram
        )

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        bars = tuple((low, high, persons) for low, high, persons in stored["histogram"])
        return cls(**{**stored, "columns": tuple(stored["columns"]), "histogram": bars})

    def as_json(self) -> dict[str, Any]:
        bars = [list(bar) for bar in self.histogram]
        return asdict(self) | {"columns": list(self.columns), "histogram": bars}

    @property
    def rows(self) -> int:
        """All rows of the table."""
        return self.known + self.unknown

    @property
    def persons(self) -> int:
        """All persons, those of rows without a key too."""
        return self.identified + self.unknown

    @property
    def repeats(self) -> bool:
        """Whether somebody has more than one row."""
        return self.most > 1


def persons_count(
    batches: Iterable[Any], columns: Sequence[str], tick: Callable[[], None] = lambda: None
) -> Counted:
    """Count the rows of each person by the key ``columns``; EngineError ``unknown_column``."""
    from techniques.identification.subjects import rows_of_persons
    from techniques.tables.subjects import read_subjects

    def ticking() -> Iterable[Any]:
        for batch in batches:
            yield batch
            tick()

    of_row = read_subjects(ticking(), columns)
    assert of_row is not None  # there is a key
    return Counted.of(columns, rows_of_persons(of_row))
