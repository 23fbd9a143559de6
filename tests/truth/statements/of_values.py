"""What the classes of a result tell of their sensitive attributes."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import cache
from typing import Any

from projects.core.numbers import number
from tests.truth.statements import Statement, Tables, says
from tests.truth.statements.of_classes import _by_person, _starred, _visits
from tests.truth.tables import Judged, judged, people, step, written_of

_MODEL = "model.l_diversity"
_HIERARCHIES = {"性别": {"kind": "star"}, "年龄": {"kind": "intervals", "widths": [40]}}
_ILL = {"流感": "呼吸", "肺炎": "呼吸", "哮喘": "呼吸", "胃炎": "其他", "骨折": "其他"}


def _men_alike(rows: int = 60) -> list[dict[str, str]]:
    """Young men have a flu, but for every third of them."""
    return [
        {**row, "诊断": "流感"} if row["性别"] == "男" and row["年龄"] == "20-39" and n % 12 else dict(row)
        for n, row in enumerate(people(rows))
    ]


def _one_illness() -> list[dict[str, str]]:
    return [{**row, "诊断": "流感"} if row["性别"] == "男" else dict(row) for row in people()]


def _promised(rows: Any = (), **sensitive: Any) -> Judged:
    """A recipe whose model promises something of the illnesses."""
    settings = {"k": 5, "hierarchies": _HIERARCHIES, "sensitive": {"诊断": sensitive}}
    return judged(rows, steps=[step(sensitive.pop("model", _MODEL), "性别", "年龄", **settings)])


def _changed(rows: int = 60, **targets: Any) -> Judged:
    """Illnesses are written in coarser words, and not all rows are."""
    written = written_of(people()[:rows], "性别", "年龄", 诊断=lambda row: _ILL[row["诊断"]])
    return judged(
        written=written,
        steps=[
            step(
                "generalization.hierarchy",
                "诊断",
                hierarchy={"kind": "table", "rows": [[*pair] for pair in _ILL.items()]},
            )
        ],
        **targets,
    )


def _unknown(rows: int) -> Judged:
    written = written_of(people())
    for row in written[:rows]:
        row["诊断"] = ""
    return judged(written=written, l=2)


def _later() -> Judged:
    model = step(_MODEL, "性别", "年龄", k=5, hierarchies=_HIERARCHIES, sensitive={"诊断": {"distinct": 2}})
    return judged(steps=[model, step("suppression.rare_combinations", "性别", "年龄", minimum_count=5)])


def _stars_alike() -> Judged:
    """All who became * have one illness."""
    written = written_of([row for row in people() if row["诊断"] != "流感"], "性别", "年龄", "诊断")
    gone = written_of(
        [row for row in people() if row["诊断"] == "流感"], "诊断", 性别=lambda row: "*", 年龄=lambda row: "*"
    )
    return judged(written=[*written, *gone], l=2)


_LEVELS = {"流感": 1, "胃炎": 1, "哮喘": 2, "骨折": 2, "肺炎": 3}
TABLES: Tables = {
    "nothing asked": judged,
    "l": lambda: judged(l=3),
    "l of men alike": lambda: judged(_men_alike(), l=3),
    "entropy": lambda: judged(l=3, l_kind="entropy"),
    "entropy of men alike": lambda: judged(_men_alike(), l=3, l_kind="entropy"),
    "t": lambda: judged(t=0.2),
    "t of men alike": lambda: judged(_men_alike(), t=0.2),
    "β": lambda: judged(beta=0.5),
    "β of men alike": lambda: judged(_men_alike(), beta=0.5),
    "α": lambda: judged(alpha=0.5),
    "α of men alike": lambda: judged(_men_alike(), alpha=0.5),
    "α of levels": lambda: _promised(alpha=0.9, levels=_LEVELS, distinct=2),
    "α of levels of men alike": lambda: _promised(_men_alike(), alpha=0.9, levels=_LEVELS, distinct=2),
    "promised": lambda: _promised(distinct=3),
    "frequency": lambda: _promised(recursive_l=2, recursive_c=2.0),
    "frequency of men alike": lambda: _promised(_men_alike(), recursive_l=2, recursive_c=2.0),
    "frequency of one illness": lambda: _promised(_one_illness(), recursive_l=2, recursive_c=2.0),
    "changed": lambda: _changed(t=0.2),
    "changed and gone": lambda: _changed(45, t=0.2),
    "unknown": lambda: _unknown(7),
    "not in the result": lambda: judged(
        written=written_of(people(), "性别", "年龄"),
        steps=[
            step(_MODEL, "性别", "年龄", k=5, hierarchies=_HIERARCHIES, sensitive={"诊断": {"distinct": 2}})
        ],
    ),
    "stars alike": _stars_alike,
    "stars": lambda: judged(written=_starred(12), l=2),
    "persons": lambda: _by_person(_visits(), l=2),
    "persons of several illnesses": lambda: _by_person(
        [{**row, "诊断": "肺炎"} if n % 5 == 3 else row for n, row in enumerate(_visits())], l=2
    ),
    "treated later": _later,
}


@cache
def judge(name: str) -> Judged:
    return TABLES[name]()


def _by_class(j: Judged) -> list[Counter[str]]:
    """How often each illness stands in each class, by rows; what is empty is no value."""
    return [
        Counter(j.written[row]["诊断"] for row in rows if j.written[row]["诊断"])
        for rows in j.classes.values()
    ]


def _bound_of(j: Judged, of_targets: str, of_model: str = "") -> float | None:
    """The bound of the targets, or of the model."""
    for one in j.steps:
        for sensitive in one.get("parameters", {}).get("sensitive", {}).values():
            if of_model in sensitive:
                return sensitive[of_model]
    return getattr(j.risk, of_targets, None)


def _said(found: float, bound: float | None, **more: Any) -> Any:
    return [] if bound is None else {"found": number(found), "bound": number(bound), "column": "诊断", **more}


def _greatest_share(j: Judged, *, of_levels: bool) -> Any:
    """Of the most frequent illness of a class, or of the most frequent level of them."""
    bound = _bound_of(j, "alpha", "alpha")
    if bound is None or of_levels is not ("levels" in str(j.steps)):
        return []
    named = _LEVELS if of_levels else {value: value for value in j.counts("诊断")}
    found = [Counter(named[value] for value in one.elements()) for one in _by_class(j)]
    return _said(max(max(one.values()) / one.total() for one in found), bound)


def _distinct(j: Judged) -> Any:
    bound = _bound_of(j, "l", "distinct") if j.risk.l_kind == "distinct" else None
    return _said(min(len(one) for one in _by_class(j)), bound)


def _entropy(j: Judged) -> Any:
    def variety(one: Counter[str]) -> float:
        return math.exp(-sum(n / one.total() * math.log(n / one.total()) for n in one.values()))

    return _said(min(map(variety, _by_class(j))), j.risk.l if j.risk.l_kind == "entropy" else None)


def _frequency(j: Judged, *, alone: bool) -> Any:
    bound = _bound_of(j, "", "recursive_c")
    if bound is None or alone is not any(len(one) < 2 for one in _by_class(j)):
        return []
    if alone:
        return {"place": 2, "column": "诊断"}
    worst = max(max(one.values()) / (one.total() - max(one.values())) for one in _by_class(j))
    return _said(worst, bound, place=2)


def _shares(counts: Mapping[str, int]) -> dict[str, float]:
    return {value: n / sum(counts.values()) for value, n in counts.items()}


def _gaps(j: Judged) -> list[dict[str, tuple[float, float]]]:
    """Of each class: value → its share there and in the whole table."""
    whole = _shares(j.counts("诊断"))
    return [{value: (_shares(one).get(value, 0.0), q) for value, q in whole.items()} for one in _by_class(j)]


def _coarse(j: Judged) -> bool:
    return "generalization.hierarchy" in str(j.steps)


def _distance(j: Judged) -> Any:
    if _coarse(j):
        return _said(_distance_bound(j), j.risk.t) if len(j.written) == len(j.source) else []
    return _said(max(sum(abs(p - q) for p, q in one.values()) / 2 for one in _gaps(j)), j.risk.t)


def _distance_bound(j: Judged) -> float:
    whole = _shares(Counter(j.column("诊断")))
    return max(sum(abs(_shares(one).get(v, 0) - q) for v, q in whole.items()) / 2 for one in _by_class(j))


def _too_many_gone(j: Judged) -> bool:
    """Whether rows that are gone could have made the distance keep the bound as well as break it."""
    if not _coarse(j) or j.risk.t is None:
        return False
    gone = 1 - len(j.written) / len(j.source)
    found = _distance_bound(j)
    return found - gone <= j.risk.t < (1 - gone) * found + gone


def _several(j: Judged) -> int:
    """Persons with several illnesses in one class, class by class."""
    held = defaultdict(set)
    for row, who in zip(j.written, j.whose or (), strict=True):
        held[who, tuple(row[name] for name in j.quasi)].add(row["诊断"])
    return sum(len(values) > 1 for values in held.values())


def _conditions(j: Judged) -> bool:
    return any(one is not None for one in (j.risk.l, j.risk.t, j.risk.beta))


STATEMENTS: list[Statement] = [
    says("The most frequent value of %(column)s", "nothing asked | α | α of men alike | α of levels", lambda j: _greatest_share(j, of_levels=False)),
    says("The most frequent sensitivity level of", "α | α of levels | α of levels of men alike",
         lambda j: _greatest_share(j, of_levels=True)),
    says("In the class with the least variety", "l | l of men alike | promised | nothing asked | unknown | stars", _distinct),
    says("The class with the least variety is", "entropy | entropy of men alike | l", _entropy),
    says("In the class where one value of", "frequency | frequency of men alike | frequency of one illness",
         lambda j: _frequency(j, alone=False)),
    says("A class has fewer than %(place)d different values", "frequency | frequency of one illness",
         lambda j: _frequency(j, alone=True)),
    says("In the class that differs most", "t | t of men alike | nothing asked | changed", _distance),
    says("Where a value of %(column)s stands out most", "β | β of men alike | t",
         lambda j: _said(max((p - q) / q for one in _gaps(j) for p, q in one.values()), j.risk.beta)),
    says("%(column)s was changed, so the source does not tell", "changed | changed and gone | t",
         lambda j: {"column": "诊断"} if _too_many_gone(j) else []),
    says("%(column)s was changed, so it is held", "changed | t",
         lambda j: {"column": "诊断"} if {*j.column("诊断")} - {row["诊断"] for row in j.source} else []),
    says("Held against the shares of the values in the source", "t | changed", lambda j: not _coarse(j)),
    says("In %(rows)d rows %(column)s is missing", "l | unknown",
         lambda j: [{"rows": n, "column": "诊断"} for n in [j.column("诊断").count("")] if n]),
    says("%(column)s is not in the result, so", "promised | not in the result",
         lambda j: {"column": "诊断"} if "诊断" not in j.written[0] else []),
    says("Only the class of the suppressed records", "stars | stars alike", lambda j: [
        {"rows": len(rows)} for key, rows in j.classes.items()
        if {*key} == {"*"} and len({j.written[row]["诊断"] for row in rows}) < 2
    ]),
    says("A person weighs one in each class, however many records it has there.", "persons | persons of several illnesses | l",
         lambda j: j.whose is not None and not _several(j)),
    says("In %(several)d cases a person has", "persons | persons of several illnesses",
         lambda j: {"several": _several(j), "column": "诊断"} if _several(j) else []),
    says("Other steps treat %(columns)s after the model", "promised | treated later",
         lambda j: {"columns": "年龄, 性别"} if j.steps[-1]["technique"] != _MODEL and "rare" in str(j.steps) else []),
    says("Promised by step", "promised | l", lambda j: [
        {"number": n, "technique": "l-diversity"} for n, one in enumerate(j.steps, 1) if one["technique"] == _MODEL
    ]),
    says("Required of every sensitive attribute", "promised | l", _conditions),
]  # fmt: skip
