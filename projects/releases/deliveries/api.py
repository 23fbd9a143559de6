"""A recipient's own endpoints: what was released to them, and the file behind its seal.

Looking at enclave data has no endpoint: there the data do not leave the portal's own pages.
"""

from __future__ import annotations

import uuid
from dataclasses import asdict
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals.api import OpenedOnRecord, given
from approvals.governance.person import Person
from approvals.governance.verdict import Verdict
from projects.core.enums import SharingType
from projects.objective.enums import Act
from projects.objective.surroundings.profile.api import AllowedActSerializer, acts_answer
from projects.processing.runs.designation.presentation import DesignationSerializer

from .. import rules, selectors
from ..agreements.api import ApprovalField, CheckMonthsField, CheckSerializer
from ..agreements.checks import check_with
from ..enums import DeliveryStatus
from ..models import Release
from . import services as deliveries
from .computing import summable_columns
from .notice import degree_notice, designation_of_release, notices_of
from .views import delivery_response, file_number


class NoticeChangeSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    columns = serializers.ListField(child=serializers.CharField())
    effect = serializers.CharField()


class NoticeSerializer(serializers.Serializer[Any]):
    """How de-identification changed the data, and what must not be computed from it. ``stand_for``: whether the rows are records of
    the source, groups of them, persons whose records were put together, or rows with made-up values; but for records all rows
    of the source are missing."""

    rows = serializers.IntegerField()
    rows_missing = serializers.IntegerField()
    stand_for = serializers.ChoiceField(choices=["records", "groups", "persons", "made_up"])
    removed = serializers.ListField(child=serializers.CharField())
    changes = NoticeChangeSerializer(many=True)


class ReleaseFileSerializer(serializers.Serializer[Any]):
    """One file of a release over several tables."""

    table = serializers.CharField()
    file_name = serializers.CharField()
    sha256 = serializers.CharField()
    size = serializers.IntegerField()
    rows = serializers.IntegerField()


class FilesSerializer(serializers.Serializer[Any]):
    """What each answer about a release says of its files."""

    file_name = serializers.CharField(source="first.file_name")
    rows = serializers.IntegerField(source="first.rows")
    result_sha256 = serializers.CharField(source="first.sha256")

    def to_representation(self, release: Release) -> dict[str, Any]:
        """The figures of the first file; of several tables ``files`` too (``ReleaseFile``), the first table's first, in the
        order in which a download numbers them."""
        first, *others = files = self.files(release)
        content = super().to_representation({"release": release, "first": first})
        return content | ({"files": ReleaseFileSerializer(files, many=True).data} if others else {})

    def files(self, release: Release) -> list[dict[str, Any]]:
        """What is told of each file."""
        return list(release.files)


class DeliverySerializer(serializers.Serializer[Any]):
    """One delivery: asked for, seal verified, fetched."""

    id = serializers.UUIDField()
    release = serializers.UUIDField(source="release_id")
    recipient = serializers.CharField(source="recipient.full_name")
    status = serializers.ChoiceField(choices=DeliveryStatus.choices)
    notice_acknowledged_at = serializers.DateTimeField()
    requested_at = serializers.DateTimeField()
    verified_at = serializers.DateTimeField(allow_null=True)
    fetched_at = serializers.DateTimeField(allow_null=True)


class ReceivedSerializer(FilesSerializer):
    """A release as its recipient sees it: the hash is that of the caller's own file where the result was split into
    shares, empty where none is theirs."""

    id = serializers.UUIDField(source="release.id")
    project = serializers.CharField(source="release.project.title")
    sharing_type = serializers.ChoiceField(choices=SharingType.choices, source="release.project.sharing_type")
    released_at = serializers.DateTimeField(source="release.released_at")
    ended_at = serializers.DateTimeField(source="release.ended_at", allow_null=True)
    may_receive = serializers.SerializerMethodField()
    reason = serializers.SerializerMethodField()

    def files(self, release: Release) -> list[dict[str, Any]]:
        return deliveries.files_for(release, self.context["user"])

    def get_may_receive(self, shown: dict[str, Any]) -> bool:
        return bool(self._verdict(shown))

    def get_reason(self, shown: dict[str, Any]) -> str:
        return self._verdict(shown).text

    def _verdict(self, shown: dict[str, Any]) -> Verdict:
        return rules.may_receive(self.context["user"], shown["release"])


