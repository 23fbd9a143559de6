"""Publications for programs: inside the project, and what everybody is told."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from projects.core.api import ProjectAPIView, SignedSerializer
from projects.processing.runs.designation.presentation import DesignationSerializer

from ...enums import PublicationStatus
from ...models import Publication
from ..api import NoticeSerializer
from . import rules, selectors, services
from .presentation import Published


class PublicationSerializer(serializers.Serializer[Any]):
    """A publication as the project knows it; ``token`` is its address below ``/published/`` once it is published."""

    id = serializers.UUIDField()
    release = serializers.UUIDField(source="release_id")
    number = serializers.IntegerField()
    version = serializers.IntegerField(allow_null=True)
    token = serializers.SerializerMethodField()
    title = serializers.CharField()
    summary = serializers.CharField()
    conditions = serializers.CharField()
    contact = serializers.CharField()
    content_hash = serializers.CharField()
    status = serializers.ChoiceField(choices=PublicationStatus.choices)
    designation = serializers.CharField()
    proposed_by = serializers.CharField(source="proposed_by.full_name")
    proposed_at = serializers.DateTimeField()
    decided_by = serializers.CharField(source="decided_by.full_name", allow_null=True, default=None)
    decided_at = serializers.DateTimeField(allow_null=True)
    reason = serializers.CharField()
    published_at = serializers.DateTimeField(allow_null=True)
    ended_by = serializers.CharField(source="ended_by.full_name", allow_null=True, default=None)
    ended_at = serializers.DateTimeField(allow_null=True)
    ended_why = serializers.CharField()
    downloads = serializers.SerializerMethodField()

    def get_token(self, publication: Publication) -> str:
        return publication.token if publication.published_at else ""

    def get_downloads(self, publication: Publication) -> int:
        return publication.fetched


class PublicationProposeSerializer(serializers.Serializer[Any]):
    """What everybody will read. ``irrevocable`` must be true: what has been downloaded cannot be recalled."""

    title = serializers.CharField(max_length=200)
    summary = serializers.CharField(max_length=2000)
    conditions = serializers.CharField(max_length=2000)
    contact = serializers.CharField(max_length=200)
    irrevocable = serializers.BooleanField(default=False)


class PublicationDecisionSerializer(SignedSerializer):
    approve = serializers.BooleanField()
    reason = serializers.CharField(max_length=500)
    content_hash = serializers.CharField(max_length=64)


class PublicationWithdrawSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=200)


class PublishedFileSerializer(serializers.Serializer[Any]):
    """A file, fetched at ``files/<number>/`` below this address."""

    number = serializers.IntegerField()
    table = serializers.CharField()
    file_name = serializers.CharField(source="name")
    rows = serializers.IntegerField()
    size = serializers.IntegerField()
    sha256 = serializers.CharField()
    columns = serializers.ListField(child=serializers.CharField())


class PublishedMeasureSerializer(serializers.Serializer[Any]):
    measure = serializers.CharField(source="label")
    amount = serializers.CharField()
    plain = serializers.CharField()


class PublishedSerializer(serializers.Serializer[Any]):
    """What is told to everybody of a publication that is up. ``published_at`` is when the seal was verified over the whole files."""

    title = serializers.CharField(source="publication.title")
    summary = serializers.CharField(source="publication.summary")
    conditions = serializers.CharField(source="publication.conditions")
    contact = serializers.CharField(source="publication.contact")
    version = serializers.IntegerField(source="publication.version")
    published_at = serializers.DateTimeField(source="publication.published_at")
    seal = serializers.CharField()
    files = PublishedFileSerializer(many=True)
    designation = DesignationSerializer(allow_null=True)
    notices = serializers.SerializerMethodField()
    degree_below = serializers.CharField()
    measured = PublishedMeasureSerializer(many=True)

    def get_notices(self, shown: Published) -> dict[str, Any]:
        """By the names of the tables; the only table of a publication has none."""
        return {table: NoticeSerializer(notice).data for table, notice in shown.notices}


class Publications(ProjectAPIView):
    @extend_schema("publications_list", responses=PublicationSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """Every publication that was proposed, the newest first."""
        found = selectors.publications_of(self.project)
        return Response(PublicationSerializer(found, many=True).data)

    @extend_schema(
        "publications_propose", request=PublicationProposeSerializer, responses={201: PublicationSerializer}
    )
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """The planning manager proposes to publish the release in force."""
        rules.may_propose(request.user, self.project).require()
        said = self.sent(PublicationProposeSerializer)
        understood = said.pop("irrevocable")
        made = services.publication_propose(
            self.project, **said, irrevocable_understood=understood, by=request.user
        )
        return Response(PublicationSerializer(made).data, status=status.HTTP_201_CREATED)


class PublicationDecision(ProjectAPIView):
    @extend_schema(
        "publications_decide", request=PublicationDecisionSerializer, responses=PublicationSerializer
    )
    def post(self, request: Request, project_id: uuid.UUID, publication_id: uuid.UUID) -> Response:
        """The supervisor approves a publication, whereupon the seal is verified and it goes up, or refuses it."""
        found = selectors.publication_get(self.project, publication_id)
        rules.may_decide(request.user, found).require()
        sent = self.signed(PublicationDecisionSerializer)
        made = services.publication_decide(
            found,
            approve=sent["approve"],
            reason=sent["reason"],
            seen_hash=sent["content_hash"],
            by=request.user,
        )
        return Response(PublicationSerializer(made).data)


class PublicationWithdraw(ProjectAPIView):
    @extend_schema(
        "publications_withdraw", request=PublicationWithdrawSerializer, responses=PublicationSerializer
    )
    def post(self, request: Request, project_id: uuid.UUID, publication_id: uuid.UUID) -> Response:
        """The planning manager or the supervisor takes an address down."""
        found = selectors.publication_get(self.project, publication_id)
        rules.may_withdraw(request.user, found).require()
        why = self.sent(PublicationWithdrawSerializer)["reason"]
        made = services.publication_withdraw(found, why=why, by=request.user)
        return Response(PublicationSerializer(made).data)
