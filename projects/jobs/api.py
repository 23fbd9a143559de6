"""API of jobs."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from projects.core.selectors import project_get

from .models import Job, JobItem
from .selectors import job_get, jobs_of, visible_jobs
from .services import job_cancel

PROJECT = OpenApiParameter("project", OpenApiTypes.UUID, description="Only the jobs of this project.")


class JobErrorSerializer(serializers.Serializer[Any]):
    """Why a job failed."""

    code = serializers.CharField()
    reason = serializers.CharField()


class JobItemSerializer(serializers.ModelSerializer[JobItem]):
    title = serializers.CharField(source="title_text", read_only=True)

    class Meta:
        model = JobItem
        fields = ("key", "title", "weight", "status", "attempts", "output_hash", "started_at", "finished_at")


class JobSerializer(serializers.ModelSerializer[Job]):
    title = serializers.CharField(source="title_text", read_only=True)
    requested_by = serializers.CharField(source="requested_by.username", read_only=True)
    error = serializers.SerializerMethodField()

    class Meta:
        model = Job
        fields = (
            "id", "kind", "project", "subject_kind", "subject_id", "title", "status", "share",
            "estimate_seconds", "cancel_requested", "attempts", "requested_by", "created_at", "started_at",
            "finished_at", "error",
        )  # fmt: skip

    @extend_schema_field(JobErrorSerializer(allow_null=True))
    def get_error(self, job: Job) -> dict[str, Any] | None:
        """Code and reason in the reader's language; null unless the job failed."""
        return {"code": job.error_code, "reason": job.error_text} if job.error_code else None


class JobDetailSerializer(JobSerializer):
    items = JobItemSerializer(many=True, read_only=True)

    class Meta(JobSerializer.Meta):
        fields = (*JobSerializer.Meta.fields, "items")  # type: ignore[assignment]


class JobList(generics.ListAPIView[Job]):
    """Jobs that the caller may see, youngest first; ``?project=`` narrows to one project."""

    serializer_class = JobSerializer
    queryset = Job.objects.none()

    @extend_schema(parameters=[PROJECT])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> Any:
        project = self.request.query_params.get("project")
        if project is None:
            return visible_jobs(self.request.user)
        try:
            key = uuid.UUID(project)
        except ValueError:
            raise serializers.ValidationError({"project": "not a UUID"}) from None
        return jobs_of(project_get(self.request.user, key))


class JobDetail(APIView):
    """One job with its items."""

    @extend_schema(responses=JobDetailSerializer)
    def get(self, request: Request, job_id: uuid.UUID) -> Response:
        return Response(JobDetailSerializer(job_get(request.user, job_id)).data)


class JobCancel(APIView):
    """Ask for a job to stop; the answer may still say "running" with ``cancel_requested``."""

    @extend_schema(request=None, responses=JobSerializer)
    def post(self, request: Request, job_id: uuid.UUID) -> Response:
        job = job_cancel(job_get(request.user, job_id), by=request.user)
        return Response(JobSerializer(job).data)
