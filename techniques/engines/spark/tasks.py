"""What runs on the executors: the steps replayed on parts, and the pieces of a result written.

A task gets what it needs by broadcast – the recipe, the layout of the source, what earlier items learned, and the secrets – and is
itself nothing but a name. What it cannot go on from travels back as a row, because Spark would put the words of an exception into
its logs and pages, and repeat a task that fails in the same way each time.
"""

from __future__ import annotations

import io
import json
import os
import pickle
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial, reduce
from itertools import groupby, islice
from pathlib import Path
from typing import Any, BinaryIO, Protocol, cast
from uuid import uuid4

import numpy as np
import pyarrow as pa

from techniques.core.messages import EngineError
from techniques.core.secrets import Secrets
from techniques.core.subjects import Subjects
from techniques.core.tuples import Codes, TupleKeys, positions
from techniques.engines.columns import Column, lookup
from techniques.engines.local import treated_part, write_treated
from techniques.engines.order import dealt, shuffled_pile
from techniques.engines.parts import HashingStream, Parts, sha256_of
from techniques.engines.replay import Replay, codes_left
from techniques.engines.spark.layout import File, Layout
from techniques.identification.scanner import ColumnScanner
from techniques.recipe.recipe import Recipe
from techniques.tables import FileFormat, TableWriter, open_table
from techniques.tables.coding import dictionary_of
from techniques.tables.dictionary import codes_of
from techniques.tables.formats import Kind
from techniques.values.numbered import NumberedTexts

PLACES = 1 << 31
"""Where a value is met first, as one number: its part, and its place in the part's dictionary."""
Rows = Iterator[pa.RecordBatch]


class AnyPlan(Protocol):
    """What every task of a run needs to know, and nobody has to hide. ``tasks``: parts, the first and the one behind the last."""

    @property
    def tasks(self) -> list[tuple[int, int]]: ...

    @property
    def parts(self) -> int: ...

    def replays(self, number: int, states: list[Any], secrets: Secrets) -> Iterator[tuple[Replay, int]]:
        """Each part of a task with the steps ready for it; ``states`` are what :meth:`Cluster.states` has sent."""


@dataclass(frozen=True)
class Plan:
    """Of a source that the tasks read themselves."""

    recipe: Recipe
    layout: Layout
    tasks: list[tuple[int, int]]

    @property
    def parts(self) -> int:
        return self.layout.source.parts

    @property
    def _keys(self) -> list[str]:
        """Columns that say whose a row is, or which record."""
        records = self.recipe.records
        return [*(self.recipe.subject or ()), *(records.columns if records is not None else ())]

    def replays(self, number: int, states: list[Any], secrets: Secrets) -> Iterator[tuple[Replay, int]]:
        first, end = self.tasks[number]
        received = {name: content for state in states for name, content in state.items()}
        parts = PartsHere(Received(received), self.layout, first, self._keys)
        replay = TaskReplay(self.recipe, parts, parts.workspace, secrets)
        for part in range(first, end):
            parts.advance(part)
            yield replay, part


class Received:
    """A workspace of what the driver has broadcast; nothing is written to it."""

    def __init__(self, contents: dict[str, bytes]) -> None:
        self._contents = contents

    def open_read(self, name: str) -> BinaryIO:
        if name not in self._contents:
            raise FileNotFoundError(name)
        return io.BytesIO(self._contents[name])

    @contextmanager
    def open_write(self, name: str) -> Iterator[BinaryIO]:
        raise PermissionError(name)
        yield

    def exists(self, name: str) -> bool:
        return name in self._contents

    def delete(self, name: str) -> None:
        raise PermissionError(name)


