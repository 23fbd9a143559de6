"""``python -m benchmarks.scale``: measures, fits seconds = a + b · rows, and says what 10^9 rows × 50 columns need by it."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from benchmarks.scale import tables
from techniques.engines.replay import MAX_COUNTED

ENGINES = {"local": 0, "spark, 1 executor": 1, "spark, 2 executors": 2}
WANTED_ROWS, WANTED_COLUMNS = 10**9, 50


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--rows", type=_numbers, default=[10**5, 10**6, 10**7], help="sizes, separated by commas"
    )
    parser.add_argument("--huge", action="store_true", help="10^8 rows as well: 20 GB on the disk, hours")
    parser.add_argument("--columns", type=int, default=WANTED_COLUMNS)
    parser.add_argument(
        "--combinations", type=_numbers, default=[10**5, 10**6], help="sizes of the driver's part"
    )
    parser.add_argument("--executor-memory", type=int, default=1536, help="MB of each executor")
    parser.add_argument(
        "--to", type=Path, default=Path("var/scale"), help="folder of scale.json and scale.md"
    )
    parser.add_argument(
        "--engines", action="append", choices=ENGINES, help="only these; may be given several times"
    )
    options = parser.parse_args()
    if options.columns < tables.FEWEST:
        parser.error(f"--columns: at least {tables.FEWEST}")
    sizes = sorted({*options.rows, *([10**8] if options.huge else [])})
    options.to.mkdir(parents=True, exist_ok=True)
    found: dict[str, Any] = {
        "machine": _machine(),
        "columns": options.columns,
        "measured": [],
        "driver": [],
        "started": {},
    }
    with tempfile.TemporaryDirectory(prefix="scale-", dir=options.to.resolve()) as made:
        folder = Path(made)
        (folder / "recipe.yaml").write_text(tables.RECIPE)
        (folder / "key").write_bytes(os.urandom(32))
        for rows in (_WARM, *sizes):
            tables.write(folder / f"{rows}.parquet", rows, options.columns)
        for rows in options.combinations:
            tables.distinct(folder / f"distinct-{rows}.parquet", rows)
        for engine in options.engines or ENGINES:
            executors = ENGINES[engine]
            with _worker(folder, _master(executors, options)) as worker:
                _measure(worker, folder, sizes, executors, engine, found, options)
            if executors < 2:
                _measure_driver(folder, executors, engine, found, options)
        found["refused"] = _refused(folder, options)
    found["load_at_end"] = os.getloadavg()[0]
    print(_write(options.to, found))


_WARM = 1000
"""Rows of a table that each command is tried on first: nobody counts what is loaded and compiled once."""


def _measure(
    worker: Worker,
    folder: Path,
    sizes: list[int],
    executors: int,
    engine: str,
    found: dict[str, Any],
    options: argparse.Namespace,
) -> None:
    found["started"][engine] = round(worker.started, 1)
    for rows in (_WARM, *sizes):
        for verb in ("risk", "run"):
            one = worker.done(_command(verb, folder, rows, executors, options))
            if one["code"]:
                raise SystemExit(f"{engine}, {verb}: {one['said']}")
            if rows != _WARM:
                found["measured"].append({"verb": verb, "engine": engine, "rows": rows, **one})
                _write(options.to, found)


def _measure_driver(
    folder: Path, executors: int, engine: str, found: dict[str, Any], options: argparse.Namespace
) -> None:
    """What combinations take, in processes of their own: what another command has taken before hides it."""
    with _worker(folder, _master(executors, options)) as worker:
        for rows in options.combinations:
            one = worker.done(_distinct(folder, rows, executors))
            found["driver"].append({"engine": engine, "combinations": rows, **one})
            _write(options.to, found)


class Worker:
    """A process that carries commands out, one after the other."""

    def __init__(self, folder: Path, master: str | None, settings: dict[str, str]) -> None:
        began = time.perf_counter()
        # What Java itself may take is said before it starts.
        environment = os.environ | {"PYSPARK_SUBMIT_ARGS": "--driver-memory 2g pyspark-shell"}
        self._log = folder / "log"
        with self._log.open("w") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "benchmarks.scale.worker", str(folder)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True, env=environment,
            )  # fmt: skip
        self.done({"master": master, "settings": settings})
        self.started = time.perf_counter() - began

    def done(self, job: Any) -> dict[str, Any]:
        """What a job gives."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"The process has ended: {self._log.read_text()[-2000:]}")
        found: dict[str, Any] = json.loads(line)
        return found

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


