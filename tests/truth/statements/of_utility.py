"""What ``deid utility`` prints of two files, worked out from their rows."""

from __future__ import annotations

import contextlib
import io
import json
import math
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


def _of(
    after: Callable[[int, Row], Mapping[str, str]], *wanted: Mapping[str, Any], fees: bool = False
) -> Compared:
    """``fees``: a column of numbers stands beside the others."""
    before = [{name: row[name] for name in ("性别", "年龄", "诊断")} for row in people()]
    if fees:
        before = [{**row, "费用": str(100 + n % 10 * 10)} for n, row in enumerate(before)]
    made = [{**row, **after(n, row)} for n, row in enumerate(before)]
    out = io.StringIO()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(out):
        files = [Path(folder) / name for name in ("original.csv", "released.csv", "targets.json")]
        files[0].write_bytes(_bytes(before))
        files[1].write_bytes(_bytes(made))
        files[2].write_text(json.dumps([*wanted]))
        given = ["--qi", "性别,年龄", "--target", "诊断", "--targets", str(files[2])]
        main(["utility", str(files[0]), str(files[1]), *given])
    lines = out.getvalue().splitlines()
    columns = [line for line in lines if ": distance " in line]
    parts = [line for line in lines if line not in columns]
    for line in columns:
        figures, sign, more = line.partition(";")
        first, *others = figures.split(", ")
        parts += [first, *(f", {one}" for one in others), f"{sign}{more}".partition(":")[0]]
    of_cells = [line for line in lines if ": NCP " in line]
    parts = [line for line in parts if line not in of_cells]
    for line in of_cells:
        figures, sign, more = line.partition(", cells kept ")
        kept, *others = more.split(", ")
        parts += [f"{figures}{sign}{kept}", *(f", {one}" for one in others)]
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
    "the young are men": lambda: _of(
        lambda n, row: {"性别": "男"} if row["年龄"] == "20-39" and n < 30 else {}
    ),
    "dearer": lambda: _of(lambda n, row: {"费用": "190"} if n < 20 else {}, fees=True),
    "as dear": lambda: _of(lambda n, row: {}, fees=True),
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


_QI = ("性别", "年龄")


def _number(text: str) -> float:
    """A number, or the middle of what an interval spreads over."""
    low, _bar, high = text.partition("-")
    return (float(low) + float(high or low)) / 2


def _moved(c: Compared) -> Any:
    """How far the numbers lie apart when both columns are sorted, as a share of the range; ages are intervals of one width."""
    for name in {"年龄", "费用"} & {*c.before[0]}:
        old = sorted(_number(row[name]) for row in c.before)
        new = sorted(_number(row[name]) for row in c.after if row[name][0].isdigit())
        if c.stars(name) or len(new) < len(old):
            continue
        far = sum(abs(a - b) for a, b in zip(old, new, strict=True)) / len(old)
        yield {"a": f"{far / (old[-1] - old[0]):.4f}"}


def _cramers_v(rows: Sequence[Row]) -> float:
    """Cramér 1946: the square root of chi-square / (n · (the smaller number of values - 1)), of rows that have both cells."""
    rows = [row for row in rows if "*" not in (row["性别"], row["年龄"])]
    one, two = (Counter(row[name] for row in rows) for name in _QI)
    both, n = Counter((row["性别"], row["年龄"]) for row in rows), len(rows)
    squares = sum((both[a, b] - one[a] * two[b] / n) ** 2 / (one[a] * two[b] / n) for a in one for b in two)
    return math.sqrt(squares / (n * (min(len(one), len(two)) - 1)))


def _association(c: Compared) -> Any:
    return {"a": "性别 and 年龄", "b": f"{abs(_cramers_v(c.after) - _cramers_v(c.before)):.4f}"}


def _gone(c: Compared, name: str) -> float:
    """The share of the cells of which nothing is known any more."""
    return (c.stars(name) + c.unknown(name)) / len(c.after)


def _room(c: Compared, name: str) -> float:
    """What a cell can lose of what it tells: all but one of the column's values."""
    return 1 - 1 / len({row[name] for row in c.before})


def _lost(c: Compared) -> Any:
    room = {name: _room(c, name) for name in _QI}
    left = 1 - sum(_gone(c, name) * room[name] for name in _QI) / sum(room.values())
    return {"a": f"{sum(_gone(c, name) for name in _QI) / 2:.4f}", "b": f"{left:.4f}", "c": "-"}


def _entropy(values: Sequence[Any]) -> float:
    return -sum(n / len(values) * math.log2(n / len(values)) for n in Counter(values).values())


def _columns(c: Compared) -> Any:
    for name in _QI:
        old, new = [row[name] for row in c.before], [row[name] for row in c.after]
        known = _entropy(old) + _entropy(new) - _entropy([*zip(old, new, strict=True)])
        gone = _gone(c, name)
        yield {
            "a": name, "b": f"{gone:.4f}", "c": f"{1 - gone:.4f}", "d": "-", "e": f"{known / _entropy(old):.4f}",
            "f": f"{sum(a == b for a, b in zip(old, new, strict=True)) / len(old):.4f}",
        }  # fmt: skip


def _right(c: Compared, rows: Sequence[Row]) -> float:
    """Naive Bayes with one more of everything, taught four fifths of the rows and tried on the fifth, by their numbers."""
    truth, right = [row["诊断"] for row in c.before], 0
    labels = list(dict.fromkeys(truth))
    sizes = {name: len({row[name] for row in rows}) + 1 for name in _QI}
    for n, row in enumerate(rows):
        seen = [m for m in range(len(rows)) if m % 5 != n % 5]

        def score(label: str, row: Row = row, seen: Sequence[int] = seen) -> float:
            of_label = [rows[m] for m in seen if truth[m] == label]
            found = math.log(len(of_label) + 1)
            for name in _QI:
                alike = sum(other[name] == row[name] for other in of_label)
                found += math.log((alike + 1) / (len(of_label) + sizes[name]))
            return found

        right += max(labels, key=score) == truth[n]
    return right / len(rows)


def _learned(c: Compared) -> Any:
    guess = max(Counter(row["诊断"] for row in c.before).values()) / len(c.before)
    return {
        "a": "诊断",
        "b": f"{_right(c, c.before):.4f}",
        "c": f"{_right(c, c.after):.4f}",
        "d": f"{guess:.4f}",
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
    says(", moved by %(a)s of the range", "as it was | sexes turned | dearer | as dear", lambda c: list(_moved(c))),
    says("%(a)s: association changed by", _ALL, _association),
    says("NCP %(a)s, granularity", _ALL, _lost),
    says("%(a)s: NCP", _ALL, lambda c: list(_columns(c))),
    says(", %(a)s cells not interpreted", _ALL, lambda c: [{"a": n} for name in _QI for n in [c.unknown(name)] if n]),
    says("%(a)s told from them", _ALL, _learned),
]  # fmt: skip
