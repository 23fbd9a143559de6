"""What a technique takes beside a column of a million different values, as a multiple: part of ``benchmarks.techniques``.

A multiple counts the column (its texts and 4 bytes a row for the codes) and all that was held at the peak, over the
larger of the column and its result. Each is measured in a process of its own, by the kernel's high-water mark.
"""

from __future__ import annotations

import ctypes
import gc
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from techniques import catalogue
from techniques.core.operations import Context
from techniques.core.secrets import Secrets

CODE_BYTES = 4
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "encryption.format_preserving": ("number", {"algorithm": "ff1-aes"}),
    "encryption.deterministic": ("number", {}),
    "pseudonymization.keyed_hash": ("number", {}),
    "suppression.mask": ("number", {"keep_left": 2}),
    "suppression.mask_identifier": ("number", {"kind": "id_number"}),
    "generalization.rounding": ("amount", {"base": 10.0}),
    "generalization.intervals": ("amount", {"width": 10.0}),
    "generalization.date": ("date", {"unit": "month"}),
    "generalization.hierarchy": ("number", {"hierarchy": {"kind": "mask", "characters": [2, 4]}, "level": 1}),
}  # fmt: skip


def column(kind: str, count: int) -> pa.StringArray:
    if kind == "number":
        return pa.array([f"11010119900101{i:06}" for i in range(count)])
    if kind == "amount":
        return pa.array([f"{i * 37 % 100_000_000 / 100:.2f}" for i in range(count)])
    return pa.array((np.datetime64("1000-01-01") + np.arange(count) % 700_000).astype(str))


def measure(key: str, count: int) -> float:
    """The multiple, in this process."""
    kind, parameters = CASES[key]
    values = column(kind, count)
    read = catalogue.get(key).settings.model_validate(parameters)
    made = catalogue.implementation(key)(read, Context(0, ("c",), count, Secrets(b"k" * 32, 1)))
    made.apply(values.slice(0, 1000))  # compiled and in memory
    gc.collect()
    pa.default_memory_pool().release_unused()
    ctypes.CDLL(None).malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5")
    before = _status("VmRSS")
    result = made.apply_in_parts(values).values
    taken = _status("VmHWM") - before
    codes = CODE_BYTES * count
    larger = max(values.nbytes, result.nbytes) + codes
    return float((taken + values.nbytes + codes) / larger)


def _status(name: str) -> int:
    found = re.search(rf"{name}:\s+(\d+)", Path("/proc/self/status").read_text())
    assert found is not None
    return int(found[1]) * 1024


def report(count: int, wanted: float) -> None:
    """A line for each technique."""
    if not Path("/proc/self/clear_refs").exists():
        print("memory: not measured here, there is no /proc")
        return
    for key in CASES:
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.column_memory", key, str(count)],
            capture_output=True,
            text=True,
            check=True,
        )
        times = float(json.loads(done.stdout))
        verdict = "ok" if times <= wanted else "MISSED"
        print(f"{key + ', memory':<44}{times:>8.2f} times the column (wanted {wanted:g}) {verdict}")


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1], int(sys.argv[2]))))
