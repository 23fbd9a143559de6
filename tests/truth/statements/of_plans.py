"""What stands beside the approved plan, and what becomes of a result that cannot be read or has nobody in it."""

from __future__ import annotations

import io
from functools import cache
from typing import Any

from projects.core.numbers import count, number
from tests.truth.statements import Statement, Tables, says
from tests.truth.statements.of_classes import _visits
from tests.truth.statements.of_runs import _private
from tests.truth.statements.of_scales import _degree, _needed, _of
from tests.truth.tables import CSV, File, Judged, judged, people, ran, step, written_of

_RULES = {"number": "", "candidates": [], "risk_model": "class_sizes"}


def _planned(
    *candidates: str, risk_model: str = "class_sizes", private: bool = False, alone: bool = False
) -> Judged:
    """``alone``: of made-up rows nothing is left but what differential privacy made up."""
    case = {"factors": {"candidates": list(candidates), "risk_model": risk_model}}
    if private:
        columns = {"性别": "男|女", "年龄": "20-39|40-59"}
        others = [name for name in people(1)[0] if name not in columns]
        gone = [step("suppression.remove_column", *others)] if alone else []
        return ran(
            people(200), *gone, step("synthesis.private", *columns, epsilon=1, domains=columns), case=case
        )
    return ran(people(), step("pseudonymization.keyed_hash", "手机"), case=case)


def _file(content: bytes, rows: int) -> dict[str, Any]:
    return {"result": File(lambda: io.BytesIO(content), CSV, rows)}


def _starred_persons(whole: bool) -> Judged:
    """One patient's visits became ``*``, all of them or the first."""
    rows = _visits()
    written = written_of(rows, "病历号", "性别", "年龄", "诊断")
    mine = [row for row in written if row["病历号"] == rows[1]["病历号"]]
    for row in mine if whole else mine[:1]:
        row.update({"性别": "*", "年龄": "*"})
    whose = [row.pop("病历号") for row in written]
    return judged(rows, written, whose=whose, key=("病历号",))


def _numbers_from_nothing(empty: bool) -> Judged:
    """Telephone numbers made up where the source has none, or others."""
    rows = [{**row, "手机": "" if empty else row["手机"]} for row in people()]
    written = written_of(
        rows, "性别", "年龄", "诊断", 手机=lambda row: f"1380013{len(row['姓名'])}{hash_of(row):03}"
    )
    return judged(rows, written, steps=[step("synthesis.identifier", "手机", kind="phone")])


def hash_of(row: Any) -> int:
    return sum(map(ord, row["姓名"])) % 1000


_GROUPS = "groups, no plan | groups, planned by classes | groups as planned | planned by groups | planned"


def _groups(risk_model: str | None) -> Judged:
    """The mean fee of each sex, of a plan with this risk model or of none."""
    fees = [{**row, "费用": str(100 + number)} for number, row in enumerate(people())]
    figures = step("statistical.aggregation", "性别", "费用", statistics={"费用": "mean"})
    gone = step("suppression.remove_column", "姓名", "手机", "年龄", "诊断")
    factors = {"candidates": ["statistical", "suppression"], "risk_model": risk_model}
    return ran(fees, gone, figures, case={"factors": factors} if risk_model else {})


TABLES: Tables = {
    "groups, no plan": lambda: _groups(None),
    "groups, planned by classes": lambda: _groups("class_sizes"),
    "groups as planned": lambda: _groups("linear_sensitivity"),
    "planned by groups": lambda: _planned("pseudonymisation", "suppression", risk_model="linear_sensitivity"),
    "no plan": lambda: ran(people(), step("pseudonymization.keyed_hash", "手机")),
    "planned": lambda: _planned("pseudonymisation", "suppression"),
    "planned otherwise": lambda: _planned("generalisation", "suppression"),
    "planned by privacy": lambda: _planned("pseudonymisation", "suppression", risk_model="differential_privacy"),
    "private as planned": lambda: _planned(
        "synthesis", "differential_privacy", "suppression", risk_model="differential_privacy", private=True
    ),
    "private, planned by classes": lambda: _planned("synthesis", "suppression", private=True),
    "private alone, planned by classes": lambda: _planned("synthesis", "suppression", private=True, alone=True),
    "private": lambda: _private(1),
    "safe": judged,
    "safe, l asked": lambda: judged(l=2),
    "nobody": lambda: judged(case=_file("性别,年龄,诊断\n".encode(), 0), l=2),
    "not a table": lambda: judged(case=_file("性别,年龄,诊断\n男,20-39,流感,x\n".encode() * 2 + b'"', 60)),
    "one visit of a patient became *": lambda: _starred_persons(False),
    "a patient became *": lambda: _starred_persons(True),
    "rows became *": lambda: judged(written=[
        {**row, "性别": "*", "年龄": "*"} if n < 2 else row for n, row in enumerate(written_of(people()))
    ]),
    "numbers of nobody": lambda: _numbers_from_nothing(True),
    "numbers for numbers": lambda: _numbers_from_nothing(False),
    "controlled": lambda: _of("controlled"),
    "four alike": lambda: _of("controlled", small=4),
    "two alike": lambda: _of("controlled", small=2),
    "enclave": lambda: _of("enclave", small=4),
}  # fmt: skip