class PartsHere(Parts):
    """The parts of one task, one of them at a time; nothing of them lies in a file. Columns are read as they are wanted, those of
    ``together`` with the first of them."""

    def __init__(self, workspace: Received, layout: Layout, first: int, together: Sequence[str] = ()) -> None:
        super().__init__(workspace, layout.source)
        self._layout = layout
        self._together = together
        self._here = first - 1
        self._readings: list[_Reading] = []
        kept = self.manifest.get("carried", []) if self.ready else []
        self._typed = layout.carried(first, kept) if kept else None
        self._kept: Any = None
        self._numbered: dict[str, NumberedTexts] = {}

    def advance(self, part: int) -> None:
        """Read on to the next part, or to a later one."""
        while self._here < part:
            self._kept = next(self._typed) if self._typed is not None else None
            for reading in self._readings:
                reading.advance()
            self._here += 1

    def carried(self, part: int) -> dict[str, Any]:
        return (
            {} if self._kept is None else dict(zip(self._kept.schema.names, self._kept.columns, strict=True))
        )

    def read(self, part: int, columns: list[str]) -> dict[str, Column]:
        return {name: self._numbered_column(name, cells) for name, cells in self._cells(columns).items()}

    def _cells(self, columns: Sequence[str]) -> dict[str, pa.DictionaryArray]:
        held = {name for reading in self._readings for name in reading.columns}
        wanted = list(dict.fromkeys([*columns, *(() if self._readings else self._together)]))
        if lacking := [name for name in wanted if name not in held]:
            self._readings.append(_Reading(self._layout, self._here, lacking))
        found = {name: reading.batch.column(name) for reading in self._readings for name in reading.columns}
        return {name: found[name] for name in columns}

    def _numbered_column(self, name: str, cells: pa.DictionaryArray) -> Column:
        here = Column(codes_of(cells), cells.dictionary, whole=False)
        dictionary = self.dictionary(name)
        if dictionary is None:
            return here
        if name not in self._numbered:
            self._numbered[name] = NumberedTexts(dictionary)
        return Column(lookup(self._numbered[name], here), dictionary, whole=True)


class _Reading:
    """Some columns of a source, read part by part from ``first`` on."""

    def __init__(self, layout: Layout, first: int, columns: list[str]) -> None:
        self.columns = columns
        self._parts = layout.coded(first, columns)
        self.advance()

    def advance(self) -> None:
        self.batch = next(self._parts)


KEYS = "subject-keys"
"""Workspace name of the values of a subject's columns and of the combinations of them that occur, whose places are the persons' codes."""


class TaskReplay(Replay):
    """The steps in a task, which knows whose its own rows are."""

    _keys: tuple[list[NumberedTexts], TupleKeys, Any] | None = None

    def subjects(self, part: int) -> Subjects | None:
        # The job that asks who there is comes before anybody knows.
        if not self.recipe.subject or not self.workspace.exists(KEYS):
            return None
        if self._keys is None:
            arrays = self.state(KEYS).arrays
            count = len(self.recipe.subject)
            dictionaries = [NumberedTexts(arrays[f"dictionary{i}"]) for i in range(count)]
            keys = TupleKeys([len(dictionary) for dictionary in dictionaries])
            self._keys = dictionaries, keys, keys.encode([arrays[f"codes{i}"] for i in range(count)])
        dictionaries, keys, known = self._keys
        cells = self.parts.read(part, list(self.recipe.subject))
        codes: list[Codes] = []
        for name, dictionary in zip(self.recipe.subject, dictionaries, strict=True):
            column = cells[name].settled()
            codes.append(column.codes if column.whole else lookup(dictionary, column))
        found = positions(known, keys.encode(codes)).astype(np.int32)
        found[np.logical_and.reduce([one < 0 for one in codes])] = -1
        return found


Work = Callable[[Replay, int], Rows]


@dataclass(frozen=True)
class Task:
    """``work`` on every part of a task. An object of this class is all that Spark's plan holds."""

    work: Work
    names: tuple[tuple[str, str], ...]
    """Columns of the rows that it gives, with their types; behind them comes that of errors."""
    plan: Any
    secrets: Any
    states: tuple[Any, ...]
    """What earlier items have left in the workspace, by name: one broadcast for each job since."""

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Rows:
        schema = _schema(self.names)
        for batch in batches:
            for number in batch.column(0).to_pylist():
                yield from safely(partial(self._parts, number), schema)

    def _parts(self, number: int) -> Rows:
        plan: AnyPlan = self.plan.value
        states = [state.value for state in self.states]
        for replay, part in plan.replays(number, states, self.secrets.value):
            yield from self.work(replay, part)


def _schema(names: Sequence[tuple[str, str]]) -> pa.Schema:
    types = {"long": pa.int64(), "string": pa.string(), "binary": pa.binary()}
    return pa.schema([*((name, types[kind]) for name, kind in names), ("error", pa.string())])


