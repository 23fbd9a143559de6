"""What a verification tells besides its checks: how the source stood, and the three scales side by side.

None of this opens the gate. Works in the worker, on plain data, like :mod:`.gate`. Degree, level and overall risk come
from :mod:`techniques.risk.evaluation`, as on the command line; here they are asked with the project's own context.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from techniques.core.messages import EngineError, gettext_noop
from techniques.risk.report import Figures
from techniques.risk.scales.degree import SCENARIO_NAMES, Capability, Degree
from techniques.risk.scales.environment import EnvironmentRisk, OverallRisk, SharingType, environment
from techniques.risk.scales.evaluation import SCENARIO_OF, Evaluation, Level, compared, evaluate, level

from ..enums import CheckKind
from .case import Case, Check, Table, text

if TYPE_CHECKING:
    from techniques.risk.report import RiskReport


def risk_before(source: Table, columns: Sequence[str], tick: Callable[[int], None]) -> dict[str, Any] | None:
    """The same figures of the source by the same columns; None where the source lacks one of them."""
    from techniques.risk.measure import measure

    try:
        return measure(source.batches(), list(columns), contributions=False, tick=tick).summary()
    except EngineError:
        return None


def scales_of(case: Case, checks: Sequence[Check], found: RiskReport | None, *, bare: bool) -> dict[str, Any]:
    """``level``, ``degree`` and ``overall`` with the figures that they rest on, and under ``scales`` whether they agree
    and what to make of it; a scale whose test did not run has level None, or is None itself.

    ``bare`` says that the result has no quasi-identifier, so that there is no risk ``found``.
    """
    residual = [check for check in checks if check.kind == CheckKind.RESIDUAL]
    searched = bool(residual) and all(check.passed is not None for check in residual)
    direct = sum(int(check.measured or 0) for check in residual)
    made: dict[str, Any] = {"level": None, "degree": None, "overall": None, "scales": None}
    if found is not None:
        evaluation = _evaluated(case, found, direct)
        made |= _told(case, evaluation)
    if not searched:
        made["level"] = _no_level(gettext_noop("The search for direct identifiers could not run."))
        made["scales"] = None
    elif bare:
        made["level"] = _level_told(level(_one_class(case), _sharing(case), 1.0, direct=direct, quasi=0))
    elif found is None and direct:
        made["level"] = {
            "level": 1,
            "why": text(gettext_noop("A direct identifier was found in the result.")),
        }
    elif found is None:
        made["level"] = _no_level(gettext_noop("The risk could not be measured."))
    return made


def _sharing(case: Case) -> SharingType:
    return cast(SharingType, str(case.sharing_type))


def _one_class(case: Case) -> Figures:
    return Figures.of(np.array([max(case.result.rows, 1)]))


def _no_level(why: str) -> dict[str, Any]:
    return {"level": None, "why": text(why)}


def _contexts(case: Case) -> tuple[EnvironmentRisk, EnvironmentRisk, Capability]:
    """The context that was assessed, that of the targets, and the recipient's safeguards.

    Where nobody assessed the surroundings, the targets' probability counts for all, and the safeguards are taken as
    the middle, whose coefficient is 1. With public sharing there is no recipient to assess.
    """
    sharing, assessed = _sharing(case), case.assessment
    targeted = EnvironmentRisk(
        sharing_type=sharing, deliberate=None, acquaintance=None, breach=None, value=case.risk.context_risk
    )
    if assessed is None or sharing == "public":
        return targeted, targeted, Capability.MEDIUM
    parts = {name: assessed[name] for name in ("deliberate", "acquaintance", "breach")}
    return environment(sharing, **parts), targeted, Capability(assessed["controls"])


def _evaluated(case: Case, found: RiskReport, direct: int) -> Evaluation:
    context, targeted, capability = _contexts(case)
    targets = case.risk
    return evaluate(
        found, _sharing(case), context=context, targeted=targeted, capability=capability,
        threshold=targets.overall_threshold, cap=targets.strict_cap, direct=direct,
        measure="maximum" if targets.measure == "max" else "strict_average",
    )  # fmt: skip


def _told(case: Case, found: Evaluation) -> dict[str, Any]:
    context, targeted, capability = _contexts(case)
    assessed = case.assessment if case.sharing_type != "public" else None
    said = [item.model_dump(mode="json") for item in found.statements]
    if assessed is not None and not math.isclose(context.value, targeted.value, rel_tol=1e-4):
        message = gettext_noop(
            "Assessment no. %(number)d found %(assessed)s as the probability of an attempt, which the level goes by; the "
            "targets say %(targeted)s, which the overall risk goes by."
        )
        said.append(
            text(
                message,
                number=assessed["number"],
                assessed=f"{context.value:.4g}",
                targeted=f"{targeted.value:.4g}",
            )
        )
    scenario = SCENARIO_OF[found.sharing_type]
    return {
        "level": _level_told(found.level) | {"sharing_type": found.sharing_type},
        "degree": found.degree.model_dump(mode="json")
        | {
            "scenario": scenario.value,
            "scenario_name": SCENARIO_NAMES[scenario],
            "required_k": found.required_k,
            "capability": capability.value,
            "assessment": assessed["number"] if assessed else None,
            "motive": assessed["motive"] if assessed else None,
        },
        "overall": found.overall.model_dump(mode="json"),
        "scales": {"agreed": found.agreed, "statements": said},
    }


def _level_told(found: Level) -> dict[str, Any]:
    return found.model_dump(mode="json")


def worst_of(
    reports: Sequence[Mapping[str, Any]], checks: Sequence[Mapping[str, Any]], sharing_type: str
) -> dict[str, Any]:
    """The scales of several tables: each that of the table for which it is worst, and at most level 2 while the joined
    view fails; the whole is no better than what it shows."""
    worst: dict[str, Any] = min(
        (report["level"] for report in reports), key=lambda one: -1 if one["level"] is None else one["level"]
    )
    failed = any(check["kind"] == CheckKind.JOINED and check["passed"] is not True for check in checks)
    if failed and (worst["level"] or 0) > 2:
        why = gettext_noop("No direct identifier was found; a risk is above its acceptable threshold.")
        worst = {**worst, "level": 2, "why": {"code": "joined", "message": why, "params": {}}}
    degrees = [report["degree"] for report in reports if report["degree"] is not None]
    risks = [report["overall"] for report in reports if report["overall"] is not None]
    made: dict[str, Any] = {
        "level": worst,
        "degree": min(degrees, key=lambda one: one["degree"]) if degrees else None,
        "overall": min(risks, key=lambda one: (one["passed"], -one["value"])) if risks else None,
        "scales": None,
    }
    if made["degree"] and made["overall"] and "overall" in worst and worst["level"] is not None:
        agreed, said = compared(
            cast(SharingType, str(sharing_type)),
            Degree(**{name: made["degree"][name] for name in Degree.model_fields}),
            made["degree"]["required_k"],
            Level(**{name: worst[name] for name in Level.model_fields}),
            OverallRisk(**made["overall"]),
        )
        made["scales"] = {"agreed": agreed, "statements": [item.model_dump(mode="json") for item in said]}
    return made
