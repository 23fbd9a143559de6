"""A table held against a policy: each bound with what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from techniques.cli.check.policy import Policy, SensitiveBounds
from techniques.cli.findings import Finding
from techniques.core.settings import Frozen
from techniques.data_utility.measure import TargetResult
from techniques.disclosure_risk.attackers import threshold_key
from techniques.disclosure_risk.explain import Figure, Target
from techniques.disclosure_risk.report import RiskReport
from techniques.disclosure_risk.scales.degree import degree

Sense = Literal["at_least", "at_most"]
AT_LEAST = ("distinct", "entropy", "recursive")
"""Figures of a sensitive attribute of which more is better; of the others less is."""
EXACT = 1e-12
"""How far a computed figure may lie beyond its bound because numbers are rounded."""


class Check(Frozen):
    """One bound. ``measured`` is None where there was nothing to measure, which never passes."""

    name: str
    column: str | None = None
    sense: Sense
    bound: float
    measured: float | None
    passed: bool
    reason: str = ""

    def line(self) -> str:
        """For a person, in English."""
        of = f" of {self.column}" if self.column else ""
        measured = "nothing to measure" if self.measured is None else f"{self.measured:.6g}"
        wanted = f"{self.sense.replace('_', ' ')} {self.bound:g}"
        said = f" ({self.reason})" if self.reason else ""
        return f"{'ok  ' if self.passed else 'MISS'} {self.name}{of}: {measured}, {wanted}{said}"


def of_columns(policy: Policy, header: Sequence[str]) -> list[Check]:
    """That the table has the columns of the policy and no others."""
    if policy.columns is None:
        return []
    wrong = sorted(set(policy.columns) ^ set(header))
    return [
        Check(
            name="columns", sense="at_most", bound=0, measured=len(wrong), passed=not wrong, reason=", ".join(wrong)
        )
    ]  # fmt: skip


def of_findings(found: Sequence[Finding]) -> list[Check]:
    """That no column holds identifiers or tells rows apart, but for those that were accepted."""
    left = list(dict.fromkeys(one["column"] for one in found if not one["accepted"]))
    return [
        Check(
            name="identifiers", sense="at_most", bound=0, measured=len(left), passed=not left, reason=", ".join(left)
        )
    ]  # fmt: skip


def of_risk(policy: Policy, report: RiskReport) -> list[Check]:
    """k, greatest and average risk, records above thresholds, and the degree."""
    figures, bounds = report.figures, policy.risk
    there = figures.rows > 0
    kinds: list[tuple[str, Figure, float | None, float]] = [
        ("k", "k", bounds.k, figures.k),
        ("maximum risk", "max_risk", bounds.maximum, figures.max_risk),
        ("average risk", "average_risk", bounds.average, figures.average_risk),
    ]
    checks = [
        Check(
            name=name,
            sense="at_least" if kind == "k" else "at_most",
            bound=bound,
            measured=measured if there else None,
            passed=Target(kind=kind, bound=bound).met_by(figures),
        )
        for name, kind, bound, measured in kinds
        if bound is not None
    ]
    for above in bounds.above:
        checks.append(
            Check(
                name=f"share above {above.threshold:g}",
                sense="at_most",
                bound=above.share,
                measured=figures.at_risk[threshold_key(above.threshold)] if there else None,
                passed=Target(kind="at_risk", bound=above.share, threshold=above.threshold).met_by(figures),
            )
        )
    if policy.degree is not None:
        found = degree(report.k, policy.degree.scenario, policy.degree.capability)
        checks.append(
            Check(
                name="degree", sense="at_least", bound=1, measured=found.degree if there else None, passed=there and found.passed
            )
        )  # fmt: skip
    return checks


def of_sensitive(column: str, bounds: SensitiveBounds, figures: dict[str, Any] | None) -> list[Check]:
    """l, t, β, δ and α of one attribute, by :func:`techniques.disclosure_risk.variety.variety`; None where no row counts."""
    checks = []
    for name, bound in bounds.model_dump(exclude_none=True).items():
        recursive = name == "recursive"
        measured = None
        if figures is not None:
            measured = figures["recursive"]["l"] if recursive else figures[name]
        wanted = float(bound["l"] if recursive else bound)
        least = name in AT_LEAST
        passed = measured is not None and (
            measured >= wanted - EXACT if least else measured <= wanted + EXACT
        )
        checks.append(
            Check(
                name=f"recursive l for c = {bound['c']:g}" if recursive else name,
                column=column,
                sense="at_least" if least else "at_most",
                bound=wanted,
                measured=measured,
                passed=passed,
            )
        )
    return checks


def of_utility(results: Sequence[TargetResult]) -> list[Check]:
    """What had to survive of the original."""
    return [
        Check(
            name=one.target.kind,
            column=" and ".join(one.target.needed_columns()) or None,
            sense=one.target.sense,
            bound=one.target.bound,
            measured=one.measured,
            passed=one.passed,
            reason=one.reason % one.params,
        )
        for one in results
    ]
