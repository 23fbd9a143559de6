"""Incidents for programs: the same services, rules and reasons as the pages."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals.api import given
from projects.core.api import ProjectAPIView
from projects.releases.selectors import release_get

from . import rules, selectors, services
from .enums import IncidentAct, IncidentKind, IncidentSeverity, IncidentVerdict
from .forms import LONG
from .models import Incident


class IncidentWriteSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=IncidentKind.choices)
    severity = serializers.ChoiceField(choices=IncidentSeverity.choices)
    description = serializers.CharField(max_length=LONG)
    noticed_at = serializers.DateTimeField()


class IncidentStepSerializer(serializers.Serializer[Any]):
    act = serializers.ChoiceField(choices=IncidentAct.choices)
    text = serializers.CharField()
    by = serializers.CharField(source="by.full_name")
    at = serializers.DateTimeField()


class ReportedIncidentSerializer(serializers.Serializer[Any]):
    """What a recipient sees of an incident that they reported."""

    id = serializers.UUIDField()
    number = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=IncidentKind.choices)
    severity = serializers.ChoiceField(choices=IncidentSeverity.choices)
    noticed_at = serializers.DateTimeField()
    raised_at = serializers.DateTimeField()
    verdict = serializers.ChoiceField(choices=IncidentVerdict.choices)
    closed_at = serializers.DateTimeField(allow_null=True)


class IncidentSerializer(ReportedIncidentSerializer):
    """``authority_by`` and ``persons_by``: until when article 57 asks for the notifications; ``stopped``: nobody receives the release."""

    project = serializers.UUIDField(source="project_id")
    description = serializers.CharField()
    raised_by = serializers.CharField(source="raised_by.full_name")
    stopped = serializers.BooleanField()
    authority_by = serializers.DateTimeField()
    persons_by = serializers.DateTimeField()
    reassessment = serializers.UUIDField(source="reassessment_id", allow_null=True)
    # That of copies of an ended release with whose conclusion it was reported.
    later_reassessment = serializers.UUIDField(source="later_id", allow_null=True)
    steps = IncidentStepSerializer(source="steps.all", many=True)


class IncidentActSerializer(serializers.Serializer[Any]):
    act = serializers.ChoiceField(choices=IncidentAct.choices)
    text = serializers.CharField(max_length=LONG)


def _shown(found: Any, *, many: bool = False) -> Any:
    return IncidentSerializer(found, many=many).data


class Incidents(ProjectAPIView):
    inside = True

    @extend_schema("incidents_list", responses=IncidentSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """Every incident of the project, the newest first."""
        found = selectors.incidents_of(self.project).prefetch_related("steps__by")
        return Response(_shown(found, many=True))

    @extend_schema("incidents_raise", request=IncidentWriteSerializer, responses={201: IncidentSerializer})
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """Report an incident."""
        rules.may_raise(request.user, self.project).require()
        made = services.incident_raise(self.project, **self.sent(IncidentWriteSerializer), by=request.user)
        return Response(_shown(made), status=status.HTTP_201_CREATED)


class IncidentDetail(ProjectAPIView):
    inside = True

    @extend_schema("incidents_detail", responses=IncidentSerializer)
    def get(self, request: Request, project_id: uuid.UUID, incident_id: uuid.UUID) -> Response:
        """One incident with all that was done."""
        return Response(_shown(selectors.incident_get(self.project, incident_id)))

    @extend_schema("incidents_act", request=IncidentActSerializer, responses=IncidentSerializer)
    def post(self, request: Request, project_id: uuid.UUID, incident_id: uuid.UUID) -> Response:
        """Do something about it: a measure, deliveries stopped or going on, its verdict, a notification, its end."""
        found: Incident = selectors.incident_get(self.project, incident_id)
        done = [one.act for one in selectors.steps_of(found)]
        may = [rules.may_act(request.user, found, act, done) for act in IncidentAct]
        if not any(may):
            may[0].require()
        return Response(
            _shown(services.incident_act(found, **self.sent(IncidentActSerializer), by=request.user))
        )


class IncidentBoard(APIView):
    @extend_schema("incidents_board", responses=IncidentSerializer(many=True))
    def get(self, request: Request) -> Response:
        """The incidents not closed yet in every project that the caller may see, the oldest first."""
        found = selectors.incidents_open(request.user).prefetch_related("steps__by")
        return Response(_shown(found, many=True))


class ReportedIncidents(APIView):
    @extend_schema("receive_incidents", responses=ReportedIncidentSerializer(many=True))
    def get(self, request: Request, release_id: uuid.UUID) -> Response:
        """What the caller has reported of the project of a release."""
        release = release_get(request.user, release_id)
        found = selectors.reported_by(request.user, release.project)
        return Response(ReportedIncidentSerializer(found, many=True).data)

    @extend_schema(
        "receive_incidents_raise",
        request=IncidentWriteSerializer,
        responses={201: ReportedIncidentSerializer},
    )
    def post(self, request: Request, release_id: uuid.UUID) -> Response:
        """Recipients, former ones too, report what went wrong with what they received."""
        release = release_get(request.user, release_id)
        sent = given(IncidentWriteSerializer(data=request.data))
        made = services.incident_raise(release.project, **sent, release=release, by=request.user)
        return Response(ReportedIncidentSerializer(made).data, status=status.HTTP_201_CREATED)
