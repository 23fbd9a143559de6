"""The degree of anonymisation of T/ISC 0078-2025 annex C: K × scenario × environment, at least 1."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction

from techniques.core.messages import EngineError, _
from techniques.core.settings import Frozen


class Scenario(StrEnum):
    """Where the data go (annex C.4)."""

    INTERNAL = "internal"
    EXTERNAL = "external"
    PUBLIC = "public"


SCENARIO_NAMES: dict[Scenario, str] = {
    Scenario.INTERNAL: _("Within the organisation"),
    Scenario.EXTERNAL: _("To another organisation"),
    Scenario.PUBLIC: _("To the public"),
}
SCENARIO_COEFFICIENTS: dict[Scenario, Fraction] = {
    Scenario.INTERNAL: Fraction(1, 3),
    Scenario.EXTERNAL: Fraction(1, 5),
    Scenario.PUBLIC: Fraction(1, 20),
}
"""Table C.1; an organisation may set others, with a reason."""
SCENARIO_BOUNDS = (2, 1000)
"""Between which K an organisation may set a coefficient, which is 1/K: the smallest class of medium safeguards that reaches a degree of
1. A scenario that reaches further asks for no smaller one."""


class Capability(StrEnum):
    """The recipient's technical and managerial safeguards, judged by a person (annex C.5)."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


ENVIRONMENT_COEFFICIENTS: dict[Capability, Fraction] = {
    Capability.LOW: Fraction(1, 2),
    Capability.MEDIUM: Fraction(1),
    Capability.HIGH: Fraction(1),
}
"""The middle value is 1 and weak safeguards lower it. Strong ones do not raise it by default: a
coefficient above 1 would let a smaller K pass, which takes a decision of its own."""

LOW_BOUNDS = (Fraction(1, 2), Fraction(3, 4))
HIGH_BOUNDS = (Fraction(1), Fraction(5, 4))
"""Between what an organisation may set them. The middle stays 1, as the annex suggests."""


class Degree(Frozen):
    k: int
    scenario_coefficient: float
    environment_coefficient: float
    degree: float
    passed: bool


def required_k(scenario: Fraction, environment: Fraction) -> int:
    """The smallest K whose degree reaches 1."""
    return -(-1 // (scenario * environment)) if scenario * environment else 0


def degree(
    k: int,
    scenario: Scenario | Fraction,
    environment: Capability | Fraction = Capability.MEDIUM,
) -> Degree:
    """K × scenario coefficient × environment coefficient, computed exactly; it passes from 1 on. A capability stands for its
    coefficient of :data:`ENVIRONMENT_COEFFICIENTS`.

    Check: 3 × 1/3 × 1 = 1 passes. Raises :class:`EngineError` for a coefficient that is not positive.
    """
    s = SCENARIO_COEFFICIENTS[scenario] if isinstance(scenario, Scenario) else scenario
    e = ENVIRONMENT_COEFFICIENTS[environment] if isinstance(environment, Capability) else environment
    if s <= 0 or e <= 0 or k < 0:
        raise EngineError("coefficient_not_positive", _("Coefficients must be greater than zero."))
    exact = k * s * e
    return Degree(
        k=k,
        scenario_coefficient=float(s),
        environment_coefficient=float(e),
        degree=float(exact),
        passed=exact >= 1,
    )
