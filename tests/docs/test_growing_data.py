"""The how-to of data that grow: its commands are carried out as they stand there, on a register of three months."""

from __future__ import annotations

import csv
import os
import random
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/how-to/growing-data.md"
BLOCKS = re.compile(r"```(sh|yaml)\n(.*?)```\n", re.DOTALL)


def register(folder: Path) -> None:
    draw = random.Random(7)
    rows = [
        [f"P{number:04}", str(draw.randint(20, 59)), draw.choice("AB"), str(draw.randint(100, 9000))]
        for number in range(1300)
    ]
    rows[1250][1] = "95"
    for name, part in (("january", rows[:1000]), ("february", rows[:1200]), ("march-new", rows[1200:])):
        with (folder / f"{name}.csv").open("w", newline="") as file:
            csv.writer(file).writerows([["patient", "age", "district", "cost"], *part])


def read(path: Path) -> list[list[str]]:
    with path.open(newline="") as file:
        return list(csv.reader(file))[1:]


def test_the_page_does_what_it_says(tmp_path: Path) -> None:
    register(tmp_path)
    blocks = BLOCKS.findall(PAGE.read_text(encoding="utf-8"))
    assert [kind for kind, _text in blocks] == ["yaml", "sh", "sh"]
    (tmp_path / "recipe.yaml").write_text(blocks[0][1], encoding="utf-8")
    deid = f'deid() {{ {sys.executable} -m techniques.cli.main "$@"; }}; set -euo pipefail\n'
    said = []
    for (_kind, block), code in zip(blocks[1:], (0, 1), strict=True):
        done = subprocess.run(
            ["bash", "-c", deid + block],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code, block + done.stdout + done.stderr
        said.append(done.stdout)
    january, february, together = (
        sorted(map(tuple, read(tmp_path / f"{name}.csv")))
        for name in ("january-released", "february-released", "together")
    )
    assert (len(january), len(february), len(together)) == (1000, 1200, 1300)
    left = list(february)
    for row in january:
        left.remove(row)
    assert len(left) == 200, "every row of January reads as it did"
    assert "200 new rows" in said[0]
    # The patient of 95 is found: beyond all that were there before, and alike to nobody.
    assert "In age, 1 of the new persons" in said[1]
    assert "is 1 among them, and 1 among all" in said[1]
