"""API of the numbers of signatures."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from approvals.governance.person import Person

from ..models import SIGNERS_BOUNDS, SignerQuorum
from ..proposals.api import (
    VERSION_FIELDS,
    ReasonedSerializer,
    VersionDecision,
    VersionList,
    VersionSerializer,
    described,
    described_decision,
)
from . import quorum as services

KINDS = ("public", "controlled", "enclave")


def _needed() -> serializers.IntegerField:
    return serializers.IntegerField(min_value=SIGNERS_BOUNDS[0], max_value=SIGNERS_BOUNDS[1])


class SignersSerializer(VersionSerializer[SignerQuorum]):
    class Meta:
        model = SignerQuorum
        fields = read_only_fields = (*VERSION_FIELDS, *KINDS)


class SignersProposalSerializer(ReasonedSerializer):
    """How many members of senior management sign a result, by how it is shared."""

    public = _needed()
    controlled = _needed()
    enclave = _needed()


@described(
    "organisation_signers",
    SignersSerializer,
    SignersProposalSerializer,
    "Every version, the newest first; the one in force counts for every result that is submitted for signature.",
)
class SignersList(VersionList[SignerQuorum]):
    shown, sent = SignersSerializer, SignersProposalSerializer
    versions = staticmethod(services.versions)

    def propose(self, sent: dict[str, Any], by: Person) -> SignerQuorum:
        """A number for each sharing type."""
        needed = {kind: sent[kind] for kind in KINDS}
        return services.signers_propose(needed, reason=sent["reason"], by=by)


@described_decision("organisation_signers", SignersSerializer)
class SignersDecision(VersionDecision[SignerQuorum]):
    shown = SignersSerializer
    version, decide = staticmethod(services.version_get), staticmethod(services.signers_decide)