def safely(work: Callable[[], Rows], schema: pa.Schema) -> Rows:
    """The rows that ``work`` gives, without an error, or one row of nothing but the error. Of what is no EngineError only the kind
    and the place are told: its words may quote a cell."""
    try:
        for batch in work():
            none = pa.nulls(batch.num_rows, pa.string())
            yield pa.RecordBatch.from_arrays([*batch.columns, none], schema=schema)
        return
    except EngineError as error:
        said = {"code": error.code, "message": error.message, "params": error.params}
    except Exception as error:  # noqa: BLE001 - see above
        frame = traceback.extract_tb(error.__traceback__)[-1]
        said = {"fault": f"{type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}"}
    cells: list[Any] = [pa.nulls(1, one.type) for one in schema][:-1]
    yield pa.RecordBatch.from_arrays([*cells, pa.array([json.dumps(said)])], schema=schema)


# -- the work on a part -------------------------------------------------------------------------


def distinct_values(number: int, columns: Sequence[str], replay: Replay, part: int) -> Rows:
    """(column, value, where it is met) of the values of a part before a step."""
    here = replay.run(part, number, columns)
    for i, column in enumerate(columns):
        values = here.columns[column].settled().dictionary
        places = part * PLACES + np.arange(len(values), dtype=np.int64)
        yield pa.record_batch(
            [pa.repeat(pa.scalar(i, pa.int64()), len(values)), values, pa.array(places)],
            names=["column", "value", "place"],
        )


def combinations(number: int, columns: Sequence[str], dictionaries: Any, replay: Replay, part: int) -> Rows:
    """(key, …, rows) of the combinations of a part before a step, behind the key whose the rows are where that is known; the
    dictionaries are a broadcast, too."""
    whole = [NumberedTexts(values) for values in dictionaries.value]
    keys = TupleKeys([len(dictionary) for dictionary in whole])
    here = replay.run(part, number, columns)
    found = keys.encode(codes_left(here, columns, whole))
    fields = [found] if found.dtype.names is None else [found[name] for name in found.dtype.names]
    if here.subjects is not None:
        fields.append(here.subjects[here.keep].astype(np.int64))
    names = [f"c{i}" for i in range(len(fields))]
    table = pa.table([pa.array(np.ascontiguousarray(one)) for one in fields], names=names)
    counted = table.group_by(names, use_threads=False).aggregate([([], "count_all")])
    cells = [counted[name].combine_chunks() for name in (*names, "count_all")]
    yield pa.RecordBatch.from_arrays(cells, names=[f"c{i}" for i in range(len(cells))])


def unfit_rows(number: int, position: int, name: str, bad: Any, replay: Replay, part: int) -> Rows:
    """(part, how many rows hold values that a step cannot read, the first of them as JSON)."""
    count, rows = replay.located(part, number, position, name, None if bad is None else bad.value)
    cells = [pa.array([part], pa.int64()), pa.array([count], pa.int64()), pa.array([json.dumps(rows)])]
    yield pa.RecordBatch.from_arrays(cells, names=["part", "count", "rows"])


def treated(shuffles: bool, replay: Replay, part: int) -> Rows:
    """(part, pile, rows as an Arrow stream, counts as JSON): the counts first, then the pieces of a treated part."""
    batch, counts = treated_part(replay, part, "parquet", {})
    if replay.recipe.subject:
        # Whose the rows are stands behind their cells, and is nobody's business any more.
        batch = batch.select(range(batch.num_columns - 1))
    yield _piece(part, -1, None, json.dumps(counts))
    pieces = [batch]
    if shuffles:
        pieces = list(dealt(batch, replay.secrets, part, replay.parts.source.parts))
    for pile, piece in enumerate(pieces):
        if piece.num_rows:
            sink = pa.BufferOutputStream()
            # A slice is copied, so that only its own rows travel.
            own = pa.concat_batches([piece.take(pa.array(np.arange(piece.num_rows)))])
            with pa.ipc.new_stream(sink, own.schema) as writer:
                writer.write_batch(own)
            yield _piece(part, pile if shuffles else part, sink.getvalue().to_pybytes(), None)


def _piece(part: int, pile: int, rows: bytes | None, counts: str | None) -> pa.RecordBatch:
    cells = [
        pa.array([part], pa.int64()), pa.array([pile], pa.int64()), pa.array([rows], pa.binary()), pa.array([counts], pa.string())
    ]  # fmt: skip
    return pa.RecordBatch.from_arrays(cells, names=["part", "pile", "rows", "counts"])


