"""How many are alike, what risk follows, and how many are gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from projects.core.numbers import percent
from tests.truth.statements import Statement, Tables, says
from tests.truth.tables import Judged, judged, people, ran, step, written_of

_BANDS = {"kind": "intervals", "widths": [40]}


def _visits(alone: bool = False) -> list[dict[str, str]]:
    """Visits of 24 patients in four classes, every second with three of them; one woman comes as 60-79 once if ``alone``."""
    rows = []
    for person, row in enumerate(people(24)):
        for visit in range(3 if person % 2 else 1):
            band = "60-79" if alone and (person, visit) == (5, 2) else row["年龄"]
            rows.append(
                {
                    "病历号": f"M{person * 7919 % 10**7:07}",
                    "性别": row["性别"],
                    "年龄": band,
                    "诊断": row["诊断"],
                }
            )
    return rows


def _by_person(rows: list[dict[str, str]], **more: Any) -> Judged:
    written = written_of(rows, "病历号", "性别", "年龄", "诊断")
    whose = [row.pop("病历号") for row in written]
    return judged(rows, written, whose=whose, key=("病历号",), **more)


def _one_alone() -> list[dict[str, str]]:
    return [{**row, "年龄": "80-99"} if number == 7 else dict(row) for number, row in enumerate(people())]


def _four_alike() -> list[dict[str, str]]:
    return [
        {**row, "年龄": "80-99"} if number in (1, 3, 5, 7) else dict(row)
        for number, row in enumerate(people())
    ]


def _unknown_ages() -> list[dict[str, str]]:
    return [
        {**row, "年龄": ""} if number in range(0, 14) else dict(row) for number, row in enumerate(people())
    ]


def _starred(rows: int, *, emptied: int = 0) -> list[dict[str, str]]:
    found = written_of(people())
    for row in found[:rows]:
        row.update({"性别": "*", "年龄": "*"})
    for row in found[rows : rows + emptied]:
        row["年龄"] = ""
    return found


def _wide() -> Judged:
    """Three quasi-identifiers: without the region classes are large."""
    rows = [{**row, "地区": "东西南北"[number // 4 % 4]} for number, row in enumerate(people())]
    return judged(rows, k=10, max_risk=1 / 7, overall_threshold=1)


def _sample(rows: list[Any], fraction: float, **more: Any) -> Judged:
    return ran(rows, step("statistical.sampling", "性别", fraction=fraction), **more)


def _rare(threshold: int = 5) -> Judged:
    return ran(_one_alone(), step("suppression.rare_combinations", "性别", "年龄", minimum_count=threshold))


def _groups(rows: list[dict[str, str]], **more: Any) -> Judged:
    priced = [{**row, "费用": str(100 + number)} for number, row in enumerate(rows)]
    left = step("suppression.remove_column", *({"姓名", "手机", "病历号", "诊断"} & {*rows[0]}))
    by = step(
        "statistical.aggregation",
        "性别",
        "年龄",
        "费用",
        statistics={"费用": "mean"},
        minimum_count=5,
        maximum_share=0.2,
    )
    return ran(priced, by, left, suppression_limit=0.2, **more)


@cache
def judge(name: str) -> Judged:
    return TABLES[name]()


TABLES: Tables = {
    "safe": judged,
    "one alone": lambda: judged(_one_alone()),
    "four alike": lambda: judged(_four_alike()),
    "four alike, more may go": lambda: judged(_four_alike(), suppression_limit=0.3),
    "one alone, share asked": lambda: judged(_one_alone(), at_risk=0.01),
    "safe, share asked": lambda: judged(at_risk=0.01),
    "average asked": lambda: judged(measure="strict_average", average_risk=0.1, overall_threshold=0.1),
    "average of one alone": lambda: judged(
        _one_alone(), measure="strict_average", average_risk=0.05, overall_threshold=0.1
    ),
    "persons": lambda: _by_person(_visits()),
    "persons, one alone": lambda: _by_person(_visits(True), at_risk=0.01),
    "persons, share asked": lambda: _by_person(_visits(), at_risk=0.01),
    "unknown ages": lambda: judged(_unknown_ages()),
    "cells emptied": _rare,
    "stars": lambda: judged(written=_starred(12)),
    "stars and holes": lambda: judged(written=_starred(6, emptied=9)),
    "all stars": lambda: judged(written=_starred(60)),
    "rows gone": lambda: judged(written=written_of(people()[:50])),
    "persons gone": lambda: _by_person_gone(),
    "three columns": _wide,
    "sample": lambda: _sample(people(), 0.5),
    "sample of one alone": lambda: _sample(_one_alone(), 0.9),
    "no quasi-identifier": lambda: judged(written=written_of(people(), "诊断")),
    "nobody said": lambda: judged(key=None),
    "nobody said of visits": lambda: judged(
        [{**row, "病历号": f"SL{10_000_000 + 7 * (n % 40)}"} for n, row in enumerate(people(80))], key=None
    ),
    "whose is lost": lambda: judged(key=("姓名",)),
    "no verdict": lambda: judged(case={"unjudged": ["诊断"]}),
    "groups": lambda: _groups(people()),
    "groups of persons": lambda: _groups(_visits(), key=("病历号",)),
    "groups, one too small": lambda: _groups(_four_alike()),
    "groups of persons, one too small": lambda: _groups(_visits(True), key=("病历号",)),
    "attempt unlikely": lambda: judged(context_risk=0.25, context_reason="few know it"),
    "another limit": lambda: judged(_four_alike(), k=10, max_risk=1 / 4, overall_threshold=1),
    "empty": lambda: judged(written=[], case={}),
}


def _by_person_gone() -> Judged:
    rows = _visits()
    gone = {row["病历号"] for row in rows[:3]}
    left = [row for row in rows if row["病历号"] not in gone]
    written = written_of(left, "病历号", "性别", "年龄", "诊断")
    whose = [row.pop("病历号") for row in written]
    return judged(rows, written, whose=whose, key=("病历号",))


def _rows_counted(j: Judged) -> bool:
    return j.whose is None and "cell" not in str(j.report)


def _at_risk(j: Judged) -> Iterator[Mapping[str, Any]]:
    for threshold in ("0.05", "0.075", "0.1"):
        size = next(n for n in range(1, 99) if 1 / n <= float(threshold) + 1e-12)
        few = j.below(size)
        yield {
            "records": few,
            "persons": few,
            "threshold": threshold,
            "size": size,
            "percent": 100 * few / len(j.smallest),
        }


def _average(j: Judged) -> float:
    if "rare_combinations" in str(j.steps):  # an emptied cell may be anything, which is said beside it
        return sum(1 / one for one in _alike(j)) / len(j.written)
    return sum(1 / one for one in j.smallest) / len(j.smallest)


def _missing(j: Judged, row: int) -> set[str]:
    return {name for name in j.quasi if j.written[row][name] == ""}


def _alike(j: Judged) -> list[int]:
    """Of each record for how many it can be taken, where an empty cell may be anything."""
    rows = [[row[name] for name in j.quasi] for row in j.written]
    return [
        sum(all(a == b or not a or not b for a, b in zip(one, two, strict=True)) for two in rows)
        for one in rows
    ]


def _without(j: Judged, target: int) -> Iterator[Mapping[str, Any]]:
    for name in j.quasi:
        rest = [one for one in j.quasi if one != name]
        merged = Counter(tuple(row[one] for one in rest) for row in j.written)
        few = sum(size for size in merged.values() if size < target)
        yield {"column": name, "without": len(merged), "classes": len(j.classes), "records": few}


def _without_persons(j: Judged, target: int) -> Iterator[Mapping[str, Any]]:
    for name in j.quasi:
        held: dict[str, set[Any]] = {}
        rest = next(one for one in j.quasi if one != name)
        for row, who in zip(j.written, j.whose or (), strict=True):
            held.setdefault(row[rest], set()).add(who)
        few = set().union(*(one for one in held.values() if len(one) < target))
        yield {"column": name, "without": len(held), "classes": len(j.classes), "records": len(few)}


def _to_suppress(j: Judged, target: int) -> int:
    return sum(size for size in j.sizes if size < target)


def _starred_classes(j: Judged, target: int) -> int:
    """Records of the smallest classes that have to become * until these are a class that is large enough too."""
    gone = 0
    for size in sorted(j.sizes):
        if size >= target and (not gone or gone >= target):
            break
        gone += size
    return gone


def _starred_rows(j: Judged) -> int:
    return sum(all(row[name] == "*" for name in j.quasi) for row in j.written)


def _holes(j: Judged) -> int:
    return sum(row[name] in ("", "*") for row in j.written for name in j.quasi) - len(
        j.quasi
    ) * _starred_rows(j)


def _suppressed(j: Judged) -> Iterator[Mapping[str, Any]]:
    if stars := _starred_rows(j):
        yield {
            "rows": stars,
            "k_own": j.k,
            "k_out": min((len(r) for key, r in j.classes.items() if {*key} != {"*"}), default=0),
        }


def _share(j: Judged) -> Mapping[str, Any]:
    return {
        "share": percent(j.below(20) / len(j.smallest)),
        "above": "0.05", "bound": percent(0.01),
    }  # fmt: skip


def _groups_said(j: Judged, *, by_persons: bool) -> Any:
    """The groups that are published, and the smallest of them, by what is counted."""
    if "figures" not in str(j.report) or by_persons is not (j.whose is not None):
        return []
    sizes = [size for size in _groups_of(j) if size >= 5]
    return {"cells": len(sizes), "columns": "性别, 年龄", "k": min(sizes)}


def _groups_of(j: Judged) -> list[int]:
    """How many persons, or records where these are counted, each group of the source has."""
    found: dict[tuple[str, ...], set[Any]] = {}
    for place, row in enumerate(j.source):
        found.setdefault((row["性别"], row["年龄"]), set()).add(row.get("病历号", place))
    return [len(one) for one in found.values()]


def _data(j: Judged) -> Mapping[str, Any]:
    average = j.risk.measure == "strict_average"
    data = _average(j) if average else 1 / j.k
    context = j.risk.context_risk
    return {"data": data * 100, "context": context * 100, "value": data * context * 100}


def _smallest_class(j: Judged) -> Any:
    few = [size for size in j.sizes if size == j.k]
    return {"count": len(j.quasi), "k": j.k, "percent": 100 / j.k, "classes": len(few)} if j.k > 1 else []


def _unique(j: Judged) -> Any:
    found = {"records": j.below(2), "persons": j.below(2), "count": len(j.quasi)}
    return found if j.k == 1 else []


def _rows_tell_persons_apart(j: Judged) -> Any:
    """Persons of whom nobody else has as many rows in each class."""
    held: dict[Any, Counter[Any]] = {}
    for row, who in zip(j.written, j.whose or (), strict=True):
        held.setdefault(who, Counter())[tuple(row[name] for name in j.quasi)] += 1
    alike = Counter(frozenset(one.items()) for one in held.values())
    alone = sum(number for number in alike.values() if number == 1)
    return {"percent": 100 * alone / len(held)} if alone else []


STATEMENTS: list[Statement] = [
    says("No verdict stands about", "safe | no verdict", lambda j: [
        {"names": "诊断"} for check in j.found.checks if check.kind == "k" and check.passed is None
    ]),
    says("%(share)s of the records can be found", "safe, share asked | one alone, share asked | safe",
         lambda j: _share(j) if j.risk.at_risk else []),
    says("%(share)s of the persons can be found", "persons, one alone | persons, share asked | one alone, share asked",
         lambda j: _share(j) if j.risk.at_risk and j.whose else []),
    says("%(records)d records are unique", "one alone | safe | four alike", _unique),
    says("Someone who knows these %(count)d columns of a person would", "safe | four alike | one alone", _smallest_class),
    says("On average over all %(rows)d records", "safe | four alike | cells emptied | persons",
         lambda j: {"rows": len(j.written), "percent": 100 * _average(j)} if j.whose is None else []),
    says("%(records)d records (%(percent).2f %%) can be recognised", "safe | one alone | four alike", _at_risk),
    says("%(persons)d persons have a row that nobody", "persons, one alone | persons", _unique),
    says("Someone who knows these %(count)d columns of one row", "persons | persons, one alone", _smallest_class),
    says("On average over all %(persons)d persons", "persons | persons, one alone",
         lambda j: {"rows": len(j.written), "persons": len(set(j.whose or ())), "percent": 100 * _average(j)}),
    says("%(persons)d persons (%(percent).2f %%) can be recognised", "persons | safe", lambda j: list(_at_risk(j)) if j.whose else []),
    says("Someone who knows these columns of all rows of a person", "persons | persons, one alone", _rows_tell_persons_apart),
    says("%(rows)d suppressed records count as a class", "safe | stars | stars and holes", _suppressed),
    says("A missing value counts as", "safe | unknown ages", lambda j: not any(_missing(j, n) for n in range(len(j.written)))),
    says("In %(rows)d records a value is missing", "safe | unknown ages | stars and holes", lambda j: [
        {"rows": rows, "k": j.k, "loose": min(_alike(j)), "percent": 100 * sum(1 / one for one in _alike(j)) / len(j.written)}
        for rows in [sum(bool(_missing(j, n)) for n in range(len(j.written)))] if rows
    ]),
    says("An emptied cell may be anything", "cells emptied | safe | one alone", lambda j: [
        {"count": len(j.quasi), "k": min(_alike(j)), "strict": j.k} for one in j.report.get("steps", ())
        if one["technique"] == "suppression.rare_combinations"
    ]),
    says("Without “%(column)s” there would be %(without)d classes instead of %(classes)d, and %(records)d records",
         "four alike | safe | three columns | another limit", lambda j: [
        one for size in {j.risk.k, round(1 / j.risk.max_risk)} if _to_suppress(j, size) for one in _without(j, size)
    ]),
    says("Without “%(column)s” there would be %(without)d classes instead of %(classes)d. G", "average of one alone | safe", lambda j: [
        {"column": name, "classes": len(j.classes), "without": len({row[other] for row in j.written})}
        for name, other in (("性别", "年龄"), ("年龄", "性别")) if j.risk.average_risk and _average(j) > j.risk.average_risk
    ]),
    says("Suppressing %(records)d records (", "four alike, more may go | safe | one alone", lambda j: [
        {"records": gone, "rows": len(j.written), "percent": 100 * gone / len(j.written)}
        for gone in [_starred_classes(j, j.risk.k)] if 0 < gone / len(j.source) <= j.risk.suppression_limit
    ]),
    says("Suppressing %(records)d more records", "four alike | four alike, more may go | safe", lambda j: [
        {"records": gone, "percent": 100 * gone / len(j.source), "limit": 100 * j.risk.suppression_limit}
        for gone in [_starred_classes(j, j.risk.k)] if gone / len(j.source) > j.risk.suppression_limit
    ]),
    says("No quasi-identifier is left in the result", "safe | no quasi-identifier", lambda j: not j.quasi),
    says("Counted are the %(persons)d persons", "persons | safe | nobody said",
         lambda j: {"persons": len(set(j.whose)), "rows": len(j.written), "key": "病历号"} if j.whose else []),
    says("Counted are records: nobody has said", "nobody said | safe", lambda j: j is judge("nobody said")),
    says("Counted are records, each of which", "safe | persons | nobody said", lambda j: j is judge("safe")),
    says("%(cells)d groups by %(columns)s, the smallest made of records of %(k)d", "groups | groups of persons | safe",
         lambda j: _groups_said(j, by_persons=True)),
    says("It is not known whose the rows", "whose is lost | safe | persons", lambda j: j is judge("whose is lost")),
    says("Whose rows are they? By %(columns)s the source", "nobody said of visits | nobody said | persons",
         lambda j: {"columns": "病历号"} if j is judge("nobody said of visits") else []),
    says("Every row of the result has the figures of one group: %(cells)d groups by %(columns)s, the smallest made of %(k)d records",
         "groups | groups of persons | safe | groups, one too small", lambda j: _groups_said(j, by_persons=False)),
    says("The easiest person to find", "safe | four alike | persons | one alone",
         lambda j: {"k": j.k, "found": 100 / j.k, "allowed": 100 * j.risk.max_risk}),
    says("Data risk %(data).2f", "safe | attempt unlikely | average asked | average of one alone", _data),
    says("%(removed)d of %(rows)d records are not in the result.", "safe | rows gone | persons gone",
         lambda j: {"removed": len(j.source) - len(j.written), "rows": len(j.source)} if j.whose is None else []),
    says("%(removed)d of %(rows)d records are not in the result, and %(gone)d of %(persons)d", "persons | persons gone | rows gone", lambda j: {
        "removed": len(j.source) - len(j.written), "rows": len(j.source), "persons": len({row["病历号"] for row in j.source}),
        "gone": len({row["病历号"] for row in j.source}) - len(set(j.whose)),
    } if j.whose else []),
    says("%(removed)d of the %(rows)d records that the sample drew are not in the result; %(left)d", "sample | safe",
         lambda j: {"removed": 0, "rows": len(j.written), "left": len(j.source) - len(j.written)} if j.report else []),
    says("%(starred)d records have nothing but * in their quasi-identifiers, and", "stars | safe | stars and holes", lambda j: {
        "starred": _starred_rows(j), "removed": 0, "rows": len(j.source)} if _starred_rows(j) and not _holes(j) else []),
    says("%(starred)d records have nothing but * in their quasi-identifiers, %(cells)d", "stars | stars and holes | unknown ages", lambda j: {
        "starred": _starred_rows(j), "removed": 0, "rows": len(j.source), "cells": _holes(j)}
        if _holes(j) > sum(row["年龄"] == "" for row in j.source) else []),
    says("Without “%(column)s” there would be %(without)d classes instead of %(classes)d, and %(records)d persons", "persons | persons, one alone",
         lambda j: [one for size in (j.risk.k, *([20] if j.risk.at_risk else [])) if j.k < size for one in _without_persons(j, size)]),
]  # fmt: skip
