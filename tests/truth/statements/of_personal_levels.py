"""Values as coarse as their persons asked: what the gate and the step say of it, counted from the rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any

from tests.truth.statements import Statement, Tables, says
from tests.truth.tables import ROLES, Judged, O, Row, judged, kept, people, ran, step, written_of

_TREE = [
    ["流感", "呼吸系统", "*"], ["肺炎", "呼吸系统", "*"], ["哮喘", "呼吸系统", "*"], ["胃炎", "消化系统", "*"], ["骨折", "其他", "*"],
]  # fmt: skip
_LEVELS = {"肺炎": 2}
_ROLES = {**ROLES, "级别": O}
_STEP = step(
    "generalization.personal_levels",
    "诊断",
    level_column="级别",
    tree={"kind": "table", "rows": _TREE},
    levels=_LEVELS,
)
_GONE = step("suppression.remove_column", "级别")


def _requesting(levels: Sequence[str] = ("", "1", "2", "3", "2", "", "")) -> list[Row]:
    return [{**row, "级别": levels[number % len(levels)]} for number, row in enumerate(people())]


def _as_requested(row: Row, level: int | None = None) -> str:
    level, of = int(row["级别"] or 0) if level is None else level, {one[0]: one for one in _TREE}
    above = level > _LEVELS.get(row["诊断"], 1)
    return of[row["诊断"]][min(level, 3) - 1] if above else row["诊断"]


def _written(rows: Sequence[Row], finer: int = 0) -> list[dict[str, str]]:
    """As asked, but for some of the rows, in which the value stays as it was."""
    coarse = [number for number, row in enumerate(rows) if _as_requested(row) != row["诊断"]][:finer]
    of = [{**row, "诊断": row["诊断"] if n in coarse else _as_requested(row)} for n, row in enumerate(rows)]
    return written_of(of, "性别", "年龄", "诊断")


def _by_hand(finer: int = 0, *more: Any, rows: Sequence[Row] = ()) -> Judged:
    source = list(rows or _requesting())
    return judged(source, _written(source, finer), steps=[*more, _STEP, _GONE], roles=_ROLES)


def with_levels(cell: str) -> Judged:
    """A result in which every second person was given level 2, of a source in which they asked for it by ``cell``."""
    written = _written(_requesting(("", "2")))
    return judged(_requesting(("", cell)), written, steps=[_STEP, _GONE], roles=_ROLES)


def ran_with_levels(cell: str) -> Judged:
    """What a run makes of that source; EngineError where it refuses the cell."""
    return ran(_requesting(("", cell)), _STEP, _GONE, roles=_ROLES)


def levels_treated(technique: str, settings: dict[str, Any]) -> Judged:
    """A result as asked, of a recipe that treats the levels first."""
    rows = _requesting()
    return judged(rows, _written(rows), steps=[step(technique, "级别", **settings), _STEP], roles=_ROLES)


def _visits() -> list[Row]:
    """Two records of each person, who asks for a level in one of them only."""
    first = [{**row, "病历号": f"P{number:04}"} for number, row in enumerate(_requesting())]
    again = [{**row, "级别": "", "诊断": people()[number - 1]["诊断"]} for number, row in enumerate(first)]
    return [*first, *again]


def _row_by_row() -> Judged:
    """A result in which each record was given what it asks for itself."""
    rows = _visits()
    order = sorted(range(len(rows)), key=lambda number: number * 37 % len(rows))
    written = [
        {"性别": rows[n]["性别"], "年龄": rows[n]["年龄"], "诊断": _as_requested(rows[n])} for n in order
    ]
    whose = [rows[n]["病历号"] for n in order]
    return judged(rows, written, steps=[_STEP, _GONE], roles=_ROLES, whose=whose, key=("病历号",))


TABLES: Tables = {
    "of persons": lambda: ran(_visits(), _STEP, _GONE, roles=_ROLES, key=("病历号",)),
    "of persons, row by row": _row_by_row,
    "as asked": lambda: ran(_requesting(), _STEP, _GONE, roles=_ROLES),
    "nobody asks": lambda: ran(_requesting(("",)), _STEP, _GONE, roles=_ROLES),
    "by hand": _by_hand,
    "one finer": lambda: _by_hand(1),
    "five finer": lambda: _by_hand(5),
    "rows gone": lambda: judged(
        _requesting(), _written(_requesting())[:40], steps=[_STEP, _GONE], roles=_ROLES
    ),
    "treated before": lambda: _by_hand(
        0, step("generalization.mapping", "诊断", mapping={"流感": "流感"}, others="keep")
    ),
    "not asked": lambda: judged(),
    "unreadable": lambda: judged(
        _requesting(("", "高")),
        written_of(_requesting(), "性别", "年龄", "诊断"),
        steps=[_STEP, _GONE],
        roles=_ROLES,
    ),
    "kept, no step": lambda: ran(_requesting(), kept("诊断"), roles=_ROLES),
}


@cache
def judge(name: str) -> Judged:
    return TABLES[name]()


def _stepped(j: Judged) -> bool:
    return any(one["technique"] == "generalization.personal_levels" for one in j.steps)


def _levels(j: Judged) -> Counter[int]:
    return Counter(int(row["级别"]) for row in j.source if row["级别"])


def _otherwise(j: Judged) -> bool:
    return any(one["technique"] == "generalization.mapping" for one in j.steps)


def _of_persons(j: Judged) -> list[str]:
    """What is to stand in the result for each record: the highest level of its person counts."""
    if "病历号" not in j.source[0]:
        return [_as_requested(row) for row in j.source]
    highest: Counter[str] = Counter()
    for row in j.source:
        highest[row["病历号"]] = max(highest[row["病历号"]], int(row["级别"] or 0))
    return [_as_requested(row, highest[row["病历号"]]) for row in j.source]


def _above(j: Judged) -> int:
    return sum(label != row["诊断"] for label, row in zip(_of_persons(j), j.source, strict=True))


def _counted(j: Judged) -> bool:
    return _stepped(j) and not _otherwise(j) and all(row["级别"] in ("", *"123") for row in j.source)


def _wrong(j: Judged) -> int:
    needed = Counter(_of_persons(j))
    there = Counter(value for value in j.column("诊断") if value not in ("", "*"))
    return sum(max(0, number - needed[value]) for value, number in there.items())


def _right(j: Judged, persons: bool = False) -> Any:
    if not _counted(j) or _wrong(j) or ("病历号" in j.source[0]) != persons:
        return []
    return {"column": "诊断", "rows": len(j.source), "asked": _levels(j).total(), "above": _above(j)}


def _ran(j: Judged) -> bool:
    return bool(j.report) and _stepped(j)


_ALL = "of persons | of persons, row by row | as asked | nobody asks | by hand | one finer | five finer | rows gone | treated before | not asked"
STATEMENTS: list[Statement] = [
    says("No value of %(column)s stands in the result more often than the levels asked for allow. Of %(rows)d records of the source "
         "%(asked)d ask for a level, and", _ALL, _right),
    says("No value of %(column)s stands in the result more often than the levels asked for allow. Of %(rows)d records of the source "
         "%(asked)d ask for a level. The highest", _ALL, lambda j: _right(j, True)),
    says("%(wrong)d cells of %(column)s hold a value that stands", _ALL, lambda j: [
        {"column": "诊断", "wrong": _wrong(j)}] if _counted(j) and _wrong(j) else []),
    says("Level %(level)d: asked for by", _ALL, lambda j: [
        {"level": level, "records": number} for level, number in _levels(j).items()] if _counted(j) else []),
    says("Other steps treat %(column)s or the levels too", _ALL, lambda j: [
        {"column": "诊断"}] if _stepped(j) and _otherwise(j) else []),
    says("A cell of the levels is no whole number", f"{_ALL} | unreadable", lambda j: _stepped(j) and not _otherwise(j) and not _counted(j)),
    says("Level %(level)s is requested in", f"{_ALL} | kept, no step", lambda j: [
        {"level": str(level), "rows": str(number)} for level, number in _levels(j).items()] if _ran(j) else []),
    says("In %(rows)s rows no level is requested", f"{_ALL} | kept, no step", lambda j: [
        {"rows": str(sum(not row["级别"] for row in j.source))}] if _ran(j) else []),
    says("%(column)s: %(cells)s values were generalised because", f"{_ALL} | kept, no step", lambda j: [
        {"column": "诊断", "cells": str(_above(j))}] if _ran(j) else []),
]  # fmt: skip