def treated_whole(kind: Kind, shuffles: bool, replay: Replay, part: int) -> Rows:
    """(part, its treated rows as the Arrow file that a local run keeps, counts as JSON)."""
    sink = io.BytesIO()
    counts = write_treated(replay, part, kind, shuffles, {}, sink)
    cells = [
        pa.array([part], pa.int64()), pa.array([sink.getvalue()], pa.binary()), pa.array([json.dumps(counts)])
    ]  # fmt: skip
    yield pa.RecordBatch.from_arrays(cells, names=["part", "rows", "counts"])


TREATED_WHOLE = (("part", "long"), ("rows", "binary"), ("counts", "string"))
TREATED = (("part", "long"), ("pile", "long"), ("rows", "binary"), ("counts", "string"))


# -- the result ---------------------------------------------------------------------------------


WRITTEN = (("pile", "long"), ("name", "string"), ("rows", "long"), ("sha256", "string"))


@dataclass(frozen=True)
class Written:
    """Piles of pieces, sorted by pile and part, as files. Every attempt writes files of its own: which of them count is for the
    driver to say, so that an attempt that was given up, or one made twice, leaves nothing in the result."""

    folder: str
    columns: tuple[str, ...]
    types: Any
    shuffles: bool
    secrets: Any

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Rows:
        schema = _schema(WRITTEN)
        pieces = (
            (pile, rows)
            for batch in batches
            for pile, rows in zip(batch.column(0).to_pylist(), batch.column(1), strict=True)
        )
        yield from safely(partial(self._files, pieces), schema)

    def _files(self, pieces: Iterator[tuple[int, Any]]) -> Rows:
        for pile, group in groupby(pieces, key=lambda piece: piece[0]):
            found = [one for _pile, rows in group for one in pa.ipc.open_stream(rows.as_buffer())]
            batch = pa.concat_batches(found)
            if self.shuffles:
                batch = shuffled_pile(batch, pile, self.secrets.value)
            name, digest = self.file(batch)
            cells = [
                pa.array([pile]), pa.array([name]), pa.array([batch.num_rows]), pa.array([digest])
            ]  # fmt: skip
            yield pa.RecordBatch.from_arrays(cells, names=["pile", "name", "rows", "sha256"])

    def file(self, batch: pa.RecordBatch) -> tuple[str, str]:
        """(name in the folder, SHA-256) of a new file with these rows, durable."""
        name = f"{uuid4().hex}.parquet"
        types = {one: kind for one, kind in zip(self.columns, self.types, strict=True) if kind is not None}
        with open(Path(self.folder) / name, "xb") as stream:
            hashing = HashingStream(stream)
            with TableWriter(
                cast(BinaryIO, hashing), FileFormat(kind="parquet"), list(self.columns), types=types
            ) as writer:
                writer.write(batch)
            stream.flush()
            os.fsync(stream.fileno())
        return name, hashing.sha256()


# -- the source ---------------------------------------------------------------------------------


COUNTED = (("file", "long"), ("rows", "long"), ("sha256", "string"))


@dataclass(frozen=True)
class Counted:
    """The rows of files that do not say how many they have, every one of which is looked at, and the hash of each file."""

    files: Any

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Rows:
        schema = _schema(COUNTED)
        for batch in batches:
            for number in batch.column(0).to_pylist():
                yield from safely(partial(self._file, number), schema)

    def _file(self, number: int) -> Rows:
        file: File = self.files.value[number]
        rows = sum(file.groups)
        with open(file.path, "rb") as stream:
            digest = sha256_of(stream)
        if file.format.kind == "csv":
            with open(file.path, "rb") as stream, open_table(stream, file.format) as reader:
                rows = sum(batch.num_rows for batch in reader.batches())
        cells = [pa.array([number]), pa.array([rows]), pa.array([digest])]
        yield pa.RecordBatch.from_arrays(cells, names=["file", "rows", "sha256"])


@dataclass(frozen=True)
class OfSource(ABC):
    """What is to be known of some columns of the source, of the parts of a task each time."""

    columns: tuple[str, ...]
    layout: Any

    @property
    @abstractmethod
    def names(self) -> tuple[tuple[str, str], ...]:
        """As of :class:`Task`."""

    @abstractmethod
    def found(self, number: int, parts: Iterator[pa.RecordBatch]) -> Rows:
        """The rows that a task gives of its parts."""

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Rows:
        schema = _schema(self.names)
        for batch in batches:
            for number in batch.column(0).to_pylist():
                yield from safely(partial(self._parts, number), schema)

    def _parts(self, number: int) -> Rows:
        layout: Layout = self.layout.value
        first, end = layout.tasks()[number]
        yield from self.found(number, islice(layout.coded(first, self.columns), end - first))


