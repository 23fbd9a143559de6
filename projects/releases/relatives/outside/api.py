"""Releases made outside the portal for programs: the same entries, filters, rules and acts as on the pages."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals.api import PORTION, Portions, given
from projects.core.enums import SharingType

from . import rules, services
from .content import LONGEST_NAME, MOST_COLUMNS, MOST_SUBJECT, OutsideFacts
from .models import OutsideRelease
from .selectors import outside_get, outside_seen


class OutsideQuerySerializer(serializers.Serializer[Any]):
    q = serializers.CharField(required=False, default="", allow_blank=True, max_length=80)
    over = serializers.BooleanField(required=False, default=False)


class OutsideFactsSerializer(serializers.Serializer[Any]):
    """``valid_until`` null: without end. ``columns`` are names; no values."""

    name = serializers.CharField(max_length=120)
    source = serializers.CharField(max_length=200)  # type: ignore[assignment]
    released_on = serializers.DateField()
    sharing_type = serializers.ChoiceField(choices=SharingType.choices)
    recipients = serializers.CharField(max_length=1000)
    subject_columns = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_NAME),
        max_length=MOST_SUBJECT,
        required=False,
        default=list,
    )
    columns = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_NAME), min_length=1, max_length=MOST_COLUMNS
    )
    treatment = serializers.CharField(max_length=1000, required=False, allow_blank=True, default="")
    valid_until = serializers.DateField(required=False, allow_null=True, default=None)
    evidence = serializers.CharField(max_length=200)
    sha256 = serializers.CharField(max_length=100, required=False, allow_blank=True, default="")
    why_outside = serializers.CharField(max_length=500)


class OutsideCorrectionSerializer(OutsideFactsSerializer):
    reason = serializers.CharField(max_length=500)


class OutsideReasonSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=500)


class OutsideReleaseSerializer(serializers.ModelSerializer[OutsideRelease]):
    """One entry. ``mark`` is what it is called elsewhere; ``replaces`` the entry that it corrects."""

    mark = serializers.CharField()
    subject_columns = serializers.ListField(child=serializers.CharField())
    columns = serializers.ListField(child=serializers.CharField())
    in_force = serializers.BooleanField()
    recorded_by = serializers.CharField(source="recorded_by.username")

    class Meta:
        model = OutsideRelease
        fields = (
            "id", "mark", "name", "source", "released_on", "sharing_type", "recipients", "subject_columns", "columns", "treatment",
            "valid_until", "evidence", "sha256", "why_outside", "content_hash", "replaces", "recorded_by", "recorded_at",
            "withdrawn_at", "withdrawn_why", "in_force",
        )  # fmt: skip
        read_only_fields = fields


class OutsideList(APIView):
    @extend_schema(
        "outside_releases_list",
        parameters=[OutsideQuerySerializer, *PORTION],
        responses=OutsideReleaseSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        """Planning managers, supervisors, senior management, auditors: releases made outside the portal, the youngest first."""
        rules.may_read_outside(request.user).require()
        asked = given(OutsideQuerySerializer(data=request.query_params))
        portions = Portions()
        found: Any = portions.paginate_queryset(outside_seen(request.user, **asked), request)
        return portions.get_paginated_response(OutsideReleaseSerializer(found, many=True).data)

    @extend_schema(
        "outside_releases_record", request=OutsideFactsSerializer, responses={201: OutsideReleaseSerializer}
    )
    def post(self, request: Request) -> Response:
        """Planning managers: record one; live projects that it is related to are told."""
        rules.may_record_outside(request.user).require()
        sent = given(OutsideFactsSerializer(data=request.data))
        made = services.outside_record(_facts(sent), by=request.user)
        return Response(OutsideReleaseSerializer(made).data, status=status.HTTP_201_CREATED)


class OutsideEntry(APIView):
    @extend_schema("outside_releases_entry", responses=OutsideReleaseSerializer)
    def get(self, request: Request, entry_id: uuid.UUID) -> Response:
        """Who reads the register of them: one entry, withdrawn ones too."""
        rules.may_read_outside(request.user).require()
        return Response(OutsideReleaseSerializer(outside_get(entry_id)).data)


class OutsideCorrect(APIView):
    @extend_schema(
        "outside_releases_correct",
        request=OutsideCorrectionSerializer,
        responses={201: OutsideReleaseSerializer},
    )
    def post(self, request: Request, entry_id: uuid.UUID) -> Response:
        """Planning managers: another entry in the place of one that is wrong; the answer is the new one."""
        rules.may_record_outside(request.user).require()
        sent = given(OutsideCorrectionSerializer(data=request.data))
        reason = sent.pop("reason")
        made = services.outside_correct(outside_get(entry_id), _facts(sent), reason=reason, by=request.user)
        return Response(OutsideReleaseSerializer(made).data, status=status.HTTP_201_CREATED)


class OutsideWithdraw(APIView):
    @extend_schema(
        "outside_releases_withdraw", request=OutsideReasonSerializer, responses=OutsideReleaseSerializer
    )
    def post(self, request: Request, entry_id: uuid.UUID) -> Response:
        """Planning managers: the entry counts no more, with the reason; it is kept."""
        rules.may_record_outside(request.user).require()
        sent = given(OutsideReasonSerializer(data=request.data))
        done = services.outside_withdraw(outside_get(entry_id), **sent, by=request.user)
        return Response(OutsideReleaseSerializer(done).data)


def _facts(sent: dict[str, Any]) -> OutsideFacts:
    return OutsideFacts(**sent | {"sharing_type": SharingType(sent["sharing_type"])})
