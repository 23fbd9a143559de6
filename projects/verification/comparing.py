"""What is kept of one candidate: the checks of the gate and the few figures that candidates are compared by."""

from __future__ import annotations

from typing import Any

from techniques.identification.kinds import Role
from techniques.utility.detail import detail_kept

from .case import Case, Tick
from .enums import CheckKind
from .gate import measure_all

_KEPT = ("kind", "label", "target", "measured", "passed", "unit", "sense")


def measure_candidate(case: Case, sha256: str, tick: Tick) -> dict[str, Any]:
    """``checks`` as in the gate table, without their texts; ``figures``: k, max_risk, average_risk, overall,
    threshold, suppressed, detail by column and its mean (None where it could not be measured)."""
    checks, report = measure_all(case, sha256, lambda share: tick(0.8 * share))
    risk = report.get("risk") or {}
    overall: dict[str, Any] = next((c for c in checks if c["kind"] == CheckKind.OVERALL), {})
    suppression: dict[str, Any] = next((c for c in checks if c["kind"] == CheckKind.SUPPRESSION), {})
    columns = [
        column
        for column in case.source.columns()
        if column in case.roles and case.roles[column] != Role.DIRECT_IDENTIFIER
    ]
    detail = detail_kept(case.source.batches(), case.result.batches(), columns) if columns else {}
    tick(1.0)
    targets = case.risk
    figures = {
        "k": risk.get("k"),
        "max_risk": risk.get("max_risk"),
        "average_risk": risk.get("average_risk"),
        # Without a quasi-identifier in the result nobody can be found by one.
        "overall": overall.get("measured") if overall else (0.0 if "risk" in report else None),
        "threshold": targets.overall_threshold,
        "suppressed": suppression.get("measured"),
        "detail": detail,
        "detail_mean": sum(detail.values()) / len(detail) if detail else None,
    }
    kept = [{name: check[name] for name in _KEPT} for check in checks]
    return {"checks": kept, "figures": figures}
