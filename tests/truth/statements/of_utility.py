"""What ``deid utility`` prints of two files, worked out from their rows."""

from __future__ import annotations

import contextlib
import io
import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from techniques.cli.main import main
from tests.truth.statements import Statement, says
from tests.truth.tables import Row, _bytes, matching, people


@dataclass(frozen=True)
class Compared:
    """The original, what was released of it, what is wanted of it, and the lines of the command in their parts."""

    before: Sequence[Row]
    after: Sequence[Row]
    wanted: Sequence[Mapping[str, Any]]
    lines: frozenset[str]

    def says(self, message: str) -> set[str]:
        return matching(self.lines, message)

    def stars(self, column: str) -> int:
        return sum(row[column] == "*" for row in self.after)

    def unknown(self, column: str) -> int:
        """Cells of the result that are of no value of the original."""
        known = {row[column] for row in self.before} | {"*"}
        return sum(row[column] not in known for row in self.after)


def _of(after: Callable[[int, Row], Mapping[str, str]], *wanted: Mapping[str, Any]) -> Compared:
    before = [{name: row[name] for name in ("性别", "年龄", "诊断")} for row in people()]
    made = [{**row, **after(n, row)} for n, row in enumerate(before)]
    out = io.StringIO()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(out):
        files = [Path(folder) / name for name in ("original.csv", "released.csv", "targets.json")]
        files[0].write_bytes(_bytes(before))
        files[1].write_bytes(_bytes(made))
        files[2].write_text(json.dumps([*wanted]))
        main(["utility", str(files[0]), str(files[1]), "--qi", "性别,年龄", "--targets", str(files[2])])
    lines = out.getvalue().splitlines()
    columns = [line for line in lines if ": distance " in line]
    parts = [line for line in lines if line not in columns]
    for line in columns:
        figures, sign, more = line.partition(";")
        parts += [figures.split(", ")[0], f", {figures.split(', ')[-1]}", f"{sign}{more}".partition(":")[0]]
    return Compared(before, made, wanted, frozenset(parts))


_ROWS = {"kind": "rows_retained", "bound": 0.9}
_STARS = {"kind": "suppressed_cells", "bound": 0.05, "columns": ["年龄"]}
TABLES: Mapping[str, Callable[[], Compared]] = {
    "as it was": lambda: _of(lambda n, row: {}, _ROWS, _STARS),
    "sexes turned": lambda: _of(lambda n, row: {"性别": "男"} if n < 12 else {}, _STARS),
    "six illnesses another": lambda: _of(lambda n, row: {"诊断": "流感"} if n % 10 == 1 else {}),
    "few stars": lambda: _of(lambda n, row: {"年龄": "*"} if n < 2 else {}, _STARS),
    "six stars": lambda: _of(lambda n, row: {"年龄": "*"} if n < 6 else {}, _STARS),
    "rows of stars": lambda: _of(lambda n, row: {"性别": "*", "年龄": "*"} if n < 8 else {}, _ROWS),
    "in words": lambda: _of(lambda n, row: {"年龄": "young"} if n < 4 else {}),
}


@cache
def judge(name: str) -> Compared:
    return TABLES[name]()


def _distances(c: Compared) -> Iterator[Mapping[str, Any]]:
    """Half of what the shares differ by; a ``*`` may be any value of the original, what is not understood is none of them."""
    for name in c.before[0]:
        source, result = (Counter(row[name] for row in rows) for rows in (c.before, c.after))
        spread = {value: result[value] + result["*"] * source[value] / len(c.before) for value in source}
        apart = sum(abs(spread[value] - source[value]) for value in source) + c.unknown(name)
        yield {"a": name, "b": f"{apart / 2 / len(c.before):.4f}"}


def _classes(c: Compared) -> Counter[Any]:
    return Counter((row["性别"], row["年龄"]) for row in c.after if {row["性别"], row["年龄"]} != {"*"})


def _whole(c: Compared) -> Mapping[str, Any]:
    rows, classes = len(c.after), _classes(c)
    return {
        "a": rows,
        "b": f"{1 - classes.total() / rows:.4f}",
        "c": len(classes),
        "d": f"{classes.total() / len(classes):.4g}",
    }


def _discernibility(c: Compared) -> Mapping[str, Any]:
    """Every record counts those that it looks like, a suppressed one all."""
    rows, classes = len(c.after), _classes(c)
    found = sum(size**2 for size in classes.values()) + (rows - classes.total()) * rows
    return {"a": f"{found:.6g}", "b": f"{found / rows**2:.4%}"}


def _missed(c: Compared) -> Iterator[Mapping[str, Any]]:
    for one in c.wanted:
        kept = one["kind"] == "rows_retained"
        measured = len(c.after) / len(c.before) if kept else c.stars("年龄") / len(c.after)
        if measured < one["bound"] if kept else measured > one["bound"]:
            yield {
                "a": "Share of rows kept" if kept else "Share of suppressed cells",
                "b": f"{measured:.4f}",
                "c": f"{one['bound']:g}",
            }


_ALL = " | ".join(TABLES)
STATEMENTS: list[Statement] = [
    says("%(a)s: distance", _ALL, lambda c: list(_distances(c))),
    says(", suppressed %(a)s", _ALL, lambda c: [{"a": f"{c.stars(name) / len(c.after):.4f}"} for name in c.before[0]]),
    says("cells have labels that could not be interpreted", _ALL, lambda c: [
        {"a": n} for name in c.before[0] for n in [c.unknown(name)] if n]),
    says("rows %(a)s, suppressed %(b)s, classes", _ALL, _whole),
    says("discernibility %(a)s", _ALL, _discernibility),
    says("missed: %(a)s", _ALL, lambda c: list(_missed(c))),
]  # fmt: skip
