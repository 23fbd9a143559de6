"""Changes of recipients and the acceptance of terms for programs: the same services, rules and reasons as the pages."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals.api import OpenedOnRecord, given
from projects.core.api import ProjectAPIView, SignedSerializer
from projects.verification.sign_off.quorum import signatures_text

from ...enums import ChangeOutcome, TermsChanged
from ...models import RecipientChange
from ...selectors import agreement_with, release_get
from ..api import ApprovalField, CheckMonthsField
from ..terms import Terms
from . import rules, selectors, services


class TermsSerializer(serializers.Serializer[Any]):
    organisation = serializers.CharField()
    purpose = serializers.CharField()
    signed_by = serializers.CharField()
    signed_on = serializers.DateField()
    valid_until = serializers.DateField()
    check_months = CheckMonthsField(allow_null=True, default=None)
    fetch_approval = ApprovalField(allow_null=True, default=None)
    country = serializers.CharField(allow_null=True, default=None)


class ChangeSignatureSerializer(serializers.Serializer[Any]):
    signed_by = serializers.CharField(source="signed_by.full_name")
    signed_at = serializers.DateTimeField()
    reason = serializers.CharField()


class RecipientChangeSerializer(serializers.Serializer[Any]):
    """A change of what was signed about recipients; ``agreement`` is what an approved one has become."""

    id = serializers.UUIDField()
    number = serializers.IntegerField()
    recipient = serializers.CharField(source="recipient.username")
    asks = serializers.ListField(child=serializers.ChoiceField(choices=TermsChanged.choices))
    terms = TermsSerializer()
    scan_sha256 = serializers.CharField()
    content_hash = serializers.CharField()
    outcome = serializers.ChoiceField(choices=ChangeOutcome.choices)
    proposed_by = serializers.CharField(source="proposed_by.full_name")
    proposed_at = serializers.DateTimeField()
    decided_by = serializers.CharField(source="decided_by.full_name", allow_null=True, default=None)
    decided_at = serializers.DateTimeField(allow_null=True)
    reason = serializers.CharField()
    needed = serializers.IntegerField(help_text="How many different people have to approve it.")
    why = serializers.SerializerMethodField(help_text="What asks for several; empty where one approves.")
    signatures = ChangeSignatureSerializer(many=True, help_text="Those before the last.")
    agreement = serializers.UUIDField(source="agreement_id", allow_null=True)

    def get_why(self, change: RecipientChange) -> str:
        return signatures_text(change.needed, change.needed_by)


class RecipientChangeDecisionSerializer(SignedSerializer):
    approve = serializers.BooleanField()
    reason = serializers.CharField(max_length=500)
    content_hash = serializers.CharField(max_length=64)


class TermsAcceptSerializer(serializers.Serializer[Any]):
    """``accepted``: I have read these terms, and I keep to them."""

    accepted = serializers.BooleanField()


class TermsAcceptedSerializer(serializers.Serializer[Any]):
    accepted_at = serializers.DateTimeField()
    terms_hash = serializers.CharField()
    terms = TermsSerializer(source="agreement")


class RecipientChanges(ProjectAPIView):
    inside = True

    @extend_schema("recipient_changes_list", responses=RecipientChangeSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """Every change that was proposed, the newest first; one is proposed by sending an agreement."""
        found = selectors.with_signatures(selectors.changes_of(self.project))
        return Response(RecipientChangeSerializer(found, many=True).data)


class RecipientChangeDecision(ProjectAPIView):
    inside = True

    @extend_schema(
        "recipient_changes_decide",
        request=RecipientChangeDecisionSerializer,
        responses=RecipientChangeSerializer,
    )
    def post(self, request: Request, project_id: uuid.UUID, recipient_change_id: uuid.UUID) -> Response:
        """Senior management approves a change, whereby its agreement comes into force, or refuses it; of several who have to
        approve it, all but the last leave a signature."""
        found = selectors.change_get(self.project, recipient_change_id)
        rules.may_decide_change(request.user, found).require()
        sent = self.signed(RecipientChangeDecisionSerializer)
        made = services.change_decide(
            found,
            approve=sent["approve"],
            reason=sent["reason"],
            seen_hash=sent["content_hash"],
            by=request.user,
        )
        return Response(RecipientChangeSerializer(made).data)


class RecipientChangeScan(OpenedOnRecord, ProjectAPIView):
    inside = True

    @extend_schema(
        "recipient_changes_scan", responses={(200, "application/octet-stream"): OpenApiTypes.BINARY}
    )
    def get(self, request: Request, project_id: uuid.UUID, recipient_change_id: uuid.UUID) -> Any:
        """The signed agreement of a change; opening it is recorded."""
        from ..views import scan_file

        found = selectors.change_get(self.project, recipient_change_id)
        signed_on = Terms.model_validate(found.terms).signed_on
        return scan_file(
            self.project,
            found.scan,
            lambda: services.change_scan_open(found, by=request.user),
            signed_on=signed_on,
        )


class TermsAccept(APIView):
    @extend_schema("receive_accept", request=TermsAcceptSerializer, responses=TermsAcceptedSerializer)
    def post(self, request: Request, release_id: uuid.UUID) -> Response:
        """The recipient accepts the terms of the agreement in force, before anything is received."""
        release = release_get(request.user, release_id)
        agreement = agreement_with(request.user, release.project)
        rules.may_accept(request.user, agreement).require()
        assert agreement is not None
        sent = given(TermsAcceptSerializer(data=request.data))
        made = services.terms_accept(agreement, confirmed=sent["accepted"], by=request.user)
        return Response(TermsAcceptedSerializer(made).data)
