"""Whose rows a table holds, for programs: the same services, rules and reasons as the page."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from projects.core.api import ProjectAPIView
from projects.datasets.tables.selectors import table_of

from .. import selectors
from ..models import IdentificationRound
from . import services
from .presentation import decision_text
from .rules import is_settled
from .selectors import candidates_of

TABLE = OpenApiParameter(
    "table", OpenApiTypes.UUID, description="One of several tables; without it the first"
)


class SubjectCandidateSerializer(serializers.Serializer[Any]):
    """A key by which rows could be of one person. ``counted`` null: nobody has counted by it."""

    columns = serializers.ListField(child=serializers.CharField())
    found = serializers.BooleanField(help_text="The scan found that it looks like a key of persons")
    link = serializers.CharField(help_text="The declared link that says so")
    counted = serializers.JSONField(source="counted.as_json", allow_null=True, default=None)


class PersonKeySerializer(serializers.Serializer[Any]):
    """What was decided: the columns of the key, none where one row is one person."""

    columns = serializers.ListField(child=serializers.CharField())
    counted = serializers.JSONField()
    reason = serializers.CharField()
    decided_by = serializers.CharField(source="decided_by.full_name")
    decided_at = serializers.DateTimeField()


class PersonsSerializer(serializers.Serializer[Any]):
    """The decision, null where nobody said, and what there is to choose; ``asked`` is the question, empty once settled."""

    round = serializers.UUIDField(allow_null=True)
    decision = PersonKeySerializer(allow_null=True)
    text = serializers.CharField()
    asked = serializers.CharField()
    candidates = SubjectCandidateSerializer(many=True)


class PersonKeyWriteSerializer(serializers.Serializer[Any]):
    """``columns``: the key of a person, empty where one row is one person; ``round``: the scan in whose light it is said."""

    round = serializers.UUIDField()
    columns = serializers.ListField(child=serializers.CharField(max_length=512), max_length=20)
    reason = serializers.CharField(max_length=2000)


class CountSerializer(serializers.Serializer[Any]):
    """The columns of a key to count by."""

    round = serializers.UUIDField()
    columns = serializers.ListField(child=serializers.CharField(max_length=512), max_length=20)


class Persons(ProjectAPIView):
    @extend_schema("identification_persons", responses=PersonsSerializer, parameters=[TABLE])
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """Whose rows a table holds, and the keys that there are to choose from with their counts."""
        table = table_of(self.project, request.query_params.get("table"))
        return Response(_state(selectors.round_now(table)))

    @extend_schema(
        "identification_persons_decide", request=PersonKeyWriteSerializer, responses=PersonsSerializer
    )
    def put(self, request: Request, project_id: uuid.UUID) -> Response:
        """Say whose rows they are."""
        values = self.sent(PersonKeyWriteSerializer)
        round_ = selectors.round_get(self.project, values["round"])
        services.person_key_decide(round_, values["columns"], reason=values["reason"], by=request.user)
        return Response(_state(round_))

    @extend_schema(
        "identification_persons_count", request=CountSerializer, responses={202: PersonsSerializer}
    )
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """Have the rows of each person counted by a further key, as a job."""
        values = self.sent(CountSerializer)
        round_ = selectors.round_get(self.project, values["round"])
        services.count_start(round_, values["columns"], by=request.user)
        return Response(_state(round_), status=status.HTTP_202_ACCEPTED)


def _state(round_: IdentificationRound | None) -> dict[str, Any]:
    if round_ is None:
        empty: dict[str, Any] = {"round": None, "decision": None, "text": "", "asked": "", "candidates": []}
        return dict(PersonsSerializer(empty).data)
    key = selectors.person_key_in(round_)
    content = {
        "round": round_.pk,
        "decision": key,
        "text": decision_text(round_, key),
        "asked": is_settled(round_, key).text,
        "candidates": candidates_of(round_),
    }
    return dict(PersonsSerializer(content).data)
