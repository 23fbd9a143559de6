"""Commands one after the other in one process, on one Spark where they ask for it: seconds, processor time and memory of each.

``python -m benchmarks.scale.worker FOLDER``: jobs as JSON lines on the standard input, a line of figures for each on the standard output.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil


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
    said, before, began = io.StringIO(), _processor(), time.perf_counter()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(said):
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
        "processor": round(_processor() - before, 2),
        "peak_mb": _peaks(),
    }


def _tree() -> list[psutil.Process]:
    here = psutil.Process()
    return [here, *here.children(recursive=True)]


def _processor() -> float:
    """Seconds of this process and of all below it, of those too that have ended since."""
    total = 0.0
    for one in _tree():
        with suppress(psutil.Error):
            times = one.cpu_times()
            # Java waits for none of its own; what Python has waited for is not below it any more.
            total += times.user + times.system + times.children_user + times.children_system
    return total


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
