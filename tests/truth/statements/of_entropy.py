"""Risk by information entropy: likelihood, impact, path and what survived, counted from the rows by the definitions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations
from math import comb, log2
from typing import Any

from projects.core.numbers import count, number, percent
from techniques.catalogue import bases
from tests.truth.statements import Statement, Tables, says
from tests.truth.statements.of_classes import _by_person, _visits
from tests.truth.tables import ROLES, Judged, Q, Row, S, judged, people, ran, step, written_of

_KNOWN, _MOST, _SENSITIVE, _QUASI = 0.3, 16, 0.5, 0.05
_MANY = {f"q{n}": Q for n in range(15)}


def _coarse_sex() -> Judged:
    """Every second man is written as a woman's sign is: half of the men's cells survive."""
    source = people()
    men = [number for number, row in enumerate(source) if row["性别"] == "男"]
    rows = [{**row, "性别": "女" if number in men[::2] else row["性别"]} for number, row in enumerate(source)]
    return judged(source, written_of(rows))


def _many() -> Judged:
    rows = [{f"q{n}": str(row >> n & 1) for n in range(15)} for row in range(60)]
    return judged(rows, [dict(row) for row in rows], roles=ROLES | _MANY)


def _many_alike() -> Judged:
    """Many columns that say one thing: three kinds of rows are all that they tell apart."""
    rows = [{f"q{n}": str(row % 3) for n in range(15)} for row in range(60)]
    return judged(rows, [dict(row) for row in rows], roles=ROLES | _MANY)


TABLES: Tables = {
    "unchanged": lambda: judged(),
    "no sex": lambda: judged(written=written_of(people(), "年龄", "诊断")),
    "no illness": lambda: judged(written=written_of(people(), "性别", "年龄")),
    "coarse sex": _coarse_sex,
    "rows gone": lambda: judged(written=written_of(people()[:50])),
    "visits": lambda: _by_person(_visits()),
    "one visit alone": lambda: _by_person(_visits(True)),
    "visits, age only": lambda: _age_only(),
    "many columns": _many,
    "many columns alike": _many_alike,
    "made up": lambda: ran(people(80), step("synthesis.sequential", "性别", "年龄", "诊断", leaf_rows=20)),
    "no identifier": lambda: judged(written=written_of(people(), "诊断")),
    "no verdict": lambda: judged(case={"unjudged": ["诊断"]}),
}  # fmt: skip


def _age_only() -> Judged:
    rows = _visits()
    written = written_of(rows, "病历号", "年龄", "诊断")
    whose = [row.pop("病历号") for row in written]
    return judged(rows, written, whose=whose, key=("病历号",))


@cache
def judge(name: str) -> Judged:
    return TABLES[name]()


def _measured(j: Judged) -> bool:
    return bool(j.quasi) and not j.case.unjudged and "synthesis" not in str(j.steps)


def _bits(weights: Iterable[float]) -> float:
    return -sum(w * log2(w) for w in weights)


def _severity(rows: Sequence[Row], columns: Iterable[str], whose: Sequence[Any] | None) -> float:
    """What the columns tell of the record, or of the person, as a share of all of it."""
    names = list(columns)
    who = list(range(len(rows))) if whose is None else list(whose)
    of = Counter(who)
    cells: Counter[Any] = Counter()
    both: Counter[Any] = Counter()
    for row, one in zip(rows, who, strict=True):
        weight = 1 / len(of) / of[one]
        cells[tuple(row[name] for name in names)] += weight
        both[tuple(row[name] for name in names), one] += weight
    whole = log2(len(of))
    return (_bits(cells.values()) + whole - _bits(both.values())) / whole


def _path(rows: Sequence[Row], quasi: Sequence[str], whose: Sequence[Any] | None) -> list[tuple[str, float]]:
    rest, path = list(quasi), list[tuple[str, float]]()
    while rest:
        chosen = [name for name, _severity in path]
        best = max(
            rest, key=lambda name: (round(_severity(rows, [*chosen, name], whose), 9), -rest.index(name))
        )
        path.append((best, _severity(rows, [*chosen, best], whose)))
        rest.remove(best)
    return path


def _frequency(dimension: int) -> float:
    return sum(comb(_MOST, i) * _KNOWN**i * (1 - _KNOWN) ** (_MOST - i) for i in range(dimension, _MOST + 1))


def _leakage(columns: Iterable[str], survived: dict[str, float], j: Judged) -> float:
    known = set(columns)
    return min(1.0, sum(
        (_SENSITIVE if j.roles[name] is S else _QUASI) * share for name, share in survived.items() if name not in known
    ))  # fmt: skip


def _risk(
    rows: Sequence[Row], quasi: Sequence[str], whose: Any, survived: dict[str, float], j: Judged
) -> float:
    likelihood = impact = before = 0.0
    path = _path(rows, quasi, whose)
    for step_, (_name, severity) in enumerate(path, 1):
        likelihood += (severity - before) * _frequency(step_)
        impact += (severity - before) * _leakage([name for name, _s in path[:step_]], survived, j)
        before = severity
    return likelihood * impact


def _named(j: Judged) -> list[str]:
    return [name for name in j.source[0] if j.roles[name] in (Q, S)]


def _survived(j: Judged) -> dict[str, float]:
    """Of each column the share of the released cells that have a source's cell of their own; none of one that is gone."""
    found = {}
    for name in _named(j):
        there = Counter(row.get(name) for row in j.written)
        was = Counter(row[name] for row in j.source)
        kept = sum(min(number, was[text]) for text, number in there.items())
        found[name] = kept / len(j.written) if name in j.written[0] else 0.0
    quasi = [name for name in found if j.roles[name] is Q]
    return {name: found[name] for name in [*quasi, *(name for name in found if name not in quasi)]}


