"""The contract between an engine and a technique, and the shapes of the data that pass between them.

A column is a dictionary of distinct values (a string array without nulls) and codes into it, -1 for a
missing value; missing values never reach a technique and stay missing. An operation must be a pure
function of its parameters, the secrets and what it is given, so that an engine may apply it to the whole
dictionary of a column at once or to the distinct values of one part after the other, with one result.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from techniques.core.assembly import Assembly
from techniques.core.draws import CellDraws, Records
from techniques.core.messages import EngineError
from techniques.core.secrets import Secrets
from techniques.core.subjects import Persons, Subjects
from techniques.core.tuples import Codes

StringArray = Any  # pyarrow has no types of its own


@dataclass(frozen=True)
class Context:
    """What surrounds a step: its number, its columns, the rows of the table, the run's secrets."""

    step: int
    columns: tuple[str, ...]
    rows: int
    secrets: Secrets


@dataclass
class Learned:
    """What a step learned from the data: numbers and texts by name, as one Arrow file."""

    arrays: dict[str, Any] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)
    """Small JSON-ready facts; an engine puts those under ``report`` into its report."""

    def write(self, stream: BinaryIO) -> None:
        """Write to ``stream`` as Arrow IPC, one row, a list per array."""
        names = sorted(self.arrays)
        columns = [_as_one_list(self.arrays[name]) for name in names]
        schema = pa.schema(
            [pa.field(name, column.type) for name, column in zip(names, columns, strict=True)],
            metadata={"facts": json.dumps(self.facts, sort_keys=True, ensure_ascii=False)},
        )
        with pa.ipc.new_file(stream, schema) as writer:
            writer.write_batch(pa.record_batch(columns, schema=schema))

    @classmethod
    def read(cls, stream: BinaryIO, names: Collection[str] | None = None) -> Learned:
        """Read what :meth:`write` wrote, of the arrays those of ``names`` (None: all); numbers come back as NumPy arrays, texts as
        string arrays."""
        reader = pa.ipc.open_file(stream)
        if names is not None:
            chosen = [place for place, name in enumerate(reader.schema.names) if name in names]
            stream.seek(0)
            reader = pa.ipc.open_file(stream, options=pa.ipc.IpcReadOptions(included_fields=chosen))
        table = reader.read_all()
        arrays: dict[str, Any] = {}
        for name in table.schema.names:
            values = table.column(name).combine_chunks().values
            arrays[name] = values if pa.types.is_string(values.type) else values.to_numpy()
        return cls(arrays, json.loads(reader.schema.metadata[b"facts"]))


def _as_one_list(values: Any) -> Any:
    """A list array with one entry, all of ``values``, which are not copied."""
    flat = values if isinstance(values, pa.Array) else pa.array(np.ascontiguousarray(values))
    return pa.LargeListArray.from_arrays(pa.array([0, len(flat)], pa.int64()), flat)


AT_ONCE = 1 << 13
"""Distinct values that a technique is given at once; see :meth:`ValueOperation.apply_in_parts`."""


@dataclass(frozen=True)
class Outcome:
    """New values for n distinct ones: null where suppressed, ``unfit`` where the technique cannot read them."""

    values: StringArray
    unfit: NDArray[np.bool_] | None = None


@dataclass(frozen=True)
class Branches:
    """Two possible new values for n distinct ones; the second is taken with ``probability`` (0 … 1)."""

    first: StringArray
    second: StringArray
    probability: NDArray[np.float64]
    unfit: NDArray[np.bool_] | None = None


@dataclass(frozen=True)
class Tally:
    """Distinct combinations of m columns: ``codes[i]`` has T entries, ``counts[t]`` rows share combination t."""

    dictionaries: list[StringArray]
    codes: list[Codes]
    counts: NDArray[np.int64]
    persons: Persons | None = None
    """Whose the rows of each combination are; None: one row is one person."""

    @property
    def rows(self) -> int:
        return int(self.counts.sum())

    @property
    def sharing(self) -> NDArray[np.int64]:
        """How many share each combination (T,): persons where those are known, else rows."""
        return self.counts if self.persons is None else np.diff(self.persons.start)


@dataclass(frozen=True)
class TableOutcome:
    """New codes of n rows for m columns, and which of the rows are removed."""

    codes: list[Codes]
    removed: NDArray[np.bool_]
    suppressed: NDArray[np.bool_]
    """Rows suppressed in either way: removed, or kept with their values starred."""


class Unfit(Exception):
    """A table technique met values that it cannot read: positions in the dictionary of one column."""

    def __init__(self, column: int, positions: NDArray[np.int64], error: UnfitText) -> None:
        self.column = column
        self.positions = positions
        self.error = error
        super().__init__(column)


@dataclass(frozen=True)
class UnfitText:
    """Code and message for values that do not fit; the message has ``column``, ``count`` and ``rows``."""

    code: str
    message: str

    def located(self, column: str, count: int, rows: Sequence[int]) -> EngineError:
        """The error with its places: never with the values."""
        listed = ", ".join(map(str, rows)) + (" …" if count > len(rows) else "")
        return EngineError(self.code, self.message, column=column, count=count, rows=listed)


