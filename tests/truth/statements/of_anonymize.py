"""What ``deid anonymize`` prints, beside the file that it wrote: worked out from both."""

from __future__ import annotations

import contextlib
import csv
import io
import re
import tempfile
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from techniques.cli.main import main
from tests.truth.statements import Statement, says
from tests.truth.statements.of_classes import _visits
from tests.truth.tables import Row, _bytes, matching, people


@dataclass(frozen=True)
class Made:
    """A file, what became of it, and the lines of the command; ``options`` have the columns and the bounds."""

    rows: Sequence[Row]
    options: Sequence[str]
    written: Sequence[Row]
    lines: frozenset[str]
    name: str

    def says(self, message: str) -> set[str]:
        return matching(self.lines, message)

    def given(self, option: str) -> list[str]:
        return self.options[self.options.index(option) + 1].split(",") if option in self.options else []

    @property
    def quasi(self) -> list[str]:
        return self.given("--qi")

    @property
    def by_person(self) -> bool:
        return self.given("--subject") not in ([], ["rows"])

    @property
    def gone(self) -> int:
        """Rows of which nothing is left to be recognised by."""
        return sum(all(row[name] == "*" for name in self.quasi) for row in self.written)

    @property
    def sizes(self) -> list[int]:
        """The rows, or the different persons, of every class that is left."""
        found: dict[Any, set[Any]] = defaultdict(set)
        for place, row in enumerate(self.written):
            values = tuple(row[name] for name in self.quasi)
            if {*values} != {"*"}:
                found[values].add(row["病历号"] if self.by_person else place)
        return [len(who) for who in found.values()]


def _made(rows: Sequence[Row], *options: str) -> Made:
    out, beside = io.StringIO(), io.StringIO()
    with tempfile.TemporaryDirectory() as folder:
        source, result = Path(folder) / "table.csv", Path(folder) / "result.csv"
        source.write_bytes(_bytes(rows))
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(beside):
            main(["anonymize", str(source), str(result), *options])
        written = list(csv.DictReader(io.StringIO(result.read_text("utf-8-sig")))) if result.exists() else []
    lines = [*out.getvalue().splitlines(), *beside.getvalue().splitlines()]
    lines += [
        found[0]
        for line in lines
        for found in [re.search(r" of \d+ persons, \d+ of whom have none left", line)]
        if found
    ]
    lines += [
        found[0] for line in lines for found in [re.search(r" for the \d+ that are looked at", line)] if found
    ]
    return Made(rows, options, written, frozenset(lines), str(result))


def _coarse(rows: Sequence[Row], *more: str) -> list[Row]:
    return [{name: row[name] for name in (*more, "性别", "年龄", "诊断")} for row in rows]


def _alone() -> list[Row]:
    return [{**row, "年龄": "80-99"} if n == 7 else row for n, row in enumerate(_coarse(people()))]


def _measured(rows: Sequence[Row]) -> list[Row]:
    """With a figure that hardly two share."""
    return [{**row, "身高": f"{150 + n * 7919 % 9973 / 250:.3f}"} for n, row in enumerate(rows)]


_QI = ("--qi", "性别,年龄", "--k", "5", "--subject", "rows")
_BY = (
    "--qi",
    "性别,年龄",
    "--k",
    "5",
    "--subject",
    "病历号",
    "--keep",
    "病历号",
    "--accept-findings",
    "病历号",
)
_FOUR = ("--qi", "性别,年龄,诊断,城乡", "--k", "2", "--subject", "rows")
TABLES: Mapping[str, Callable[[], Made]] = {
    "all alike": lambda: _made(_coarse(people()), *_QI, "--suppression-limit", "0"),
    "one alone": lambda: _made(_alone(), *_QI, "--suppression-limit", "0.05"),
    "illnesses left out": lambda: _made(_alone(), *_QI, "--suppression-limit", "0.05", "--drop-unlisted"),
    "persons": lambda: _made(_coarse(_visits(), "病历号"), *_BY, "--suppression-limit", "0.1"),
    "persons, one alone": lambda: _made(_coarse(_visits(True), "病历号"), *_BY, "--suppression-limit", "0.1"),
    "a figure of everybody": lambda: _made(
        _measured(_coarse(people())), *_QI, "--suppression-limit", "0", "--keep", "身高"
    ),
    "four columns": lambda: _made(
        [{**row, "城乡": "城乡"[n % 2]} for n, row in enumerate(_coarse(people(80)))],
        *_FOUR,
        "--effort",
        "10",
    ),
}


@cache
def judge(name: str) -> Made:
    return TABLES[name]()


def _left(m: Made) -> list[str]:
    """Columns of the result that nobody treats, in the order of the file."""
    return [name for name in m.written[0] if name not in m.quasi]


def _whole(m: Made) -> Mapping[str, Any]:
    room = {name: 1 - 1 / len({row[name] for row in m.rows}) for name in m.quasi}
    lost = {name: sum(row[name] == "*" for row in m.written) / len(m.written) for name in m.quasi}
    return {
        "a": len(m.rows), "b": m.gone, "c": "".join(f" of {one['a']} persons, {one['b']} of whom have none left" for one in _persons(m)),
        "d": len(m.sizes), "e": min(m.sizes), "g": m.name,
        "f": f"{1 - sum(lost[name] * room[name] for name in room) / sum(room.values()):.4f}",
    }  # fmt: skip


def _persons(m: Made) -> list[Mapping[str, Any]]:
    """All persons, and those all of whose rows became ``*``."""
    if not m.by_person:
        return []
    left = {row["病历号"] for row in m.written if any(row[name] != "*" for name in m.quasi)}
    everybody = {row["病历号"] for row in m.rows}
    return [{"a": len(everybody), "b": len(everybody - left)}]


def _telling(m: Made) -> Any:
    names = [name for name in _left(m) if len({row[name] for row in m.rows}) >= 0.95 * len(m.rows)]
    return [{"a": ", ".join(names)}] if names else []


def _accepted(m: Made) -> Any:
    """Most of the rows share the value of such a column with fewer than five others."""
    for name in _left(m):
        values = [row[name] for row in m.rows]
        if sum(values.count(value) < 5 for value in values) >= len(values) / 2:
            yield {"a": f"{name}: value that few rows share, {len(values)} rows, accepted"}


_ALL = " | ".join(TABLES)
STATEMENTS: list[Statement] = [
    says("%(a)s rows, %(b)s suppressed", _ALL, _whole),
    says(" of %(a)s persons, %(b)s of whom", _ALL, _persons),
    says("deid: left as they are: ", _ALL, lambda m: [{"a": ", ".join(_left(m))}] if _left(m) else []),
    says("deid: these may tell rows apart", _ALL, _telling),
    says(" for the %(a)s that are looked at", _ALL, lambda m: [{"a": "10"}] if "--effort" in m.options else []),
]  # fmt: skip
