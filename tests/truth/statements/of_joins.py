"""What lies between two tables: whether they still join, and how many are alike in both together."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

from projects.core.numbers import number
from projects.objective.targets.risk import RiskTargets
from projects.verification.gate.case import Case
from projects.verification.gate.measurement import measure
from projects.verification.reports.gate import Measurement
from techniques.core.attributes import AttributeRole
from techniques.disclosure_risk.joined import Link
from techniques.recipe.recipe import Recipe
from tests.truth.statements import Statement, says
from tests.truth.tables import TARGETS, D, Q, Row, file_of, kept, matching, said_in, step

_ROLES: Mapping[str, AttributeRole] = {"id": D, "who": D, "sex": Q, "year": Q, "by": D}
_LINK = Link(("visits", "who"), ("patients", "id"))


@dataclass(frozen=True)
class Joined:
    """Patients and their visits, before and after."""

    before: Mapping[str, Sequence[Row]]
    after: Mapping[str, Sequence[Row]]
    links: Sequence[Link]
    found: Measurement
    cases: Mapping[str, Case]

    @cached_property
    def said(self) -> frozenset[str]:
        return said_in(self.found)

    def says(self, message: str) -> set[str]:
        return matching(self.said, message)


def _patients(number: int = 24) -> list[Row]:
    return [{"id": f"p{n:03}", "sex": "mf"[n % 2]} for n in range(number)]


def _visits(number: int = 24, year: Callable[[int], str] = lambda n: "2020") -> list[Row]:
    return [{"who": f"p{n:03}", "year": year(n)} for n in range(number)]


def _of(
    before: Mapping[str, list[Row]],
    after: Mapping[str, list[Row]] | None = None,
    *,
    links: Sequence[Link] = (_LINK,),
    roles: Mapping[str, AttributeRole] = _ROLES,
    steps: Mapping[str, Sequence[Mapping[str, Any]]] | None = None,
    **targets: Any,
) -> Joined:
    after = {**before, **(after or {})}
    key = () if any(one.person for one in links) else None
    cases = {name: _case(rows, after[name], roles, key) for name, rows in before.items()}
    risk = RiskTargets.model_validate(TARGETS | targets)
    cases = {
        name: replace(case, risk=risk, steps=(steps or {}).get(name, ())) for name, case in cases.items()
    }
    return Joined(before, after, links, measure(cases, links, lambda share: None), cases)


def _spent(persons: bool = False, **epsilons: float) -> Joined:
    """Tables without quasi-identifiers, in which one column was made up for each of ``epsilons``."""
    made = {
        name: [
            {
                "technique": "synthesis.private",
                "columns": ["sex"],
                "result": {"epsilon": one} | ({"rows_of_person": 3} if persons else {}),
            }
        ]
        for name, one in epsilons.items()
    }
    return _of(_NAMED, links=[], steps=made, epsilon=2)


def _case(
    source: list[Row],
    result: list[Row],
    roles: Mapping[str, AttributeRole],
    person_key: tuple[str, ...] | None,
) -> Case:
    direct = [name for name in source[0] if roles[name] is D]
    steps = [
        step("pseudonymization.keyed_hash", *direct),
        kept(*(name for name in source[0] if name not in direct)),
    ]
    return Case(
        source=file_of(source), result=file_of(result), recipe=Recipe.from_data({"recipe": 1, "steps": steps}),
        roles={name: roles[name] for name in source[0]}, risk=RiskTargets.model_validate(TARGETS), utility=[], file_name="t.csv",
        result_sha256="same", read_sha256="same", rows_in=len(source), sharing_type="controlled", person_key=person_key,
    )  # fmt: skip


def _without(rows: Iterable[Row], name: str) -> list[Row]:
    return [{one: cell for one, cell in row.items() if one != name} for row in rows]


_NAMED = {"patients": _patients(), "visits": _visits()}


def _large(year: Callable[[int], str]) -> Joined:
    """Pseudonyms for keys; each table by itself is coarse enough for k = 30."""
    before = {"patients": _patients(120), "visits": _visits(120, year)}
    after = {
        name: [
            {**row, key: hashlib.sha256(b"nobody's key" + row[key].encode()).hexdigest()[:32]}
            for row in before[name]
        ]
        for name, key in (("patients", "id"), ("visits", "who"))
    }
    return _of(before, after, k=30, context_risk=0.2, context_reason="few know it")


TABLES: Mapping[str, Callable[[], Joined]] = {
    "coarse": lambda: _of(_NAMED),
    "fine": lambda: _of({"patients": _patients(), "visits": _visits(year=lambda n: str(2000 + n // 6))}),
    "some patients gone": lambda: _of(_NAMED, {"patients": _patients(18)}),
    "two keys became one": lambda: _of(
        _NAMED, {"visits": [{**row, "who": row["who"].replace("p001", "p003")} for row in _visits()]}
    ),
    "the key is gone": lambda: _of(_NAMED, {"visits": _without(_visits(), "who")}),
    "goods": lambda: _of(_NAMED, links=[Link(_LINK.source, _LINK.target, person=False)]),
    "fine goods": lambda: _of(
        {"patients": _patients(), "visits": _visits(year=lambda n: str(2000 + n // 6))},
        links=[Link(_LINK.source, _LINK.target, person=False)],
    ),
    "large": lambda: _large(lambda n: "2020"),
    "large and fine": lambda: _large(lambda n: str(2000 + n // 40)),
    "too many": lambda: _of(
        {"patients": [{"id": "p", "sex": "m"}] * 4500, "visits": [{"who": "p", "year": "2020"}] * 4500}
    ),
    "one table spent": lambda: _spent(patients=1.5),
    "both spent": lambda: _spent(patients=0.5, visits=1),
    "both spent by persons": lambda: _spent(True, patients=0.5, visits=1),
    "both spent more": lambda: _spent(patients=1.5, visits=1),
    "two links": lambda: _of(
        {
            "patients": _patients(),
            "visits": [{**row, "by": f"p{(n + 5) % 24:03}"} for n, row in enumerate(_visits())],
        },
        links=[_LINK, Link(("visits", "by"), ("patients", "id"))],
    ),
}


@cache
def judge(name: str) -> Joined:
    return TABLES[name]()


def _counts(tables: Mapping[str, Sequence[Row]]) -> tuple[int, int]:
    """(visits whose patient is there, visits that name one)"""
    there = {row["id"] for row in tables["patients"]}
    named = [row["who"] for row in tables["visits"] if row.get("who")]
    return sum(who in there for who in named), len(named)


def _has_keys(j: Joined) -> bool:
    return "who" in j.after["visits"][0]


def _joining(j: Joined) -> Any:
    if not _has_keys(j):
        return []
    (joined, rows), (joined_before, rows_before) = _counts(j.after), _counts(j.before)
    return {"joined": joined, "rows": rows, "joined_before": joined_before, "rows_before": rows_before}


def _view(j: Joined) -> dict[tuple[str, str], set[str]]:
    """Patients, or visits where no key stands for persons, by what both tables say of them."""
    sexes = {row["id"]: row["sex"] for row in j.after["patients"]}
    found = defaultdict(set)
    for place, row in enumerate(j.after["visits"]):
        found[sexes[row["who"]], row["year"]].add(row["who"] if j.links[0].person else str(place))
    return found


def _seen(j: Joined, *, person: bool) -> Any:
    if not _has_keys(j) or j.links[0].person is not person:
        return []
    classes = _view(j)
    return {
        "rows": len(j.after["visits"]),
        "persons": len(set().union(*classes.values())),
        "k": min(map(len, classes.values())),
    }


def _below(j: Joined, *, person: bool) -> Any:
    if not _has_keys(j) or j.links[0].person is not person:
        return []
    few = sum(len(one) for one in _view(j).values() if len(one) < 5)
    return {"below": few} if few else []


def _grown(j: Joined) -> bool:
    return _has_keys(j) and max(Counter(row["who"] for row in j.after["visits"]).values()) > 1


def _view_fails(j: Joined) -> bool:
    """Whether somebody is too easily found in the joined view alone."""
    return _has_keys(j) and min(map(len, _view(j).values())) < j.cases["visits"].risk.k


def _pairs(j: Joined) -> int:
    """Rows of the tables joined by their key."""
    keys = Counter(row["id"] for row in j.after["patients"])
    return sum(keys[row.get("who", "")] for row in j.after["visits"])


def _by_tables(j: Joined, *, persons: bool) -> Any:
    """What each table spent, where more than one did; the steps stand in the reports of the runs."""
    spent = {
        name: sum(one["result"]["epsilon"] for one in case.steps)
        for name, case in j.cases.items()
        if case.steps
    }
    if len(spent) < 2 or ("rows_of_person" in str([case.steps for case in j.cases.values()])) is not persons:
        return []
    each = ", ".join(f"{name} {number(one)}" for name, one in spent.items())
    return {"spent": number(sum(spent.values())), "bound": "2", "columns": each}


STATEMENTS: list[Statement] = [
    says("%(joined)d of %(rows)d rows with a key", "coarse | some patients gone | the key is gone", _joining),
    says("Keys that were different", "coarse | two keys became one", _grown),
    says("The result has no column called", "coarse | the key is gone", lambda j: [] if _has_keys(j) else {"column": "who"}),
    says("Joined by their keys the tables have %(rows)d rows about", "coarse | fine | goods | the key is gone", lambda j: _seen(j, person=True)),
    says("Joined by their keys the tables have %(rows)d rows; the smallest", "coarse | goods | fine goods", lambda j: _seen(j, person=False)),
    says("Generalise or remove quasi-identifiers further: %(below)d persons", "coarse | fine | goods", lambda j: _below(j, person=True)),
    says("Generalise or remove quasi-identifiers further: %(below)d rows", "coarse | fine goods | fine", lambda j: _below(j, person=False)),
    says("leads to other rows than the links beside it", "coarse | two links", lambda j: [
        {"source": "visits.by", "target": "patients.id"} for one in j.links if one.source[1] == "by"]),
    says("No direct identifier was found; a risk is above", "large | large and fine | coarse", _view_fails),
    says("The level is 2 for what the joined tables show", "large | large and fine", lambda j: {"acceptable": 0.05} if _view_fails(j) else []),
    says("The joined view has %(rows)d rows", "coarse | too many", lambda j: [
        {"rows": rows, "most": 20_000_000} for rows in [_pairs(j)] if rows > 20_000_000]),
    says("Somebody with one row in each of these tables", "coarse | one table spent | both spent | both spent more | both spent by persons",
         lambda j: _by_tables(j, persons=False)),
    says("A person who is in all of these tables", "both spent | both spent by persons", lambda j: _by_tables(j, persons=True)),
]  # fmt: skip