@cache
def judge(name: str) -> Judged:
    return TABLES[name]()


_NAMES = {
    "statistical.aggregation": ("Aggregation", {"statistical"}),
    "pseudonymization.keyed_hash": ("Pseudonym by keyed hash", {"pseudonymisation"}),
    "synthesis.private": ("Made-up rows, differentially private", {"synthesis", "differential_privacy"}),
    "suppression.remove_column": ("Remove the column", {"suppression"}),
}


def _beside(j: Judged) -> Any:
    """Techniques of which the plan names no candidate."""
    planned = {*(j.case.factors or {}).get("candidates", ())}
    for name in dict.fromkeys(one["technique"] for one in j.steps):
        title, kinds = _NAMES.get(name, ("", set()))
        if planned and kinds and not kinds & planned:
            yield {"technique": title}


def _model(j: Judged) -> str:
    return (j.case.factors or {}).get("risk_model", "")


def _is_grouped(j: Judged) -> bool:
    """Whether a row of the result is a group's: there are no more rows than sexes."""
    return len(j.written) == len({row["性别"] for row in j.source})


def _is_private(j: Judged) -> bool:
    return any(one["technique"] == "synthesis.private" for one in j.steps)


def _unprotected(j: Judged) -> list[str]:
    """Columns of the result that differential privacy did not make up."""
    return [name for name in j.written[0] if name not in ("性别", "年龄")]


def _gone(j: Judged) -> Any:
    """Persons all of whose rows are ``*`` or not there, where some row is ``*``."""
    starred = [all(row[name] == "*" for name in j.quasi) for row in j.written]
    if j.whose is None or not any(starred):
        return []
    left = {who for who, gone in zip(j.whose, starred, strict=True) if not gone}
    persons = {row["病历号"] for row in j.source}
    return {"gone": len(persons - left), "persons": len(persons)}


def _below(j: Judged) -> Any:
    if _degree(j) >= 1:
        return []
    places = {"controlled": "To another organisation", "enclave": "Within the organisation"}
    return {
        "degree": number(float(_degree(j))), "k": count(j.k), "needed": count(_needed(j)), "scenario": places[j.case.sharing_type]
    }  # fmt: skip


_PLANS = "no plan | planned | planned otherwise | planned by privacy | private as planned | private, planned by classes"
STATEMENTS: list[Statement] = [
    says("and the approved plan names nothing of its kind", _PLANS, lambda j: list(_beside(j))),
    says("The approved plan assesses the risk by the sizes of equivalence classes, and the rows are made up: what",
         f"{_PLANS} | private alone, planned by classes",
         lambda j: _model(j) == "class_sizes" and _is_private(j) and not _unprotected(j)),
    says("The approved plan assesses the risk by the sizes of equivalence classes, and the rows are made up: differential",
         f"{_PLANS} | private alone, planned by classes", lambda j: [
             {"columns": "性别, 年龄", "others": ", ".join(others)} for others in [_unprotected(j)]
             if others and _model(j) == "class_sizes" and _is_private(j)]),
    says("The approved plan assesses the risk by differential", _PLANS, lambda j: _model(j) == "differential_privacy" and not _is_private(j)),
    says("The approved plan assesses the risk by linear", _GROUPS, lambda j: _model(j) == "linear_sensitivity" and not _is_grouped(j)),
    says("The approved plan does not assess the risk by linear", _GROUPS,
         lambda j: _model(j) not in ("", "linear_sensitivity") and _is_grouped(j)),
    says("%(gone)d of %(persons)d persons have no other record", "a patient became * | one visit of a patient became * | rows became *", _gone),
    says("The table has no rows", "safe, l asked | nobody", lambda j: j is judge("nobody")),
    says("The search for direct identifiers could not run", "safe | not a table", lambda j: j is judge("not a table")),
    says("The degree of anonymisation by T/ISC 0078 is", "controlled | four alike | two alike | enclave", _below),
    says("that could not be proven", "safe | numbers of nobody | numbers for numbers", lambda j: [
        {"column": "手机", "rows": len(j.written), "technique": "Made-up identifiers"}] if j is judge("numbers of nobody") else []),
]  # fmt: skip
