"""Protection levels that were collected with a form, joined to the table by the key of its persons."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from techniques.core import faults
from techniques.core.messages import EngineError, _
from techniques.core.settings import Frozen
from techniques.values.levels import level_of

LEVEL_COLUMN = "protection_level"
"""The column of the levels, in the form and in the joined table; with _ and a name behind it for a further sensitive attribute."""
Key = tuple[str, ...]


def level_column(taken: Collection[str], attribute: str) -> str:
    """What the column of the levels for ``attribute`` is called in a table with the columns ``taken``."""
    return f"{LEVEL_COLUMN}_{attribute}" if LEVEL_COLUMN in taken else LEVEL_COLUMN


class Joined(Frozen):
    """What was joined: ``persons`` of the table (records whose key is missing are nobody's and count apart), how many of them have
    ``answered``, the others ``missing``; answers of ``strangers``, ``repeated`` ones, and ``unreadable`` ones."""

    records: int
    persons: int
    answered: int
    missing: int
    without_key: int
    strangers: int
    repeated: int
    unreadable: int


@dataclass
class Answers:
    """The level of each person by its key. Of a person who answered several times the highest level counts."""

    key: tuple[str, ...]
    column: str = LEVEL_COLUMN
    levels: dict[Key, int] = field(default_factory=dict)
    repeated: int = 0
    unreadable: int = 0

    @classmethod
    def read(cls, batches: Iterable[pa.RecordBatch], key: Sequence[str]) -> Answers:
        """A row is an answer: the columns of ``key``, and the level, whose column says for which attribute; nothing ticked is no
        answer. EngineError ``unknown_column``, ``levels_twice``."""
        found = cls(tuple(key))
        for batch in batches:
            found.column = _level_column_of(batch.schema.names)
            _require(batch, [*key, found.column])
            for *cells, text in zip(*(_texts(batch, name) for name in (*key, found.column)), strict=True):
                found._add(tuple(cells), text)
        return found

    def _add(self, person: Key, text: str) -> None:
        level = level_of(text)
        if level is None or not any(person):
            self.unreadable += 1
        elif level and person in self.levels:
            self.repeated += 1
            self.levels[person] = max(level, self.levels[person])
        elif level:
            self.levels[person] = level


class Joining:
    """Adds the column of levels to a table, batch by batch; who did not answer gets ``default``, 0 for an empty cell."""

    def __init__(self, answers: Answers, default: int) -> None:
        if not 0 <= default <= 100:
            raise EngineError("level_range", _("The level of who did not answer lies from 0 to 100."))
        self.answers, self.default, self.column = answers, default, answers.column
        self._seen: set[Key] = set()
        self._records = self._without = 0

    def joined(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The same rows with one column more. EngineError ``unknown_column``, ``column_exists``."""
        default = str(self.default or "")
        for batch in batches:
            _require(batch, self.answers.key)
            if self.column in batch.schema.names:
                text = _("The table has a column %(column)s already.")
                raise EngineError("column_exists", text, column=self.column)
            persons = list(zip(*(_texts(batch, name) for name in self.answers.key), strict=True))
            self._seen.update(person for person in persons if any(person))
            self._records += len(persons)
            self._without += sum(not any(person) for person in persons)
            levels = [
                str(self.answers.levels[person]) if person in self.answers.levels else default
                for person in persons
            ]
            yield batch.append_column(self.column, pa.array(levels, pa.string()))

    def counts(self) -> Joined:
        """What was joined, once all batches were."""
        answered = len(self._seen & self.answers.levels.keys())
        return Joined(
            records=self._records,
            persons=len(self._seen),
            answered=answered,
            missing=len(self._seen) - answered,
            without_key=self._without,
            strangers=len(self.answers.levels) - answered,
            repeated=self.answers.repeated,
            unreadable=self.answers.unreadable,
        )


def _level_column_of(names: Sequence[str]) -> str:
    found = [name for name in names if name == LEVEL_COLUMN or name.startswith(f"{LEVEL_COLUMN}_")]
    if len(found) > 1:
        text = _(
            "The answers have several columns of levels: %(columns)s. Join those of each attribute by themselves."
        )
        raise EngineError("levels_twice", text, columns=", ".join(found))
    return found[0] if found else LEVEL_COLUMN


def _texts(batch: pa.RecordBatch, name: str) -> list[str]:
    return [(text or "").strip() for text in batch.column(name).cast(pa.string()).to_pylist()]


def _require(batch: pa.RecordBatch, names: Iterable[str]) -> None:
    for name in names:
        if name not in batch.schema.names:
            raise faults.unknown_column(name)
