"""Degree, level and overall risk: what each says, and what is made of it where they differ."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

from projects.core.numbers import number, percent
from projects.objective.surroundings.coefficients import SHIPPED, Coefficients
from techniques.disclosure_risk.scales.degree import Capability, Scenario
from tests.truth.statements import Statement, Tables, says
from tests.truth.statements.of_classes import _by_person, _visits
from tests.truth.tables import Judged, judged, people, ran, step, written_of

_SCENARIO = {"public": Fraction(1, 20), "controlled": Fraction(1, 5), "enclave": Fraction(1, 3)}
_ENVIRONMENT = {"low": Fraction(1, 2), "medium": Fraction(1), "high": Fraction(1)}
_OWN = Coefficients(
    4, {Capability.LOW: Fraction(3, 5), Capability.MEDIUM: Fraction(1), Capability.HIGH: Fraction(5, 4)}
)
# Within the organisation another than the standard's.
_OWN_SCENARIO = Coefficients(
    6,
    SHIPPED.of,
    {Scenario.INTERNAL: Fraction(1, 4), Scenario.EXTERNAL: Fraction(1, 5), Scenario.PUBLIC: Fraction(1, 20)},
)
_SAFEGUARDS = {"technical_points": 1.0, "management_points": 6.5, "management": "high"}
_ACCEPTABLE = 0.05
_CONTROLS = {"deliberate": 0.05, "acquaintance": 0.05, "breach": 0.27, "motive": "low"}


def _of(
    sharing: str,
    rows: int = 60,
    small: int = 0,
    controls: str = "",
    case: Mapping[str, Any] | None = None,
    safeguards: str = "",
    **targets: Any,
) -> Judged:
    """People shared so; ``small`` of them are alike and older than all others."""
    of = [
        {**row, "年龄": "80-99", "性别": "男"} if n < small else dict(row)
        for n, row in enumerate(people(rows))
    ]
    about: dict[str, Any] = {"sharing_type": sharing, **(case or {})}
    if controls:
        about["assessment"] = {"number": 3, "controls": controls, **_CONTROLS}
    if safeguards:
        about["assessment"]["safeguards"] = {**_SAFEGUARDS, "technical": safeguards, "capability": safeguards}
    if targets.get("context_risk"):
        targets["context_reason"] = "few know it"
    return judged(of, case=about, **targets)


_LOOSE = {"max_risk": 1, "overall_threshold": 1, "k": 2}
_STRICT = {"overall_threshold": 0.001}
_TIGHT = {
    "measure": "strict_average",
    "average_risk": 0.1,
    "overall_threshold": 0.1,
    "k": 10,
    "strict_cap": 0.1,
    "max_risk": 0.1,
}
_AVERAGE = {"measure": "strict_average", "average_risk": 0.1, "overall_threshold": 0.1}
TABLES: Tables = {
    "controlled": lambda: _of("controlled"),
    "accepted": lambda: _of("controlled", context_risk=0.5),
    "four alike": lambda: _of("controlled", small=4, **_AVERAGE),
    "two alike": lambda: _of("controlled", small=2, **_AVERAGE),
    "two alike, nothing kept": lambda: _of("controlled", small=2, **_STRICT),
    "enclave": lambda: _of("enclave", small=4),
    "enclave, weak": lambda: _of("enclave", small=4, controls="low", **_AVERAGE),
    "enclave, weak, improbable": lambda: _of("enclave", small=4, controls="low", context_risk=0.1),
    "weak and strict": lambda: _of("enclave", small=4, controls="low", context_risk=0.1, **_STRICT),
    "strict": lambda: _of("enclave", small=5, context_risk=0.1, **_STRICT),
    "strict and probable": lambda: _of("enclave", small=5, **_STRICT),
    "tight cap": lambda: _of("enclave", small=4, **_AVERAGE, strict_cap=0.2),
    "tight cap of persons": lambda: _by_person(_visits(), case={"sharing_type": "enclave"}, **_TIGHT),
    "assessed": lambda: _of("controlled", controls="high", context_risk=0.27),
    "assessed otherwise": lambda: _of("controlled", controls="high", context_risk=0.5),
    "own table, weak": lambda: _of(
        "controlled", controls="high", safeguards="low", case={"coefficients": _OWN}
    ),
    "own table, strong": lambda: _of(
        "controlled", controls="low", safeguards="high", case={"coefficients": _OWN}
    ),
    "shipped, strong": lambda: _of("controlled", controls="low", safeguards="high"),
    "own scenario": lambda: _of("enclave", small=4, case={"coefficients": _OWN_SCENARIO}),
    "own scenario, other sharing": lambda: _of("controlled", case={"coefficients": _OWN_SCENARIO}),
    "public": lambda: _of("public"),
    "public, more people": lambda: _of("public", 200),
    "public, just as much": lambda: _of("public", 80),
    "name left": lambda: judged(
        written=written_of(people(), "姓名", "性别", "年龄", "诊断"), case={"sharing_type": "enclave"}
    ),
    "name left, no class": lambda: judged(
        written=written_of(people(), "姓名", "性别", "年龄", "诊断"), case={"unjudged": ["诊断"]}
    ),
    "no verdict": lambda: judged(case={"unjudged": ["诊断"]}),
    "no identifier": lambda: judged(written=written_of(people(), "诊断")),
    "made up": lambda: ran(people(80), step("synthesis.sequential", "性别", "年龄", "诊断", leaf_rows=20)),
}


@cache
def judge(name: str) -> Judged:
    return TABLES[name]()


def _context(j: Judged) -> float:
    """The probability of an attempt that the level goes by."""
    found = j.case.assessment
    if found is None or j.case.sharing_type == "public":
        return j.risk.context_risk
    return max(found[name] for name in ("deliberate", "acquaintance", "breach"))


def _capability(j: Judged) -> str:
    found = j.case.assessment
    if found is None:
        return "medium"
    return found["safeguards"]["capability"] if "safeguards" in found else found["controls"]


def _environment(j: Judged) -> Fraction:
    return Fraction({**_ENVIRONMENT, **j.case.coefficients.of}[_capability(j)])


def _by_controls(j: Judged) -> bool:
    return j.case.assessment is not None and "safeguards" not in j.case.assessment


def _version(j: Judged) -> int | None:
    """Of the table that the coefficient is from; None where no assessment counts."""
    return j.case.coefficients.version if j.case.assessment else None


def _degree(j: Judged) -> Fraction:
    return j.k * _scenario(j) * _environment(j)


def _own(j: Judged) -> bool:
    """Whether the organisation gives the scenario of these data another K than table C.1."""
    return j.case.coefficients is _OWN_SCENARIO and j.case.sharing_type == "enclave"


def _scenario(j: Judged) -> Fraction:
    return Fraction(1, 4) if _own(j) else _SCENARIO[j.case.sharing_type]


def _needed(j: Judged) -> int:
    whole = _scenario(j) * _environment(j)
    return next(k for k in range(1, 99) if k * whole >= 1)


def _above(j: Judged) -> int:
    """Classes whose risk lies above the threshold of the sharing type."""
    return sum(Fraction(1, size) > _SCENARIO[j.case.sharing_type] for size in j.sizes)


def _level_risk(j: Judged) -> float:
    if _above(j):
        return 1.0
    public = j.case.sharing_type == "public"
    data = max(1 / size for size in j.sizes) if public else sum(1 / size for size in j.sizes) / len(j.sizes)
    return data * (1.0 if public else _context(j))


def _direct(j: Judged) -> bool:
    return "姓名" in j.written[0]


def _level(j: Judged) -> int | None:
    """None where nobody's classes are known."""
    if _direct(j):
        return 1
    if not j.quasi:
        return 4
    if _unknown(j) or _made_up(j):
        return None
    return 3 if _level_risk(j) < _ACCEPTABLE else 2


