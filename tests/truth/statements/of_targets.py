"""What the plan asks for, in words: of every target what it really asks, and of nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.utils import translation

from projects.core.enums import SharingType
from projects.core.numbers import number, percent, probability
from projects.objective.plan.documents import grades_of
from projects.objective.presentation import risk_rows
from projects.objective.targets.risk import RiskTargets, risk_defaults
from tests.truth.statements import Statement, says
from tests.truth.tables import matching


@dataclass(frozen=True)
class Targeted:
    """Targets under a sharing type, and the sentences of plan and page."""

    sharing: str
    risk: RiskTargets

    def says(self, message: str) -> set[str]:
        with translation.override("en"):
            rows = risk_rows(self.risk, self.sharing)
            said = {one for row in rows for one in (row["plain"], row["why"], row["target"])}
            return matching(said | {grades_of(SharingType(self.sharing))}, message)


def _targeted(sharing: str, **changes: Any) -> Targeted:
    found = risk_defaults(sharing).model_dump() | changes
    return Targeted(sharing, RiskTargets.model_validate(found))


_MAX = {"measure": "max", "average_risk": None}
TABLES: Mapping[str, Any] = {
    "public": lambda: _targeted("public"),
    "controlled": lambda: _targeted("controlled"),
    "enclave": lambda: _targeted("enclave"),
    "controlled, maximum": lambda: _targeted("controlled", **_MAX, k=7, reassess_months=6),
    "assessed": lambda: _targeted("controlled", context_risk=0.3, context_reason="by the checklist", suppression_limit=0.1),
    "within": lambda: _targeted("controlled", circulation="internal"),
}  # fmt: skip


@cache
def judge(name: str) -> Targeted:
    return TABLES[name]()


def _average(a: Targeted) -> bool:
    return a.risk.measure == "strict_average"


def _chance(share: float) -> dict[str, str]:
    with translation.override("en"):
        return {"p": probability(share)}


_ALL = "public | controlled | enclave | controlled, maximum | assessed | within"
STATEMENTS: list[Statement] = [
    says("The person who is easiest to find counts.", _ALL, lambda a: not _average(a)),
    says("The mean over all persons counts, under", _ALL, _average),
    says("Anyone may try to show that one person", _ALL, lambda a: a.sharing == "public"),
    says("One person who is too easy to find", _ALL, lambda a: not _average(a) and a.sharing != "public"),
    says("Recipients are known and bound, so the typical person", _ALL, _average),
    says("Everyone is hidden in a group of at least %(k)s people", _ALL, lambda a: {"k": a.risk.k}),
    says("A stranger who knows these columns", _ALL, lambda a: _chance(a.risk.max_risk)),
    says("Over all persons, a guess is right", _ALL, lambda a: _chance(a.risk.average_risk) if _average(a) else []),
    says("Nobody may be found with a probability", _ALL, lambda a: _chance(a.risk.strict_cap) if _average(a) else []),
    says("With completely public data, someone will make an attempt.", _ALL, lambda a: a.sharing == "public"),
    says("Not assessed, so the worst is assumed.", _ALL, lambda a: a.sharing != "public" and a.risk.context_risk == 1),
    says("The probability that someone makes an attempt is taken", _ALL, lambda a: {"p": percent(a.risk.context_risk)}),
    says("Risk of the data multiplied by the probability", _ALL, lambda a: _chance(a.risk.overall_threshold)),
    says("Possible re-identification risk", _ALL, lambda a: [
        dict.fromkeys(("risk", "demand"), {"public": "High", "controlled": "Medium", "enclave": "Low"}[a.sharing])]),
    says("The degree of anonymisation is judged by it", _ALL, lambda a: a.risk.circulation is not None),
    says("%(n)s months", _ALL, lambda a: {"n": number(a.risk.reassess_months)}),
]  # fmt: skip
