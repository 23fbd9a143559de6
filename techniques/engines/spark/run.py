"""A run of a recipe on a cluster: the items of a local run, all parts treated in one job.

Each task reads its rows of the source itself and treats them with the code of the local run, under the same labels for draws, so that
the rows of the result are the same. What a step learns is worked out on the driver from what all parts hold together, which Spark
has reduced. The result is a folder of Parquet files, which is there when the run ends well, and else not at all.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pyarrow as pa

from techniques.catalogue.family import Family
from techniques.catalogue.technique import Scope
from techniques.core.messages import EngineError, _
from techniques.core.operations import Learned
from techniques.core.secrets import Secrets
from techniques.core.tuples import TupleKeys
from techniques.engines.local import LocalRun, RunItem
from techniques.engines.parts import MAX_DICTIONARY, Parts, Tick
from techniques.engines.replay import MAX_COUNTED, Replay
from techniques.engines.spark import tasks
from techniques.engines.spark.cluster import Cluster, ClusterReplay, collected, ddl, raise_first
from techniques.engines.spark.layout import Layout, Located
from techniques.engines.spark.session import in_words
from techniques.engines.spark.suitability import require_suitable
from techniques.engines.workspace import Workspace
from techniques.recipe.recipe import Order, Recipe
from techniques.tables.problems import problem
from techniques.tables.sources.files import digest_of_parts

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_ALL = "transform:00000"


def counted_layout(session: SparkSession, table: Located) -> tuple[Layout, list[str]]:
    """The layout of a source once every file was read and counted, and the SHA-256 of each file. EngineError."""
    sent = session.sparkContext.broadcast(list(table.files))
    try:
        number = len(table.files)
        job = session.range(0, number, 1, number).mapInArrow(tasks.Counted(sent), ddl(tasks.COUNTED))
        counted = collected(job)
    finally:
        sent.destroy()
    raise_first(counted["error"].drop_null().to_pylist()[:1])
    found = {row["file"]: row for row in counted.to_pylist()}
    known = [
        file if file.groups else replace(file, groups=(found[i]["rows"],))
        for i, file in enumerate(table.files)
    ]
    rows = sum(sum(file.groups) for file in known)
    if not rows:
        raise problem("table.rows.none")
    layout = Layout(tuple(known), tuple(table.columns), tuple(table.types), rows, table.bytes)
    return layout, [found[i]["sha256"] for i in range(number)]


class SparkRun(LocalRun):
    """One run. ``workspace`` is the driver's; what lies in it is as secret as the source. ``output`` is the folder of the result,
    which must not be there; what is written on the way lies beside it. EngineError ``spark_…``, and those of a local run.
    """

    def __init__(
        self,
        session: SparkSession,
        recipe: Recipe,
        layout: Layout,
        source_sha256: str,
        output: Path,
        workspace: Workspace,
        secrets: Secrets,
        order: Order = "kept",
    ) -> None:
        require_suitable(recipe)
        self.layout = layout
        self.output = output.absolute()
        self._source_sha256 = source_sha256
        self._session = session
        self._staged = self.output.parent / f".deid-{uuid4().hex}"
        super().__init__(recipe, layout.source, workspace, secrets, "parquet", order)
        plan = tasks.Plan(recipe, layout, layout.tasks())
        self.cluster = Cluster(session, plan, secrets, workspace)
        assert isinstance(self.replay, ClusterReplay)
        self.replay.cluster = self.cluster

    def make_replay(self, parts: Parts) -> Replay:
        return ClusterReplay(self.recipe, parts, self.workspace, self.secrets)

    def items(self) -> list[RunItem]:
        items = [item for item in super().items() if not item.key.startswith("transform:")]
        return [*items[:-1], RunItem(_ALL, _("Treat all parts"), float(self.source.rows)), items[-1]]

    def is_done(self, key: str) -> bool:
        return False

    def execute(self, key: str, tick: Tick = lambda share: None) -> None:
        with in_words():
            super().execute(key, tick)

    def commit(self) -> None:
        """Put the whole result into its place; nothing of it was there before."""
        if self.output.exists():
            raise output_exists(self.output)
        os.rename(self._staged / "whole", self.output)

    def close(self) -> None:
        """Leave nothing behind but a result that was put into its place: no broadcast, no file."""
        self.cluster.close()
        shutil.rmtree(self._staged, ignore_errors=True)

    # -- the items --------------------------------------------------------------------------

    def _ingest(self, tick: Tick) -> None:
        columns = list(self.layout.columns)
        self.recipe.check_columns(columns)
        manifest: dict[str, Any] = {
            "columns": columns,
            "kept": columns,
            "whole": [False] * len(columns),
            "rows": self.layout.rows,
            "sha256": self._source_sha256,
        }
        if self.layout.types:
            manifest["carried"] = [] if self.source.format.missing else self.carried_columns(columns)
            fields = zip(columns, self.layout.types, strict=True)
            manifest["types"] = base64.b64encode(pa.schema(list(fields)).serialize()).decode()
        self._write("manifest", json.dumps(manifest).encode())
        self.cluster.publish("manifest")
        asked = self._counted_columns()
        found = self.cluster.distinct(0, asked, MAX_DICTIONARY) if asked else []
        for name, values in zip(asked, found, strict=True):
            if values is not None:
                number = columns.index(name)
                manifest["whole"][number] = True
                self.replay.save(f"dictionary-{number:04}", Learned({"values": values}))
        self._write("manifest", json.dumps(manifest).encode())
        self.parts.forget()
        self.cluster.publish("manifest")
        if self.recipe.subject:
            self._count_persons(list(self.recipe.subject))
        self._write("run", json.dumps(self.identity(), sort_keys=True).encode())

    def _count_persons(self, key: list[str]) -> None:
        """Let all tasks know who there is. A person's code is the place of its key among all that occur, as on one machine."""
        dictionaries = self.cluster.distinct(0, key, MAX_COUNTED)
        for name, values in zip(key, dictionaries, strict=True):
            if values is None:
                text = _(
                    "Column %(column)s has more than %(limit)d distinct values, which is the most that a subject has on Spark."
                )
                raise EngineError("spark_persons_many", text, column=name, limit=MAX_COUNTED)
        known = [values for values in dictionaries if values is not None]
        found, _counts, _nobody = self.cluster.combinations(0, key, known, False)
        arrays: dict[str, Any] = {f"dictionary{i}": values for i, values in enumerate(known)}
        codes = TupleKeys([len(values) for values in known]).decode(found)
        arrays |= {f"codes{i}": one for i, one in enumerate(codes)}
        self.replay.save(tasks.KEYS, Learned(arrays))

    def _counted_columns(self) -> list[str]:
        """The columns of which some step looks at the values of the whole table, so that one dictionary stands for all parts."""
        found: dict[str, None] = {}
        for number, step in enumerate(self.recipe.steps):
            if step.spec.scope is Scope.STRUCTURE:
                continue
            if step.spec.family is Family.PREPARATION or self.counts_first(number):
                found |= dict.fromkeys([*step.columns, *step.read_columns])
        return [name for name in self.layout.columns if name in found]

    def _transform(self, part: int) -> None:
        """All parts: the job's rows stay on the cluster until they are written, and are made again where an executor is lost."""
        self._treated = self.cluster.rows(partial(tasks.treated, self.shuffles), tasks.TREATED).persist()
        counted = self._treated.where("rows is null").select("part", "counts", "error")
        found = self.cluster.done(partial(collected, counted))
        raise_first(found["error"].drop_null().to_pylist()[:1])
        for row in found.to_pylist():
            self._write(f"count-{row['part']:05}", row["counts"].encode())

    def _assemble(self, tick: Tick) -> None:
        columns = self.recipe.output_columns(self.parts.columns)
        counts = []
        for part in range(self.source.parts):
            with self.workspace.open_read(f"count-{part:05}") as stream:
                counts.append(json.loads(stream.read()))
        types = self.result_types(columns, counts)
        attempts, whole = self._staged / "attempts", self._staged / "whole"
        attempts.mkdir(parents=True)
        whole.mkdir()
        written = tasks.Written(
            str(attempts),
            tuple(columns),
            [types.get(name) for name in columns],
            self.shuffles,
            self.cluster.secrets,
        )
        digests = []
        for number, name, digest in self._files(written) or [(0, *self._nothing(written, columns, types))]:
            (attempts / name).rename(whole / f"part-{number:06}.parquet")
            digests.append((digest, f"part-{number:06}.parquet"))
        report = self.whole_report(columns, counts, digest_of_parts(digests))
        report["versions"]["pyspark"] = version("pyspark")
        self._write("report", json.dumps(report, ensure_ascii=False, sort_keys=True).encode())

    def _files(self, written: tasks.Written) -> list[tuple[int, str, str]]:
        """(number, name, SHA-256) of the files of the attempts that count, in order."""
        pieces = self._treated.where("rows is not null").select("pile", "rows", "part")
        if self.shuffles:
            pieces = pieces.repartition(max(self.source.parts, 1), "pile").sortWithinPartitions(
                "pile", "part"
            )
        table = self.cluster.done(partial(collected, pieces.mapInArrow(written, ddl(tasks.WRITTEN))))
        self._treated.unpersist()
        raise_first(table["error"].drop_null().to_pylist()[:1])
        return sorted((row["pile"], row["name"], row["sha256"]) for row in table.to_pylist())

    def _nothing(self, written: tasks.Written, columns: list[str], types: dict[str, Any]) -> tuple[str, str]:
        """A file without rows: a result has columns, whoever is left."""
        schema = pa.schema([(name, pa.string()) for name in columns])
        return written.file(pa.RecordBatch.from_pylist([], schema=schema))

    def _write(self, name: str, content: bytes) -> None:
        with self.workspace.open_write(name) as stream:
            stream.write(content)


def output_exists(path: Path) -> EngineError:
    """A result of a cluster never takes the place of another."""
    text = _("%(path)s is there already: name a folder that is not, for the files of the result.")
    return EngineError("spark_output_exists", text, path=str(path))
