"""The need for programs: the same services, rules and reasons as the page."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from ...api import ObjectiveAPIView
from ...models import ProjectNeed
from ...rules import may_raise_need
from ...selectors import needs_of
from . import services
from .content import Need, need_read


class ProjectNeedSerializer(serializers.ModelSerializer[ProjectNeed]):
    """A need as it was raised, and its answer; ``is_accepted`` is null as long as there is none."""

    content = serializers.JSONField()
    raised_by = serializers.CharField(source="raised_by.full_name")
    answered_by = serializers.CharField(source="answered_by.full_name", default=None)

    class Meta:
        model = ProjectNeed
        fields = (
            "id", "number", "content", "content_hash", "raised_by", "raised_at", "is_accepted", "answer",
            "answered_by", "answered_at",
        )  # fmt: skip
        read_only_fields = fields


class NeedAnswerSerializer(serializers.Serializer[Any]):
    """The planning manager's answer to the need with this number, which is the newest."""

    number = serializers.IntegerField(min_value=1)
    accept = serializers.BooleanField()
    reason = serializers.CharField(max_length=2000)


class ProjectNeeds(ObjectiveAPIView):
    @extend_schema("objective_need_list", responses=ProjectNeedSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """Who sees the project: every need that was raised, newest first."""
        return Response(ProjectNeedSerializer(needs_of(self.project), many=True).data)

    @extend_schema("objective_need_raise", request=Need, responses={201: ProjectNeedSerializer})
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """The executor while the target is being determined: raise a need, or raise it anew."""
        may_raise_need(request.user, self.project).require()
        made = services.need_raise(self.project, need=need_read(request.data), by=request.user)
        return Response(ProjectNeedSerializer(made).data, status=status.HTTP_201_CREATED)


class ProjectNeedAnswer(ObjectiveAPIView):
    @extend_schema("objective_need_answer", request=NeedAnswerSerializer, responses=ProjectNeedSerializer)
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """The planning manager while the target is being determined: accept the newest need, or send it back."""
        made = services.need_answer(self.project, **self.sent(NeedAnswerSerializer), by=request.user)
        return Response(ProjectNeedSerializer(made).data)
