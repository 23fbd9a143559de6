"""Three scales for one result, side by side, and why they disagree where they do.

T/ISC 0078 annex C (degree), GB/T 42460 clause 4 with annex D (level 1 to 4), and GB/T 37964 B.1.4 (data risk times
context risk, as in the guideline of the Ontario commissioner that it follows). The command line and the portal both
ask here, so that the same data have one degree, one level and one overall risk.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Literal

from techniques.core.messages import EngineError, _
from techniques.core.settings import Frozen, Statement
from techniques.disclosure_risk.report import Figures, RiskReport
from techniques.disclosure_risk.scales.degree import (
    ENVIRONMENT_COEFFICIENTS,
    SCENARIO_COEFFICIENTS,
    Capability,
    Degree,
    Scenario,
    degree,
    required_k,
)
from techniques.disclosure_risk.scales.environment import (
    SCENARIO_OF,
    EnvironmentRisk,
    OverallRisk,
    SharingType,
    data_risk,
    overall,
)
from techniques.disclosure_risk.scales.environment import environment as context_of

ACCEPTABLE = 0.05
"""Overall risk that GB/T 42460 D.1.5 suggests as acceptable."""
CLASS_THRESHOLDS: dict[SharingType, Fraction] = {
    "public": Fraction(1, 20),
    "controlled": Fraction(1, 5),
    "enclave": Fraction(1, 3),
}
"""Highest risk of a single class by sharing type (GB/T 42460 D.1.5).

