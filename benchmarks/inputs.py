"""The files that are sent, the verdicts about their columns, and the recipe."""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

# Of the hospital's thirteen columns all but the department, which says no more than the diagnosis.
HOSPITAL_COLUMNS = ("姓名", "身份证号", "手机号", "住址", "性别", "出生日期", "民族",
                    "病历号", "就诊日期", "诊断", "费用", "备注")  # fmt: skip
NARROW_COLUMNS = ("身份证号", "手机号", "诊断", "备注")
TABLES = {"hospital": HOSPITAL_COLUMNS, "narrow": NARROW_COLUMNS}

VERDICTS = {
    "姓名": ("direct", "person_name"), "身份证号": ("direct", "id_number"), "手机号": ("direct", "phone"),
    "病历号": ("direct", "medical_record"), "备注": ("direct", ""), "住址": ("quasi", "address"),
    "性别": ("quasi", "gender"), "出生日期": ("quasi", "birth_date"), "民族": ("quasi", "ethnic_group"),
    "就诊日期": ("quasi", "event_date"), "诊断": ("sensitive", "diagnosis"), "费用": ("sensitive", "fee"),
}  # fmt: skip
RAGGED_ROWS = 10
_BLOCK = 1_000_000


def make(options: argparse.Namespace, folder: Path) -> tuple[Path, float]:
    """Write the file in a process of its own, so that the driver stays small; seconds it took."""
    file = folder / "门诊就诊记录.csv"
    began = time.perf_counter()
    arguments = [str(file), str(options.rows), options.encoding, options.table, str(int(options.ragged))]
    subprocess.run([sys.executable, "-m", "benchmarks.inputs", *arguments], check=True)
    return file, time.perf_counter() - began


def write(file: Path, rows: int, encoding: str, table: str, ragged: bool) -> None:
    """``rows`` rows of the demonstration's generator; larger tables in blocks, each of its own seed.

    ``ragged``: ten more rows at the very end, the last of which have a cell too few and too many.
    """
    from deid_portal.demo.hospital import DEFAULT_SEED, generate, write_csv

    columns = list(TABLES[table])
    with file.open("wb") as stream:
        for number, start in enumerate(range(0, rows, _BLOCK)):
            block = generate(min(_BLOCK, rows - start), DEFAULT_SEED + number).select(columns)
            if start == 0:
                write_csv(block, stream, encoding)  # type: ignore[arg-type]
                continue
            from io import BytesIO

            written = BytesIO()
            write_csv(block, written, encoding)  # type: ignore[arg-type]
            stream.write(written.getvalue().partition(b"\n")[2])
        if ragged:
            cells = ["x"] * len(columns)
            lines = [cells] * (RAGGED_ROWS - 2) + [cells[1:], [*cells, "x"]]
            stream.write("".join(",".join(line) + "\n" for line in lines).encode(encoding))


def recipe(suggested: dict[str, Any], suppression: float | None) -> dict[str, Any]:
    """The suggested recipe with masks for name and telephone, redacted remarks and rounded fees."""
    steps = list(suggested["steps"])
    removal = next(step for step in steps if step["technique"] == "suppression.remove_column")
    removal["columns"] = [c for c in removal["columns"] if c not in ("姓名", "手机号")]
    kept = next(step for step in steps if step["technique"] == "as_is")
    kept["columns"] = [c for c in kept["columns"] if c != "费用"]
    model = next(step for step in steps if step["technique"] == "model.k_anonymity")
    if suppression is not None:
        model["parameters"]["suppression_limit"] = suppression
    steps[1:1] = [
        {"technique": "suppression.mask_identifier", "columns": ["姓名"], "parameters": {"kind": "name"}},
        {"technique": "suppression.mask_identifier", "columns": ["手机号"], "parameters": {"kind": "phone"}},
        {"technique": "generalization.rounding", "columns": ["费用"], "parameters": {"base": 10}},
    ]
    return {**suggested, "steps": steps}


def scan(folder: Path) -> Path:
    """A picture of a page for the signed agreement."""
    from PIL import Image

    file = folder / "协议.png"
    Image.new("L", (210, 297), "white").save(file)
    return file


if __name__ == "__main__":
    write(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4], sys.argv[5] == "1")
