"""A restartable run of a recipe on one machine.

A run is a list of items in fixed order. Each item reads what earlier items left in the workspace and
leaves files of its own, which appear only when they are whole; so an item may be repeated at any time, by
any process, and the bytes of the result depend on recipe, secrets and source alone.

- ``ingest``: the source becomes parts of some ten thousand rows, columns as codes into dictionaries
- ``tally:NNNN``: a step that must know how often values or combinations occur gets its counts
- ``fit:NNNN``: a step learns (k-anonymity searches) and is applied to the dictionaries
- ``transform:NNNNN``: the steps are replayed on one part
- ``assemble``: the parts become the result file, and the report is written
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from typing import Any, BinaryIO, cast

import numpy as np
import pyarrow as pa

from techniques.catalogue.models import KAnonymitySettings
from techniques.catalogue.technique import Scope
from techniques.core.draws import LastingKey
from techniques.core.messages import EngineError, _
from techniques.core.operations import ColumnOperation, Learned
from techniques.core.secrets import Secrets
from techniques.core.subjects import Subjects, subject_codes
from techniques.engines.columns import Column
from techniques.engines.concurrency import done_apart, started
from techniques.engines.order import bundled, gathered
from techniques.engines.output import output_format
from techniques.engines.parts import HashingStream, Parts, Source, Tick, sha256_of
from techniques.engines.replay import SUBJECTS, Replay, fit_name
from techniques.engines.reporting import step_reports, versions
from techniques.engines.tallying import fit_step, tally_step
from techniques.engines.workspace import DirectoryWorkspace, Workspace
from techniques.hierarchies.build import level_count
from techniques.hierarchies.definitions import Free
from techniques.recipe.recipe import Order, Recipe, Step
from techniques.tables import ColumnEncoder, TableWriter, open_table
from techniques.tables.coding import dictionary_of, narrow
from techniques.tables.formats import Kind
from techniques.tables.rows import ahead
from techniques.tables.types import as_type, fitting, plain_type, possible_types

__all__ = ["RESULT_SUBJECTS", "DirectoryWorkspace", "LocalRun", "RunItem", "Secrets", "Source", "Workspace"]

RESULT_SUBJECTS = "result-subjects"
"""Workspace name of whose each row of the result is, as Arrow (:class:`techniques.core.operations.Learned`)."""
PARTS_EACH = 16
"""Parts that a process has to have at least, for it takes seconds to begin."""
LAYOUT = 6
"""Raise it when files in a workspace change their meaning: a run begun with another layout is refused."""


@dataclass(frozen=True)
class RunItem:
    """A unit of restart. ``title`` is an untranslated text for ``params``; ``weight`` relative work."""

    key: str
    title: str
    weight: float
    params: dict[str, Any] = field(default_factory=dict)


class LocalRun:
    """One run. Making it checks what the recipe needs (keys, lengths of pseudonyms) but reads no data.

    ``result_kind`` is the form of the result where the recipe leaves it open; by default the source's. ``order`` is that of
    its rows where the recipe says none. ``plain``: cells are written as they are, without the apostrophe that keeps
    spreadsheets from running them (:mod:`techniques.tables.writers.formulas`).
    """

    def __init__(
        self,
        recipe: Recipe,
        source: Source,
        workspace: Workspace,
        secrets: Secrets,
        result_kind: Kind | None = None,
        order: Order = "kept",
        plain: bool = False,
    ) -> None:
        if recipe.needs_key():
            secrets.require_key()
        if recipe.records is not None:
            LastingKey.of_run(secrets, recipe.records.purpose)
        self._again = partial(LocalRun, recipe, source, workspace, secrets, result_kind, order, plain)
        """Makes this run anew in another process."""
        self.processes = 1
        """Of this machine that work for the run at the same time (:meth:`execute_all`)."""
        self.recipe = recipe
        self.source = source
        self.workspace = workspace
        self.secrets = secrets
        self.format = output_format(recipe.output, source.format, result_kind)
        self.plain = plain
        self.shuffles = (recipe.order or order) == "shuffled"
        self._fits: dict[str, list[int]] = {}
        self.durations: dict[str, float] = {}
        """Seconds per item executed by this object; no part of the report, which must be repeatable."""
        self.parts = Parts(workspace, source)
        self.replay = self.make_replay(self.parts)
        for number, step in enumerate(recipe.steps):
            if step.spec.scope is not Scope.STRUCTURE:
                for column in range(len(step.columns)):
                    self.replay.operation(number, column)

    def make_replay(self, parts: Parts) -> Replay:
        """The steps of this run over its parts."""
        return Replay(self.recipe, parts, self.workspace, self.secrets)

    @property
    def result_name(self) -> str:
        return f"result{self.format.suffix}"

    def items(self) -> list[RunItem]:
        """What is to be done, in order; depends on recipe and source alone."""
        rows = float(max(self.source.rows, 1))
        items = [RunItem("ingest", _("Read the source"), rows * 2)]
        for number, step in enumerate(self.recipe.steps):
            if step.spec.scope is Scope.STRUCTURE:
                continue
            params = {"number": number + 1, "technique": step.spec.name}
            table = step.spec.scope is Scope.TABLE
            if self.counts_first(number):
                title = _("Step %(number)d, %(technique)s: count")
                items.append(RunItem(f"tally:{number:04}", title, rows * 0.5, params))
            title = _("Step %(number)d, %(technique)s: work out")
            if (solutions := _solutions(step)) is not None:
                title = _(
                    "Step %(number)d, %(technique)s: the best of %(solutions)d solutions, at most %(effort)d looked at"
                )
                params |= {"solutions": solutions, "effort": min(solutions, step.parameters.effort)}  # type: ignore[attr-defined]
            items.append(RunItem(f"fit:{number:04}", title, rows * (1 if table else 0.1), params))
        for part in range(self.source.parts):
            title = _("Treat part %(number)d of %(parts)d")
            params = {"number": part + 1, "parts": self.source.parts}
            items.append(RunItem(f"transform:{part:05}", title, self.parts.rows_in(part), params))
        items.append(RunItem("assemble", _("Write the result"), rows))
        return items

    def counts_first(self, number: int) -> bool:
        """Whether a step has to know how often values or combinations occur before it treats a row."""
        if self.recipe.steps[number].spec.scope is Scope.TABLE:
            return True
        operation = self.replay.operation(number)
        return isinstance(operation, ColumnOperation) and operation.needs_counts

    def execute(self, key: str, tick: Tick = lambda share: None) -> None:
        """Do one item, again if it has been done before. ``tick(share)`` may raise to stop it.

        Raises EngineError for what a person must correct, ``item_unknown`` and ``item_too_early`` for misuse.
        """
        kind, _colon, number = key.partition(":")
        work: dict[str, Callable[[], None]] = {
            "ingest": lambda: self._ingest(tick),
            "tally": lambda: tally_step(self.replay, int(number), tick),
            "fit": lambda: fit_step(self.replay, int(number), tick),
            "transform": lambda: self._transform(int(number)),
            "assemble": lambda: self._assemble(tick),
        }
        if kind not in work or key not in {item.key for item in self.items()}:
            raise EngineError("item_unknown", _("This run has no item %(key)s."), key=key)
        if kind != "ingest":
            self._require_ingested()
        started = time.perf_counter()
        tick(0.0)
        try:
            work[kind]()
        except FileNotFoundError:
            raise EngineError(
                "item_too_early", _("Item %(key)s needs items that were not done."), key=key
            ) from None
        tick(1.0)
        self.durations[key] = time.perf_counter() - started

    def execute_all(
        self, tick: Tick = lambda share: None, *, resume: bool = False, processes: int = 1
    ) -> dict[str, Any]:
        """Do every item in order and return the report; ``tick`` gets the share of the whole run.

        With ``resume`` items that an interrupted run has finished in this workspace are not repeated; EngineError
        ``workspace_of_another_run`` where that was none of this recipe, these secrets and this source. So many ``processes`` treat
        the parts, where there are enough of these; source and workspace are pickled for them then.
        """
        items = self.items()
        total = sum(item.weight for item in items)
        done = 0.0
        self.processes = max(1, min(processes, self.source.parts // PARTS_EACH))
        resumed = resume and self.is_done("ingest")
        if resumed:
            self._require_ingested()
            self._require_source()
        left = {item.key for item in items if not (resumed and self.is_done(item.key))}
        number = min(self.processes, sum(map(_is_of_a_part, left)))
        with ExitStack() as others:
            make = partial(_work_of, self._again)
            links = others.enter_context(started(make, number)) if number > 1 else []
            for shared, group in groupby(items, lambda item: bool(links) and _is_of_a_part(item.key)):
                for some in [list(group)] if shared else [[item] for item in group]:
                    weight = sum(item.weight for item in some)
                    share = partial(_share_of_run, tick, done, weight, total)
                    keys = [item.key for item in some if item.key in left]
                    if shared:
                        self.durations |= done_apart(links, keys, share)
                        # What they hold is memory for what comes next.
                        others.close()
                    else:
                        for key in keys:
                            self.execute(key, share)
                    done += weight
        return self.report()

    def is_done(self, key: str) -> bool:
        """Whether an item has left everything that later items need."""
        kind, _colon, number = key.partition(":")
        if kind in ("tally", "fit"):
            step = self.recipe.steps[int(number)]
            columns = 1 if step.spec.scope is Scope.TABLE else len(step.columns)
            mark = kind if kind == "tally" or step.spec.scope is Scope.TABLE else "map"
            return all(
                self.workspace.exists(f"{mark}-{int(number):04}-{column:04}") for column in range(columns)
            )
        names = {"ingest": "run", "assemble": "report"}
        return self.workspace.exists(names.get(kind, f"count-{number}"))

    def report(self) -> dict[str, Any]:
        """The report of a finished run, JSON-ready and the same whenever the run is repeated."""
        with self.workspace.open_read("report") as stream:
            report: dict[str, Any] = json.loads(stream.read())
        return report

    def subjects(self) -> Subjects | None:
        """Whose each row of the result is: equal numbers for rows of one person of the source, -1 for nobody's. None
        where the recipe names no subject. It stays in the workspace as :data:`RESULT_SUBJECTS`, as secret as the source.
        """
        if not self.recipe.subject:
            return None
        found: Subjects = self.replay.state(RESULT_SUBJECTS).arrays["subjects"]
        return found

    def first_rows(
        self, count: int
    ) -> tuple[dict[str, list[str | None]], dict[str, list[str | None]], list[bool], list[int] | None]:
        """Of the first ``count`` rows of the source, at most those of one part: (their cells by column, the same after all
        steps, which of them are still there, whose they are). As secret as the source itself."""
        if not self.source.parts:
            return {}, {}, [], None
        with self.source.open() as stream, open_table(stream, self.source.format) as reader:
            before = next(iter(reader.batches(min(count, self.parts.rows_in(0)))))
        count = before.num_rows
        left = self.recipe.output_columns(self.parts.columns)
        here = self.replay.run(0, len(self.recipe.steps), left)
        whose = None if here.subjects is None else here.subjects[:count].tolist()
        return (
            before.to_pydict(),
            {name: here.columns[name].texts()[:count].to_pylist() for name in left},
            here.keep[:count].tolist(),
            whose,
        )

    def mapping_tables(self) -> dict[str, Any]:
        """Column → table of values and pseudonyms that a step assigned; until :meth:`discard`.

        They are as secret as the source itself.
        """
        found = {}
        for number, place, column in self.recipe.assigned_columns():
            arrays = self.replay.state(fit_name(number, place)).arrays
            found[column] = pa.table({"value": arrays["values"], "pseudonym": arrays["results"]})
        return found

    def discard(self) -> None:
        """Delete everything but result, report and whose the rows are: the intermediate files hold raw data."""
        names = ["run", "manifest", SUBJECTS]
        names += [f"dictionary-{i:04}" for i in range(len(self.parts.kept) if self.parts.ready else 0)]
        for number, step in enumerate(self.recipe.steps):
            for column in range(len(step.columns)):
                names += [f"{kind}-{number:04}-{column:04}" for kind in ("tally", "fit", "map")]
        for part in range(self.source.parts):
            names += [f"{kind}-{part:05}" for kind in ("part", "carried", "out", "count")]
        for name in names:
            self.workspace.delete(name)

    # -- the items --------------------------------------------------------------------------

    def identity(self) -> dict[str, Any]:
        """What a run is known by, JSON-ready: another one never goes on in its workspace."""
        shuffled = {"order": "shuffled"} if self.shuffles else {}
        return shuffled | {
            "layout": LAYOUT,
            "recipe": self.recipe.content_hash(),
            "rows": self.source.rows,
            "part_rows": self.source.part_rows,
            "result": self.format.model_dump(mode="json"),
            "secrets": self.secrets.fingerprint(),
        }

    def _ingest(self, tick: Tick) -> None:
        recipe = self.recipe
        self.parts.ingest(
            recipe.check_columns, tick, recipe.needed_columns, self.carried_columns, self._at_once
        )
        if self.recipe.subject:
            self.replay.save(SUBJECTS, Learned({"subjects": self._source_subjects(self.recipe.subject)}))
        with self.workspace.open_write("run") as stream:
            stream.write(json.dumps(self.identity(), sort_keys=True).encode())

    def carried_columns(self, columns: list[str]) -> list[str]:
        """The columns of the result that no step touches, where the result can hold them in their own types."""
        if self.format.kind != "parquet":
            return []
        touched = self.recipe.touched_columns()
        return [column for column in self.recipe.output_columns(columns) if column not in touched]

    def _source_subjects(self, key: tuple[str, ...]) -> Subjects:
        """Whose each row of the source is, by the columns of the key."""
        encoders = [ColumnEncoder() for _column in key]
        for part in range(self.source.parts):
            cells = self.parts.read(part, list(dict.fromkeys(key)))
            for encoder, column in zip(encoders, key, strict=True):
                encoder.add(cells[column].texts())
        columns = [encoder.finish() for encoder in encoders]
        return subject_codes([one.codes for one in columns], [len(one.values) for one in columns])

    def _require_ingested(self) -> None:
        """A workspace holds one run: of this recipe, these secrets, this source."""
        if not self.workspace.exists("run"):
            raise EngineError("item_too_early", _("The source has not been read yet."))
        with self.workspace.open_read("run") as stream:
            found = json.loads(stream.read())
        if found != self.identity():
            raise _of_another_run()

    def _require_source(self) -> None:
        """The workspace was filled from the bytes of this source."""
        with self.source.open() as stream:
            if sha256_of(stream) != self.parts.manifest["sha256"]:
                raise _of_another_run()

    def _transform(self, part: int) -> None:
        with self.workspace.open_write(f"out-{part:05}") as target:
            counts = write_treated(self.replay, part, self.format.kind, self.shuffles, self._fits, target)
        self.count_write(part, counts)

    def count_write(self, part: int, counts: dict[str, Any]) -> None:
        """Keep the counts of a part, whose rows are kept already."""
        with self.workspace.open_write(f"count-{part:05}") as target:
            target.write(json.dumps(counts, sort_keys=True).encode())

    def result_types(self, columns: list[str], counts: list[dict[str, Any]]) -> dict[str, Any]:
        """The types of the result's columns: of a carried one its own, of a treated one the best that every part can have.
        A treated column of texts is none of them.
        """
        if self.format.kind != "parquet" or not self.parts.types:
            return {}
        types = self.parts.types
        carried = self.parts.manifest["carried"]
        found = {name: types[name] for name in columns if name in carried}
        for name in columns:
            if name in carried:
                continue
            fits = (
                set.intersection(*(set(count["types"].get(name, ())) for count in counts)) if counts else {0}
            )
            if fits and types[name] != pa.string():
                found[name] = possible_types(types[name])[min(fits)]
        return found

    def _assemble(self, tick: Tick) -> None:
        columns = self.recipe.output_columns(self.parts.columns)
        counts = []
        whose = [np.empty(0, np.int32)]
        for part in range(self.source.parts):
            with self.workspace.open_read(f"count-{part:05}") as stream:
                counts.append(json.loads(stream.read()))
        with self.workspace.open_write(self.result_name) as target:
            hashing = HashingStream(target)
            target_file = cast(BinaryIO, hashing)
            types = self.result_types(columns, counts)
            with TableWriter(
                target_file, self.format, columns, neutralise_formulas=not self.plain, types=types
            ) as writer:
                rows = _decoded(self._ordered(), self._values(columns, types))
                with closing(self._at_once(rows)) as treated:
                    for number, batch in enumerate(treated):
                        if self.recipe.subject:
                            whose.append(batch.column(len(columns)).to_numpy())
                        writer.write(batch.select(range(len(columns))))
                        tick(0.95 * min(1.0, number / max(self.source.parts, 1)))
        if self.recipe.subject:
            self.replay.save(RESULT_SUBJECTS, Learned({"subjects": np.concatenate(whose)}))
        report = self.whole_report(columns, counts, hashing.sha256())
        with self.workspace.open_write("report") as target:
            target.write(json.dumps(report, ensure_ascii=False, sort_keys=True).encode())

    def _ordered(self) -> Generator[pa.RecordBatch]:
        """The treated rows in the order in which they are written."""
        names = [f"out-{part:05}" for part in range(self.source.parts)]
        if not self.shuffles:
            for name in names:
                with self.workspace.open_read(name) as stream:
                    yield from pa.ipc.open_file(stream).read_all().to_batches()
            return
        with ExitStack() as stack:
            streams = [stack.enter_context(self.workspace.open_read(name)) for name in names]
            files = [pa.ipc.open_file(stream) for stream in streams]
            yield from gathered(files, self.secrets, self.source.parts)

    def _at_once(self, made: Generator[pa.RecordBatch]) -> Generator[pa.RecordBatch]:
        """What ``made`` yields, worked out beside its use where the run may have more than one core."""
        return ahead(made) if self.processes > 1 else made

    def _values(self, columns: list[str], types: dict[str, Any]) -> dict[int, pa.Array]:
        """Of the columns that are kept as codes, by their numbers, the values that these stand for, as the result has them."""
        carried = self.parts.manifest.get("carried", ())
        found = {}
        for number, name in enumerate(columns):
            values = None if name in carried else self.replay.values(name)
            if values is not None:
                found[number] = as_type(values, plain_type(types[name])) if name in types else values
        return found

    def whole_report(self, columns: list[str], counts: list[dict[str, Any]], digest: str) -> dict[str, Any]:
        """The report, from the counts of all parts and the SHA-256 of the result."""
        rows_out = sum(count["rows"] for count in counts)
        learned = {
            number: {
                name: self.replay.state(fit_name(number, position)).facts.get("report", {})
                for position, name in enumerate(step.columns)
                if self.workspace.exists(fit_name(number, position))
            }
            for number, step in enumerate(self.recipe.steps)
        }
        return {
            "report": 1,
            "recipe_sha256": self.recipe.content_hash(),
            "source_sha256": self.parts.manifest["sha256"],
            "result_sha256": digest,
            "result_format": self.format.kind,
            "rows_in": self.source.rows,
            "rows_out": rows_out,
            "rows_removed": self.source.rows - rows_out,
            "columns_in": self.parts.columns,
            "columns_out": columns,
            "steps": step_reports(self.recipe, [count["steps"] for count in counts], learned),
            **({"order": "shuffled"} if self.shuffles else {}),
            **({"plain": True} if self.plain else {}),
            **({"records": self.recipe.records.model_dump(mode="json")} if self.recipe.records else {}),
            "only_masks": self.recipe.only_masks(),
            **({"secrets": self.secrets.report_fingerprints()} if self.recipe.needs_key() else {}),
            "versions": versions(),
        }


def _decoded(batches: Iterator[pa.RecordBatch], values: dict[int, pa.Array]) -> Generator[pa.RecordBatch]:
    """Treated rows whose columns kept as codes become cells; ``values`` are what the codes of each stand for, by its number."""
    for batch in batches:
        cells = list(batch.columns)
        for number, own in values.items():
            cells[number] = dictionary_of(cells[number].to_numpy(), own).dictionary_decode()
        yield pa.RecordBatch.from_arrays(cells, names=batch.schema.names)


def write_treated(
    replay: Replay, part: int, kind: Kind, shuffles: bool, fits: dict[str, list[int]], target: BinaryIO
) -> dict[str, Any]:
    """Write what :func:`treated_part` gives, with codes, as an Arrow file, dealt into piles where rows are shuffled; its counts."""
    batch, counts = treated_part(replay, part, kind, fits, coded=True)
    pieces = [batch]
    if shuffles:
        pieces = list(bundled(batch, replay.secrets, part, replay.parts.source.parts))
    options = pa.ipc.IpcWriteOptions(compression="lz4")
    with pa.ipc.new_file(target, pieces[0].schema, options=options) as writer:
        for piece in pieces:
            writer.write_batch(piece)
    return counts


def treated_part(
    replay: Replay, part: int, kind: Kind, fits: dict[str, list[int]], coded: bool = False
) -> tuple[pa.RecordBatch, dict[str, Any]]:
    """The rows of a part that are left after all steps, with whose they are behind their columns where the recipe names a
    subject; and its counts. ``fits`` keeps what holds for the columns whose dictionary is that of every part. If ``coded``,
    those of them that are treated are codes into :meth:`Replay.values`, -1 where missing.
    """
    columns = replay.recipe.output_columns(replay.parts.columns)
    here = replay.run(part, len(replay.recipe.steps), columns, count=True)
    keep = pa.array(here.keep)
    carried = replay.parts.carried(part)
    cells = [
        (carried[name] if name in carried else _cells(here.columns[name], coded)).filter(keep)
        for name in columns
    ]
    fields = [(name, column.type) for name, column in zip(columns, cells, strict=True)]
    if here.subjects is not None:
        # Behind the columns of the result, so that whatever orders its rows orders these alike.
        cells.append(pa.array(here.subjects).filter(keep))
        fields.append((SUBJECTS, pa.int32()))
    counts = {"rows": int(here.keep.sum()), "steps": here.counts}
    if kind == "parquet" and (types := replay.parts.types):
        treated = [name for name in columns if name in types and name not in carried]
        counts["types"] = {name: _fitting(name, here.columns[name], types[name], fits) for name in treated}
    return pa.record_batch(cells, schema=pa.schema(fields)), counts


def _cells(column: Column, coded: bool) -> pa.Array:
    return narrow(column.codes, len(column.dictionary)) if coded and column.whole else column.texts()


def _fitting(name: str, column: Column, kind: Any, fits: dict[str, list[int]]) -> list[int]:
    """:func:`techniques.tables.types.fitting`, once for a column whose dictionary is that of every part."""
    if not column.whole:
        return fitting(column.dictionary, kind)
    if name not in fits:
        fits[name] = fitting(column.dictionary, kind)
    return fits[name]


def _solutions(step: Step) -> int | None:
    """Solutions that a model's search has to choose from, as far as its hierarchies tell without the data."""
    parameters = step.parameters
    if not isinstance(parameters, KAnonymitySettings) or parameters.recoding != "full_domain":
        return None
    size = 1
    for column in step.columns:
        definition = parameters.hierarchies[column]
        if isinstance(definition, Free):
            return None
        top = level_count(definition) - 1
        size *= max(
            parameters.maximum_levels.get(column, top) - parameters.minimum_levels.get(column, 0) + 1, 1
        )
    return size


def _of_another_run() -> EngineError:
    return EngineError(
        "workspace_of_another_run",
        _(
            "The workspace holds a run of another recipe, source, key or seed, or of another version of the engine. Give all of "
            "these as they were then, or another workspace."
        ),
    )


def _is_of_a_part(key: str) -> bool:
    """Whether an item treats one part, and so depends on no other of these."""
    return key.startswith("transform:")


def _work_of(again: Callable[[], LocalRun]) -> Callable[[str], float]:
    """What executes items of a run in a process of its own, and says how long each took."""
    run = again()

    def work(key: str) -> float:
        run.execute(key)
        return run.durations[key]

    return work


def _share_of_run(tick: Tick, done: float, weight: float, total: float, share: float) -> None:
    tick((done + weight * share) / total)
