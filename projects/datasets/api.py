"""API of data sets: the same upload, the same rules, the same masking as the pages."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from approvals.governance.person import Person
from projects.core.api import ProjectAPIView
from projects.core.models import Project
from projects.core.selectors import project_get
from projects.jobs.selectors import jobs_about

from . import rules
from .enums import CHECK, DETECT
from .models import Dataset, Table
from .samples import RAW_ROWS, Sample, preview_of
from .selectors import dataset_get, datasets_of
from .services import dataset_confirm, dataset_look_raw, dataset_upload
from .tables.api import TABLE
from .tables.selectors import table_of
from .upload.receiving import ReceivingView
from .upload.uploading import FIELD

POPULATION = OpenApiParameter("population", bool, description="The file is the table's population table.")


class RefusalSerializer(serializers.Serializer[Any]):
    """Why a file was refused or cannot be read."""

    code = serializers.CharField()
    reason = serializers.CharField()


class DatasetSerializer(serializers.ModelSerializer[Dataset]):
    uploaded_by = serializers.CharField(source="uploaded_by.username", read_only=True)
    format = serializers.JSONField(read_only=True)
    columns = serializers.ListField(child=serializers.CharField(), read_only=True)
    profile = serializers.JSONField(read_only=True)
    refused = serializers.SerializerMethodField()
    preview_problem = serializers.SerializerMethodField()
    job = serializers.SerializerMethodField()

    class Meta:
        model = Dataset
        fields = (
            "id", "name", "status", "size", "sha256", "format", "rows", "columns", "profile", "refused",
            "preview_problem", "uploaded_by", "uploaded_at", "replaces", "job",
        )  # fmt: skip

    def to_representation(self, dataset: Dataset) -> dict[str, Any]:
        """The answer about a further table has its id too, as ``table``, that about a population table ``population``."""
        content = super().to_representation(dataset)
        content |= {} if dataset.table.is_first else {"table": str(dataset.table_id)}
        return content | ({"population": True} if dataset.population else {})

    @extend_schema_field(RefusalSerializer(allow_null=True))
    def get_refused(self, dataset: Dataset) -> dict[str, str] | None:
        if not dataset.refused_code:
            return None
        return {"code": dataset.refused_code, "reason": dataset.refused_text}

    @extend_schema_field(RefusalSerializer(allow_null=True))
    def get_preview_problem(self, dataset: Dataset) -> dict[str, str] | None:
        if not dataset.preview_problem:
            return None
        return {"code": dataset.preview_problem["code"], "reason": dataset.preview_problem_text}

    @extend_schema_field(OpenApiTypes.UUID)
    def get_job(self, dataset: Dataset) -> str | None:
        """The job that works on this data set, or did last."""
        job = jobs_about(dataset.project, (CHECK, DETECT)).get(str(dataset.pk))
        return None if job is None else str(job)


class UploadSerializer(serializers.Serializer[Any]):
    file = serializers.FileField()


class ConfirmSerializer(serializers.Serializer[Any]):
    """``format`` may be left out to confirm the detected one."""

    format = serializers.JSONField(required=False)


class ReasonSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=500)


class SampleSerializer(serializers.Serializer[Any]):
    columns = serializers.ListField(child=serializers.CharField())
    rows = serializers.ListField(child=serializers.ListField(child=serializers.CharField(allow_null=True)))


def _shown(sample: Sample | None) -> Response:
    sample = sample or Sample([], [])
    return Response({"columns": sample.columns, "rows": sample.rows})


class DatasetList(ReceivingView, ProjectAPIView):
    """Every file that was uploaded to the project, youngest first; upload one."""

    parser_classes = (MultiPartParser,)

    def admit(self, user: Person, **arguments: Any) -> None:
        project = project_get(user, arguments["project_id"])
        rules.may_upload(user, self._table(project), population=self._population).require()

    @property
    def _population(self) -> bool:
        """Whether the address speaks of the table's population table."""
        return "population" in self.request.GET

    def _table(self, project: Project) -> Table:
        """The table that the address names; the first where it names none."""
        return table_of(project, self.request.GET.get("table"))

    @extend_schema("dataset_list", responses=DatasetSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        return Response(DatasetSerializer(datasets_of(self.project), many=True).data)

    @extend_schema(
        request={"multipart/form-data": UploadSerializer},
        responses={201: DatasetSerializer},
        parameters=[TABLE, POPULATION],
    )
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        assert self.upload is not None
        stored, name = self.upload.taken(request.FILES.get(FIELD))
        dataset = dataset_upload(
            self._table(self.project),
            content=stored,
            name=name,
            by=request.user,
            population=self._population,
        )
        return Response(DatasetSerializer(dataset).data, status=status.HTTP_201_CREATED)


class DatasetDetail(ProjectAPIView):
    """One data set: format, state, profile, why it was refused."""

    @extend_schema("dataset_detail", responses=DatasetSerializer)
    def get(self, request: Request, project_id: uuid.UUID, dataset_id: uuid.UUID) -> Response:
        return Response(DatasetSerializer(dataset_get(self.project, dataset_id)).data)


class DatasetPreview(ProjectAPIView):
    """The first rows, every value masked."""

    @extend_schema(responses=SampleSerializer)
    def get(self, request: Request, project_id: uuid.UUID, dataset_id: uuid.UUID) -> Response:
        dataset = dataset_get(self.project, dataset_id)
        rules.may_preview(dataset).require()
        return _shown(preview_of(dataset))


class DatasetConfirm(ProjectAPIView):
    """Confirm or correct the format; starts the check of every row."""

    @extend_schema(request=ConfirmSerializer, responses=DatasetSerializer)
    def post(self, request: Request, project_id: uuid.UUID, dataset_id: uuid.UUID) -> Response:
        dataset = dataset_get(self.project, dataset_id)
        rules.may_confirm(request.user, dataset).require()
        given = self.sent(ConfirmSerializer)
        chosen = given.get("format")
        if chosen is not None and not isinstance(chosen, dict):
            raise serializers.ValidationError({"format": "not an object"})
        dataset = dataset_confirm(dataset, chosen=chosen, by=request.user)
        return Response(DatasetSerializer(dataset).data)


class DatasetRawLook(ProjectAPIView):
    __doc__ = f"At most {RAW_ROWS} rows unmasked; needs a reason and leaves an audit event."

    @extend_schema(request=ReasonSerializer, responses=SampleSerializer)
    def post(self, request: Request, project_id: uuid.UUID, dataset_id: uuid.UUID) -> Response:
        dataset = dataset_get(self.project, dataset_id)
        rules.may_look_raw(request.user, dataset).require()
        given = self.sent(ReasonSerializer)
        return _shown(dataset_look_raw(dataset, reason=given["reason"], by=request.user))