class Operation(ABC):  # noqa: B024 - the three kinds below say what is abstract
    """Any technique, ready to run; each says of what class its ``settings`` are. Who needs more makes it itself."""

    unfit_text: UnfitText | None = None

    def __init__(self, settings: Any, context: Context) -> None:
        self.settings = settings
        self.context = context
        self.columns = context.columns


class ColumnOperation(Operation):
    """Works on one column."""

    needs_counts = False
    """Whether :meth:`fit` must see the values with their numbers of rows before :meth:`apply`."""
    sharing: NDArray[np.int64] | None = None
    """How many persons have each of the values that :meth:`fit` sees, set before; None: one row is one person."""

    def fit(self, values: StringArray, counts: NDArray[np.int64]) -> Learned:
        """Learn what :meth:`apply` needs from n distinct values and the rows that have each."""
        return Learned()

    def restore(self, learned: Learned) -> None:
        """Take up what :meth:`fit` learned, perhaps in another process."""
        return None

    def facts(self) -> dict[str, Any]:
        """Small JSON-ready facts for the report, where the step learns nothing from the data."""
        return {}


class ValueOperation(ColumnOperation):
    """Distinct value → new value."""

    @abstractmethod
    def apply(self, values: StringArray) -> Outcome:
        """New values of n distinct ones."""

    def apply_in_parts(self, values: StringArray) -> Outcome:
        """The same, so many values at a time: what a technique needs beside its result stays small.

        A technique that has learned from all values looks each of them up, and does so at once.
        """
        if len(values) <= AT_ONCE or self.needs_counts:
            return self.apply(values)
        whole, unfit = Assembly(len(values)), None
        for start in range(0, len(values), AT_ONCE):
            part = self.apply(values.slice(start, AT_ONCE))
            whole.add(part.values)
            if part.unfit is not None:
                if unfit is None:
                    unfit = np.zeros(len(values), dtype=np.bool_)
                unfit[start : start + AT_ONCE] = part.unfit
        return Outcome(whole.finish(), unfit)


@dataclass(frozen=True)
class Cells:
    """n cells of one part of a column, as codes (-1 where missing) into its distinct values.

    ``first`` rows of the table come before them; ``label`` names what is random in them (:meth:`Secrets.words`) and ``draws`` are the
    numbers drawn for them.
    """

    values: StringArray
    codes: Codes
    first: int
    label: str
    draws: CellDraws


class RowOperation(ColumnOperation):
    """Cell → new cell, every row for itself: equal values need not become equal ones."""

    @abstractmethod
    def unfit(self, values: StringArray) -> NDArray[np.bool_]:
        """Which of some distinct values the technique cannot read."""

    @abstractmethod
    def treat(self, cells: Cells) -> StringArray:
        """New cells: null where missing, suppressed or unfit."""


class DrawOperation(Operation):
    """Distinct value → two possible new values; the engine draws for every row anew."""

    @abstractmethod
    def branches(self, values: StringArray) -> Branches:
        """The two possibilities of n distinct values."""


class TableOperation(Operation):
    """Combination of values → new combination, or suppression."""

    reads = False
    """Whether :meth:`apply` needs the columns that the step only reads, behind its own."""

    @abstractmethod
    def fit(self, tally: Tally, tick: Any) -> Learned:
        """Find the treatment; ``tick(share)`` may raise to stop. Raises :class:`Unfit`, EngineError.

        Behind the step's columns the tally holds those that the step only reads (``Step.read_columns``).
        """

    @abstractmethod
    def restore(self, learned: Learned) -> list[StringArray]:
        """Take up what :meth:`fit` found; the dictionaries of the columns after the step."""

    @abstractmethod
    def apply(self, codes: list[Codes]) -> TableOutcome:
        """Treat n rows given by their codes in the dictionaries before the step."""


@dataclass(frozen=True)
class Whole:
    """All rows still there before a step, of m columns: codes (n each, -1 where missing) into dictionaries.

    Behind the step's columns stand those that it only reads (``Step.read_columns``); an outcome has the step's alone.
    """

    dictionaries: list[StringArray]
    codes: list[Codes]
    subjects: Subjects | None = None
    """Whose each row is; None: one row is one person."""
    records: Records | None = None
    """Which record each row is, where the recipe names records and the settings keep their draws."""

    @property
    def rows(self) -> int:
        return len(self.codes[0])


@dataclass(frozen=True)
class WholeOutcome:
    """The same rows anew; ``removed`` (n) marks those to be left out. ``report`` is JSON-ready."""

    dictionaries: list[StringArray]
    codes: list[Codes]
    removed: NDArray[np.bool_]
    report: dict[str, Any] = field(default_factory=dict)
    suppressed: NDArray[np.bool_] | None = None
    """Rows removed because of what they hold, not by the plan of a sample; None: none of them."""
    subjects: Subjects | None = None
    """Whose each row is from here on; None: as before. Rows that are made up are nobody's, -1."""


class WholeOperation(Operation):
    """All rows → all rows: for techniques in which the fate of a row depends on the others."""

    @abstractmethod
    def treat(self, table: Whole, tick: Any) -> WholeOutcome:
        """The whole step; ``tick(share)`` may raise to stop. Raises :class:`Unfit`, EngineError."""