@contextmanager
def _worker(folder: Path, master: str | None, settings: dict[str, str] | None = None) -> Iterator[Worker]:
    worker = Worker(folder, master, {"spark.ui.enabled": "false"} | (settings or {}))
    try:
        yield worker
    finally:
        worker.close()


def _master(executors: int, options: argparse.Namespace) -> str | None:
    return f"local-cluster[{executors},1,{options.executor_memory}]" if executors else None


def _command(verb: str, folder: Path, rows: int, executors: int, options: argparse.Namespace) -> list[str]:
    table = str(folder / f"{rows}.parquet")
    on = ["--engine", "spark"] if executors else []
    if verb == "risk":
        accepted = ",".join(tables.names(options.columns))
        return [
            "risk", table, "--qi", ",".join(tables.QUASI), "--sensitive", tables.SENSITIVE, "--subject", "rows",
            "--accept-findings", accepted, "--json", *on,
        ]  # fmt: skip
    output = folder / f"result-{executors}-{rows}{'' if executors else '.parquet'}"
    return ["run", str(folder / "recipe.yaml"), table, str(output), "--key-file", str(folder / "key"), *on]


def _distinct(folder: Path, rows: int, executors: int) -> list[str]:
    table = str(folder / f"distinct-{rows}.parquet")
    on = ["--engine", "spark"] if executors else []
    return ["risk", table, "--qi", "key", "--subject", "rows", "--json", *on]