class Alike(OfSource):
    """The rows of each part that are alike in ``columns``, once, with how many there are."""

    @property
    def names(self) -> tuple[tuple[str, str], ...]:
        return *((f"c{place}", "string") for place in range(len(self.columns))), ("rows", "long")

    def found(self, number: int, parts: Iterator[pa.RecordBatch]) -> Rows:
        # Columns of the source may be called anything, what Arrow calls its counts too.
        own = [name for name, kind in self.names if kind == "string"]
        for batch in parts:
            # As a local measure reads them, an empty cell is a missing one.
            table = pa.table([pa.array(codes_of(cells)) for cells in batch.columns], names=own)
            found = table.group_by(own, use_threads=False).aggregate([([], "count_all")])
            texts = [
                dictionary_of(found[name].to_numpy(), cells.dictionary).dictionary_decode()
                for name, cells in zip(own, batch.columns, strict=True)
            ]
            cells = [*texts, found["count_all"].combine_chunks()]
            yield pa.RecordBatch.from_arrays(cells, names=[name for name, _kind in self.names])


class ValuesCounted(OfSource):
    """The different values of each column in a part, and how many of its cells have each."""

    @property
    def names(self) -> tuple[tuple[str, str], ...]:
        return ("column", "long"), ("value", "string"), ("rows", "long")

    def found(self, number: int, parts: Iterator[pa.RecordBatch]) -> Rows:
        for batch in parts:
            for place, cells in enumerate(batch.columns):
                codes = codes_of(cells)
                counts = np.bincount(codes[codes >= 0], minlength=len(cells.dictionary)).astype(np.int64)
                which = pa.repeat(pa.scalar(place, pa.int64()), len(counts))
                yield pa.record_batch(
                    [which, cells.dictionary, pa.array(counts)], names=["column", "value", "rows"]
                )


SCANNED = (("column", "long"), ("task", "long"), ("state", "binary"))


class Scanned(OfSource):
    """The scanner of each column that was fed the parts of a task, in order: what it has counted, and no cell."""

    @property
    def names(self) -> tuple[tuple[str, str], ...]:
        return SCANNED

    def found(self, number: int, parts: Iterator[pa.RecordBatch]) -> Rows:
        scanners = [ColumnScanner(name) for name in self.columns]
        for batch in parts:
            for scanner, cells in zip(scanners, batch.columns, strict=True):
                scanner.feed(cells)
        for place, scanner in enumerate(scanners):
            yield _scanner(place, number, scanner)


def _scanner(column: int, task: int, scanner: ColumnScanner) -> pa.RecordBatch:
    cells = [pa.array([column]), pa.array([task]), pa.array([pickle.dumps(scanner)])]
    return pa.RecordBatch.from_arrays(cells, names=[name for name, _kind in SCANNED])


def scanner_of(state: bytes) -> ColumnScanner:
    """A scanner as a task has left it."""
    found: ColumnScanner = pickle.loads(state)  # noqa: S301 - written by a task of the same run
    return found


def _merged(scanner: ColumnScanner, later: ColumnScanner) -> ColumnScanner:
    scanner.merge(later)
    return scanner


def scanners_merged(batches: Iterable[pa.RecordBatch]) -> Rows:
    """One scanner for each column out of those of its tasks, which come in order."""
    rows = (row for batch in batches for row in batch.to_pylist())
    yield from safely(partial(_scanners_merged, rows), _schema(SCANNED))


def _scanners_merged(rows: Iterator[dict[str, Any]]) -> Rows:
    for column, group in groupby(rows, key=lambda row: row["column"]):
        # One at a time: each may take 4 MB.
        yield _scanner(column, 0, reduce(_merged, (scanner_of(row["state"]) for row in group)))


def packed(batches: Iterable[pa.RecordBatch]) -> Rows:
    """Each batch as one value: so many rows travel to the driver at once."""
    for batch in batches:
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, batch.schema) as writer:
            writer.write_batch(batch)
        yield pa.record_batch([pa.array([sink.getvalue().to_pybytes()])], names=["packed"])
