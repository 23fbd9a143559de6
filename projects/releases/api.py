"""Releases for programs inside the project: the same services, rules and reasons as the pages."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from approvals.api import OpenedOnRecord
from approvals.governance.person import Person
from approvals.governance.verdict import deny
from projects.core.api import ProjectAPIView
from projects.core.enums import SharingType
from projects.core.models import Project
from projects.core.selectors import project_get
from projects.datasets.store.store import store_remove
from projects.datasets.upload.receiving import ReceivingView
from projects.datasets.upload.scans import scan_receiving, scan_taken
from projects.datasets.upload.uploading import FIELD, Upload

from . import rules, selectors, services
from .agreements.api import ApprovalField, CheckMonthsField, CheckSerializer
from .agreements.approvals import is_proposed
from .agreements.changes.api import RecipientChangeSerializer
from .agreements.checks import checks_in
from .agreements.terms import SCAN_PURPOSE
from .agreements.views import agreement_or_change
from .deliveries.api import DeliverySerializer, FilesSerializer
from .enums import CheckInterval
from .forms import AgreementForm
from .models import Agreement, RecipientChange, Release


class ReleaseSerializer(FilesSerializer):
    """A release with the hashes that its seal binds together."""

    id = serializers.UUIDField(source="release.id")
    recipe_hash = serializers.CharField(source="release.recipe_hash")
    verification_hash = serializers.CharField(source="release.verification_hash")
    seal = serializers.CharField(source="release.seal")
    notice = serializers.JSONField(source="first.notice")
    released_by = serializers.CharField(source="release.released_by.full_name")
    released_at = serializers.DateTimeField(source="release.released_at")
    seal_broken_at = serializers.DateTimeField(source="release.seal_broken_at", allow_null=True)
    ended_at = serializers.DateTimeField(source="release.ended_at", allow_null=True)
    ended_why = serializers.CharField(source="release.ended_why")


class AgreementSerializer(serializers.Serializer[Any]):
    """An agreement; ``in_force`` is about today."""

    id = serializers.UUIDField()
    recipient = serializers.CharField(source="recipient.username")
    organisation = serializers.CharField()
    purpose = serializers.CharField()
    prohibits_reidentification = serializers.BooleanField()
    prohibits_linkage = serializers.BooleanField()
    prohibits_onward_sharing = serializers.BooleanField()
    signed_by = serializers.CharField()
    signed_on = serializers.DateField()
    valid_until = serializers.DateField()
    check_months = CheckMonthsField(allow_null=True)
    country = serializers.CharField(allow_null=True)
    fetch_approval = ApprovalField(allow_null=True)
    check = serializers.SerializerMethodField()
    party = serializers.UUIDField(
        allow_null=True, help_text="Whose it is in the register of organisations; null: unknown there."
    )
    scan_sha256 = serializers.CharField()
    in_force = serializers.BooleanField()
    accepted_at = serializers.DateTimeField(source="acceptance.accepted_at", allow_null=True, default=None)
    recorded_by = serializers.CharField(source="recorded_by.full_name")
    recorded_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)

    @extend_schema_field(CheckSerializer(allow_null=True))
    def get_check(self, agreement: Agreement) -> Any:
        found = self.context["checks"].get(agreement.pk)
        return CheckSerializer(found).data if found is not None else None


def _checks(project: Project) -> dict[str, Any]:
    """What an answer about agreements needs beside them, read once for all."""
    return {"checks": checks_in(project.pk)}


def _agreement(project: Project, of: Agreement) -> dict[str, Any]:
    """The answer about one that was written, as it is now."""
    found = selectors.agreement_get(project, of.pk)
    return dict(AgreementSerializer(found, context=_checks(project)).data)


class AgreementUploadSerializer(serializers.Serializer[Any]):
    """A signed agreement with the scan of what was signed (PDF, PNG or JPEG); ``recipient`` is a user's name. All three
    prohibitions have to be true. Without ``check_months`` it is 12; in enclave sharing nothing is agreed about it. ``country`` is
    the code of ISO 3166-1 of where the recipient is. Without ``fetch_approval`` each fetch needs an approval of its own where the
    data are graded as important or core data; it is agreed in controlled sharing only."""

    recipient = serializers.CharField(max_length=150)
    organisation = serializers.CharField(max_length=120)
    purpose = serializers.CharField(max_length=2000)
    prohibits_reidentification = serializers.BooleanField()
    prohibits_linkage = serializers.BooleanField()
    prohibits_onward_sharing = serializers.BooleanField()
    signed_by = serializers.CharField(max_length=80)
    signed_on = serializers.DateField()
    valid_until = serializers.DateField()
    check_months = CheckMonthsField(required=False)
    country = serializers.CharField(max_length=2)
    fetch_approval = ApprovalField(required=False)
    file = serializers.FileField(required=False)


class ReleaseCreateSerializer(serializers.Serializer[Any]):
    """``irrevocable`` must be true for completely public sharing, which cannot be taken back."""

    irrevocable = serializers.BooleanField(default=False)


class ReleaseReasonSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=200)


class Releases(ProjectAPIView):
    @extend_schema("releases_list", responses=ReleaseSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """Every release of the project, the newest first."""
        found = selectors.releases_of(self.project)
        return Response(ReleaseSerializer(found, many=True).data)

    @extend_schema("releases_create", request=ReleaseCreateSerializer, responses={201: ReleaseSerializer})
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """Seal and hand out exactly what senior management approved."""
        rules.may_release(request.user, self.project).require()
        values = self.sent(ReleaseCreateSerializer)
        if self.project.sharing_type == SharingType.PUBLIC and not values["irrevocable"]:
            deny(rules.ReleaseReason.IRREVOCABLE).require()
        release = services.release_create(self.project, by=request.user)
        return Response(ReleaseSerializer(release).data, status=status.HTTP_201_CREATED)


class ReleaseEnd(ProjectAPIView):
    @extend_schema("releases_end", request=ReleaseReasonSerializer, responses=ReleaseSerializer)
    def post(self, request: Request, project_id: uuid.UUID, release_id: uuid.UUID) -> Response:
        """End a release: nobody can fetch it any more."""
        release = Release.objects.select_related("project", "released_by").get(
            pk=release_id, project=self.project
        )
        rules.may_end_release(request.user, release).require()
        why = self.sent(ReleaseReasonSerializer)["reason"]
        return Response(ReleaseSerializer(services.release_end(release, why=why, by=request.user)).data)


class Deliveries(ProjectAPIView):
    @extend_schema("releases_deliveries", responses=DeliverySerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """The latest 500 deliveries, the newest first."""
        found = selectors.deliveries_of(self.project)[:500]
        return Response(DeliverySerializer(found, many=True).data)


class Agreements(ReceivingView, ProjectAPIView):
    """Agreements with recipients."""

    parser_classes = (MultiPartParser,)

    def receiving(self, request: HttpRequest) -> Upload:
        return scan_receiving(request, SCAN_PURPOSE)

    def admit(self, user: Person, **arguments: Any) -> None:
        rules.may_record_agreement(user, project_get(user, arguments["project_id"])).require()

    @extend_schema("agreements_list", responses=AgreementSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """Every agreement, the newest first."""
        found = selectors.agreements_of(self.project)
        return Response(AgreementSerializer(found, many=True, context=_checks(self.project)).data)

    @extend_schema(
        "agreements_record",
        request={"multipart/form-data": AgreementUploadSerializer},
        responses={201: AgreementSerializer, 202: RecipientChangeSerializer},
    )
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """Record a signed agreement; it replaces the one in force with the same recipient.

        One that alters what senior management has signed is answered with 202: it is a change that waits for its decision.
        """
        assert self.upload is not None
        values = self.sent(AgreementUploadSerializer)
        recipients = {user.username: user for user in selectors.recipients_of(self.project)}
        if values["recipient"] not in recipients:
            raise serializers.ValidationError({"recipient": [_("Not a recipient of this project.")]})
        # The same checks as on the page: a form over the same names.
        if self.project.sharing_type != SharingType.ENCLAVE:
            values = {"check_months": CheckInterval.YEAR, **values}
        if self.project.sharing_type == SharingType.CONTROLLED:
            values = {
                "fetch_approval": is_proposed(
                    self.project, selectors.held_by(self.project, recipients[values["recipient"]])
                ),
                **values,
            }
        form = AgreementForm(
            {**values, "recipient": recipients[values["recipient"]].pk}, project=self.project
        )
        if not form.is_valid():
            raise serializers.ValidationError(
                {name: [str(text) for text in texts] for name, texts in form.errors.items()}
            )
        stored = scan_taken(self.upload, request.FILES.get(FIELD))
        if stored is None:
            raise serializers.ValidationError({FIELD: [rules.ReleaseReason.SCAN_NEEDED.label]})
        try:
            made = agreement_or_change(self.project, form.agreement(), stored, by=request.user)
        except BaseException:
            store_remove(stored)
            raise
        if isinstance(made, RecipientChange):
            return Response(RecipientChangeSerializer(made).data, status=status.HTTP_202_ACCEPTED)
        return Response(_agreement(self.project, made), status=status.HTTP_201_CREATED)


class AgreementEnd(ProjectAPIView):
    @extend_schema("agreements_end", request=ReleaseReasonSerializer, responses=AgreementSerializer)
    def post(self, request: Request, project_id: uuid.UUID, agreement_id: uuid.UUID) -> Response:
        """End an agreement: its recipient cannot fetch anything any more."""
        found: Agreement = selectors.agreement_get(self.project, agreement_id)
        rules.may_end_agreement(request.user, found).require()
        why = self.sent(ReleaseReasonSerializer)["reason"]
        services.agreement_end(found, why=why, by=request.user)
        return Response(_agreement(self.project, found))


class AgreementScan(OpenedOnRecord, ProjectAPIView):
    @extend_schema("agreements_scan", responses={(200, "application/octet-stream"): OpenApiTypes.BINARY})
    def get(self, request: Request, project_id: uuid.UUID, agreement_id: uuid.UUID) -> Any:
        """The scan of a signed agreement; opening it is recorded."""
        from .agreements.views import scan_response

        return scan_response(
            self.project, selectors.agreement_get(self.project, agreement_id), by=request.user
        )