def _refused(folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    """What really happens where the combinations do not fit: the last table again, of whose figures the driver takes 1 MB."""
    with _worker(folder, _master(1, options), {"spark.driver.maxResultSize": "1m"}) as worker:
        return worker.done(_distinct(folder, options.combinations[-1], 1))


def fitted(rows: list[int], seconds: list[float]) -> dict[str, Any] | None:
    """a and b of seconds = a + b · rows by the least squares of what is off relative to what was measured.

    None of fewer than three sizes, for two are fitted whatever they are, and where more rows did not take longer.
    """
    n, t = np.array(rows, dtype=float), np.array(seconds)
    if len(n) < 3:
        return None
    (a, b), *_rest = np.linalg.lstsq(np.stack([1 / t, n / t], axis=1), np.ones(len(t)), rcond=None)
    if b <= 0:
        return None
    off = (a + b * n) / t - 1
    return {"a": float(a), "b": float(b), "off": [round(float(one), 4) for one in off]}


def _fits(found: dict[str, Any]) -> list[dict[str, Any]]:
    fits = []
    for verb in ("risk", "run"):
        for engine in ENGINES:
            own = [one for one in found["measured"] if (one["verb"], one["engine"]) == (verb, engine)]
            for what in ("seconds", "processor"):
                fit = fitted([one["rows"] for one in own], [one[what] for one in own])
                if fit is not None:
                    fits.append({"verb": verb, "engine": engine, "what": what, **fit})
    return fits


def _write(folder: Path, found: dict[str, Any]) -> str:
    found["fits"] = _fits(found)
    text = _page(found)
    (folder / "scale.json").write_text(json.dumps(found, indent=1) + "\n")
    (folder / "scale.md").write_text(text)
    return text


def _page(found: dict[str, Any]) -> str:
    machine, columns = found["machine"], found["columns"]
    lines = [
        f"{machine['day']}, {machine['cores']} cores, {machine['gb']} GB, load average {machine['load']:.1f} at the beginning"
        + (f" and {found['load_at_end']:.1f} at the end." if "load_at_end" in found else "."),
        "",
        f"{columns} columns. Processor seconds are those of all processes; MB are peaks of the command, of Java's driver, of the executors. "
        "Each engine is warm: it takes "
        + ", ".join(f"{seconds} s ({engine})" for engine, seconds in found["started"].items())
        + " to start.",
        "",
        "| | Engine | Rows | Seconds | Processor s | MB |",
        "|---|---|---:|---:|---:|---|",
    ]
    for one in sorted(found["measured"], key=lambda one: (one["verb"], one["engine"], one["rows"])):
        memory = " + ".join(f"{size:,}" for size in _sizes(one))
        lines.append(
            f"| {one['verb']} | {one['engine']} | {one['rows']:,} | {one['seconds']:.1f} | {one['processor']:.1f} | {memory} |"
        )
    lines += [
        "",
        "| | Engine | a | b, µs a row | Off by at most | " + _wanted() + " |",
        "|---|---|---:|---:|---:|---:|",
    ]
    for fit in found["fits"]:
        hours = (fit["a"] + fit["b"] * WANTED_ROWS * WANTED_COLUMNS / columns) / 3600
        off = max(abs(one) for one in fit["off"])
        unit = "h" if fit["what"] == "seconds" else "processor h"
        lines.append(
            f"| {fit['verb']}, {fit['what']} | {fit['engine']} | {fit['a']:.1f} s | {fit['b'] * 1e6:.1f} | {off:.0%} | {hours:.1f} {unit} |"
        )
    largest = max((one["rows"] for one in found["measured"]), default=1)
    lines += [
        "",
        f"The last column goes {WANTED_ROWS / largest:,.0f} times beyond what was measured: it holds as long as a row goes on to cost the same, "
        "and no longer where memory, disks or the network become short."
        + (
            ""
            if columns == WANTED_COLUMNS
            else f" It takes {WANTED_COLUMNS} columns to cost {WANTED_COLUMNS / columns:.1f} times {columns}."
        ),
    ]
    return "\n".join(lines + _driver(found)) + "\n"


def _driver(found: dict[str, Any]) -> list[str]:
    if not found["driver"]:
        return []
    lines = ["", "Every row a combination of its own, of one text of 12 characters:", ""]
    lines += ["| Engine | Combinations | Seconds | MB |", "|---|---:|---:|---|"]
    lines += [
        f"| {one['engine']} | {one['combinations']:,} | {one['seconds']:.1f} | {' + '.join(f'{size:,}' for size in _sizes(one))} |"
        for one in found["driver"]
    ]
    own = [one for one in found["driver"] if one["engine"] != "local"]
    if len(own) > 1:
        first, last = own[0], own[-1]
        more = last["combinations"] - first["combinations"]
        each = {
            part: (last["peak_mb"].get(part, 0) - first["peak_mb"].get(part, 0)) * 1e6 / more
            for part in ("command", "driver")
        }
        lines += [
            "",
            f"Bytes a combination: {each['command']:.0f} in the command, {each['driver']:.0f} in Java's driver.",
        ]
    refused = found.get("refused")
    if refused is None:
        return lines
    lines += [
        "",
        f"With spark.driver.maxResultSize of 1 MB the last of them ends with exit code {refused['code']} and says: {refused['said']}",
        "",
        f"A step that counts values or combinations stops at {MAX_COUNTED:,} different values of one column.",
    ]
    return lines


def _sizes(one: dict[str, Any]) -> list[int]:
    return [one["peak_mb"][part] for part in ("command", "driver", "executors") if part in one["peak_mb"]]


def _wanted() -> str:
    return f"{WANTED_ROWS:.0e} rows × {WANTED_COLUMNS}".replace("1e+09", "10⁹")


def _machine() -> dict[str, Any]:
    return {
        "day": datetime.now(UTC).date().isoformat(),
        "cores": os.cpu_count(),
        "gb": round(psutil.virtual_memory().total / 1e9),
        "load": os.getloadavg()[0],
    }


def _numbers(text: str) -> list[int]:
    return [int(float(one)) for one in text.split(",")]


if __name__ == "__main__":
    main()
