"""API of the grading of data."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from approvals.governance.person import Person
from projects.core.enums import SharingType

from ..models import SIGNERS_BOUNDS, GradingPolicy
from ..proposals.api import (
    VERSION_FIELDS,
    ReasonedSerializer,
    VersionDecision,
    VersionList,
    VersionSerializer,
    described,
    described_decision,
)
from . import policy as services
from .policy import GradeRule


class GradeRuleSerializer(serializers.Serializer[Any]):
    sharing = serializers.ListField(child=serializers.ChoiceField(choices=SharingType.choices))
    minimum_k = serializers.IntegerField()
    impact = serializers.BooleanField(help_text="Whether an impact assessment comes first.")
    signers = serializers.IntegerField(
        default=SIGNERS_BOUNDS[0],
        help_text="How many members of senior management sign, at least; more where the sharing type asks for more.",
    )


class GradeRulesSerializer(serializers.Serializer[Any]):
    """What each grade asks for; core data have no rule, because they never leave."""

    general = GradeRuleSerializer()
    sensitive = GradeRuleSerializer()
    important = GradeRuleSerializer()


class GradingSerializer(VersionSerializer[GradingPolicy]):
    rules = GradeRulesSerializer()

    class Meta:
        model = GradingPolicy
        fields = read_only_fields = (*VERSION_FIELDS, "rules")


class GradingProposalSerializer(ReasonedSerializer):
    rules = GradeRulesSerializer()


@described(
    "organisation_grading",
    GradingSerializer,
    GradingProposalSerializer,
    "Every version, the newest first; the one in force counts for every plan that is submitted.",
)
class GradingList(VersionList[GradingPolicy]):
    shown, sent = GradingSerializer, GradingProposalSerializer
    versions = staticmethod(services.versions)

    def propose(self, sent: dict[str, Any], by: Person) -> GradingPolicy:
        """The rules of all grades."""
        rules = {grade: GradeRule.of_json(rule) for grade, rule in sent["rules"].items()}
        return services.grading_propose(rules, reason=sent["reason"], by=by)


@described_decision("organisation_grading", GradingSerializer)
class GradingDecision(VersionDecision[GradingPolicy]):
    shown = GradingSerializer
    version, decide = staticmethod(services.version_get), staticmethod(services.grading_decide)
