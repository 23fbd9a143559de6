"""A run whose workspace all machines of a cluster can read: the items, the files and the bytes of a local run, the parts treated by many.

The source is taken in here, and the result is written here. In between tasks read parts, dictionaries and what was learned from the
workspace themselves, by the code of the local run; what they treat comes back as the files that a local run would have left. So a run
that was broken off goes on with what it has, and its result is that of one machine to the byte.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, BinaryIO

from techniques.core.messages import _
from techniques.core.secrets import Secrets
from techniques.engines.local import LocalRun, RunItem
from techniques.engines.parts import Parts, Source, Tick
from techniques.engines.replay import Replay
from techniques.engines.spark import tasks
from techniques.engines.spark.cluster import Cluster, ClusterReplay, raise_first
from techniques.engines.spark.session import in_words
from techniques.engines.spark.suitability import require_suitable
from techniques.engines.workspace import Workspace
from techniques.recipe.recipe import Order, Recipe
from techniques.tables.formats import Kind

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TASK_PARTS = 4
"""Parts of a task, which reads what was learned once for all of them."""
ITEM_TASKS = 64
"""Tasks of an item, after which a run that is broken off goes on: 16,777,216 rows."""
View = Callable[[Any], Any]
"""Gives of a workspace what it holds now, to be read by other machines: that can be pickled, and is as secret as the files."""


class StoredRun(LocalRun):
    """One run. ``connected`` gives the session when a cluster is needed first, ``view`` the workspace for the tasks.

    EngineError ``spark_…``, and those of a local run.
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
        *,
        connected: Callable[[], SparkSession],
        view: View,
    ) -> None:
        require_suitable(recipe, writes_there=False)
        self._connected = connected
        self._view = view
        self._cluster: StoredCluster | None = None
        super().__init__(recipe, source, workspace, secrets, result_kind, order, plain)

    def make_replay(self, parts: Parts) -> Replay:
        return _Replay(self)

    @property
    def cluster(self) -> StoredCluster:
        """The jobs of this run; asks for the session when it is first needed."""
        if self._cluster is None:
            plan = StoredPlan.of(self.recipe, self.source)
            self._cluster = StoredCluster(self._connected(), plan, self.secrets, self.workspace, self._view)
        return self._cluster

    def items(self) -> list[RunItem]:
        items = []
        for item in super().items():
            kind, _colon, number = item.key.partition(":")
            if kind != "transform":
                items.append(item)
            elif int(number) % (ITEM_TASKS * TASK_PARTS) == 0:
                parts = self._parts_of(int(number))
                title = _("Treat parts %(number)d to %(last)d of %(parts)d on the cluster")
                params = item.params | {"last": parts[-1] + 1}
                weight = float(sum(map(self.parts.rows_in, parts)))
                items.append(RunItem(item.key, title, weight, params))
        return items

    def is_done(self, key: str) -> bool:
        kind, _colon, number = key.partition(":")
        if kind != "transform":
            return super().is_done(key)
        return all(
            super(StoredRun, self).is_done(f"transform:{part:05}") for part in self._parts_of(int(number))
        )

    def execute(self, key: str, tick: Tick = lambda share: None) -> None:
        with in_words():
            if key != "assemble":
                # Before the source is read, so that nobody waits for what cannot be done.
                self.cluster.tick = tick
            super().execute(key, tick)

    def whole_report(self, columns: list[str], counts: list[dict[str, Any]], digest: str) -> dict[str, Any]:
        report = super().whole_report(columns, counts, digest)
        report["versions"]["pyspark"] = version("pyspark")
        return report

    def close(self) -> None:
        """Take the broadcasts back from every executor."""
        if self._cluster is not None:
            self._cluster.close()
            self._cluster = None

    def _parts_of(self, first: int) -> range:
        return range(first, min(first + ITEM_TASKS * TASK_PARTS, self.source.parts))

    def _transform(self, part: int) -> None:
        parts = self._parts_of(part)
        for number, rows, counts in self.cluster.treated(parts, self.format.kind, self.shuffles):
            with self.workspace.open_write(f"out-{number:05}") as target:
                target.write(rows)
            self.count_write(number, counts)


class _Replay(ClusterReplay):
    """The steps of a run, whose cluster is there once it is needed."""

    def __init__(self, run: StoredRun) -> None:
        self._run = run
        super().__init__(run.recipe, run.parts, run.workspace, run.secrets)

    @property
    def cluster(self) -> StoredCluster:  # type: ignore[override]
        return self._run.cluster


class StoredCluster(Cluster):
    """Of tasks that read the workspace themselves."""

    def __init__(
        self, session: SparkSession, plan: StoredPlan, secrets: Secrets, workspace: Workspace, view: View
    ) -> None:
        super().__init__(session, plan, secrets, workspace)
        self._view = view

    def publish(self, name: str) -> None:
        """Nothing: it lies where tasks read it."""

    def states(self) -> tuple[Any, ...]:
        return (self.sent(self._view(self.workspace)),)

    def treated(
        self, parts: range, kind: Kind, shuffles: bool
    ) -> Iterator[tuple[int, bytes, dict[str, Any]]]:
        """(part, its rows as a local run keeps them, its counts), once all ``parts`` are treated: until they have come here they
        stay on the cluster, and are made again where an executor is lost."""
        some = parts.start // TASK_PARTS, -(-parts.stop // TASK_PARTS)
        work = partial(tasks.treated_whole, kind, shuffles)
        frame = self.rows(work, tasks.TREATED_WHOLE, some).persist()
        try:
            found = self.done(frame.select("error").where("error is not null").collect)
            raise_first([row[0] for row in found])
            rows = frame.select("part", "rows", "counts").toLocalIterator()
            while (row := self.done(partial(next, rows, None))) is not None:
                self.tick(0.99)
                yield row[0], bytes(row[1]), json.loads(row[2])
        finally:
            frame.unpersist()


@dataclass(frozen=True)
class StoredPlan:
    """Of parts that lie in a workspace; nobody opens the source."""

    recipe: Recipe
    source: Source
    tasks: list[tuple[int, int]]

    @classmethod
    def of(cls, recipe: Recipe, source: Source) -> StoredPlan:
        starts = range(0, source.parts, TASK_PARTS)
        cut = [(first, min(first + TASK_PARTS, source.parts)) for first in starts]
        return cls(recipe, replace(source, open=_not_opened), cut)

    @property
    def parts(self) -> int:
        return self.source.parts

    def replays(self, number: int, states: list[Any], secrets: Secrets) -> Iterator[tuple[Replay, int]]:
        workspace = states[-1]
        replay = Replay(self.recipe, Parts(workspace, self.source), workspace, secrets)
        for part in range(*self.tasks[number]):
            yield replay, part


def _not_opened() -> BinaryIO:
    raise NotImplementedError
