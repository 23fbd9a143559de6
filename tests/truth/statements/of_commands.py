"""What ``deid risk`` and ``deid evaluate`` print of a file, worked out from its rows by hand."""

from __future__ import annotations

import contextlib
import io
import tempfile
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil
from pathlib import Path
from typing import Any

from techniques.cli.main import main
from techniques.core.messages import filled
from tests.truth.statements import Statement, says
from tests.truth.statements.of_classes import _starred, _visits
from tests.truth.tables import Row, _bytes, matching, people, written_of


@dataclass(frozen=True)
class Printed:
    """A file, the options of the command, and its lines."""

    rows: Sequence[Row]
    command: str
    options: Sequence[str]
    lines: frozenset[str]

    def says(self, message: str) -> set[str]:
        return matching(self.lines, message)

    def given(self, option: str, default: str = "") -> str:
        return self.options[self.options.index(option) + 1] if option in self.options else default

    @property
    def quasi(self) -> list[str]:
        return self.given("--qi").split(",") if self.given("--qi") else []

    @property
    def by_person(self) -> bool:
        return self.given("--subject", "rows") != "rows"

    @property
    def kept(self) -> list[Row]:
        """The rows that count: without those that are all ``*`` where these are left out."""
        out = self.given("--suppressed") == "left-out"
        return [row for row in self.rows if not (out and all(row[name] == "*" for name in self.quasi))]

    @property
    def sizes(self) -> dict[Any, int]:
        """The rows of each class, or the different persons in it."""
        found: dict[Any, set[Any]] = defaultdict(set)
        for place, row in enumerate(self.kept):
            found[tuple(row[name] for name in self.quasi)].add(row["病历号"] if self.by_person else place)
        return {values: len(who) for values, who in found.items()}

    @property
    def smallest(self) -> list[int]:
        """Of each record or person the size of its smallest class."""
        least: dict[Any, int] = {}
        for place, row in enumerate(self.kept):
            who = row["病历号"] if self.by_person else place
            size = self.sizes[tuple(row[name] for name in self.quasi)]
            least[who] = min(size, least.get(who, size))
        return list(least.values())

    @property
    def k(self) -> int:
        return min(self.sizes.values(), default=0)


def _printed(command: str, rows: Sequence[Row], *options: str) -> Printed:
    out = io.StringIO()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(out):
        path = Path(folder) / "table.csv"
        path.write_bytes(_bytes(rows))
        main([command, str(path), *options])
    lines = out.getvalue().splitlines()
    # Where persons are counted, the words about them stand on the line of the classes.
    more = [line[line.index("  persons ") :] for line in lines if "  persons " in line]
    parts = [part for line in lines if " at risk: " in line for part in [line[: line.index(": ") + 2]]]
    return Printed(rows, command, options, frozenset([*lines, *more, *parts]))


def _coarse(rows: Sequence[Row]) -> list[Row]:
    """Without names and numbers; by them nobody would be measured."""
    return [{name: row[name] for name in ("病历号", "性别", "年龄", "诊断") if name in row} for row in rows]


def _alone() -> list[Row]:
    return [{**row, "年龄": "80-99"} if n == 7 else row for n, row in enumerate(_coarse(people()))]


