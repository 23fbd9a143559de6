"""API of the organisation's own clauses of the data use agreement."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from approvals.governance.person import Person
from projects.releases.agreements.clauses import Clause

from ..models import AgreementClauses
from ..proposals.api import (
    VERSION_FIELDS,
    ReasonedSerializer,
    VersionDecision,
    VersionList,
    VersionSerializer,
    described,
    described_decision,
)
from . import clauses as services
from .clauses import LONGEST, LONGEST_MATTER, MOST_CLAUSES


class AgreementClauseSerializer(serializers.Serializer[Any]):
    """One clause: what it is about and what it says, in both languages."""

    matter_zh = serializers.CharField(max_length=LONGEST_MATTER)
    matter_en = serializers.CharField(max_length=LONGEST_MATTER)
    zh = serializers.CharField(max_length=LONGEST)
    en = serializers.CharField(max_length=LONGEST)


class AgreementClausesSerializer(VersionSerializer[AgreementClauses]):
    clauses = AgreementClauseSerializer(many=True)

    class Meta:
        model = AgreementClauses
        fields = read_only_fields = (*VERSION_FIELDS, "clauses")


class AgreementClausesProposalSerializer(ReasonedSerializer):
    """``clauses`` empty: agreements hold none of the organisation's own."""

    clauses: serializers.ListSerializer[Any] = serializers.ListSerializer(
        child=AgreementClauseSerializer(), allow_empty=True, max_length=MOST_CLAUSES
    )


@described(
    "organisation_agreement_clauses",
    AgreementClausesSerializer,
    AgreementClausesProposalSerializer,
    "Every version of the organisation's own clauses of data use agreements, the newest first.",
)
class ClausesList(VersionList[AgreementClauses]):
    shown, sent = AgreementClausesSerializer, AgreementClausesProposalSerializer
    versions = staticmethod(services.versions)

    def propose(self, sent: dict[str, Any], by: Person) -> AgreementClauses:
        """All clauses, in order."""
        return services.clauses_propose(
            [Clause(**one) for one in sent["clauses"]], reason=sent["reason"], by=by
        )


@described_decision("organisation_agreement_clauses", AgreementClausesSerializer)
class ClausesDecision(VersionDecision[AgreementClauses]):
    shown = AgreementClausesSerializer
    version, decide = staticmethod(services.version_get), staticmethod(services.clauses_decide)
