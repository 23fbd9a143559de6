"""k, α, l, t, β and δ against pycanon on random tables: ``make crosscheck``.

pycanon asks for older numerical libraries than this project has, so it runs in an environment of its own, whose Python
``--python`` names. Tables are drawn with missing cells, skewed values and rows left out; so are the results of
``deid anonymize`` on them. ``--record FILE`` keeps pycanon's figures, which a test holds against ours from then on.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import io
import json
import math
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from techniques.cli.main import main as deid

Columns = dict[str, list[str]]
FIGURES = ("k", "alpha", "distinct", "entropy", "t", "t_ordered", "beta", "delta")


def drawn(seed: int) -> Columns:
    """A random table: one to four quasi-identifiers q0 … with missing cells, a text ``s`` and a number ``n``."""
    draw = random.Random(seed)
    rows = draw.choice([8, 40, 150, 400])
    table: Columns = {}
    for number in range(draw.randrange(1, 5)):
        size, missing = draw.choice([1, 2, 3, 6]), draw.choice([0.0, 0.0, 0.2])
        table[f"q{number}"] = [
            "" if draw.random() < missing else f"v{min(draw.randrange(size), draw.randrange(size))}"
            for _ in range(rows)
        ]
    values = draw.choice([1, 2, 4, 9])
    table["s"] = [f"s{int(values * draw.random() ** 2)}" for _ in range(rows)]
    table["n"] = [str(draw.randrange(values) * 5) for _ in range(rows)]
    kept = [row for row in range(rows) if draw.random() < 0.8] or [0]
    return {name: [cells[row] for row in kept] for name, cells in table.items()}


def write(path: Path, table: Columns) -> Path:
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(table)
        writer.writerows(zip(*table.values(), strict=True))
    return path


def ours(path: Path) -> dict[str, float]:
    """The same figures by ``deid risk``: those of ``s``, and the ordered distance of the number ``n``."""
    with path.open(newline="", encoding="utf-8") as stream:
        quasi = [name for name in next(csv.reader(stream)) if name.startswith("q")]
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        assert (
            deid(
                [
                    "risk",
                    str(path),
                    "--qi",
                    ",".join(quasi),
                    "--sensitive",
                    "s,n",
                    "--accept-findings",
                    "s,n",
                    "--json",
                ]
            )
            == 0
        )
    printed = json.loads(output.getvalue())
    varied = printed["sensitive"]
    found = {"k": printed["k"], **varied["s"], "t_ordered": varied["n"]["t_ordered"]}
    # pycanon cuts e to the entropy down to a whole number.
    return {name: math.floor(found[name] + 1e-9) if name == "entropy" else found[name] for name in FIGURES}


def agree(one: dict[str, float], other: dict[str, float]) -> bool:
    """Whether all figures are the same but for rounding."""
    return all(
        math.isclose(one[name], other[name], rel_tol=1e-9, abs_tol=1e-9)
        # A logarithm may stand on either side of a whole number.
        or (name == "entropy" and abs(one[name] - other[name]) <= 1)
        for name in FIGURES
    )


def measured(python: str, files: list[Path]) -> list[dict[str, float]]:
    child = Path(__file__).with_name("crosscheck_figures.py")
    done = subprocess.run([python, str(child), *map(str, files)], capture_output=True, text=True, check=True)
    found: list[dict[str, float]] = json.loads(done.stdout)
    return found


def released(folder: Path, seed: int, table: Columns) -> tuple[Path, dict[str, Any]] | None:
    """A result of ``deid anonymize`` without its suppressed rows, and what it must hold; None where there is none."""
    draw = random.Random(seed)
    quasi = [name for name in table if name.startswith("q")]
    wanted: dict[str, Any] = {
        "k": draw.choice([2, 3, 5]),
        "l": draw.choice([2, 3]),
        "t": draw.choice([0.3, 0.5, 1.0]),
    }
    source, target = folder / f"a{seed}.csv", folder / f"b{seed}.csv"
    write(source, table)
    arguments = [
        "anonymize", str(source), str(target), "--qi", ",".join(quasi), "--sa", "s", "--k", str(wanted["k"]),
        "--l", str(wanted["l"]), "--t", str(wanted["t"]), "--suppression-limit", "0.9",
    ]  # fmt: skip
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        if deid(arguments + ["--local"] * (seed % 2)) != 0:
            return None
    with target.open(newline="", encoding="utf-8") as stream:
        rows = [row for row in csv.DictReader(stream) if {row[name] for name in quasi} != {"*"}]
    if not rows:
        return None
    return write(target, {name: [row[name] for row in rows] for name in rows[0]}), wanted


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", required=True, help="Python of an environment with pycanon")
    parser.add_argument("--tables", type=int, default=60)
    parser.add_argument("--record", type=Path, metavar="FILE", help="keep pycanon's figures by seed")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        seeds = range(options.tables)
        files = [write(folder / f"t{seed}.csv", drawn(seed)) for seed in seeds]
        theirs = measured(options.python, files)
        wrong = [seed for seed, path in zip(seeds, files, strict=True) if not agree(ours(path), theirs[seed])]
        print(f"{len(files)} tables: k, α, l, t, β, δ as pycanon has them but for {len(wrong)}: {wrong}")
        made = [one for seed in seeds if (one := released(folder, seed, drawn(seed))) is not None]
        held = measured(options.python, [path for path, _ in made])
        broken = [
            path.stem
            for (path, wanted), found in zip(made, held, strict=True)
            if found["k"] < wanted["k"] or found["distinct"] < wanted["l"]
        ]
        print(f"{len(made)} results: k and l as demanded by pycanon but for {len(broken)}: {broken}")
    if options.record:
        lines = ",\n".join(json.dumps(one) for one in theirs)
        options.record.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    return 1 if wrong or broken else 0


if __name__ == "__main__":
    sys.exit(main())
