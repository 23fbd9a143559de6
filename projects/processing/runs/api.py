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
from ..enums import RunEngine, RunStatus
from ..models import Run
from .designation.presentation import DesignationSerializer, designation_data
from .pages import job_of
from .selectors import latest_run, run_get, runs_of, tables_of_run
from .services import run_start


class RunStartSerializer(serializers.Serializer[Any]):
    """Where the run is to take place."""

    engine = serializers.ChoiceField(
        choices=RunEngine.choices,
        default=RunEngine.LOCAL,
        help_text="spark: on the cluster, where the deployment names one and every step of the recipe can be done there.",
    )


class RunErrorSerializer(serializers.Serializer[Any]):
    """Why a run failed, and its remedy."""

    code = serializers.CharField()
    reason = serializers.CharField()
    mend = serializers.CharField()


class RunTableSerializer(serializers.Serializer[Any]):
    """A table of a run."""

    name = serializers.CharField()
    dataset = serializers.UUIDField(source="dataset_id")
    dataset_sha256 = serializers.CharField(source="dataset.sha256")
    result_sha256 = serializers.CharField()
    result_rows = serializers.IntegerField(allow_null=True)
    report = serializers.JSONField()


class RunSerializer(serializers.Serializer[Any]):
    """A run; the figures of its first table stand beside its own."""

    id = serializers.UUIDField(source="run.id")
    number = serializers.IntegerField(source="run.number")
    status = serializers.ChoiceField(choices=RunStatus.choices, source="run.status")
    recipe = serializers.IntegerField(source="run.recipe_version.number")
    recipe_hash = serializers.CharField(source="run.recipe_version.content_hash")
    dataset = serializers.UUIDField(source="first.dataset_id")
    dataset_sha256 = serializers.CharField(source="first.dataset.sha256")
    engine = serializers.ChoiceField(choices=RunEngine.choices, source="run.engine")
    cluster = serializers.CharField(
        source="run.cluster", help_text="Name of the cluster; empty for this server."
    )
    job = serializers.UUIDField(source="run.job_id", allow_null=True)
    result_sha256 = serializers.CharField(source="first.result_sha256")
    result_rows = serializers.IntegerField(source="first.result_rows", allow_null=True)
    started_by = serializers.CharField(source="run.started_by.full_name")
    started_at = serializers.DateTimeField(source="run.started_at")
    finished_at = serializers.DateTimeField(source="run.finished_at", allow_null=True)

    def to_representation(self, run: Run) -> dict[str, Any]:
        """Of several tables with ``tables``, what became of each further one, and ``joins``, counts of the links."""
        first, *others = tables_of_run(run).values()
        content = super().to_representation({"run": run, "first": first})
        more = {"tables": RunTableSerializer(others, many=True).data, "joins": run.joins}
        return content | (more if others else {})


class RunDetailSerializer(RunSerializer):
    """A run with its report (counts, levels, versions; never a value) and, if it failed, the reason.

    ``is_result``: it is the one that verification judges (newest of the current recipe and data).
    """

    is_result = serializers.SerializerMethodField()
    report = serializers.JSONField(source="first.report")
    designation = serializers.SerializerMethodField()
    error = serializers.SerializerMethodField()

    def get_is_result(self, shown: dict[str, Any]) -> bool:
        return bool(latest_run(shown["run"].project) == shown["run"])

    @extend_schema_field(DesignationSerializer(allow_null=True))
    def get_designation(self, shown: dict[str, Any]) -> dict[str, Any] | None:
        return designation_data(shown["run"])

    @extend_schema_field(RunErrorSerializer(allow_null=True))
    def get_error(self, shown: dict[str, Any]) -> dict[str, str] | None:
        run = shown["run"]
        job = job_of(run)
        if job is None or run.status != RunStatus.FAILED:
            return None
        return {"code": job.error_code, "reason": job.error_text, "mend": wording.run_remedy(job.error_code)}


class Runs(ProjectAPIView):
    @extend_schema("processing_runs", responses=RunSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """Every run, the newest first."""
        return Response(RunSerializer(runs_of(self.project), many=True).data)

    @extend_schema("processing_run_start", request=RunStartSerializer, responses={202: RunDetailSerializer})
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """Run the current recipe on the current data set, as a job."""
        run, _job = run_start(self.project, by=request.user, **self.sent(RunStartSerializer))
        return Response(RunDetailSerializer(run).data, status=status.HTTP_202_ACCEPTED)


class RunDetail(ProjectAPIView):
    @extend_schema("processing_run", responses=RunDetailSerializer)
    def get(self, request: Request, project_id: uuid.UUID, run_id: uuid.UUID) -> Response:
        """One run with its report."""
        run = run_get(self.project, run_id)
        return Response(RunDetailSerializer(run).data)
