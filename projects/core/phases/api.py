"""A project by the phases of T/ISC 0078, for programs."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from projects.workflow import Phase, Stage, State

from ..api import ProjectAPIView
from .selectors import phases_of


class StepSerializer(serializers.Serializer[Any]):
    """What led from one state to another: the four things that clause 12.3 wants in a record."""

    at = serializers.DateTimeField()
    handler = serializers.CharField()
    measure = serializers.CharField()
    reason = serializers.CharField()
    result = serializers.ChoiceField(choices=State.choices)


class PhaseSerializer(serializers.Serializer[Any]):
    """``state``: done, current, next, or beside for what runs beside all; ``times``: how often it was begun."""

    phase = serializers.ChoiceField(choices=Phase.choices, source="row.phase")
    clause = serializers.CharField(source="row.clause")
    stages = serializers.ListField(child=serializers.ChoiceField(choices=Stage.choices), source="row.stages")
    state = serializers.ChoiceField(choices=["done", "current", "next", "beside"])
    started = serializers.DateTimeField(allow_null=True)
    left = serializers.DateTimeField(allow_null=True)
    times = serializers.IntegerField()
    steps = StepSerializer(many=True)
    documents = serializers.SerializerMethodField()

    def get_documents(self, passed: Any) -> list[str]:
        """The numbers of those that were made while it ran."""
        return [document.number for document in passed.documents]


class PhasesView(ProjectAPIView):
    """Who may see the project: its six phases by T/ISC 0078 with the records of each."""

    @extend_schema("projects_phases", responses=PhaseSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        return Response(PhaseSerializer(phases_of(self.project), many=True).data)
