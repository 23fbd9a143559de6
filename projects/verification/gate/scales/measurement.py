"""What a verification reports besides its checks: the three scales side by side.

None of this opens the gate; a degree below 1 stops the release of what passed it until management accepts it with a reason. Works in the worker, on plain data. Degree, level and overall risk come
from :mod:`techniques.disclosure_risk.scales.evaluation`, as on the command line; here they are asked with the project's own context.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from pydantic import BaseModel

from projects.core.numbers import number
from projects.objective.targets.risk import scenario_of
from techniques.core.messages import gettext_noop
from techniques.disclosure_risk.report import Figures
from techniques.disclosure_risk.scales import evaluation
from techniques.disclosure_risk.scales.degree import SCENARIO_NAMES, Capability
from techniques.disclosure_risk.scales.degree import Degree as DegreeFound
from techniques.disclosure_risk.scales.environment import (
    EnvironmentRisk,
    OverallRisk,
    SharingType,
    environment,
)
from techniques.disclosure_risk.scales.evaluation import Evaluation, evaluate, level

from ...reports.gate import CheckResult, Degree, Level, Overall, Scales, TableReport
from ...reports.stored import Text, text
from ..case import Case
from ..checks.joined import Joined
from ..checks.leaks.residual import ResidualIdentifiers

if TYPE_CHECKING:
    from techniques.disclosure_risk.report import RiskReport

    from ..check import TableSubject

Found = tuple[Level, Degree | None, Overall | None, Scales | None]
"""Level, degree, overall risk, and whether they agree."""


def scales_of(case: Case, checks: Sequence[CheckResult], of: TableSubject) -> Found:
    """The scales with the figures that they rest on, and whether they agree and what to make of it.

    A scale whose test did not run has level None, or is None itself.
    """
    residual = [check for check in checks if check.kind == ResidualIdentifiers.kind]
    searched = bool(residual) and all(check.passed is not None for check in residual)
    direct = sum(int(check.measured or 0) for check in residual)
    degree, overall, scales = None, None, None
    if of.risk is not None:
        evaluation = _evaluated(case, of.risk, direct)
        found = _level(evaluation.level)
        found.sharing_type = evaluation.sharing_type
        degree, scales = _degree(case, evaluation), _scales(case, evaluation)
        overall = Overall.model_validate(evaluation.overall.model_dump(mode="json"))
    if not searched:
        found = _no_level(gettext_noop("The search for direct identifiers could not run."))
        scales = None
    elif of.report.has_no_quasi and case.made_up():
        found = _no_level(
            gettext_noop(
                "The quasi-identifiers are made up: the level is about records of persons, and these are nobody's."
            )
        )
    elif of.report.has_no_quasi:
        one_class = Figures.of(np.array([max(case.result.rows, 1)]))
        found = _level(level(one_class, _sharing(case), 1.0, direct=direct, quasi=0))
    elif of.risk is None and direct:
        found = Level(level=1, why=text(gettext_noop("A direct identifier was found in the result.")))
    elif of.risk is None:
        found = _no_level(gettext_noop("The risk could not be measured."))
    return found, degree, overall, scales


def _sharing(case: Case) -> SharingType:
    return cast(SharingType, str(case.sharing_type))


def _no_level(why: str) -> Level:
    return Level(level=None, why=text(why))


def _level(found: evaluation.Level) -> Level:
    return Level.model_validate(found.model_dump(mode="json"))


def _contexts(case: Case) -> tuple[EnvironmentRisk, EnvironmentRisk, Capability]:
    """The context that was assessed, that of the targets, and the recipient's safeguards.

    Where nobody assessed the surroundings, the targets' probability counts for all, and the safeguards are taken as
    the middle, whose coefficient is 1. With public sharing there is no recipient to assess. An assessment of before the
    items of C.5 were asked counts by the grade of its controls.
    """
    sharing, assessed = _sharing(case), case.assessment
    targeted = EnvironmentRisk(
        sharing_type=sharing, deliberate=None, acquaintance=None, breach=None, value=case.risk.context_risk
    )
    if assessed is None or sharing == "public":
        return targeted, targeted, Capability.MEDIUM
    parts = {name: assessed[name] for name in ("deliberate", "acquaintance", "breach")}
    return environment(sharing, **parts), targeted, Capability(_capability(assessed))


def _capability(assessed: Mapping[str, Any]) -> str:
    return str(assessed["safeguards"]["capability"] if "safeguards" in assessed else assessed["controls"])


def _evaluated(case: Case, found: RiskReport, direct: int) -> Evaluation:
    context, targeted, capability = _contexts(case)
    targets = case.risk
    return evaluate(
        found, _sharing(case), scenario=scenario_of(targets, case.sharing_type), context=context, targeted=targeted, capability=capability,
        coefficients=case.coefficients.of, scenarios=case.coefficients.scenarios, threshold=targets.overall_threshold, cap=targets.strict_cap, direct=direct,
        measure="maximum" if targets.measure == "max" else "strict_average",
    )  # fmt: skip


def _degree(case: Case, found: Evaluation) -> Degree:
    _context, _targeted, capability = _contexts(case)
    assessed = case.assessment if case.sharing_type != "public" else None
    scenario = scenario_of(case.risk, case.sharing_type)
    return Degree.model_validate(
        found.degree.model_dump(mode="json")
        | {
            "scenario": scenario.value,
            "scenario_name": SCENARIO_NAMES[scenario],
            "required_k": found.required_k,
            "capability": capability.value,
            "assessment": assessed["number"] if assessed else None,
            "motive": assessed["motive"] if assessed else None,
        }
        | (
            {"coefficients": case.coefficients.version, "safeguards": assessed.get("safeguards")}
            if assessed
            else {}
        )
        | ({"scenario_version": case.coefficients.version} if case.coefficients.is_own(scenario) else {})
    )


def _scales(case: Case, found: Evaluation) -> Scales:
    context, targeted, _capability = _contexts(case)
    assessed = case.assessment if case.sharing_type != "public" else None
    said = _texts(found.statements)
    if assessed is not None and not math.isclose(context.value, targeted.value, rel_tol=1e-4):
        message = gettext_noop(
            "Assessment no. %(number)d found %(assessed)s as the probability of an attempt, which the level goes by; the "
            "targets say %(targeted)s, which the overall risk goes by."
        )
        figures = {"assessed": number(context.value), "targeted": number(targeted.value)}
        said.append(text(message, number=assessed["number"], **figures))
    return Scales(agreed=found.agreed, statements=said)


def _texts(statements: Sequence[BaseModel]) -> list[Text]:
    return [Text.model_validate(item.model_dump(mode="json")) for item in statements]


def worst_of(reports: Sequence[TableReport], checks: Sequence[CheckResult], sharing_type: str) -> Found:
    """The scales of a set of tables: each is that of the worst table. The level is at most 2 while the joined view
    fails."""
    worst = min(
        (report.level or Level() for report in reports),
        key=lambda one: -1 if one.level is None else one.level,
    )
    failed = any(check.kind == Joined.kind and check.passed is not True for check in checks)
    if failed and (worst.level or 0) > 2:
        message = gettext_noop("No direct identifier was found; a risk is above its acceptable threshold.")
        why = Text(code="joined", message=message, params={})
        worst = worst.model_copy(update={"level": 2, "why": why})
    degrees = [report.degree for report in reports if report.degree is not None]
    risks = [report.overall for report in reports if report.overall is not None]
    degree = min(degrees, key=lambda one: one.degree) if degrees else None
    overall = min(risks, key=lambda one: (one.passed, -one.value)) if risks else None
    # Where one table is the worst by every scale, what was said of it holds.
    found = (worst, degree, overall)
    scales = next((one.scales for one in reports if (one.level, one.degree, one.overall) == found), None)
    graded = worst.level is not None and "overall" in worst.model_fields_set
    if scales is None and graded and degree and overall:
        agreed, said = evaluation.compared(
            cast(SharingType, str(sharing_type)),
            DegreeFound.model_validate(degree.as_json()),
            degree.required_k,
            evaluation.Level.model_validate(worst.as_json()),
            OverallRisk.model_validate(overall.as_json()),
        )
        scales = Scales(agreed=agreed, statements=_texts(said))
    return worst, degree, overall, scales
