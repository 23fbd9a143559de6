"""API of the catalogue of posts and of the records of staff."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals.api import given
from approvals.governance.person import Person
from deid_portal.accounts.models import User
from deid_portal.organisation.proposals.api import (
    VERSION_FIELDS,
    ReasonedSerializer,
    VersionDecision,
    VersionList,
    VersionSerializer,
    described,
    described_decision,
)
from projects.core.texts import SHA256_PATTERN

from . import rules, selectors, services
from .enums import RecordKind
from .models import PostCatalogue, StaffRecord
from .scans.api import RecordScanSerializer


class PostSerializer(serializers.Serializer[Any]):
    technical = serializers.CharField(max_length=1000)
    confidentiality = serializers.CharField(max_length=1000)
    asks = serializers.ListField(child=serializers.ChoiceField(choices=RecordKind.choices))


class PostsSerializer(serializers.Serializer[Any]):
    planner = PostSerializer()
    executor = PostSerializer()
    supervisor = PostSerializer()
    management = PostSerializer()


class PostCatalogueSerializer(VersionSerializer[PostCatalogue]):
    posts = PostsSerializer()

    class Meta:
        model = PostCatalogue
        fields = read_only_fields = (*VERSION_FIELDS, "posts")


class PostCatalogueProposalSerializer(ReasonedSerializer):
    posts = PostsSerializer()


class StaffRecordSerializer(serializers.ModelSerializer[StaffRecord]):
    """``counts``: whether it is passed, not taken back and in force today; ``scan`` where one is kept."""

    recorded_by = serializers.CharField(source="recorded_by.username")
    counts = serializers.BooleanField()
    scan = serializers.SerializerMethodField()

    class Meta:
        model = StaffRecord
        fields = (
            "id", "kind", "title", "done_on", "valid_until", "passed", "kept_at", "document_hash", "recorded_by", "recorded_at",
            "taken_back_at", "taken_back_why", "counts", "scan",
        )  # fmt: skip
        read_only_fields = fields

    @extend_schema_field(RecordScanSerializer(allow_null=True))
    def get_scan(self, record: StaffRecord) -> Any:
        return RecordScanSerializer(record.scan).data if rules.has_scan(record) else None


class StaffRecordAddSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=RecordKind.choices)
    title = serializers.CharField(max_length=120)
    done_on = serializers.DateField()
    valid_until = serializers.DateField(required=False, allow_null=True, default=None)
    passed = serializers.BooleanField()
    kept_at = serializers.CharField(max_length=200)
    document_hash = serializers.RegexField(SHA256_PATTERN, required=False, allow_blank=True, default="")


class RecordReasonSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=500)


@described(
    "records_catalogue",
    PostCatalogueSerializer,
    PostCatalogueProposalSerializer,
    "Every version, the newest first; the one in force counts for every role that is given.",
)
class CatalogueList(VersionList[PostCatalogue]):
    shown, sent = PostCatalogueSerializer, PostCatalogueProposalSerializer
    versions = staticmethod(selectors.versions)

    def propose(self, sent: dict[str, Any], by: Person) -> PostCatalogue:
        """What is asked of every post."""
        return services.catalogue_propose(**sent, by=by)


@described_decision("records_catalogue", PostCatalogueSerializer)
class CatalogueDecision(VersionDecision[PostCatalogue]):
    shown = PostCatalogueSerializer
    version, decide = staticmethod(selectors.version_get), staticmethod(services.catalogue_decide)


class RecordList(APIView):
    """Administrators: what is on record about somebody; put something on record."""

    @extend_schema("records_list", responses=StaffRecordSerializer(many=True))
    def get(self, request: Request, user_id: int) -> Response:
        rules.may_read(request.user).require()
        found = selectors.records_of(User.objects.get(pk=user_id))
        return Response(StaffRecordSerializer(found, many=True).data)

    @extend_schema("records_add", request=StaffRecordAddSerializer, responses={201: StaffRecordSerializer})
    def post(self, request: Request, user_id: int) -> Response:
        rules.may_read(request.user).require()
        sent = given(StaffRecordAddSerializer(data=request.data))
        kind = RecordKind(sent.pop("kind"))
        made = services.record_add(User.objects.get(pk=user_id), kind=kind, **sent, by=request.user)
        return Response(StaffRecordSerializer(made).data, status=status.HTTP_201_CREATED)


class RecordTakeBack(APIView):
    """Administrators: a record was wrong, with the reason."""

    @extend_schema("records_take_back", request=RecordReasonSerializer, responses=StaffRecordSerializer)
    def post(self, request: Request, record_id: uuid.UUID) -> Response:
        rules.may_read(request.user).require()
        record = StaffRecord.objects.select_related("account").get(pk=record_id)
        sent = given(RecordReasonSerializer(data=request.data))
        return Response(
            StaffRecordSerializer(services.record_take_back(record, **sent, by=request.user)).data
        )
