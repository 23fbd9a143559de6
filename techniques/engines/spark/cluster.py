"""Jobs on the cluster for one run: what the tasks need is broadcast once, what they give is reduced there and collected."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.core.messages import EngineError, _
from techniques.core.operations import Learned, StringArray
from techniques.core.secrets import Secrets
from techniques.core.subjects import Persons
from techniques.core.tuples import TupleKeys
from techniques.engines.parts import Tick
from techniques.engines.replay import MAX_COUNTED, SHOWN_ROWS, Replay, too_many
from techniques.engines.spark import tasks
from techniques.engines.spark.session import waited
from techniques.engines.workspace import Workspace

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, GroupedData, SparkSession

T = TypeVar("T")


class Cluster:
    """Broadcasts and jobs of one run; :meth:`close` takes the broadcasts back."""

    def __init__(
        self, session: SparkSession, plan: tasks.AnyPlan, secrets: Secrets, workspace: Workspace
    ) -> None:
        self.session = session
        self.plan = plan
        self.tick: Tick = lambda share: None
        """Called while a job is waited for; what it raises ends the job."""
        self.workspace = workspace
        self._held: list[Any] = []
        self.secrets = self.sent(secrets)
        self._plan = self.sent(plan)
        self._states: list[Any] = []
        self._unsent: dict[str, bytes] = {}

    def sent(self, value: Any) -> Any:
        """A broadcast of ``value`` until the run ends."""
        made = self.session.sparkContext.broadcast(value)
        self._held.append(made)
        return made

    def publish(self, name: str) -> None:
        """Let the tasks of later jobs read a file of the workspace; of a tally only the dictionaries, which are all that the
        treatment of a row needs."""
        with self.workspace.open_read(name) as stream:
            content = stream.read()
        if name.startswith("tally-"):
            with self.workspace.open_read(name) as stream:
                arrays = Learned.read(stream).arrays
            sink = pa.BufferOutputStream()
            Learned({one: arrays[one] for one in arrays if one.startswith("dictionary")}).write(sink)
            content = sink.getvalue().to_pybytes()
        self._unsent[name] = content

    def close(self) -> None:
        """Take the broadcasts back, the secrets too, from every executor."""
        while self._held:
            self._held.pop().destroy()

    def states(self) -> tuple[Any, ...]:
        """Broadcasts of what the tasks of a job find in their workspace."""
        if self._unsent:
            self._states.append(self.sent(self._unsent))
            self._unsent = {}
        return tuple(self._states)

    def rows(
        self,
        work: Callable[[Replay, int], Any],
        names: tuple[tuple[str, str], ...],
        some: tuple[int, int] | None = None,
    ) -> DataFrame:
        """What ``work`` gives of every part, or of those of ``some`` tasks: the first and the one behind the last."""
        first, end = some or (0, len(self.plan.tasks))
        task = tasks.Task(work, names, self._plan, self.secrets, self.states())
        return self.session.range(first, end, 1, max(end - first, 1)).mapInArrow(task, ddl(names))

    def done(self, action: Callable[[], T]) -> T:
        """What a job gives, waited for with :attr:`tick`."""
        return waited(self.session, action, self.tick)

    def _apart(self, frame: DataFrame, *by: str) -> GroupedData:
        """Rows that are alike in one place. What a part gives differs already, so that nothing is gained by grouping it first; there
        are as many places as work at once, or more where there are many parts."""
        places = max(self.session.sparkContext.defaultParallelism, self.plan.parts // 8)
        return frame.repartition(places, *by).groupBy(*by)

    # -- what all parts together hold -------------------------------------------------------

    def distinct(self, number: int, columns: Sequence[str], limit: int) -> list[StringArray | None]:
        """The distinct values of ``columns`` before a step in the order in which they are met; None for a column with more than
        ``limit``."""
        from pyspark.sql import functions as f

        names = (("column", "long"), ("value", "string"), ("place", "long"))
        found = self.rows(partial(tasks.distinct_values, number, list(columns)), names)
        grouped = self._apart(found, "column", "value").agg(
            f.min("place").alias("place"), f.max("error").alias("error")
        )
        grouped = grouped.persist()
        try:
            totals = grouped.coalesce(1).groupBy("column").agg(f.count("value"), f.max("error"))
            by_column = self.done(totals.collect)
            raise_first([row[2] for row in by_column if row[2]])
            counted = {row[0]: row[1] for row in by_column}
            few = [i for i in range(len(columns)) if counted.get(i, 0) <= limit]
            found = grouped.where(f.col("column").isin(few)).select("column", "value", "place")
            table = self.done(partial(collected, found))
        finally:
            grouped.unpersist()
        values: list[StringArray | None] = [None] * len(columns)
        for i in few:
            own = table.filter(pc.equal(table["column"], i)).sort_by("place")
            values[i] = (
                own["value"].combine_chunks().cast(pa.string()) if own.num_rows else pa.array([], pa.string())
            )
        return values

    def combinations(
        self, number: int, columns: Sequence[str], dictionaries: Sequence[StringArray], persons: bool
    ) -> tuple[NDArray[Any], NDArray[np.int64], Persons | None]:
        """Distinct combinations as keys in rising order, the rows that have each, and whose these are where ``persons`` are known."""
        from pyspark.sql import functions as f

        keys = TupleKeys([len(dictionary) for dictionary in dictionaries])
        none = keys.encode([np.empty(0, np.int32) for _column in columns])
        width = len(keys.groups)
        by = [f"c{i}" for i in range(width + persons)]
        names = (*((name, "long") for name in by), (f"c{len(by)}", "long"))
        work = partial(tasks.combinations, number, list(columns), self.sent(list(dictionaries)))
        grouped = self._apart(self.rows(work, names), *by).agg(
            f.sum(f"c{len(by)}").alias("rows"), f.max("error").alias("error")
        )
        table = self.done(partial(collected, grouped))
        raise_first(table["error"].drop_null().to_pylist()[:1])
        columns_of = [table[name].to_numpy() for name in by[:width]]
        found = columns_of[0].astype(np.int64)
        if none.dtype.names is not None:
            found = np.empty(table.num_rows, dtype=none.dtype)
            for name, cells in zip(none.dtype.names, columns_of, strict=True):
                found[name] = cells
        rows = table["rows"].to_numpy().astype(np.int64)
        if not persons:
            order = np.argsort(found, kind="stable")
            return found[order], rows[order], None
        who = table[by[-1]].to_numpy().astype(np.int32)
        different, place = np.unique(found, return_inverse=True)
        counts = np.zeros(len(different), np.int64)
        np.add.at(counts, place, rows)
        # Each row of nobody is a person of its own.
        order = np.argsort(who, kind="stable")
        order = np.repeat(order, np.where(who < 0, rows, 1)[order])
        return different, counts, Persons.of(place[order], who[order], len(different))

    def unfit(self, number: int, position: int, name: str, bad: StringArray | None) -> tuple[int, list[int]]:
        """How many rows hold values that a step cannot read, and the first of them."""
        names = (("part", "long"), ("count", "long"), ("rows", "string"))
        sent = None if bad is None else self.sent(bad)
        marked = self.rows(partial(tasks.unfit_rows, number, position, name, sent), names)
        table = self.done(partial(collected, marked))
        raise_first(table["error"].drop_null().to_pylist()[:1])
        table = table.sort_by("part")
        rows = [row for part in table["rows"].to_pylist() for row in json.loads(part)]
        return sum(table["count"].to_pylist()), rows[:SHOWN_ROWS]


class ClusterReplay(Replay):
    """The steps of a run whose parts lie on executors: what all parts together hold is asked of them."""

    cluster: Cluster

    def save(self, name: str, state: Learned) -> None:
        super().save(name, state)
        self.cluster.publish(name)

    def distinct(self, number: int, columns: Sequence[str], tick: Any) -> list[StringArray]:
        self.cluster.tick = tick
        found = self.cluster.distinct(number, columns, MAX_COUNTED)
        for column, values in zip(columns, found, strict=True):
            if values is None:
                raise too_many(column, MAX_COUNTED)
        return found

    def combinations(
        self, number: int, columns: Sequence[str], dictionaries: Sequence[StringArray], tick: Any
    ) -> tuple[NDArray[Any], NDArray[np.int64], Persons | None]:
        self.cluster.tick = tick
        return self.cluster.combinations(number, columns, dictionaries, bool(self.recipe.subject))

    def locate(
        self, number: int, position: int, name: str, bad: StringArray | None, tick: Any
    ) -> tuple[int, list[int]]:
        self.cluster.tick = tick
        return self.cluster.unfit(number, position, name, bad)


def ddl(names: Sequence[tuple[str, str]]) -> str:
    """Spark's words for the columns of a task's rows."""
    return ", ".join([*(f"{name} {kind}" for name, kind in names), "error string"])


def collected(frame: DataFrame) -> pa.Table:
    """All rows on the driver, which come as Arrow. EngineError ``spark_driver_full`` where they are more than it may take."""
    kinds = {"bigint": pa.int64(), "string": pa.string(), "binary": pa.binary()}
    schema = pa.schema([(name, kinds[kind]) for name, kind in frame.dtypes])
    try:
        streams = [row[0] for row in frame.mapInArrow(tasks.packed, "packed binary").collect()]
    except Exception as error:
        if "spark.driver.maxResultSize" not in str(error):
            raise
        text = _(
            "What is to be counted has too many different combinations for the driver, which takes as much as spark.driver.maxResultSize "
            "says. Raise it together with spark.driver.memory, or generalise columns or leave some out."
        )
        raise EngineError("spark_driver_full", text) from None
    batches = [batch for one in streams for batch in pa.ipc.open_stream(bytes(one))]
    return pa.Table.from_batches([batch.cast(schema) for batch in batches], schema=schema)


def raise_first(errors: Sequence[str]) -> None:
    """Raise the error that a task has told as the same one here. EngineError, too, ``spark_fault`` for what was none."""
    for one in errors:
        said = json.loads(one)
        if "fault" in said:
            text = _("A task broke off on the cluster: %(fault)s.")
            raise EngineError("spark_fault", text, fault=said["fault"])
        raise EngineError(said["code"], said["message"], **said["params"])
