"""API of the coefficients of scenario and surroundings."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rest_framework import serializers

from approvals.governance.person import Person
from techniques.disclosure_risk.scales.degree import SCENARIO_BOUNDS, Capability, Scenario

from ..models import EnvironmentCoefficients
from ..proposals.api import (
    VERSION_FIELDS,
    ReasonedSerializer,
    VersionDecision,
    VersionList,
    VersionSerializer,
    described,
    described_decision,
)
from . import coefficients as services


class CoefficientsSerializer(VersionSerializer[EnvironmentCoefficients]):
    """``internal``, ``external``, ``public``: the K that each scenario asks of medium safeguards; its coefficient is 1/K."""

    low = serializers.SerializerMethodField(help_text="Coefficient of low capability.")
    medium = serializers.SerializerMethodField(help_text="Of medium capability: always 1.")
    high = serializers.SerializerMethodField(help_text="Of high capability.")

    class Meta:
        model = EnvironmentCoefficients
        fields = read_only_fields = (
            *VERSION_FIELDS, "low", "medium", "high", *(scenario.value for scenario in Scenario),
        )  # fmt: skip

    def get_low(self, version: EnvironmentCoefficients) -> float:
        return float(version.coefficients.of[Capability.LOW])

    def get_medium(self, version: EnvironmentCoefficients) -> float:
        return float(version.coefficients.of[Capability.MEDIUM])

    def get_high(self, version: EnvironmentCoefficients) -> float:
        return float(version.coefficients.of[Capability.HIGH])


def _k() -> serializers.IntegerField:
    return serializers.IntegerField(
        min_value=SCENARIO_BOUNDS[0],
        max_value=SCENARIO_BOUNDS[1],
        required=False,
        help_text="As it is where nothing is sent.",
    )


class CoefficientsProposalSerializer(ReasonedSerializer):
    low = serializers.DecimalField(max_digits=3, decimal_places=2, help_text="0.5 to 0.75.")
    high = serializers.DecimalField(max_digits=3, decimal_places=2, help_text="1 to 1.25.")
    internal = _k()
    external = _k()
    public = _k()


@described(
    "organisation_coefficients",
    CoefficientsSerializer,
    CoefficientsProposalSerializer,
    "Every version, the newest first; the one in force counts. Without one those that the product ships: 0.5, 1, 1, and K of 3, 5, 20.",
)
class CoefficientsList(VersionList[EnvironmentCoefficients]):
    shown, sent = CoefficientsSerializer, CoefficientsProposalSerializer
    versions = staticmethod(services.versions)

    def propose(self, sent: dict[str, Any], by: Person) -> EnvironmentCoefficients:
        """Of low and high capability, and K of the scenarios that are sent."""
        return services.coefficients_propose(
            low=Fraction(sent["low"]),
            high=Fraction(sent["high"]),
            scenarios={scenario: sent[scenario.value] for scenario in Scenario if scenario.value in sent},
            reason=sent["reason"],
            by=by,
        )


@described_decision("organisation_coefficients", CoefficientsSerializer)
class CoefficientsDecision(VersionDecision[EnvironmentCoefficients]):
    shown = CoefficientsSerializer
    version, decide = staticmethod(services.version_get), staticmethod(services.coefficients_decide)
