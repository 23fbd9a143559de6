"""The Spark session that a run uses: one that is there, or a new one."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING

from techniques.core.messages import EngineError, _

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Whatever lies on a disk of the cluster – broadcasts, what is shuffled or kept – is encrypted. Pieces of a result are large cells:
# batches of few rows keep what travels between Java and Python small.
SETTINGS = {
    "spark.io.encryption.enabled": "true",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "64",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
}


@contextmanager
def session(master: str) -> Iterator[SparkSession]:
    """The active session, or one of its own on ``master``, which ends with the block.

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
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    # Executors of a cluster on this machine inherit what Java does.
    hidden = {name: os.environ.pop(name) for name in ("DEID_KEY", "DEID_SEED") if name in os.environ}
    try:
        made = builder.getOrCreate()
    except Exception:  # noqa: BLE001 - whatever Java says, it is about the address or the cluster
        text = _("No Spark cluster answers at %(master)s.")
        raise EngineError("spark_unreachable", text, master=master) from None
    finally:
        os.environ.update(hidden)
    try:
        yield _encrypting(made)
    finally:
        made.stop()


def _encrypting(found: SparkSession) -> SparkSession:
    if found.sparkContext.getConf().get("spark.io.encryption.enabled", "false") != "true":
        text = _(
            "This Spark session would leave keys and cells unencrypted on disks: set spark.io.encryption.enabled to true."
        )
        raise EngineError("spark_unencrypted", text)
    return found
