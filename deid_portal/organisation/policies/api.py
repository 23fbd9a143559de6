"""The policy library for programs: the same services, rules and reasons as the pages."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib.auth import get_user_model
from django.http import HttpRequest
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals.api import JSONParser, OpenedOnRecord, given
from approvals.governance.person import Person
from projects.datasets.upload.receiving import ReceivingView
from projects.datasets.upload.uploading import Upload
from projects.objective.enums import Regulation

from ..proposals.api import (
    VERSION_FIELDS,
    ReasonedSerializer,
    SecondPersonDecisionSerializer,
    VersionSerializer,
)
from ..proposals.rules import may_decide, may_propose
from ..rules import may_read_organisation
from . import rules, selectors, services
from .enums import CONCERNED, PolicyKind
from .forms import LONG
from .models import Policy, PolicyReview, PolicyVersion
from .receiving import document_receiving, document_taken
from .views import document_response

_POSTS = [(post.value, post.label) for post in CONCERNED]


class PolicyVersionSerializer(VersionSerializer[PolicyVersion]):
    concerns = serializers.ListField(child=serializers.CharField())

    class Meta:
        model = PolicyVersion
        fields = read_only_fields = (
            *VERSION_FIELDS, "edition", "text", "document_name", "document_hash", "effective_on", "review_on", "concerns",
        )  # fmt: skip


class PolicySerializer(serializers.ModelSerializer[Policy]):
    owner = serializers.CharField(source="owner.username")

    class Meta:
        model = Policy
        fields = ("id", "title", "kind", "regulation", "every_project", "owner", "review_on", "is_overdue")
        read_only_fields = fields


class PolicyEntrySerializer(serializers.Serializer[Any]):
    """An entry, the version in force, and how many of those concerned have acknowledged it."""

    policy = PolicySerializer()
    version = PolicyVersionSerializer(allow_null=True)
    waits = serializers.BooleanField(help_text="Another version waits for its approval.")
    concerned = serializers.IntegerField()
    acknowledged = serializers.IntegerField()


class ReaderSerializer(serializers.Serializer[Any]):
    """Somebody whom the version in force concerns; ``at`` null: not acknowledged yet."""

    person = serializers.CharField(source="person.username")
    at = serializers.DateTimeField(allow_null=True)


class PolicyReviewSerializer(serializers.ModelSerializer[PolicyReview]):
    by = serializers.CharField(source="by.username")

    class Meta:
        model = PolicyReview
        fields = ("result", "next_on", "by", "at")
        read_only_fields = fields


class PolicyDetailSerializer(PolicySerializer):
    versions = serializers.SerializerMethodField()
    readers = serializers.SerializerMethodField()
    reviews = serializers.SerializerMethodField()

    class Meta(PolicySerializer.Meta):
        fields = (*PolicySerializer.Meta.fields, "versions", "readers", "reviews")  # type: ignore[assignment]

    @extend_schema(responses=PolicyVersionSerializer(many=True))
    def get_versions(self, policy: Policy) -> list[dict[str, Any]]:
        """The newest first."""
        return list(PolicyVersionSerializer(selectors.versions_of(policy), many=True).data)

    @extend_schema(responses=ReaderSerializer(many=True))
    def get_readers(self, policy: Policy) -> list[dict[str, Any]]:
        """Whom the version in force concerns, who has not acknowledged it first."""
        now = selectors.in_force_of(policy)
        return list(ReaderSerializer(selectors.readers_of(now) if now else [], many=True).data)

    @extend_schema(responses=PolicyReviewSerializer(many=True))
    def get_reviews(self, policy: Policy) -> list[dict[str, Any]]:
        return list(PolicyReviewSerializer(selectors.reviews_of(policy), many=True).data)


class PolicyProposalSerializer(ReasonedSerializer):
    """A version: text, document (in a form, as ``file``), or both."""

    edition = serializers.CharField(max_length=60, allow_blank=True, default="")
    text = serializers.CharField(max_length=LONG, allow_blank=True, default="")
    effective_on = serializers.DateField()
    review_on = serializers.DateField()
    concerns = serializers.MultipleChoiceField(choices=_POSTS, default=set)


class PolicyAddSerializer(PolicyProposalSerializer):
    title = serializers.CharField(max_length=120)
    kind = serializers.ChoiceField(choices=PolicyKind.choices)
    regulation = serializers.ChoiceField(choices=Regulation.choices, allow_blank=True, default="")
    every_project = serializers.BooleanField(default=False)
    owner = serializers.CharField(max_length=150, help_text="Name of an account.")

    def validate_owner(self, name: str) -> Any:
        return get_user_model().objects.get(username=name)


class PolicyReviewingSerializer(serializers.Serializer[Any]):
    result = serializers.CharField(max_length=4000)
    next_on = serializers.DateField()


class PolicyOwnerSerializer(serializers.Serializer[Any]):
    owner = serializers.CharField(max_length=150, help_text="Name of an account.")

    def validate_owner(self, name: str) -> Any:
        return get_user_model().objects.get(username=name)


class _Receiving(ReceivingView):
    """A version is sent as JSON, or as a form where a document comes with it."""

    parser_classes = (JSONParser, MultiPartParser)

    def receiving(self, request: HttpRequest) -> Upload:
        return document_receiving(request)

    def admit(self, user: Person, **arguments: Any) -> None:
        may_propose(user).require()

    def document(self, request: Request) -> services.Document | None:
        assert self.upload is not None
        return document_taken(self.upload, request.FILES)


def _wording(sent: dict[str, Any]) -> services.Wording:
    names = ("edition", "text", "effective_on", "review_on")
    return services.Wording(**{name: sent.pop(name) for name in names}, concerns=sorted(sent.pop("concerns")))


class PolicyList(_Receiving):
    """The library, by kind and title; POST adds an entry."""

    @extend_schema("policies_list", responses=PolicyEntrySerializer(many=True))
    def get(self, request: Request) -> Response:
        """Everybody inside."""
        may_read_organisation(request.user).require()
        return Response(PolicyEntrySerializer(selectors.entries(), many=True).data)

    @extend_schema("policies_add", request=PolicyAddSerializer, responses={201: PolicyDetailSerializer})
    def post(self, request: Request) -> Response:
        """Planning managers and administrators: an entry with its first version, which waits for its approval."""
        sent = given(PolicyAddSerializer(data=request.data))
        wording = _wording(sent)
        made = services.policy_add(**sent, wording=wording, document=self.document(request), by=request.user)
        return Response(PolicyDetailSerializer(made).data, status=201)


class PolicyDetail(APIView):
    @extend_schema("policies_read", responses=PolicyDetailSerializer)
    def get(self, request: Request, policy_id: uuid.UUID) -> Response:
        """Everybody inside: an entry with its versions, who has acknowledged, and the owner's reviews."""
        may_read_organisation(request.user).require()
        return Response(PolicyDetailSerializer(selectors.policy_get(policy_id)).data)