class ReceivedDetailSerializer(ReceivedSerializer):
    notice = serializers.SerializerMethodField()
    designation = serializers.SerializerMethodField()
    acts = serializers.SerializerMethodField()
    check_months = serializers.SerializerMethodField()
    check = serializers.SerializerMethodField()
    fetch_approval = serializers.SerializerMethodField()

    @extend_schema_field(AllowedActSerializer(many=True))
    def get_acts(self, shown: dict[str, Any]) -> list[dict[str, Any]]:
        """What the approved target allows of what the sharing type permits."""
        return acts_answer(shown["release"].project)

    @extend_schema_field(ApprovalField(allow_null=True))
    def get_fetch_approval(self, shown: dict[str, Any]) -> bool | None:
        """By the agreement with the caller that was not ended."""
        held = selectors.agreement_with(self.context["user"], shown["release"].project)
        return held.fetch_approval if held is not None else None

    @extend_schema_field(CheckMonthsField(allow_null=True))
    def get_check_months(self, shown: dict[str, Any]) -> int | None:
        """By the agreement with the caller that was not ended."""
        held = selectors.agreement_with(self.context["user"], shown["release"].project)
        return held.check_months if held is not None else None

    @extend_schema_field(CheckSerializer(allow_null=True))
    def get_check(self, shown: dict[str, Any]) -> Any:
        found = check_with(self.context["user"], shown["release"])
        return CheckSerializer(found).data if found is not None else None

    @extend_schema_field(DesignationSerializer(allow_null=True))
    def get_designation(self, shown: dict[str, Any]) -> dict[str, Any] | None:
        found = designation_of_release(shown["release"])
        return DesignationSerializer(found).data if found is not None else None

    @extend_schema_field(NoticeSerializer)
    def get_notice(self, shown: dict[str, Any]) -> Any:
        return NoticeSerializer(notices_of(shown["release"])[0][1]).data

    def to_representation(self, release: Release) -> dict[str, Any]:
        """With the notice of each further table; ``degree_below`` where the degree of anonymisation is below 1, with why senior
        management accepted that; ``summable``: the columns of homomorphic ciphertexts that the caller may add up, each with its
        public key."""
        _first, *others = notices_of(release)
        further = {table: NoticeSerializer(notice).data for table, notice in others}
        more: dict[str, Any] = {"further_notices": further} if further else {}
        if below := degree_notice(release):
            more["degree_below"] = below
        computes = (
            rules.may_receive(self.context["user"], release)
            and release.project.sharing_type != SharingType.ENCLAVE
            and rules.delivery_allowed(release)
        )
        if summable := [asdict(one) for one in summable_columns(release)] if computes else []:
            more["summable"] = summable
        return super().to_representation(release) | more


class NoticeReadSerializer(serializers.Serializer[Any]):
    """``notice_read``: I have read how the data were changed and what must not be computed from them."""

    notice_read = serializers.BooleanField()


class Received(APIView):
    @extend_schema("receive_list", responses=ReceivedSerializer(many=True))
    def get(self, request: Request) -> Response:
        """What was released to the caller."""
        found = selectors.released_to(request.user)
        return Response(ReceivedSerializer(found, many=True, context={"user": request.user}).data)


class ReceivedDetail(APIView):
    @extend_schema("receive_detail", responses=ReceivedDetailSerializer)
    def get(self, request: Request, release_id: uuid.UUID) -> Response:
        """One release with its data-use notice."""
        release = selectors.release_get(request.user, release_id)
        _require_recipient(request.user, release)
        return Response(ReceivedDetailSerializer(release, context={"user": request.user}).data)


class ReceivedRequest(APIView):
    @extend_schema("receive_request", request=NoticeReadSerializer, responses={202: DeliverySerializer})
    def post(self, request: Request, release_id: uuid.UUID) -> Response:
        """Ask for a delivery: a job verifies the seal over the stored file first."""
        release = selectors.release_get(request.user, release_id)
        rules.may_request_delivery(request.user, release).require()
        sent = given(NoticeReadSerializer(data=request.data))
        made, _job = deliveries.delivery_request(release, notice_read=sent["notice_read"], by=request.user)
        return Response(DeliverySerializer(made).data, status=status.HTTP_202_ACCEPTED)


class DeliveryState(APIView):
    @extend_schema("receive_delivery", responses=DeliverySerializer)
    def get(self, request: Request, delivery_id: uuid.UUID) -> Response:
        """How far a delivery of the caller is."""
        found = selectors.delivery_get(request.user, delivery_id)
        _require_recipient(request.user, found.release)
        return Response(DeliverySerializer(found).data)


class DeliveryDownload(OpenedOnRecord, APIView):
    @extend_schema(
        "receive_download",
        parameters=[OpenApiParameter("file", int, description="Which file of the release, from 0")],
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, delivery_id: uuid.UUID) -> Any:
        """The file of a delivery whose seal was verified within the hour; ``file`` chooses among several tables."""
        found = selectors.delivery_get(request.user, delivery_id)
        number = file_number(request.query_params.get("file", ""))
        pieces, found = deliveries.delivery_open(found, by=request.user, file=number, act=Act.FETCH_API)
        return delivery_response(pieces, found, number)


def _require_recipient(user: Person, release: Release) -> None:
    """A former recipient is told why, and gets nothing else."""
    verdict = rules.may_receive(user, release)
    if verdict.reason == rules.ReleaseReason.NOT_A_RECIPIENT:
        verdict.require()
