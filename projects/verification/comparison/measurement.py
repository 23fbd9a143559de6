"""What is kept of one candidate: the checks of the gate and the few figures that candidates are compared by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from techniques.core.attributes import AttributeRole
from techniques.utility.detail import detail_kept

from ..enums import CheckKind
from ..gate.case import Case, Tick
from ..gate.gate import measure_all

if TYPE_CHECKING:
    from techniques.risk.joined import Link

_KEPT = ("kind", "label", "target", "measured", "passed", "unit", "sense")


def measure_candidate(case: Case, sha256: str, tick: Tick) -> dict[str, Any]:
    """``checks`` as in the gate table, without their texts; ``figures``: k, max_risk, average_risk, overall,
    threshold, suppressed, detail by column and its mean (None where it could not be measured)."""
    checks, report = measure_all(case, sha256, lambda share: tick(0.8 * share))
    detail = _detail(case)
    tick(1.0)
    return {"checks": _kept(checks), "figures": _figures(case, checks, report, detail)}


def measure_joint_candidate(
    cases: Mapping[str, tuple[Case, str]], links: Sequence[Link], tick: Tick
) -> dict[str, Any]:
    """The same over several tables: of each figure the worst of all tables, and the detail of all their columns.

    The view that joins them has a part in k, max_risk and, as far as that goes by the highest risk, in overall: then
    ``view_in_overall`` is set. ``tables`` are the figures of each by itself, ``joined_k`` the persons of the smallest
    class of the view.
    """
    from ..gate.joint import measure_joint, measured_of

    checks, report = measure_joint(cases, links, lambda share: tick(0.8 * share))
    tables: dict[str, dict[str, Any]] = {}
    for name, (case, _sha256) in cases.items():
        of_table = measured_of({"checks": checks, "report": report}, name)
        tables[name] = _figures(case, of_table["checks"], of_table["report"], _detail(case))
    tick(1.0)
    targets = next(iter(cases.values()))[0].risk
    joined = [check["measured"] for check in checks if check["kind"] == CheckKind.JOINED]
    view = None if None in joined else min(joined, default=None)
    # In a table without a quasi-identifier nobody is found, so that there is no class and no risk to speak of.
    risky = [one for one in tables.values() if not (one["k"] is None and one["overall"] == 0.0)]
    sizes = [one["k"] for one in risky]
    worst: dict[str, Any] = {
        name: _worst(one[name] for one in risky) for name in ("max_risk", "average_risk", "overall")
    }
    if not risky:
        worst["overall"] = 0.0
    elif joined:
        sizes.append(view or None)
        worst["max_risk"] = _worst((worst["max_risk"], 1 / view if view else None))
        # By the average it goes by the tables, for the average of the view is not measured.
        of_view = targets.context_risk / view if view else None
        if targets.measure == "max" or not view:
            worst["overall"] = _worst((worst["overall"], of_view))
    detail = {
        f"{name}.{column}": share for name, one in tables.items() for column, share in one["detail"].items()
    }
    figures = {
        "k": None if None in sizes else min(sizes, default=None),
        **worst,
        "suppressed": _worst(one["suppressed"] for one in tables.values()),
        "threshold": targets.overall_threshold,
        "detail": detail,
        "detail_mean": _mean(detail),
        "tables": tables,
        "joined_k": view,
        "view_in_overall": targets.measure == "max",
    }
    return {"checks": _kept(checks), "figures": figures}


def _kept(checks: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [
        {name: check[name] for name in _KEPT} | ({"table": check["table"]} if "table" in check else {})
        for check in checks
    ]


def _worst(values: Iterable[float | None]) -> float | None:
    """The highest; None where one could not be measured, for it might be higher."""
    found = list(values)
    known = [value for value in found if value is not None]
    return max(known) if known and len(known) == len(found) else None


def _detail(case: Case) -> dict[str, float]:
    columns = [
        column
        for column in case.source.columns()
        if column in case.roles and case.roles[column] != AttributeRole.DIRECT_IDENTIFIER
    ]
    return detail_kept(case.source.batches(), case.result.batches(), columns) if columns else {}


def _mean(detail: Mapping[str, float]) -> float | None:
    return sum(detail.values()) / len(detail) if detail else None


def _figures(
    case: Case, checks: Sequence[Mapping[str, Any]], report: Mapping[str, Any], detail: dict[str, float]
) -> dict[str, Any]:
    risk = report.get("risk") or {}
    bare = "risk" in report and report["risk"] is None
    overall: Mapping[str, Any] = next((c for c in checks if c["kind"] == CheckKind.OVERALL), {})
    suppression: Mapping[str, Any] = next((c for c in checks if c["kind"] == CheckKind.SUPPRESSION), {})
    return {
        "k": risk.get("k"),
        "max_risk": risk.get("max_risk"),
        "average_risk": risk.get("average_risk"),
        # Without a quasi-identifier in the result nobody can be found by one.
        "overall": overall.get("measured") if overall else (0.0 if bare else None),
        "threshold": case.risk.overall_threshold,
        "suppressed": suppression.get("measured"),
        "detail": detail,
        "detail_mean": _mean(detail),
    }
