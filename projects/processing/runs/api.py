"""Runs for programs: the same services, rules and reasons as the pages."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from projects.core.api import ProjectAPIView

from .. import wording
from ..enums import RunStatus
from ..models import Run
from .pages import job_of
from .selectors import further_of, latest_run, run_get, runs_of
from .services import run_start


class RunErrorSerializer(serializers.Serializer[Any]):
    """Why a run failed, and its remedy."""

    code = serializers.CharField()
    reason = serializers.CharField()
    mend = serializers.CharField()


class RunTableSerializer(serializers.Serializer[Any]):
    """A further table of a run."""

    name = serializers.CharField()
    dataset = serializers.UUIDField(source="dataset_id")
    dataset_sha256 = serializers.CharField(source="dataset.sha256")
    result_sha256 = serializers.CharField()
    result_rows = serializers.IntegerField(allow_null=True)
    report = serializers.JSONField()


class RunSerializer(serializers.Serializer[Any]):
    """A run. ``is_result``: the one that verification judges (newest of the current recipe and data set)."""

    id = serializers.UUIDField()
    number = serializers.IntegerField()
    status = serializers.ChoiceField(choices=RunStatus.choices)
    recipe = serializers.IntegerField(source="recipe_version.number")
    recipe_hash = serializers.CharField(source="recipe_version.content_hash")
    dataset = serializers.UUIDField(source="dataset_id")
    dataset_sha256 = serializers.CharField(source="dataset.sha256")
    job = serializers.UUIDField(source="job_id", allow_null=True)
    result_sha256 = serializers.CharField()
    result_rows = serializers.IntegerField(allow_null=True)
    started_by = serializers.CharField(source="started_by.full_name")
    started_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)

    def to_representation(self, run: Run) -> dict[str, Any]:
        """With several tables the answer has ``tables``, the result of each further one, and ``joins``, counts of the links."""
        content = super().to_representation(run)
        further = further_of(run)
        if further:
            content["tables"] = RunTableSerializer(further, many=True).data
            content["joins"] = run.joins
        return content


class RunDetailSerializer(RunSerializer):
    """A run with its report (counts, levels, versions; never a value) and, if it failed, the reason."""

    is_result = serializers.SerializerMethodField()
    report = serializers.JSONField()
    error = serializers.SerializerMethodField()

    def get_is_result(self, run: Run) -> bool:
        return latest_run(run.project) == run

    @extend_schema_field(RunErrorSerializer(allow_null=True))
    def get_error(self, run: Run) -> dict[str, str] | None:
        job = job_of(run)
        if job is None or run.status != RunStatus.FAILED:
            return None
        return {"code": job.error_code, "reason": job.error_text, "mend": wording.run_remedy(job.error_code)}


class Runs(ProjectAPIView):
    @extend_schema(operation_id="processing_runs", responses=RunSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """Every run, the newest first."""
        return Response(RunSerializer(runs_of(self.project(request, project_id)), many=True).data)

    @extend_schema(operation_id="processing_run_start", request=None, responses={202: RunDetailSerializer})
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """Run the current recipe on the current data set, as a job."""
        run, _job = run_start(self.project(request, project_id), by=request.user)
        return Response(RunDetailSerializer(run).data, status=status.HTTP_202_ACCEPTED)


class RunDetail(ProjectAPIView):
    @extend_schema(operation_id="processing_run", responses=RunDetailSerializer)
    def get(self, request: Request, project_id: uuid.UUID, run_id: uuid.UUID) -> Response:
        """One run with its report."""
        run = run_get(self.project(request, project_id), run_id)
        return Response(RunDetailSerializer(run).data)
