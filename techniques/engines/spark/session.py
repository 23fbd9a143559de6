"""The Spark session that a run uses: one that is there, or a new one."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar
from uuid import uuid4

from techniques.core.messages import EngineError, _

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

T = TypeVar("T")

# Whatever lies on a disk of the cluster – broadcasts, what is shuffled or kept – is encrypted. Pieces of a result are large cells:
# batches of few rows keep what travels between Java and Python small.
SETTINGS = {
    "spark.io.encryption.enabled": "true",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "64",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
}


@contextmanager
def session(
    master: str, settings: Mapping[str, str] = MappingProxyType({}), hidden: Sequence[str] = ()
) -> Iterator[SparkSession]:
    """The active session, or one of its own on ``master``, which ends with the block. ``settings`` go with those of this module;
    ``hidden`` are variables of the environment that Java is not to inherit, beside all of this product.

    EngineError ``extra_missing``, ``spark_java``, ``spark_unreachable``, ``spark_unencrypted``.
    """
    try:
        import_module("pandas")
        sql = import_module("pyspark.sql")
    except ImportError:
        text = _("For this, the engine needs its extra %(extra)s: pip install 'deid[%(extra)s]'.")
        raise EngineError("extra_missing", text, extra="spark") from None
    found = sql.SparkSession.getActiveSession()
    if found is not None:
        yield _encrypting(found)
        return
    if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
        raise EngineError(
            "spark_java", _("Spark needs Java 17: install it, or let JAVA_HOME say where it is.")
        )
    # The executors run the Python of this environment, unless somebody says which.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = sql.SparkSession.builder.master(master).appName("deid")
    for name, value in {**SETTINGS, **settings}.items():
        builder = builder.config(name, value)
    # Executors of a cluster on this machine inherit what Java does.
    secret = [name for name in os.environ if name.startswith("DEID_") or name in hidden]
    put_by = {name: os.environ.pop(name) for name in secret}
    try:
        made = builder.getOrCreate()
    except Exception:  # noqa: BLE001 - whatever Java says, it is about the address or the cluster
        raise _unreachable(master) from None
    finally:
        os.environ.update(put_by)
    try:
        # A master that does not answer is given up after a minute. What was made is stopped in a thread of its own, and may
        # serve until then; but an application that no cluster has taken keeps the id that every scheduler begins with.
        if made.sparkContext.applicationId.startswith("spark-application-"):
            raise _unreachable(master)
        yield _encrypting(made)
    finally:
        made.stop()


def _unreachable(master: str) -> EngineError:
    return EngineError("spark_unreachable", _("No Spark cluster answers at %(master)s."), master=master)


@contextmanager
def in_words() -> Iterator[None]:
    """EngineError ``spark_given_up``, ``spark_environment`` for what Spark does not go on with; not in Java's words, which might quote
    a cell."""
    try:
        yield
    except Exception as error:
        if type(error).__module__.partition(".")[0] not in ("py4j", "pyspark") and not isinstance(
            error, ConnectionError
        ):
            raise
        if "ModuleNotFoundError" in str(error) or "PYTHON_VERSION_MISMATCH" in str(error):
            text = _(
                "The machines of the cluster do not have the Python environment of the one that starts the run."
            )
            raise EngineError("spark_environment", text) from None
        text = _("The cluster stopped, or lost machines too often, before its part of the work was done.")
        raise EngineError("spark_given_up", text) from None


def waited(session: SparkSession, action: Callable[[], T], tick: Callable[[float], None]) -> T:
    """What ``action`` gives, a job of the cluster, with a ``tick`` every half a second; what that raises ends the job.

    EngineError as of :func:`in_words`.
    """
    group = f"deid-{uuid4().hex}"

    def work() -> T:
        session.sparkContext.setJobGroup(group, "deid", interruptOnCancel=False)
        return action()

    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(work)
        try:
            while not wait([found], timeout=0.5).done:
                with in_words():
                    share = _share(session, group)
                tick(share)
        except BaseException:
            with suppress(Exception):
                session.sparkContext.cancelJobGroup(group)
            raise
    with in_words():
        return found.result()


def _share(session: SparkSession, group: str) -> float:
    """How much of the tasks of a group is done, of those that Spark knows by now."""
    tracker = session.sparkContext.statusTracker()
    done = number = 0
    for job in tracker.getJobIdsForGroup(group):
        found = tracker.getJobInfo(job)
        for stage in found.stageIds if found is not None else ():
            known = tracker.getStageInfo(stage)
            if known is not None:
                done, number = done + known.numCompletedTasks, number + known.numTasks
    return done / number if number else 0.0


def _encrypting(found: SparkSession) -> SparkSession:
    if found.sparkContext.getConf().get("spark.io.encryption.enabled", "false") != "true":
        text = _(
            "This Spark session would leave keys and cells unencrypted on disks: set spark.io.encryption.enabled to true."
        )
        raise EngineError("spark_unencrypted", text)
    return found