def _unknown(j: Judged) -> bool:
    return bool(j.case.unjudged)


def _made_up(j: Judged) -> bool:
    return "synthesis" in str(j.steps)


def _data(j: Judged) -> float:
    if j.risk.measure == "max":
        return 1 / j.k
    return len(j.sizes) / len(j.written)


def _cap(j: Judged) -> int:
    return round(1 / j.risk.strict_cap)


def _cap_kept(j: Judged) -> bool:
    return j.risk.measure == "max" or j.k >= _cap(j)


def _verdicts(j: Judged) -> tuple[bool, bool, bool] | None:
    """Whether degree, level and overall risk accept the table; None where one of them is not known."""
    if not j.quasi or _unknown(j) or _made_up(j):
        return None
    overall = _data(j) * j.risk.context_risk <= j.risk.overall_threshold + 1e-12 and _cap_kept(j)
    return _degree(j) >= 1, (_level(j) or 0) >= 3, overall


def _only(*verdicts: bool) -> Any:
    return lambda j: _verdicts(j) == verdicts and not _direct(j)


def _differ(j: Judged) -> bool:
    return len(set(_verdicts(j) or [True])) > 1


def _degree_said(j: Judged, *, lowered: bool) -> Any:
    weak = j.k * _scenario(j) >= 1 > _degree(j)
    return {"k": j.k, "needed": _needed(j)} if _differ(j) and weak is lowered else []


def _level_said(j: Judged, *, public: bool) -> Any:
    if not _differ(j) or _direct(j) or _above(j) or (j.case.sharing_type == "public") is not public:
        return []
    return {"risk": round(_level_risk(j), 6), "acceptable": _ACCEPTABLE}


def _level_is(j: Judged, level: int, *, small: bool = False) -> Any:
    if _level(j) != level or bool(_above(j)) is not small:
        return []
    limit = _SCENARIO[j.case.sharing_type]
    return {
        "risk": round(_level_risk(j), 6),
        "acceptable": _ACCEPTABLE,
        "classes": _above(j),
        "size": int(1 / limit),
    }


_PLACES = {
    "public": "To the public",
    "controlled": "To another organisation",
    "enclave": "Within the organisation",
}
_ALL = "controlled | accepted | four alike | two alike | two alike, nothing kept | enclave | enclave, weak | strict | public"
_MORE = f"{_ALL} | enclave, weak, improbable | weak and strict | strict and probable | public, more people | assessed"