_QI, _EACH = ("--qi", "性别,年龄"), ("--subject", "rows")
_OUT = ("--suppressed", "left-out")
_BY = ("--subject", "病历号", "--accept-findings", "病历号")
_STARS = [{name: row[name] for name in ("性别", "年龄", "诊断")} for row in _starred(12)]
_ALL_STARS = [{name: row[name] for name in ("性别", "年龄", "诊断")} for row in _starred(60)]
TABLES: Mapping[str, Callable[[], Printed]] = {
    "risk": lambda: _printed("risk", _coarse(people()), *_QI, *_EACH),
    "risk of one alone": lambda: _printed("risk", _alone(), *_QI, *_EACH),
    "risk of persons": lambda: _printed("risk", _coarse(_visits()), *_QI, *_BY),
    "stars": lambda: _printed("risk", _STARS, *_QI, *_EACH),
    "stars left out": lambda: _printed("risk", _STARS, *_QI, *_EACH, *_OUT),
    "all stars left out": lambda: _printed("risk", _ALL_STARS, *_QI, *_EACH, *_OUT),
    "sample": lambda: _printed("risk", _coarse(people()), *_QI, *_EACH, "--sampling-fraction", "0.1"),
    "sample with one alone": lambda: _printed("risk", _alone(), *_QI, *_EACH, "--sampling-fraction", "0.1"),
    "evaluate": lambda: _printed("evaluate", _coarse(people()), *_QI, *_EACH),
    "evaluate one alone": lambda: _printed("evaluate", _alone(), *_QI, *_EACH),
    "evaluate persons": lambda: _printed("evaluate", _coarse(_visits()), *_QI, *_BY),
    "evaluate, weak controls": lambda: _printed(
        "evaluate", _coarse(people()), *_QI, *_EACH, "--controls", "low"
    ),
    "evaluate for the public": lambda: _printed("evaluate", _coarse(people(200)), *_QI, *_EACH, "--sharing", "public"),
    "evaluate with days": lambda: _printed(
        "evaluate",
        [{**row, "生日": f"19{40 + n}-03-0{1 + n % 9}"} for n, row in enumerate(_coarse(people()))],
        *_QI,
        *_EACH,
    ),
    "evaluate with telephones": lambda: _printed(
        "evaluate", written_of(people(), "手机", "性别", "年龄"), *_QI, *_EACH
    ),
}  # fmt: skip


@cache
def judge(name: str) -> Printed:
    return TABLES[name]()


_SCENARIO = {"public": 0.05, "controlled": 0.2}


def _average(j: Printed) -> float:
    return sum(1 / one for one in j.smallest) / len(j.smallest)


def _counts(j: Printed) -> dict[str, Any]:
    persons = f"  persons {len({row['病历号'] for row in j.rows})}" if j.by_person else ""
    return {"a": len(j.kept), "b": persons, "c": len(j.sizes), "d": j.k}


def _sharing(j: Printed) -> str:
    return j.given("--sharing", "controlled")


def _attempt(j: Printed) -> float:
    """Public: 1. Else the greatest of a deliberate attempt (0.3 at middle safeguards, B.1.4.2), of one among 150 acquaintances
    with something that one in a thousand has, and of a breach."""
    return (
        1.0 if _sharing(j) == "public" else max(_BETTER[j.given("--controls", "medium")], 1 - 0.999**150, 0.1)
    )


def _data(j: Printed) -> float:
    return 1 / j.k if _sharing(j) == "public" else _average(j)


def _degree(j: Printed) -> Any:
    if j.command != "evaluate":
        return []
    scenario = _SCENARIO[_sharing(j)]
    degree = j.k * scenario
    return {
        "a": f"{degree:g}", "b": j.k, "c": f"{scenario:g}", "d": 1,
        "e": "passed" if degree >= 1 - 1e-12 else "not passed",
    }  # fmt: skip


_BETTER = {"low": 0.5, "medium": 0.3, "high": 0.1}
"""Probability of a deliberate attempt by Table B.1 for a motive in the middle."""


def _bought(j: Printed) -> Any:
    """What the controls that are assumed and each better grade leave; whoever is known or leaks is found all the same."""
    if j.command != "evaluate":
        return
    for grade in (
        ("medium", "high") if j.given("--controls", "medium") == "medium" else ("low", "medium", "high")
    ):
        least = max(1 - 0.999**150, 0.1)
        context = 1.0 if _sharing(j) == "public" else max(_BETTER[grade], least)
        yield {"a": grade, "b": f"{context:.6g}", "c": max(2, ceil(round(context / 0.1, 6)))}


def _overall(j: Printed) -> Any:
    if j.command != "evaluate":
        return []
    value = _data(j) * _attempt(j)
    capped = _sharing(j) == "public" or max(1 / one for one in j.smallest) <= 1 / 3
    return {
        "a": f"{value:.6g}", "b": f"{_data(j):.6g}", "c": f"{_attempt(j):.6g}", "d": 0.1,
        "e": "passed" if value <= 0.1 and capped else "not passed",
    }  # fmt: skip