One class above it makes the overall risk 1, whatever the project's own targets allow: a level is told to others, who
know the standard's thresholds and not the project's.
"""


class Level(Frozen):
    """Level of GB/T 42460 with the test that decided. ``classes_at_risk`` is R_a, ``maximum`` R_b, ``mean`` R_c (over
    classes, not rows), ``overall`` the risk held against ``acceptable``."""

    level: Literal[1, 2, 3, 4]
    why: Statement
    classes_at_risk: float
    maximum: float
    mean: float
    context: float
    overall: float
    acceptable: float


class Evaluation(Frozen):
    """The three results and what a reader has to know where they differ."""

    sharing_type: SharingType
    degree: Degree
    required_k: int
    level: Level
    overall: OverallRisk
    agreed: bool
    statements: tuple[Statement, ...]


def level(
    figures: Figures,
    sharing_type: SharingType,
    context: float,
    *,
    direct: int = 0,
    quasi: int = 1,
    acceptable: float = ACCEPTABLE,
) -> Level:
    """GB/T 42460: 1 with a direct identifier, 4 without any identifier, else 3 below the acceptable risk and 2 from
    it on (annex D.1).

    ``context`` is the probability of an attack (1 for public sharing); ``direct`` and ``quasi`` count identifiers.
    """
    table = figures.size_table
    classes = max(sum(number for _, number in table), 1)
    limit = CLASS_THRESHOLDS[sharing_type]
    above = sum(number for size, number in table if size * limit < 1)
    maximum = figures.max_risk
    mean = sum(number / size for size, number in table) / classes
    context = 1.0 if sharing_type == "public" else context
    risk = 1.0 if above else (maximum if sharing_type == "public" else mean) * context
    # Just as much is not below it, though the product of two rounded numbers may be.
    risk = acceptable if math.isclose(risk, acceptable, rel_tol=1e-12) else risk
    params: dict[str, int | float | str] = {"risk": round(risk, 6), "acceptable": acceptable}
    reached: Literal[1, 2, 3, 4]
    if direct:
        reached, code, text = 1, "direct", _("Level 1: a direct identifier is in the table.")
    elif not quasi:
        reached, code, text = 4, "none", _("Level 4: neither direct nor quasi-identifiers are in the table.")
    elif above:
        reached, code = 2, "class_too_small"
        text = _("Level 2: %(classes)d classes are smaller than %(size)d, so the overall risk counts as 1.")
        params |= {"classes": above, "size": -(-limit.denominator // limit.numerator)}
    elif risk >= acceptable:
        reached, code = 2, "risk_too_high"
        text = _("Level 2: the overall risk %(risk)s is not below the acceptable %(acceptable)s.")
    else:
        reached, code = 3, "risk_accepted"
        text = _("Level 3: the overall risk %(risk)s is below the acceptable %(acceptable)s.")
    return Level(
        level=reached, why=Statement(code=code, message=text, params=params), classes_at_risk=above / classes,
        maximum=maximum, mean=mean, context=context, overall=risk, acceptable=acceptable,
    )  # fmt: skip


def evaluate(
    report: RiskReport,
    sharing_type: SharingType,
    *,
    deliberate: float | None = None,
    acquaintance: float | None = None,
    breach: float | None = None,
    capability: Capability = Capability.MEDIUM,
    coefficients: Mapping[Capability, Fraction] = ENVIRONMENT_COEFFICIENTS,
    scenarios: Mapping[Scenario, Fraction] = SCENARIO_COEFFICIENTS,
    scenario: Scenario | None = None,
    threshold: float = 0.1,
    acceptable: float = ACCEPTABLE,
    cap: float = 0.33,
    direct: int = 0,
    context: EnvironmentRisk | None = None,
    targeted: EnvironmentRisk | None = None,
    measure: Literal["maximum", "strict_average"] | None = None,
) -> Evaluation:
    """All three scales for one risk report.

    The three probabilities of an attack are needed unless sharing is public or ``context`` says what came of them;
    ``coefficients`` is what the organisation gives each capability, ``scenarios`` each scenario; ``threshold`` is the project's bound for the overall risk of GB/T 37964. A project that has agreed on another
    probability for that risk gives it as ``targeted``, and on another ``measure`` than that of the sharing type too.
    Raises EngineError ``environment_incomplete``, ``threshold_out_of_range``.
    """
    if not (0 < threshold <= 1 and 0 < acceptable <= 1):
        raise EngineError("threshold_out_of_range", _("A threshold must be above 0 and at most 1."))
    scenario = scenario or SCENARIO_OF[sharing_type]
    if context is None:
        context = context_of(sharing_type, deliberate=deliberate, acquaintance=acquaintance, breach=breach)
    found = degree(report.k, scenarios[scenario], coefficients[capability])
    graded = level(report.figures, sharing_type, context.value, direct=direct, acceptable=acceptable)
    if measure is not None:
        data = data_risk(report, "public" if measure == "maximum" else "controlled", cap)
    else:
        data = data_risk(report, sharing_type, cap)
    risk = overall(data, targeted or context, threshold)
    needed = required_k(scenarios[scenario], coefficients[capability])
    agreed, said = compared(sharing_type, found, needed, graded, risk)
    return Evaluation(
        sharing_type=sharing_type, degree=found, required_k=needed, level=graded, overall=risk,
        agreed=agreed, statements=said,
    )  # fmt: skip


def compared(
    sharing_type: SharingType, found: Degree, needed: int, graded: Level, risk: OverallRisk
) -> tuple[bool, tuple[Statement, ...]]:
    """Whether the three scales say the same, and what to make of it where they do not: first which says no and why
    that is no contradiction, then what each of them looks at."""
    verdicts = (found.passed, graded.level >= 3, risk.passed)
    return len(set(verdicts)) == 1, tuple(_why(sharing_type, found, needed, graded, risk, verdicts))


_VERDICTS: dict[tuple[bool, bool, bool], str] = {
    (False, True, True): _(
        "Only the degree of T/ISC 0078 says no. That is no contradiction: it holds the smallest class alone against the "
        "scenario and the safeguards, whatever the risk is. For who is in the smallest class, trust the degree."
    ),
    (True, False, True): _(
        "Only the level of GB/T 42460 says no. That is no contradiction: it has thresholds of its own, which the "
        "targets of this project do not soften. Who relies on the level should be told."
    ),
    (True, True, False): _(
        "Only the overall risk of GB/T 37964 says no. That is no contradiction: it alone goes by the targets of this "
        "project. Trust it for the release."
    ),
    (True, False, False): _(
        "Only the degree of T/ISC 0078 says yes. That is no contradiction: it asks for the size of the smallest class "
        "and for nothing else. Trust the two that say no: a class of that size is not enough here."
    ),
    (False, True, False): _(
        "Only the level of GB/T 42460 says yes. That is no contradiction: it has thresholds of its own. Trust the two "
        "that say no: the scenario and the targets of this project ask for more."
    ),
    (False, False, True): _(
        "Only the overall risk of GB/T 37964 says yes. That is no contradiction: it alone goes by the targets of this "
        "project, the other two have thresholds of their own. For the release it counts; who is told a level or a "
        "degree should be told this too."
    ),
}
_DIRECT = _(
    "The level says no for a direct identifier. Trust it: as long as one is in the table, what the other two scales say "
    "of the quasi-identifiers protects nobody."
)


def _why(
    sharing_type: SharingType,
    found: Degree,
    needed: int,
    graded: Level,
    risk: OverallRisk,
    verdicts: tuple[bool, bool, bool],
) -> list[Statement]:
    if len(set(verdicts)) == 1:
        text = (
            _("All three scales accept the table.")
            if verdicts[0]
            else _("None of the three scales accepts it.")
        )
        return [Statement.of("agree", text)]
    made = [
        Statement.of("verdict", _DIRECT if graded.level == 1 else _VERDICTS[verdicts]),
        Statement.of(
            "degree",
            _("The degree looks at the smallest class alone: K is %(k)d, needed are %(needed)d.")
            if found.passed or found.k * found.scenario_coefficient < 1 - 1e-12
            else _("The degree is lowered by a weak environment: K is %(k)d, needed are %(needed)d."),
            k=found.k,
            needed=needed,
        ),
    ]
    if graded.level == 1:
        text = _("The level is 1 for a direct identifier, which the two other scales do not look for.")
    elif graded.classes_at_risk:
        text = _("The level counts the overall risk as 1 as soon as one class is too small.")
    elif sharing_type == "public":
        text = _(
            "With completely public data the level takes the risk of the smallest class, %(risk)s, for somebody will "
            "try; it has to lie below %(acceptable)s, so just as much is not enough."
        )
    elif graded.level == 2 and graded.overall < graded.acceptable:
        text = _(
            "The level is 2 for what the joined tables show; each table by itself is below %(acceptable)s."
        )
    else:
        text = _(
            "The level weighs the mean over classes by the context and compares %(risk)s with %(acceptable)s; the "
            "smallest class does not decide it."
        )
    made.append(Statement.of("level", text, risk=round(graded.overall, 6), acceptable=graded.acceptable))
    if risk.data.cap_kept is False:
        text = _("The overall risk fails for a class that is smaller than %(size)d, whatever the average is.")
    else:
        text = _(
            "The overall risk is data risk times context risk: %(data)s × %(context)s against %(threshold)s."
        )
    made.append(
        Statement.of(
            "overall", text, data=round(risk.data.value, 6), context=risk.environment.value,
            threshold=risk.threshold, size=risk.data.smallest_class or 0,
        )
    )  # fmt: skip
    return made
