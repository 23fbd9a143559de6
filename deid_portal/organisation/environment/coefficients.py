"""The organisation's coefficients of scenario and surroundings (T/ISC 0078 C.4, C.5): their only writer, and how they are read."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from fractions import Fraction

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from approvals.governance.verdict import deny
from projects.core.numbers import count, number
from projects.objective.surroundings.coefficients import SHIPPED, Coefficients
from techniques.disclosure_risk.scales.degree import (
    HIGH_BOUNDS,
    LOW_BOUNDS,
    SCENARIO_BOUNDS,
    Capability,
    Scenario,
)

from .. import events
from ..models import EnvironmentCoefficients
from ..proposals.models import ProposalStatus
from ..proposals.services import proposal_decide, proposal_lay
from ..rules import OrganisationReason


def versions() -> QuerySet[EnvironmentCoefficients]:
    """Every version, the newest first."""
    return EnvironmentCoefficients.objects.select_related("made_by", "decided_by")


def version_get(version_id: uuid.UUID) -> EnvironmentCoefficients:
    """Raises ``EnvironmentCoefficients.DoesNotExist``."""
    return versions().get(pk=version_id)


def coefficients_now() -> Coefficients:
    """Those in force; as shipped until a version is."""
    found = EnvironmentCoefficients.objects.filter(status=ProposalStatus.IN_FORCE).first()
    return found.coefficients if found else SHIPPED


def coefficients_propose(
    *, low: Fraction, high: Fraction, scenarios: Mapping[Scenario, int] | None = None, reason: str, by: Person
) -> EnvironmentCoefficients:
    """Lay down the next version; it waits for a second person.

    ``scenarios``: the K that each scenario asks of medium safeguards; None: as it is. Raises ``ValidationError`` by field for a
    coefficient that is out of bounds or has more than two decimals and for a K that is out of bounds or smaller than that of a scenario
    that reaches less far, ``Refused`` where the person may not, no reason is given, nothing would change, or a version is waiting already.
    """
    in_force = coefficients_now()
    now = {scenario: in_force.scenarios[scenario].denominator for scenario in Scenario}
    needed = {**now, **(scenarios or {})}
    given = {"low": (low, LOW_BOUNDS), "high": (high, HIGH_BOUNDS)}
    wrong = {
        name: [
            _("Between %(least)s and %(most)s, with at most two decimals.")
            % {"least": number(float(least)), "most": number(float(most))}
        ]
        for name, (value, (least, most)) in given.items()
        if not least <= value <= most or (value * 100).denominator != 1
    }
    if wrong := wrong | _wrong_scenarios(needed):
        raise ValidationError(wrong)
    if (in_force.of[Capability.LOW], in_force.of[Capability.HIGH], now) == (low, high, needed):
        deny(OrganisationReason.NOTHING_CHANGED).require()
    of_scenarios = {scenario.value: k for scenario, k in needed.items()}
    proposal = EnvironmentCoefficients(
        low=int(low * 100), high=int(high * 100), **of_scenarios, reason=reason
    )
    facts = {"low": float(low), "high": float(high)} | {f"k_{name}": k for name, k in of_scenarios.items()}
    return proposal_lay(
        proposal,
        versions=EnvironmentCoefficients.objects.all(),
        sentences=events.COEFFICIENTS,
        facts=facts,
        by=by,
    )


def _wrong_scenarios(needed: Mapping[Scenario, int]) -> dict[str, list[str]]:
    least, most = SCENARIO_BOUNDS
    wrong, before = {}, least
    for scenario in Scenario:
        if not before <= needed[scenario] <= most:
            wrong[scenario.value] = [
                _("Between %(least)s and %(most)s; a scenario that reaches further asks for no smaller K.")
                % {"least": count(before), "most": count(most)}
            ]
        before = max(before, min(needed[scenario], most))
    return wrong


def coefficients_decide(
    version: EnvironmentCoefficients, *, accept: bool, reason: str, by: Person
) -> EnvironmentCoefficients:
    """Put a proposed version in force, for every measurement that begins from then on, or turn it down."""
    return proposal_decide(
        version,
        versions=EnvironmentCoefficients.objects.all(),
        sentences=events.COEFFICIENTS,
        accept=accept,
        reason=reason,
        by=by,
    )