def _level(j: Printed) -> Any:
    if j.command != "evaluate":
        return []
    above = sum(1 / size > _SCENARIO[_sharing(j)] + 1e-12 for size in j.sizes.values())
    mean = sum(1 / size for size in j.sizes.values()) / len(j.sizes)
    risk = round(1.0 if above else (1 / j.k if _sharing(j) == "public" else mean) * _attempt(j), 6)
    if "手机" in j.rows[0]:
        return {"a": 1, "b": "Level 1: a direct identifier is in the table."}
    if above:
        size = round(1 / _SCENARIO[_sharing(j)])
        return {
            "a": 2,
            "b": filled(
                f"Level 2: %(above)d classes are smaller than {size}, so the overall risk counts as 1.",
                {"above": above},
            ),
        }
    if risk >= 0.05 - 1e-9:
        return {"a": 2, "b": f"Level 2: the overall risk {risk:g} is not below the acceptable 0.05."}
    return {"a": 3, "b": f"Level 3: the overall risk {risk:g} is below the acceptable 0.05."}


def _uniques(j: Printed) -> int:
    return sum(size == 1 for size in j.sizes.values())


def _stars(j: Printed) -> Any:
    stars = sum(all(row[name] == "*" for name in j.quasi) for row in j.rows)
    own = min([*j.sizes.values(), stars])
    return {"rows": stars, "k_out": j.k, "k_own": own} if stars and j.k and j.given("--suppressed") else []


_RISK = "risk | risk of one alone | risk of persons | stars | stars left out"
_EVALUATED = "evaluate | evaluate, weak controls | evaluate one alone | evaluate persons | evaluate for the public | evaluate with telephones"
STATEMENTS: list[Statement] = [
    says("rows %(a)s%(b)s  classes", _RISK, _counts),
    says("  persons %(a)s", f"{_RISK} | evaluate persons", lambda j: [
        {"a": f"{len({row['病历号'] for row in j.rows})}" + ("" if j.command == "evaluate" else f"  classes {len(j.sizes)}  k {j.k}")}
    ] if j.by_person else []),
    says("maximum risk %(a)s  average", _RISK, lambda j: {"a": f"{1 / j.k:.6g}", "b": f"{_average(j):.6g}"}),
    says("%(a)s at risk: ", "risk | risk of persons", lambda j: {"a": "persons" if j.by_person else "records"}),
    says("K %(a)s  classes %(b)s  rows", _EVALUATED, lambda j: [
        {"a": j.k, "b": len(j.sizes), "c": f"{len(j.rows)}" + (f"  persons {len({r['病历号'] for r in j.rows})}" if j.by_person else "")}]),
    says("T/ISC 0078 degree %(a)s", _EVALUATED, _degree),
    says("GB/T 42460 level %(a)s", _EVALUATED, _level),
    says("controls %(a)s: context", _EVALUATED, lambda j: list(_bought(j))),
    says("GB/T 37964 overall risk %(a)s", _EVALUATED, _overall),
    says("no scale looks at what tells rows apart", "evaluate | evaluate with days | evaluate with telephones", lambda j: [
        {"a": name} for name in ("生日",) if name in j.rows[0]]),
    says("%(a)s: %(b)s, %(c)s rows", "evaluate | evaluate with telephones", lambda j: [
        {"a": "手机", "b": "telephone number", "c": len(j.rows)}] if "手机" in j.rows[0] else []),
    says("All %(rows)d records are suppressed", "risk | stars left out | all stars left out", lambda j: [] if j.kept else {"rows": len(j.rows)}),
    says("%(rows)d suppressed records are left out", "stars | stars left out", _stars),
    says("The highest journalist risk", "risk | sample | sample with one alone", lambda j: list(_hidden(j))),
]  # fmt: skip


def _hidden(j: Printed) -> Any:
    """Somebody alone in a sample of a tenth stands for ten on average; the estimate of who is alone is bounded by the sample's."""
    if not j.given("--sampling-fraction") or not _uniques(j):
        return
    share = 0.1 * _uniques(j) / len(j.rows)  # Zayatz at most; what is printed is held to it
    for line in j.says(_hidden_message()):
        words = line.split()
        share = float(words[words.index("are") - 2].strip("(")) / 100
        assert 0 < share <= _uniques(j) / len(j.rows)
        yield {
            "percent": 10.0, "people": 10, "uniques": share * len(j.rows), "rows": len(j.rows), "share": 100 * share
        }  # fmt: skip


def _hidden_message() -> str:
    return next(one.message for one in STATEMENTS if one.begins == "The highest journalist risk")
