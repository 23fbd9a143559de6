"""The register of releases, looked up for a target, for programs: the same services, rules and reasons as the page."""

from __future__ import annotations

import uuid

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from ...api import ObjectiveAPIView, ObjectiveSerializer
from ...enums import Part
from ...models import RegisterLookup
from ...pages import seen_of
from ...rules import may_look_up
from ..reading import content_read
from . import services
from .content import Question


class RegisterLookupSerializer(serializers.ModelSerializer[RegisterLookup]):
    """One look-up. In ``found`` ``by`` is why: file, source, notice, subject, columns; what the planning manager may not see
    ``is_hidden``, with a mark as its ``number`` that an auditor finds in the register of releases."""

    asked = serializers.JSONField()
    found = serializers.JSONField()
    looked_up_by = serializers.CharField(source="looked_up_by.full_name")

    class Meta:
        model = RegisterLookup
        fields = ("id", "asked", "found", "looked_up_by", "looked_up_at")
        read_only_fields = fields


class RegisterLookups(ObjectiveAPIView):
    @extend_schema("objective_register_list", responses=RegisterLookupSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """Who sees the project: every look-up, newest first."""
        found = RegisterLookup.objects.filter(project=self.project).select_related("looked_up_by")
        return Response(RegisterLookupSerializer(found, many=True).data)

    @extend_schema("objective_register_look_up", request=Question, responses={201: RegisterLookupSerializer})
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """The planning manager while the target is being determined: look the register up."""
        may_look_up(request.user, self.project).require()
        question = content_read(Question, request.data)
        made = services.register_look_up(self.project, question=question, by=request.user)
        return Response(RegisterLookupSerializer(made).data, status=status.HTTP_201_CREATED)


class RegisterTake(ObjectiveAPIView):
    @extend_schema("objective_register_take", request=None, responses=ObjectiveSerializer)
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """The planning manager while the target is being determined: name in the target what the last look-up found."""
        may_look_up(request.user, self.project).require()
        services.related_take(self.project, seen=seen_of(self.project, Part.SCOPE), by=request.user)
        return self.answer()
