"""Project templates for programs."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from approvals.api import PORTION, portion
from projects.core.api import ProjectAPIView
from projects.core.rules import has_role
from projects.core.saved.api import SavedContentSerializer
from projects.workflow import Role

from ...models import SavedPlan
from . import services
from .answers import TEXTS, text_key, texts_picked

TEXT_NAMES = tuple(text_key(part, name) for part, names in TEXTS.items() for name in names)


class ProjectTemplateSerializer(SavedContentSerializer):
    """Target and plan under a name: the sharing type, and what the form of each step begins with."""

    class Meta(SavedContentSerializer.Meta):
        model = SavedPlan


class ProjectTemplateSaveSerializer(serializers.Serializer[Any]):
    """``texts``: which texts go along, each as step.field; choices and numbers always do."""

    name = serializers.CharField(max_length=120)
    of_organisation = serializers.BooleanField(default=False)
    texts: serializers.ListField = serializers.ListField(
        child=serializers.ChoiceField(choices=TEXT_NAMES), default=list
    )


class ProjectTemplates(ProjectAPIView):
    @extend_schema("objective_templates", parameters=PORTION, responses=ProjectTemplateSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """The planning manager of the project: one's own templates and those for every planning manager."""
        has_role(request.user, self.project, Role.PLANNER).require()
        return portion(request, services.SAVED_PLANS.available(request.user), ProjectTemplateSerializer)

    @extend_schema(
        "objective_template_save",
        request=ProjectTemplateSaveSerializer,
        responses={201: ProjectTemplateSerializer},
    )
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """Keep what the project's target and plan say under a name, with the picked texts alone."""
        services.may_save(request.user, self.project).require()
        said = self.sent(ProjectTemplateSaveSerializer)
        made = services.saved_create(
            self.project,
            name=said["name"],
            of_organisation=said["of_organisation"],
            texts=texts_picked(said["texts"]),
            by=request.user,
        )
        return Response(ProjectTemplateSerializer(made).data, status=status.HTTP_201_CREATED)
