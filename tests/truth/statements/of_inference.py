"""How well sensitive attributes are guessed: counted from the rows by the definition, of records and of persons."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cache
from typing import Any

from projects.core.numbers import percent
from tests.truth.statements import Statement, Tables, says
from tests.truth.statements.of_classes import _by_person, _visits
from tests.truth.tables import Judged, S, judged, people, ran, step, written_of

UNKNOWN = ("", "*")


def _alike() -> Judged:
    """All women of an age have the flu: for their class there is nothing to guess."""
    rows = [{**row, "诊断": "流感" if row["性别"] == "女" else row["诊断"]} for row in people()]
    return judged(rows, written_of(rows))


def _emptied() -> Judged:
    """Every third illness is suppressed."""
    source = people()
    rows = [{**row, "诊断": "*" if number % 3 == 0 else row["诊断"]} for number, row in enumerate(source)]
    return judged(source, written_of(rows))


def _several() -> Judged:
    """Every third visit of a patient is about another illness."""
    rows = [{**row, "诊断": "骨折"} if place % 3 == 2 else row for place, row in enumerate(_visits())]
    return _by_person(rows)


def _all_alike() -> Judged:
    rows = [{**row, "诊断": "流感"} for row in people()]
    return judged(rows, written_of(rows))


TABLES: Tables = {
    "unchanged": lambda: judged(),
    "alike": _alike,
    "emptied": _emptied,
    "all alike": _all_alike,
    "no illness": lambda: judged(written=written_of(people(), "性别", "年龄")),
    "no identifier": lambda: judged(written=written_of(people(), "诊断")),
    "several illnesses": _several,
    "visits": lambda: _by_person(_visits()),
    "one visit alone": lambda: _by_person(_visits(True)),
    "made up": lambda: ran(people(80), step("synthesis.sequential", "性别", "年龄", "诊断", leaf_rows=20)),
    "no verdict": lambda: judged(case={"unjudged": ["诊断"]}),
}  # fmt: skip


@cache
def judge(name: str) -> Judged:
    return TABLES[name]()


def _columns(j: Judged) -> list[str]:
    if j.case.unjudged or "synthesis" in str(j.steps):
        return []
    return [name for name in j.written[0] if j.roles[name] is S]


def _chances(
    j: Judged, column: str, quasi: Sequence[str] | None = None
) -> tuple[list[float], list[float], int]:
    """(of each record or person, of each class, unknown cells): how often a guess is right."""
    names = j.quasi if quasi is None else quasi
    classes = defaultdict(list)
    for number, row in enumerate(j.written):
        classes[tuple(row[name] for name in names)].append(number)
    best: dict[Any, float] = {}
    of_class, unknown = [], 0
    for rows in classes.values():
        values = defaultdict(set)
        for row in rows:
            values[row if j.whose is None else j.whose[row]].add(j.written[row][column])
        sure = Counter(next(iter(one)) for one in values.values() if len(one) == 1 and not one & {*UNKNOWN})
        lost = len(values) - sure.total()
        unknown += lost
        of_class.append((max(sure.values(), default=0) + lost) / len(values))
        for who in values:
            best[who] = max(best.get(who, 0.0), of_class[-1])
    return list(best.values()), of_class, unknown


def _alone(j: Judged, column: str) -> float:
    """The same of the whole result as one class."""
    chances, _of_class, _unknown = _chances(j, column, ())
    return sum(chances) / len(chances)


def _guessed(j: Judged, persons: bool, quasi: bool = True) -> list[dict[str, str]]:
    if bool(j.quasi) is not quasi or (j.whose is not None) is not persons:
        return []
    found = []
    for column in _columns(j):
        chances, of_class, _unknown = _chances(j, column)
        figures = {"column": column, "average": percent(sum(chances) / len(chances))}
        if quasi:
            figures |= {"highest": percent(max(of_class)), "alone": percent(_alone(j, column))}
        found.append(figures)
    return found


def _certain(j: Judged, persons: bool) -> list[dict[str, str]]:
    if not j.quasi or (j.whose is not None) is not persons:
        return []
    shares = []
    for column in _columns(j):
        chances, _of_class, _unknown = _chances(j, column)
        shares.append(sum(one == 1 for one in chances) / len(chances))
    return [{"share": percent(one)} for one in shares if one]


def _never_certain(j: Judged) -> bool:
    return bool(j.quasi) and any(max(_chances(j, name)[1]) < 1 for name in _columns(j))


_RECORDS = "unchanged | alike | emptied | all alike | no illness | no identifier | made up | no verdict"
_PERSONS = "several illnesses | visits | one visit alone | unchanged"
STATEMENTS: list[Statement] = [
    says("Whoever knows a record's quasi-identifiers", f"{_RECORDS} | visits", lambda j: _guessed(j, False)),
    says("Whoever knows a person's quasi-identifiers", _PERSONS, lambda j: _guessed(j, True)),
    says("No quasi-identifier is left: whoever guesses", _RECORDS, lambda j: _guessed(j, False, quasi=False)),
    says("of records the class leaves only one value", _RECORDS, lambda j: _certain(j, False)),
    says("of persons a class leaves only one value", _PERSONS, lambda j: _certain(j, True)),
    says("No class leaves only one value", f"{_RECORDS} | {_PERSONS}", _never_certain),
    says(
        "What is missing, suppressed or not one value",
        f"{_RECORDS} | {_PERSONS}",
        lambda j: any(_chances(j, name)[2] for name in _columns(j)),
    ),
]
