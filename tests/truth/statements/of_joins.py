"""What lies between two tables: whether they still join, and how many are alike in both together."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

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
) -> Joined:
    after = {**before, **(after or {})}
    key = () if any(one.person for one in links) else None
    cases = {name: _case(rows, after[name], roles, key) for name, rows in before.items()}
    return Joined(before, after, links, measure(cases, links, lambda share: None))


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
    for number, row in enumerate(j.after["visits"]):
        found[sexes[row["who"]], row["year"]].add(row["who"] if j.links[0].person else str(number))
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
]  # fmt: skip
