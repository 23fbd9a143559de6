"""The relatives of a result for programs: the same rows and sentences as on the page."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.status import HTTP_202_ACCEPTED

from projects.core.api import ProjectAPIView

from ..models import RelativesMeasurement
from .presentation import overview
from .rules import may_measure
from .selectors import relatives_of, run_shown
from .services import measurement_start


class RelativeSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(allow_null=True, help_text="None where you may not see its project.")
    name = serializers.CharField()
    why = serializers.CharField()
    released_at = serializers.DateTimeField()
    is_in_force = serializers.BooleanField()


class OutsideKinSerializer(serializers.Serializer[Any]):
    """A release made outside the portal: what it reveals together with the result could not be measured, for the portal does not have
    its file."""

    id = serializers.UUIDField(allow_null=True, help_text="None where you may not read the entry.")
    mark = serializers.CharField()
    name = serializers.CharField()
    why = serializers.CharField()
    columns = serializers.ListField(
        child=serializers.CharField(), help_text="Those of the same names, as the project calls them."
    )
    released_on = serializers.DateField()


class CombinationSerializer(serializers.Serializer[Any]):
    """What the result tells together with ``releases``; in words that are true of what was measured."""

    kind = serializers.ChoiceField(choices=["composition", "versions", "keyed", "linked"])
    basis = serializers.CharField(help_text="The clauses of annex D.")
    k = serializers.IntegerField(help_text="How many persons have to be left to count as enough.")
    table = serializers.CharField(allow_blank=True)
    releases = serializers.ListField(
        child=serializers.UUIDField(), help_text="Those whose projects you may see."
    )
    names = serializers.ListField(child=serializers.CharField(), help_text="Of all of them.")
    holders = serializers.ListField(
        child=serializers.CharField(), help_text="Recipients of the project who hold all of them."
    )
    is_measured = serializers.BooleanField()
    is_risky = serializers.BooleanField()
    sentences = serializers.ListField(child=serializers.CharField())


class MeasurementSerializer(serializers.ModelSerializer[RelativesMeasurement]):
    requested_by = serializers.CharField(source="requested_by.username")

    class Meta:
        model = RelativesMeasurement
        fields = (
            "id",
            "number",
            "k",
            "content_hash",
            "requested_by",
            "requested_at",
            "measured_at",
            "ended_at",
            "job_id",
        )
        read_only_fields = fields


class RelativesSerializer(serializers.Serializer[Any]):
    relatives = RelativeSerializer(many=True)
    outside = OutsideKinSerializer(many=True, help_text="None of these can be measured.")
    measurement = MeasurementSerializer(
        allow_null=True, help_text="None where it was not measured with exactly these."
    )
    findings = CombinationSerializer(many=True, help_text="The worst first.")


class RelativesView(ProjectAPIView):
    """Releases that tell of the same persons as the project's result, and what they tell together."""

    @extend_schema("releases_relatives", responses=RelativesSerializer)
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """Who sees the project."""
        return Response(RelativesSerializer(overview(self.project, request.user)).data)

    @extend_schema("releases_relatives_measure", request=None, responses={202: MeasurementSerializer})
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """The planning manager, the executor or the supervisor: measure, as a job."""
        run = run_shown(self.project)
        may_measure(request.user, self.project, run, relatives_of(run)).require()
        made, _job = measurement_start(self.project, by=request.user)
        return Response(MeasurementSerializer(made).data, status=HTTP_202_ACCEPTED)
