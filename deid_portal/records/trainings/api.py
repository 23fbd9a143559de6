"""API of trainings: the same services, rules and reasons as the pages."""

from __future__ import annotations

import uuid
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals.api import PORTION, given, portion
from deid_portal.accounts.models import User
from deid_portal.organisation.rules import may_read_organisation
from projects.core.texts import SHA256_PATTERN
from projects.workflow import Role

from ..api import RecordReasonSerializer
from ..enums import ROLES, AttendanceOutcome
from ..models import Attendance, Training
from . import rules, selectors, services


class TrainingSerializer(serializers.ModelSerializer[Training]):
    """``valid_until``: the last day on which a passed test counts, null where it has no end."""

    planned_by = serializers.CharField(source="planned_by.username")
    closed_by = serializers.CharField(source="closed_by.username", allow_null=True, default=None)
    roles = serializers.ListField(child=serializers.ChoiceField(choices=Role.choices))
    valid_until = serializers.DateField(allow_null=True)

    class Meta:
        model = Training
        fields = (
            "id", "title", "teaches", "roles", "held_on", "valid_months", "repeat_months", "valid_until", "status", "planned_by", "planned_at",
            "closed_by", "closed_at", "cancelled_why",
        )  # fmt: skip
        read_only_fields = fields


class TrainingPlanSerializer(serializers.Serializer[Any]):
    title = serializers.CharField(max_length=120)
    teaches = serializers.CharField(max_length=1000)
    roles = serializers.ListField(
        child=serializers.ChoiceField(choices=[(role.value, role.label) for role in ROLES]), allow_empty=False
    )
    held_on = serializers.DateField()
    valid_months = serializers.IntegerField(
        min_value=1, max_value=120, required=False, allow_null=True, default=None
    )
    repeat_months = serializers.IntegerField(
        min_value=1, max_value=60, required=False, allow_null=True, default=None,
        help_text="The next one is planned so many months after this one was held.",
    )  # fmt: skip


class AttendanceSerializer(serializers.ModelSerializer[Attendance]):
    """``record``: what it put on record of the person, null where they were absent."""

    username = serializers.CharField(source="account.username")
    record = serializers.UUIDField(source="record_id", allow_null=True)

    class Meta:
        model = Attendance
        fields = read_only_fields = ("username", "outcome", "record")


class AttendeeSerializer(serializers.Serializer[Any]):
    username = serializers.CharField(max_length=150)
    outcome = serializers.ChoiceField(choices=AttendanceOutcome.choices)


class TrainingHeldSerializer(serializers.Serializer[Any]):
    """``attendance``: each person whom the training is for; ``others``: who else passed its test."""

    attendance = AttendeeSerializer(many=True)
    others = serializers.ListField(child=serializers.CharField(max_length=150), required=False, default=list)
    kept_at = serializers.CharField(max_length=200)
    document_hash = serializers.RegexField(SHA256_PATTERN, required=False, allow_blank=True, default="")


class TrainingList(APIView):
    """Everybody inside: the trainings, the latest first; planning managers and administrators plan one."""

    @extend_schema("trainings_list", parameters=PORTION, responses=TrainingSerializer(many=True))
    def get(self, request: Request) -> Response:
        may_read_organisation(request.user).require()
        return portion(request, selectors.trainings(), TrainingSerializer)

    @extend_schema("trainings_plan", request=TrainingPlanSerializer, responses={201: TrainingSerializer})
    def post(self, request: Request) -> Response:
        """Plan a training; who holds one of its roles is told."""
        rules.may_plan(request.user).require()
        sent = given(TrainingPlanSerializer(data=request.data))
        roles = [Role(role) for role in sent.pop("roles")]
        made = services.training_plan(**sent, roles=roles, by=request.user)
        return Response(TrainingSerializer(made).data, status=status.HTTP_201_CREATED)


class TrainingAttendance(APIView):
    """Administrators: who attended a training, and who passed its test; record it, from its day on."""

    @extend_schema("trainings_attendance", responses=AttendanceSerializer(many=True))
    def get(self, request: Request, training_id: uuid.UUID) -> Response:
        rules.may_read_attendance(request.user).require()
        found = selectors.training_get(training_id)
        return Response(AttendanceSerializer(selectors.attendance_of(found), many=True).data)

    @extend_schema(
        "trainings_hold", request=TrainingHeldSerializer, responses={201: AttendanceSerializer(many=True)}
    )
    def post(self, request: Request, training_id: uuid.UUID) -> Response:
        rules.may_read_attendance(request.user).require()
        found = selectors.training_get(training_id)
        sent = given(TrainingHeldSerializer(data=request.data))
        rows = sent.pop("attendance")
        said = {row["username"]: AttendanceOutcome(row["outcome"]) for row in rows}
        if len(said) < len(rows):
            raise serializers.ValidationError({"attendance": [_("A person is named twice.")]})
        known = {one.username: one for one in User.objects.filter(username__in=[*said, *sent["others"]])}
        if unknown := sorted({*said, *sent["others"]} - set(known)):
            raise serializers.ValidationError({"username": unknown})
        held = services.training_hold(
            found,
            outcomes={known[name].pk: outcome for name, outcome in said.items()},
            others=[known[name] for name in sent.pop("others")],
            **sent,
            by=request.user,
        )
        found_rows = AttendanceSerializer(selectors.attendance_of(held), many=True)
        return Response(found_rows.data, status=status.HTTP_201_CREATED)


class TrainingCancellation(APIView):
    """Planning managers and administrators: it will not be held, with the reason."""

    @extend_schema("trainings_cancel", request=RecordReasonSerializer, responses=TrainingSerializer)
    def post(self, request: Request, training_id: uuid.UUID) -> Response:
        rules.may_plan(request.user).require()
        sent = given(RecordReasonSerializer(data=request.data))
        found = selectors.training_get(training_id)
        return Response(TrainingSerializer(services.training_cancel(found, **sent, by=request.user)).data)
