"""A real Spark of two executors in processes of their own, once for all its tests; everything that it writes lies in one folder."""

from __future__ import annotations

import importlib.util
import json
import logging
import os
import re
import shutil
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest


@dataclass(frozen=True)
class Spark:
    session: Any
    folder: Path

    def executors(self) -> list[psutil.Process]:
        """The processes of the executors, which are children of Java's."""
        return [
            one
            for one in psutil.Process().children(recursive=True)
            if one.status() != psutil.STATUS_ZOMBIE
            and "org.apache.spark.executor.CoarseGrainedExecutorBackend" in " ".join(one.cmdline())
        ]

    def events(self) -> list[dict[str, Any]]:
        """The log that a history server would show."""
        logs = [path for path in (self.folder / "events").rglob("*") if path.is_file()]
        lines = [line for path in logs for line in path.read_text(encoding="utf-8").splitlines()]
        return [json.loads(line) for line in lines if line.endswith("}")]


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Spark]:
    if importlib.util.find_spec("pyspark") is None:
        pytest.skip("pyspark is not installed: make install-test")
    if shutil.which("java") is None:
        pytest.skip("there is no Java: make install-test")
    # Connections are closed after the test run has closed its log.
    logging.getLogger("py4j").setLevel(logging.ERROR)
    import pyspark
    from pyspark.sql import SparkSession

    from techniques.engines.spark import hive
    from techniques.engines.spark import session as own

    folder = tmp_path_factory.mktemp("spark")
    # Workers write the logs of their executors below Spark's home: one that has Spark's own files by links.
    home = folder / "home"
    home.mkdir()
    for one in Path(pyspark.__file__).parent.iterdir():
        if one.name != "work":
            (home / one.name).symlink_to(one)
    (folder / "events").mkdir()
    settings = own.SETTINGS | {
        "spark.log.level": "INFO",
        "spark.local.dir": str(folder / "local"),
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": (folder / "events").as_uri(),
        "spark.eventLog.logBlockUpdates.enabled": "true",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.memory": "1g",
        "spark.ui.port": "0",
        "spark.speculation": "true",
        # A metastore of its own, in the driver's memory, which is made when a table of Hive is first asked for.
        **hive.SETTINGS,
        "spark.sql.warehouse.dir": (folder / "warehouse").as_uri(),
        "spark.hadoop.hive.exec.scratchdir": str(folder / "scratch"),
        "spark.hadoop.javax.jdo.option.ConnectionURL": "jdbc:derby:memory:metastore;create=true",
        "spark.driver.extraJavaOptions": f"-Dderby.system.home={folder}",
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_HOME", str(home))
        patch.setenv("SPARK_LOCAL_DIRS", str(folder / "local"))
        patch.setenv("PYSPARK_PYTHON", os.sys.executable)
        builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("tests")
        for name, value in settings.items():
            builder = builder.config(name, value)
        # Java inherits the standard error: what the driver logs goes into the folder too.
        kept = os.dup(2)
        log = os.open(folder / "driver.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.dup2(log, 2)
        try:
            made = builder.getOrCreate()
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            os.close(log)
        try:
            yield Spark(made, folder)
        finally:
            made.stop()


def files_holding(folder: Path, sought: list[bytes]) -> list[str]:
    """Names of the files below a folder that hold any of ``sought``. Spark's own files are links, which are not followed."""
    found = []
    for path in folder.rglob("*"):
        if path.is_symlink() or not path.is_file():
            continue
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            continue  # a block that was given back meanwhile
        if any(one in content for one in sought):
            found.append(path.name)
    return found


def pages_of(address: str) -> bytes:
    """The pages and the interface of the driver, with all that they lead to by one step."""

    def read(path: str) -> bytes:
        with urllib.request.urlopen(f"{address}{path}", timeout=30) as answer:
            return bytes(answer.read())

    first = b"".join(map(read, ("/jobs/", "/stages/", "/storage/", "/environment/", "/executors/", "/SQL/")))
    links = sorted(set(re.findall(rb'href="(/(?:SQL/execution|jobs/job|stages/stage)/\?[^"]+)"', first)))
    application = json.loads(read("/api/v1/applications"))[0]["id"]
    lists = (
        "environment",
        "jobs",
        "stages?details=true",
        "sql?details=true&planDescription=true&length=1000",
    )
    api = b"".join(read(f"/api/v1/applications/{application}/{one}") for one in lists)
    newest = links[-25:]
    return first + api + b"".join(read(one.decode().replace("&amp;", "&")) for one in newest)