def _before(j: Judged) -> float:
    whose = None if j.whose is None else [row["病历号"] for row in j.source]
    quasi = [name for name in _named(j) if j.roles[name] is Q]
    return _risk(j.source, quasi, whose, dict.fromkeys(_named(j), 1.0), j)


def _after(j: Judged) -> float:
    return _risk(j.written, j.quasi, j.whose, _survived(j), j)


def _lowered(j: Judged, *, so: bool) -> Any:
    if not _measured(j):
        return []
    before, after = _before(j), _after(j)
    return [{"before": number(before), "after": number(after)}] if (after < before - 1e-9) is so else []


def _path_said(j: Judged, *, persons: bool, one: bool) -> Any:
    if not _measured(j) or (j.whose is not None) is not persons or (len(j.quasi) == 1) is not one:
        return []
    path = _path(j.written, j.quasi, j.whose)
    return {
        "column": path[0][0],
        "share": percent(path[0][1]),
        "all": percent(path[-1][1]),
        "n": count(len(path)),
    }


def _many_said(j: Judged) -> Any:
    if not _measured(j) or len(j.quasi) < 8:
        return []
    known = [round(share, 12) for _name, share in _path(j.written, j.quasi, j.whose)]
    few = [place for place, share in enumerate(known) if share >= 0.9][:1]
    return [
        {
            "few": count(place + 1),
            "n": count(len(known)),
            "share": percent(known[place]),
            "all": percent(known[-1]),
        }
        for place in few
    ]


def _mean(j: Judged) -> float:
    total, sets, survived = 0.0, 0, _survived(j)
    for size in range(1, len(j.quasi) + 1):
        for names in combinations(j.quasi, size):
            found = _severity(j.written, names, j.whose)
            total += found**2 * _frequency(size) * _leakage(names, survived, j)
            sets += 1
    return total / sets


def _averaged(j: Judged, *, several: bool) -> Any:
    if not _measured(j) or len(j.quasi) > 14 or (len(j.quasi) > 1) is not several:
        return []
    return {"sets": count(2 ** len(j.quasi) - 1), "average": number(_mean(j))}


_ALL = "unchanged | no sex | no illness | coarse sex | rows gone | visits | one visit alone | no identifier | made up"
STATEMENTS: list[Statement] = [
    says("Source: %(before)s, result: %(after)s. The treatment lowered it.", _ALL, lambda j: _lowered(j, so=True)),
    says("Source: %(before)s, result: %(after)s. The treatment did not", _ALL, lambda j: _lowered(j, so=False)),
    says("It has no threshold, so it shows", f"{_ALL} | no verdict", _measured),
    says("Only %(column)s counts as a quasi-identifier; it reveals %(share)s of what singles out a record", _ALL,
         lambda j: _path_said(j, persons=False, one=True)),
    says("Only %(column)s counts as a quasi-identifier; it reveals %(share)s of what singles out a person",
         f"{_ALL} | visits, age only", lambda j: _path_said(j, persons=True, one=True)),
    says("On its own, no quasi-identifier reveals more than %(column)s: %(share)s of what singles out a record", _ALL,
         lambda j: _path_said(j, persons=False, one=False)),
    says("On its own, no quasi-identifier reveals more than %(column)s: %(share)s of what singles out a person", _ALL,
         lambda j: _path_said(j, persons=True, one=False)),
    says("Many columns are released (D.2)", "unchanged | many columns | many columns alike", _many_said),
    says("Assumed of the attacker: each of up to", _ALL, lambda j: [
        {"most": "16", "known": "30 %", "sensitive": "0.5", "quasi": "0.05"}] if _measured(j) else []),
    says("The mean over all %(sets)s sets", "unchanged | many columns", lambda j: [
        {"sets": count(2 ** len(j.quasi) - 1)}] if len(j.quasi) > 14 else []),
    says("As the mean over the one set", _ALL, lambda j: _averaged(j, several=False)),
    says("As the mean over all %(sets)s sets", f"{_ALL} | many columns", lambda j: _averaged(j, several=True)),
    says("It rests on: %(basis)s.", _ALL, lambda j: [{"basis": bases.ENTROPY}] if _measured(j) else []),
    says("Of the values of the source at most this share", _ALL, lambda j: [
        {"columns": ", ".join(f"{name} ({percent(share)})" for name, share in _survived(j).items())}
    ] if _measured(j) else []),
]  # fmt: skip
