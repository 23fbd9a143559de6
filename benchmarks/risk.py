"""``python -m benchmarks.risk``: `deid risk` on a long table of nine columns; it ends with 0 only within the seconds and the memory wanted."""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

GROUP = 1_048_576
"""Rows of a row group, as other programs write them."""
NAMES = ("age", "sex", "region", "job", "married", "illness", "day", "fee", "class")
_COMMAND = "from techniques.cli.main import as_program; as_program()"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=lambda text: int(float(text)), default=100_000_000)
    parser.add_argument("--qi", default="age,sex,region")
    parser.add_argument("--seconds", type=float, default=180)
    parser.add_argument("--mb", type=float, default=4000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="risk-") as folder:
        path = Path(folder) / "table.parquet"
        write(path, options.rows)
        command = [
            "risk", str(path), "--qi", options.qi, "--sensitive", "illness", "--subject", "rows",
            "--accept-findings", ",".join(NAMES), "--json",
        ]  # fmt: skip
        load, began = os.getloadavg()[0], time.perf_counter()
        subprocess.run([sys.executable, "-c", _COMMAND, *command], check=True)
        seconds = time.perf_counter() - began
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    megabytes = used.ru_maxrss * 1024 / 1e6
    print("| Rows | Quasi-identifiers | Seconds | Processor s | Peak MB | Load at the beginning |")
    print("|---:|---|---:|---:|---:|---:|")
    print(
        f"| {options.rows:,} | {options.qi} | {seconds:.1f} | {used.ru_utime + used.ru_stime:.1f} "
        f"| {megabytes:,.0f} | {load:.1f} |"
    )
    return 0 if seconds <= options.seconds and megabytes <= options.mb else 1


def write(path: Path, rows: int) -> None:
    """A Parquet file of ``rows`` rows in row groups of :data:`GROUP`; the same each time."""
    draw = np.random.default_rng(9)

    def texts(prefix: str, size: int, count: int) -> pa.Array:
        kinds = pa.array([f"{prefix}{one:04}" for one in range(size)])
        return kinds.take(pa.array(np.minimum(draw.geometric(min(1, 8 / size), count), size) - 1))

    writer = None
    for start in range(0, rows, GROUP):
        count = min(GROUP, rows - start)
        cells = [
            pa.array(draw.integers(0, 100, count)),
            pa.array(["m", "f"]).take(pa.array(draw.integers(0, 2, count))),
            texts("R", 300, count),
            texts("J", 50, count),
            texts("M", 5, count),
            texts("I", 500, count),
            pa.array(draw.integers(15_000, 20_000, count).astype(np.int32)).cast(pa.date32()),
            pa.array(np.round(draw.exponential(100, count), 2)),
            texts("C", 10, count),
        ]
        part = pa.table(cells, names=list(NAMES))
        writer = writer or pq.ParquetWriter(path, part.schema)
        writer.write_table(part)
    assert writer is not None
    writer.close()


if __name__ == "__main__":
    sys.exit(main())