class PolicyVersions(_Receiving):
    @extend_schema(
        "policies_propose", request=PolicyProposalSerializer, responses={201: PolicyVersionSerializer}
    )
    def post(self, request: Request, policy_id: uuid.UUID) -> Response:
        """Planning managers and administrators: another version, which waits for its approval."""
        policy = selectors.policy_get(policy_id)
        sent = given(PolicyProposalSerializer(data=request.data))
        wording = _wording(sent)
        made = services.version_propose(
            policy, wording=wording, document=self.document(request), **sent, by=request.user
        )
        return Response(PolicyVersionSerializer(made).data, status=201)


class PolicyDecision(APIView):
    @extend_schema(
        "policies_decide", request=SecondPersonDecisionSerializer, responses=PolicyVersionSerializer
    )
    def post(self, request: Request, policy_id: uuid.UUID, version_id: uuid.UUID) -> Response:
        """Senior management for an internal policy, another planning manager or administrator for the rest."""
        found = selectors.version_get(policy_id, version_id)
        may_decide(request.user, found).require()
        sent = given(SecondPersonDecisionSerializer(data=request.data))
        return Response(PolicyVersionSerializer(services.version_decide(found, **sent, by=request.user)).data)


class PolicyAcknowledge(APIView):
    @extend_schema("policies_acknowledge", request=None, responses={204: None})
    def post(self, request: Request, policy_id: uuid.UUID, version_id: uuid.UUID) -> Response:
        """Whom the version in force concerns: I have read it."""
        services.version_acknowledge(selectors.version_get(policy_id, version_id), by=request.user)
        return Response(status=204)


class PolicyReviewing(APIView):
    @extend_schema(
        "policies_review", request=PolicyReviewingSerializer, responses={201: PolicyReviewSerializer}
    )
    def post(self, request: Request, policy_id: uuid.UUID) -> Response:
        """The owner: what was looked at, and when next."""
        policy = selectors.policy_get(policy_id)
        rules.may_review(request.user, policy).require()
        sent = given(PolicyReviewingSerializer(data=request.data))
        made = services.policy_review(policy, **sent, by=request.user)
        return Response(PolicyReviewSerializer(made).data, status=201)


class PolicyOwner(APIView):
    @extend_schema("policies_owner", request=PolicyOwnerSerializer, responses=PolicySerializer)
    def put(self, request: Request, policy_id: uuid.UUID) -> Response:
        """Planning managers and administrators: somebody else answers for the entry."""
        policy = selectors.policy_get(policy_id)
        rules.may_hand_over(request.user).require()
        sent = given(PolicyOwnerSerializer(data=request.data))
        return Response(PolicySerializer(services.owner_change(policy, **sent, by=request.user)).data)


class PolicyDocument(OpenedOnRecord, APIView):
    @extend_schema("policies_document", responses={(200, "application/octet-stream"): OpenApiTypes.BINARY})
    def get(self, request: Request, policy_id: uuid.UUID, version_id: uuid.UUID) -> Any:
        """Everybody inside: the document of a version; opening it is recorded."""
        may_read_organisation(request.user).require()
        return document_response(selectors.version_get(policy_id, version_id), by=request.user)
