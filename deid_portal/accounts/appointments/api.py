"""API of appointments: the same services, rules and reasons as the pages."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals.api import PORTION, given, portion
from projects.workflow.posts import AppointedPost, TenureKind

from .. import rules as account_rules
from ..models import Appointment, User
from . import selectors, services


class AppointmentSerializer(serializers.ModelSerializer[Appointment]):
    """``tenure``: how it stands today; ``status``: what the administrators made of it."""

    username = serializers.CharField(source="account.username")
    given_by = serializers.CharField(source="given_by.username", allow_null=True, default=None)
    decided_by = serializers.CharField(source="decided_by.username", allow_null=True, default=None)
    tenure = serializers.ChoiceField(source="tenure.kind", choices=TenureKind.choices)

    class Meta:
        model = Appointment
        fields = (
            "id", "username", "post", "starts_on", "ends_on", "reason", "basis", "given_by", "given_at", "status",
            "decided_by", "decided_at", "ended_at", "end_reason", "tenure",
        )  # fmt: skip
        read_only_fields = fields


class AppointmentGivenSerializer(serializers.Serializer[Any]):
    username = serializers.CharField(max_length=150)
    post = serializers.ChoiceField(choices=AppointedPost.choices)
    starts_on = serializers.DateField()
    ends_on = serializers.DateField(required=False, allow_null=True, default=None)
    reason = serializers.CharField(max_length=500)


class AppointmentDecisionSerializer(serializers.Serializer[Any]):
    confirm = serializers.BooleanField()


class AppointmentEndSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=500)


class AppointmentListView(APIView):
    """Administrators: all appointments, the newest first; give one."""

    @extend_schema("appointments_list", parameters=PORTION, responses=AppointmentSerializer(many=True))
    def get(self, request: Request) -> Response:
        account_rules.may_administer(request.user).require()
        return portion(request, selectors.appointments(), AppointmentSerializer)

    @extend_schema(
        "appointments_give", request=AppointmentGivenSerializer, responses={201: AppointmentSerializer}
    )
    def post(self, request: Request) -> Response:
        """Appoint somebody else; another administrator confirms it."""
        account_rules.may_administer(request.user).require()
        sent = given(AppointmentGivenSerializer(data=request.data))
        account = User.objects.get(username=sent.pop("username"))
        post = AppointedPost(sent.pop("post"))
        made = services.appointment_give(account, post=post, **sent, by=request.user)
        return Response(AppointmentSerializer(made).data, status=status.HTTP_201_CREATED)


class AppointmentDecisionView(APIView):
    """Another administrator than who gave it: confirm an appointment, or turn it down."""

    @extend_schema(
        "appointments_decide", request=AppointmentDecisionSerializer, responses=AppointmentSerializer
    )
    def post(self, request: Request, appointment_id: uuid.UUID) -> Response:
        account_rules.may_administer(request.user).require()
        appointment = Appointment.objects.get(pk=appointment_id)
        sent = given(AppointmentDecisionSerializer(data=request.data))
        decided = services.appointment_decide(appointment, **sent, by=request.user)
        return Response(AppointmentSerializer(decided).data)


class AppointmentEndView(APIView):
    """Administrators: end somebody else's appointment at once."""

    @extend_schema("appointments_end", request=AppointmentEndSerializer, responses=AppointmentSerializer)
    def post(self, request: Request, appointment_id: uuid.UUID) -> Response:
        account_rules.may_administer(request.user).require()
        appointment = Appointment.objects.get(pk=appointment_id)
        sent = given(AppointmentEndSerializer(data=request.data))
        return Response(
            AppointmentSerializer(services.appointment_end(appointment, **sent, by=request.user)).data
        )