STATEMENTS: list[Statement] = [
    says("Level 1: a direct", "controlled | name left", _direct),
    says("A direct identifier was found in the result.", "name left | name left, no class", lambda j: _direct(j) and _unknown(j)),
    says("Level 4: neither", "controlled | no identifier", lambda j: _level(j) == 4),
    says("Level 2: %(classes)d classes", _ALL, lambda j: _level_is(j, 2, small=True)),
    says("Level 2: the overall risk", _ALL, lambda j: _level_is(j, 2)),
    says("Level 3: the overall risk", _ALL, lambda j: _level_is(j, 3)),
    says("The risk could not be measured.", "controlled | no verdict", _unknown),
    says("The quasi-identifiers are made up", "controlled | made up", _made_up),
    says("Only the degree of T/ISC 0078 says no", _MORE, _only(False, True, True)),
    says("Only the level of GB/T 42460 says no", _MORE, _only(True, False, True)),
    says("Only the overall risk of GB/T 37964 says no", _MORE, _only(True, True, False)),
    says("Only the degree of T/ISC 0078 says yes", _MORE, _only(True, False, False)),
    says("Only the level of GB/T 42460 says yes", _MORE, _only(False, True, False)),
    says("Only the overall risk of GB/T 37964 says yes", _MORE, _only(False, False, True)),
    says("The level says no for a direct identifier", "name left | controlled", lambda j: _direct(j) and _differ(j)),
    says("The level is 1 for a direct identifier", "name left | controlled", lambda j: _direct(j) and _differ(j)),
    says("All three scales accept", _MORE, lambda j: _verdicts(j) == (True, True, True)),
    says("None of the three scales", _MORE, lambda j: _verdicts(j) == (False, False, False)),
    says("The degree looks at", _MORE, lambda j: _degree_said(j, lowered=False)),
    says("The degree is lowered", _MORE, lambda j: _degree_said(j, lowered=True)),
    says("The level counts the overall risk", _MORE, lambda j: _differ(j) and _above(j) > 0),
    says("With completely public data the level", "public, just as much | public | controlled", lambda j: _level_said(j, public=True)),
    says("The level weighs the mean", _MORE, lambda j: _level_said(j, public=False)),
    says("The overall risk fails for", "tight cap | four alike | enclave", lambda j: {"size": _cap(j)} if _differ(j) and not _cap_kept(j) else []),
    says("The overall risk is data risk times context", _MORE, lambda j: {
        "data": round(_data(j), 6), "context": j.risk.context_risk, "threshold": j.risk.overall_threshold,
    } if _differ(j) and _cap_kept(j) else []),
    says("Assessment no. %(number)d found", "controlled | assessed | assessed otherwise", lambda j: {
        "number": 3, "assessed": number(_context(j)), "targeted": number(j.risk.context_risk),
    } if _context(j) != j.risk.context_risk else []),
    says("Scenario: %(name)s. It is reached", f"{_ALL} | assessed", lambda j: {
        "name": _PLACES[j.case.sharing_type], "needed": _needed(j)}),
    says("The recipient's safeguards were not assessed", "controlled | assessed", lambda j: j.case.assessment is None),
    says("Safeguards by assessment no. %(number)s: controls", "controlled | assessed | enclave, weak", lambda j: [
        {"number": 3, "controls": _capability(j).capitalize(), "motive": "Low"}] if _by_controls(j) else []),
    says("Safeguards by assessment no. %(number)s: technical", "own table, weak | assessed | controlled", lambda j: [{
        "number": 3, "technical": _capability(j).capitalize(), "technical_points": "1", "technical_most": 3,
        "management": "High", "management_points": "6.5", "management_most": 7}]
        if j.case.assessment and not _by_controls(j) else []),
    says("The lower grade counts", "own table, weak | assessed", lambda j: bool(j.case.assessment) and not _by_controls(j)),
    says("The items of T/ISC 0078 C.5 were not asked", "assessed | own table, weak", _by_controls),
    says("Its coefficient is that of version", "own table, weak | shipped, strong", lambda j: [{"number": 4}] if _version(j) else []),
    says("Its coefficient is the product's default", "shipped, strong | own table, weak", lambda j: _version(j) == 0),
    says("The scenario's coefficient is that of version", "own scenario | own scenario, other sharing | enclave", lambda j: [{"number": 6, "own": 4, "suggested": 3}] if _own(j) else []),
    says("It is above 1: the recipient", "own table, strong | own table, weak", lambda j: bool(_version(j)) and _environment(j) > 1),
    says("Data risk times the probability of an attempt; allowed", "controlled | strict", lambda j: {"threshold": percent(j.risk.overall_threshold)}),
    says("It fails for a class of fewer than %(size)s records", "controlled | tight cap", lambda j: {"size": _cap(j)} if not _cap_kept(j) else []),
    says("It fails for a class of fewer than %(size)s persons", "controlled | tight cap of persons", lambda j: {"size": _cap(j)} if not _cap_kept(j) else []),
]  # fmt: skip
