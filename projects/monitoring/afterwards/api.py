"""Copies that are out after a release has ended, for programs: the same services, rules and reasons as the pages."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals.api import PORTION, portion
from projects.core.api import ProjectAPIView

from ..forms import LONG
from ..models import LaterReassessment
from . import rules, selectors, services
from .enums import CONCLUSIONS, LaterOutcome, Question
from .incidents import incident_source
from .presentation import out_texts


class CopyOutSerializer(serializers.Serializer[Any]):
    """``over_since``: the day since when it may not be kept; empty where it may."""

    recipient = serializers.CharField()
    fetched_on = serializers.DateField()
    over_since = serializers.CharField(allow_blank=True)


class StillOutSerializer(serializers.Serializer[Any]):
    """What is out, or was at the conclusion: ``copies`` whose destruction nobody has stated, how many were ``stated``, and since when
    the release was ``public`` and how often its files were ``fetched`` then. ``texts`` say it in words."""

    copies = CopyOutSerializer(many=True)
    stated = serializers.IntegerField()
    public = serializers.BooleanField()
    published_on = serializers.CharField(allow_blank=True)
    # Both are names of other things in a serializer.
    times_fetched = serializers.IntegerField(source="fetched")
    texts = serializers.SerializerMethodField()

    def get_texts(self, found: Any) -> list[str]:
        return out_texts(found)


class LaterAnswerSerializer(serializers.Serializer[Any]):
    yes = serializers.BooleanField()
    words = serializers.CharField(max_length=LONG, allow_blank=True, default="")


class LaterAnswersSerializer(serializers.Serializer[Any]):
    """What no figure shows: each with yes or no, and with words where it is yes."""

    # "data" would be an attribute of every serializer.
    other_data = LaterAnswerSerializer(source=Question.DATA.value)
    techniques = LaterAnswerSerializer()
    surroundings = LaterAnswerSerializer()
    misuse = LaterAnswerSerializer()


class LaterLineSerializer(serializers.Serializer[Any]):
    """A re-assessment of the copies of a release that has ended, as in a list."""

    id = serializers.UUIDField()
    project = serializers.UUIDField(source="project_id")
    release = serializers.UUIDField(source="release_id")
    due_on = serializers.DateField()
    overdue = serializers.BooleanField(source="is_overdue")
    opened_at = serializers.DateTimeField()
    measured_at = serializers.DateTimeField(allow_null=True)
    # Whether every target is met; null while nothing is measured.
    met = serializers.BooleanField(allow_null=True)
    # Empty until it is concluded, by the supervisor or, once no copy is out any more, by itself ("ended").
    outcome = serializers.ChoiceField(choices=LaterOutcome.choices, allow_blank=True)
    reason = serializers.CharField(source="reason_text")
    concluded_at = serializers.DateTimeField(allow_null=True)


class LaterSerializer(LaterLineSerializer):
    """One with what is out, what was measured and what was answered; ``measurable`` says whether the bytes are still held."""

    out = serializers.SerializerMethodField()
    measurable = serializers.SerializerMethodField()
    measurement = serializers.JSONField()
    answers = serializers.SerializerMethodField()
    incident = serializers.SerializerMethodField()

    @extend_schema_field(StillOutSerializer)
    def get_out(self, later: LaterReassessment) -> dict[str, Any]:
        found = later.found or selectors.out_of(later.release).as_json()
        return dict(StillOutSerializer(found).data)

    def get_measurable(self, later: LaterReassessment) -> bool:
        return selectors.can_be_measured(later.release)

    @extend_schema_field(LaterAnswersSerializer(allow_null=True))
    def get_answers(self, later: LaterReassessment) -> dict[str, Any] | None:
        return dict(LaterAnswersSerializer(later.answers).data) if later.answers else None

    def get_incident(self, later: LaterReassessment) -> uuid.UUID | None:
        incident = getattr(later, "incident", None)
        return None if incident is None else incident.pk


class LaterBeginSerializer(serializers.Serializer[Any]):
    release = serializers.UUIDField()


class LaterConcludeSerializer(serializers.Serializer[Any]):
    """``kind`` and ``severity`` are those of the incident, where one is reported."""

    outcome = serializers.ChoiceField(choices=CONCLUSIONS)
    reason = serializers.CharField(max_length=LONG)
    answers = LaterAnswersSerializer()
    kind = serializers.CharField(max_length=20, allow_blank=True, default="")
    severity = serializers.CharField(max_length=20, allow_blank=True, default="")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        source = incident_source()
        for name, choices in (("kind", source.kinds), ("severity", source.severities)):
            if attrs[name] and attrs[name] not in dict(choices):
                message = serializers.ChoiceField.default_error_messages["invalid_choice"]
                raise serializers.ValidationError({name: [message.format(input=attrs[name])]})
        return attrs


class Laters(ProjectAPIView):
    @extend_schema("later_reassessments_list", parameters=PORTION, responses=LaterLineSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """Every re-assessment of copies of releases that have ended, the newest first."""
        return portion(request, selectors.later_of(self.project), LaterLineSerializer)

    @extend_schema(
        "later_reassessments_begin", request=LaterBeginSerializer, responses={201: LaterSerializer}
    )
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """The supervisor opens the next one of a release before its time."""
        rules.may_assess(request.user, self.project).require()
        sent = self.sent(LaterBeginSerializer)
        made = services.later_open(selectors.ended_get(self.project, sent["release"]), by=request.user)
        return Response(LaterSerializer(made).data, status=status.HTTP_201_CREATED)


class LaterDetail(ProjectAPIView):
    @extend_schema("later_reassessments_detail", responses=LaterSerializer)
    def get(self, request: Request, project_id: uuid.UUID, later_id: uuid.UUID) -> Response:
        """One with what is out, what was measured and what was concluded."""
        return Response(LaterSerializer(selectors.later_get(self.project, later_id)).data)


class LaterMeasure(ProjectAPIView):
    @extend_schema("later_reassessments_measure", request=None, responses={202: LaterSerializer})
    def post(self, request: Request, project_id: uuid.UUID, later_id: uuid.UUID) -> Response:
        """Have the released file measured once more, where it is still held."""
        found = selectors.later_get(self.project, later_id)
        services.later_measure_again(found, by=request.user)
        return Response(LaterSerializer(found).data, status=status.HTTP_202_ACCEPTED)


class LaterConclude(ProjectAPIView):
    @extend_schema("later_reassessments_conclude", request=LaterConcludeSerializer, responses=LaterSerializer)
    def post(self, request: Request, project_id: uuid.UUID, later_id: uuid.UUID) -> Response:
        """Conclude: nothing to do, ask the recipients for their copies, or report an incident."""
        found = selectors.later_get(self.project, later_id)
        rules.may_conclude(request.user, found).require()
        made = services.later_conclude(found, **self.sent(LaterConcludeSerializer), by=request.user)
        return Response(LaterSerializer(made).data)


class LaterBoard(APIView):
    @extend_schema("monitoring_board_later", parameters=PORTION, responses=LaterLineSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Those not concluded in every project that the caller may see, the most urgent first."""
        return portion(request, selectors.later_board(request.user), LaterLineSerializer)
