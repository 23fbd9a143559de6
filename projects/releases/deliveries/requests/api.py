"""Requests to fetch, and fetches, for programs: the same services and rules as the pages."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals.api import PORTION, Portions, given, portion
from projects.core.api import ProjectAPIView, SignedSerializer

from ...selectors import release_get
from . import rules, selectors, services
from .documents import slip_start
from .enums import FetchState
from .models import Fetch
from .presentation import fetch_rows
from .views import own_fetch, own_release


class FetchRequestSerializer(serializers.Serializer[Any]):
    """A request to fetch one file once; ``file`` is the place of the file in the release, from 0. ``reason`` is the supervisor's;
    an approval serves one fetch until ``holds_until``, and ``fetched_at`` is when that was made."""

    id = serializers.UUIDField()
    release = serializers.UUIDField(source="release_id")
    number = serializers.IntegerField()
    recipient = serializers.CharField(source="recipient.full_name")
    file = serializers.IntegerField()
    file_name = serializers.CharField()
    purpose = serializers.CharField()
    requested_at = serializers.DateTimeField()
    state = serializers.ChoiceField(choices=FetchState.choices)
    reason = serializers.CharField(source="decided.reason", default="")
    decided_by = serializers.CharField(source="decided.decided_by.full_name", allow_null=True, default=None)
    decided_at = serializers.DateTimeField(source="decided.decided_at", allow_null=True, default=None)
    holds_until = serializers.DateTimeField(source="decided.holds_until", allow_null=True, default=None)
    fetched_at = serializers.DateTimeField(source="fetched.fetched_at", allow_null=True, default=None)


class FetchSlipSerializer(serializers.Serializer[Any]):
    """A document; it is fetched by its id."""

    id = serializers.UUIDField()
    number = serializers.CharField()
    language = serializers.CharField()


class FetchSerializer(serializers.Serializer[Any]):
    """One file that the portal handed to a recipient. ``request``: whose approval it used up, null where none was needed;
    ``slips``: those that were printed."""

    id = serializers.UUIDField(source="fetch.id")
    release = serializers.UUIDField(source="fetch.release_id")
    delivery = serializers.UUIDField(source="fetch.delivery_id")
    recipient = serializers.CharField(source="fetch.delivery.recipient.full_name")
    file = serializers.IntegerField(source="fetch.file")
    file_name = serializers.CharField(source="fetch.file_name")
    sha256 = serializers.CharField(source="fetch.sha256")
    fetched_at = serializers.DateTimeField(source="fetch.fetched_at")
    request = serializers.UUIDField(source="fetch.request_id", allow_null=True)
    slips = FetchSlipSerializer(many=True)


class FetchRequestMakeSerializer(serializers.Serializer[Any]):
    file = serializers.IntegerField(min_value=0, default=0)
    purpose = serializers.CharField(max_length=500)


class FetchDecisionSerializer(SignedSerializer):
    approve = serializers.BooleanField()
    reason = serializers.CharField(max_length=500)


def _fetches(request: Request, found: Any) -> Response:
    portions = Portions()
    rows: Any = portions.paginate_queryset(found, request)
    return portions.get_paginated_response(FetchSerializer(fetch_rows(rows), many=True).data)


def _fetch(found: Fetch) -> Response:
    (row,) = fetch_rows([found])
    return Response(FetchSerializer(row).data, status=status.HTTP_202_ACCEPTED)


class FetchRequests(ProjectAPIView):
    inside = True

    @extend_schema("fetch_requests_list", parameters=PORTION, responses=FetchRequestSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """Who sees the project: what recipients requested to fetch, the newest first."""
        return portion(request, selectors.requests_of(self.project), FetchRequestSerializer)


class FetchRequestDecision(ProjectAPIView):
    inside = True

    @extend_schema("fetch_requests_decide", request=FetchDecisionSerializer, responses=FetchRequestSerializer)
    def post(self, request: Request, project_id: uuid.UUID, fetch_request_id: uuid.UUID) -> Response:
        """The supervisor approves one fetch or refuses it."""
        found = selectors.request_get(self.project, fetch_request_id)
        rules.may_decide(request.user, found).require()
        sent = self.signed(FetchDecisionSerializer)
        services.fetch_decide(found, **sent, by=request.user)
        done = selectors.request_get(self.project, fetch_request_id)
        return Response(FetchRequestSerializer(done).data)


class Fetches(ProjectAPIView):
    inside = True

    @extend_schema("fetches_list", parameters=PORTION, responses=FetchSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """Who sees the project: what was handed to recipients, the newest first."""
        return _fetches(request, selectors.fetches_of(self.project))


class FetchSlip(ProjectAPIView):
    inside = True

    @extend_schema("fetches_slip", request=None, responses={202: FetchSerializer})
    def post(self, request: Request, project_id: uuid.UUID, fetch_id: uuid.UUID) -> Response:
        """Who sees the project: have the slip of a fetch printed; it stands in ``slips`` once that is done."""
        found = selectors.fetches_of(self.project).get(pk=fetch_id)
        slip_start(found, by=request.user)
        return _fetch(found)


class OwnFetchRequests(APIView):
    @extend_schema("receive_fetch_requests", parameters=PORTION, responses=FetchRequestSerializer(many=True))
    def get(self, request: Request, release_id: uuid.UUID) -> Response:
        """What the caller requested to fetch of a release, the newest first."""
        release = own_release(request, release_id)
        return portion(request, selectors.requests_by(request.user, release), FetchRequestSerializer)

    @extend_schema(
        "receive_fetch_requests_make",
        request=FetchRequestMakeSerializer,
        responses={201: FetchRequestSerializer},
    )
    def post(self, request: Request, release_id: uuid.UUID) -> Response:
        """The recipient, where their agreement asks for it: request to fetch one file once."""
        release = own_release(request, release_id)
        rules.may_request(request.user, release).require()
        sent = given(FetchRequestMakeSerializer(data=request.data))
        made = services.fetch_request(release, **sent, by=request.user)
        return Response(FetchRequestSerializer(made).data, status=status.HTTP_201_CREATED)


class OwnFetches(APIView):
    @extend_schema("receive_fetches", parameters=PORTION, responses=FetchSerializer(many=True))
    def get(self, request: Request, release_id: uuid.UUID) -> Response:
        """What the caller fetched of a release, the newest first."""
        return _fetches(request, selectors.fetches_by(request.user, own_release(request, release_id)))


class OwnFetchSlip(APIView):
    @extend_schema("receive_fetch_slip", request=None, responses={202: FetchSerializer})
    def post(self, request: Request, release_id: uuid.UUID, fetch_id: uuid.UUID) -> Response:
        """Who fetched it: have the slip printed; it stands in ``slips`` once that is done."""
        found = own_fetch(request, release_get(request.user, release_id), fetch_id)
        slip_start(found, by=request.user)
        return _fetch(found)
