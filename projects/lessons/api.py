"""Looks back for programs: the same services, rules and reasons as the page."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from projects.core.api import ProjectAPIView

from . import services
from .forms import LONG
from .models import TEXTS, Lesson
from .rules import LessonReason, may_record, owners_of
from .selectors import lessons_of


class LessonSerializer(serializers.ModelSerializer[Lesson]):
    owner = serializers.CharField(source="owner.full_name")
    recorded_by = serializers.CharField(source="recorded_by.full_name")

    class Meta:
        model = Lesson
        fields = ("id", "project", "number", *TEXTS, "owner", "recorded_by", "recorded_at")
        read_only_fields = fields


class LessonWriteSerializer(serializers.Serializer[Any]):
    """``owner``: the user name of somebody who works in the project."""

    risk = serializers.CharField(max_length=LONG)
    usefulness = serializers.CharField(max_length=LONG)
    efficiency = serializers.CharField(max_length=LONG)
    went_well = serializers.CharField(max_length=LONG)
    to_change = serializers.CharField(max_length=LONG)
    owner = serializers.CharField(max_length=150)


class Lessons(ProjectAPIView):
    inside = True

    @extend_schema("lessons_list", responses=LessonSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """Every look back at the project, the newest first."""
        return Response(LessonSerializer(lessons_of(self.project), many=True).data)

    @extend_schema("lessons_record", request=LessonWriteSerializer, responses={201: LessonSerializer})
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """The planning manager and the supervisor after the release: record a look back."""
        may_record(request.user, self.project).require()
        sent = dict(self.sent(LessonWriteSerializer))
        named = sent.pop("owner")
        owner = next((one for one in owners_of(self.project) if one.get_username() == named), None)
        if owner is None:
            raise serializers.ValidationError({"owner": [str(LessonReason.NOT_INSIDE.label)]})
        made = services.lesson_record(self.project, owner=owner, by=request.user, **sent)
        return Response(LessonSerializer(made).data, status=status.HTTP_201_CREATED)
