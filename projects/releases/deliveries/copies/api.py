"""What became of a recipient's copy, for programs."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals.api import given

from ...selectors import release_get
from . import rules
from .selectors import copy_of
from .services import copy_state


class OwnCopySerializer(serializers.Serializer[Any]):
    """``over_since``: the day since when the copy may not be kept; ``due``: by when its destruction is to be stated."""

    fetched_at = serializers.DateTimeField(allow_null=True)
    over_since = serializers.DateField(allow_null=True)
    due = serializers.DateField(allow_null=True)
    stated_at = serializers.DateTimeField(allow_null=True)
    how = serializers.CharField()


class CopyStatementSerializer(serializers.Serializer[Any]):
    how = serializers.CharField(max_length=500)
    confirmed = serializers.BooleanField()

    def validate_confirmed(self, confirmed: bool) -> bool:
        if not confirmed:
            raise serializers.ValidationError("not confirmed")
        return confirmed


class OwnCopy(APIView):
    @extend_schema("receive_copy", responses=OwnCopySerializer)
    def get(self, request: Request, release_id: uuid.UUID) -> Response:
        """What the caller fetched of a release, and what they have stated of it."""
        return self._shown(request, release_id)

    @extend_schema("receive_copy_state", request=CopyStatementSerializer, responses={201: OwnCopySerializer})
    def post(self, request: Request, release_id: uuid.UUID) -> Response:
        """The recipient states that their copy is destroyed, once it may not be kept any more."""
        release = release_get(request.user, release_id)
        rules.may_state(request.user, release).require()
        sent = given(CopyStatementSerializer(data=request.data))
        copy_state(release, how=sent["how"], by=request.user)
        return self._shown(request, release_id, status=201)

    def _shown(self, request: Request, release_id: uuid.UUID, status: int = 200) -> Response:
        found = copy_of(request.user, release_get(request.user, release_id))
        stated = found.statement if found else None
        content = {
            "fetched_at": found.fetched_at if found else None,
            "over_since": found.over_since if found else None,
            "due": found.deadline.due if found and found.deadline else None,
            "stated_at": stated.stated_at if stated else None,
            "how": stated.how if stated else "",
        }
        return Response(OwnCopySerializer(content).data, status=status)
