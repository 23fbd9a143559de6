"""Commands one after the other in one process, on one Spark where they ask for it: seconds, processor time and memory of each.

``python -m benchmarks.scale.worker FOLDER``: jobs as JSON lines on the standard input, a line of figures for each on the standard output.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil

_EVERY = 0.5
"""Seconds from one look at the processes to the next."""


def main() -> None:
    folder = Path(sys.argv[1])
    given = json.loads(sys.stdin.readline())
    with _spark(given["master"], given["settings"], folder):
        print(json.dumps({"started": time.perf_counter()}), flush=True)
        for line in sys.stdin:
            print(json.dumps(_measured(json.loads(line))), flush=True)


@contextmanager
def _spark(master: str | None, settings: dict[str, str], folder: Path) -> Iterator[None]:
    if master is None:
        yield
        return
    os.environ["SPARK_HOME"] = str(_home(folder))
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    from techniques.engines.spark.session import SETTINGS

    builder = SparkSession.builder.master(master).appName("scale")
    for name, value in (SETTINGS | settings | {"spark.local.dir": str(folder / "local")}).items():
        builder = builder.config(name, value)
    made = builder.getOrCreate()
    try:
        yield
    finally:
        made.stop()


def _measured(arguments: list[str]) -> dict[str, Any]:
    from techniques.cli.main import main as deid

    for one in _tree():
        with suppress(OSError):
            Path(f"/proc/{one.pid}/clear_refs").write_text("5")
    said, began = io.StringIO(), time.perf_counter()
    with (
        _processor() as processor,
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(said),
    ):
        try:
            code = deid(arguments)
        except Exception:  # noqa: BLE001 - whatever a command ends with is told
            traceback.print_exc()
            code = 1
    lines = [line for line in said.getvalue().splitlines() if line.strip()]
    return {
        "code": code,
        "said": lines[-1][:300] if lines else "",
        "seconds": round(time.perf_counter() - began, 2),
        "processor": round(processor(), 2),
        "peak_mb": _peaks(),
    }


def _tree() -> list[psutil.Process]:
    here = psutil.Process()
    return [here, *here.children(recursive=True)]


@contextmanager
def _processor() -> Iterator[Callable[[], float]]:
    """What tells the seconds of processor since the block began: of this process, of all below it, and of those that have ended.

    Java waits for none of its own, and what one took that has ended is nowhere else: so all are looked at again and again.
    """
    before, last = _seconds(), {}
    done = threading.Event()

    def watch() -> None:
        while not done.wait(_EVERY):
            last.update(_seconds())

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        yield lambda: sum(seconds - before.get(one, 0.0) for one, seconds in (last | _seconds()).items())
    finally:
        done.set()
        watching.join()


def _seconds() -> dict[tuple[int, float], float]:
    """By process, which is its number and when it began, the seconds of processor that it has taken itself."""
    found = {}
    for one in _tree():
        with suppress(psutil.Error):
            times = one.cpu_times()
            found[one.pid, one.create_time()] = times.user + times.system
    return found


def _peaks() -> dict[str, int]:
    """MB at most: of the command, of Java that schedules, and, added up, of what works for it."""
    found: dict[str, int] = {}
    for one in _tree():
        with suppress(OSError, psutil.Error):
            lines = Path(f"/proc/{one.pid}/status").read_text().splitlines()
            # One that has just ended has no memory any more.
            peak = next((int(line.split()[1]) // 1000 for line in lines if line.startswith("VmHWM")), 0)
            part = "executors"
            if one.pid == os.getpid():
                part = "command"
            elif "org.apache.spark.deploy.SparkSubmit" in one.cmdline():
                part = "driver"
            found[part] = found.get(part, 0) + peak
    return found


def _home(folder: Path) -> Path:
    """Spark's own files by links, so that what executors log lies in ``folder``."""
    import pyspark

    home = folder / "home"
    if not home.exists():
        home.mkdir()
        for one in Path(pyspark.__file__).parent.iterdir():
            if one.name != "work":
                (home / one.name).symlink_to(one)
    return home


if __name__ == "__main__":
    main()
