"""The source of the coefficients of the scenario (T/ISC 0078 C.4) and of the surroundings (C.5).

They belong to the organisation, which no stage package may import; the organisation hands in a callable when the portal
starts. Without one, those that the engine ships count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from techniques.disclosure_risk.scales.degree import (
    ENVIRONMENT_COEFFICIENTS,
    SCENARIO_COEFFICIENTS,
    Capability,
    Scenario,
)


@dataclass(frozen=True)
class Coefficients:
    """A version of the organisation's table: the coefficient ``of`` each capability, and of each scenario. Version 0 is as shipped."""

    version: int
    of: Mapping[Capability, Fraction]
    scenarios: Mapping[Scenario, Fraction] = field(default_factory=lambda: SCENARIO_COEFFICIENTS)

    def is_own(self, scenario: Scenario) -> bool:
        """Whether the coefficient of ``scenario`` is another than the standard suggests."""
        return self.scenarios[scenario] != SCENARIO_COEFFICIENTS[scenario]


SHIPPED = Coefficients(0, ENVIRONMENT_COEFFICIENTS)


def _shipped() -> Coefficients:
    return SHIPPED


_source: Callable[[], Coefficients] = _shipped


def set_coefficients_source(source: Callable[[], Coefficients]) -> None:
    """Let every later measurement use the coefficients that ``source`` returns at that moment."""
    global _source
    _source = source


def coefficients() -> Coefficients:
    """The coefficients as they stand now."""
    return _source()
