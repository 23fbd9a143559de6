"""API of the terms of retention."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from approvals.governance.person import Person

from ..models import RetentionTerms
from ..proposals.api import (
    VERSION_FIELDS,
    ReasonedSerializer,
    VersionDecision,
    VersionList,
    VersionSerializer,
    described,
    described_decision,
)
from . import terms as services
from .terms import MOST_DAYS


def _days() -> serializers.IntegerField:
    return serializers.IntegerField(min_value=0, max_value=MOST_DAYS, allow_null=True, default=None)


class RetentionDaysSerializer(serializers.Serializer[Any]):
    """Days after the end of the project, by kind of data; null: no term."""

    source = _days()  # type: ignore[assignment]
    workspace = _days()
    result = _days()
    auxiliary = _days()


class RetentionSerializer(VersionSerializer[RetentionTerms]):
    days = RetentionDaysSerializer()

    class Meta:
        model = RetentionTerms
        fields = read_only_fields = (*VERSION_FIELDS, "days")


class RetentionProposalSerializer(ReasonedSerializer):
    days = RetentionDaysSerializer()


@described(
    "organisation_retention",
    RetentionSerializer,
    RetentionProposalSerializer,
    "Every version, the newest first; the one in force counts for every project that has ended.",
)
class RetentionList(VersionList[RetentionTerms]):
    shown, sent = RetentionSerializer, RetentionProposalSerializer
    versions = staticmethod(services.versions)

    def propose(self, sent: dict[str, Any], by: Person) -> RetentionTerms:
        """The days of every kind of data."""
        return services.terms_propose(sent["days"], reason=sent["reason"], by=by)


@described_decision("organisation_retention", RetentionSerializer)
class RetentionDecision(VersionDecision[RetentionTerms]):
    shown = RetentionSerializer
    version, decide = staticmethod(services.version_get), staticmethod(services.terms_decide)
