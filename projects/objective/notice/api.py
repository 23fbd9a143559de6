"""The privacy notice for programs: the same services, rules and reasons as the page."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpRequest
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from approvals.api import OpenedOnRecord
from approvals.governance.person import Person
from projects.core.rules import may_see_inside
from projects.core.selectors import project_get
from projects.datasets.upload.receiving import ReceivingView
from projects.datasets.upload.uploading import FIELD, Upload

from ..api import ObjectiveAPIView
from ..models import PrivacyNotice
from ..rules import may_edit_after_sharing
from ..selectors import objective_of
from . import services
from .files import notice_receiving
from .views import notice_response


class PrivacyNoticeSerializer(serializers.ModelSerializer[PrivacyNotice]):
    """A file; ``in_force`` for the one that the target and the plan name now."""

    kept_by = serializers.CharField(source="kept_by.full_name")
    in_force = serializers.SerializerMethodField()

    class Meta:
        model = PrivacyNotice
        fields = ("id", "name", "kind", "size", "sha256", "kept_by", "kept_at", "in_force")
        read_only_fields = fields

    def get_in_force(self, notice: PrivacyNotice) -> bool:
        objective = objective_of(notice.project)
        return objective is not None and objective.notice_id == notice.pk


class NoticeUploadSerializer(serializers.Serializer[Any]):
    file = serializers.FileField()


class PrivacyNotices(ReceivingView, ObjectiveAPIView):
    """The privacy notice or consent text that the persons in the data were given."""

    parser_classes = (MultiPartParser,)

    def receiving(self, request: HttpRequest) -> Upload:
        return notice_receiving(request)

    def admit(self, user: Person, **arguments: Any) -> None:
        project = project_get(user, arguments["project_id"])
        may_see_inside(user, project).require()
        may_edit_after_sharing(user, project).require()

    @extend_schema("objective_notice_list", responses=PrivacyNoticeSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """Who sees the project: the notice on file, and earlier ones that a submitted plan names, newest first."""
        found = services.notices_of(self.project)
        return Response(PrivacyNoticeSerializer(found, many=True).data)

    @extend_schema(
        "objective_notice_keep",
        request={"multipart/form-data": NoticeUploadSerializer},
        responses={201: PrivacyNoticeSerializer},
    )
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """The planning manager while the target is being determined: put a file on file, in place of the earlier."""
        assert self.upload is not None
        stored, name = self.upload.taken(request.FILES.get(FIELD))
        made = services.notice_keep(self.project, stored=stored, name=name, by=request.user)
        return Response(PrivacyNoticeSerializer(made).data, status=status.HTTP_201_CREATED)

    @extend_schema("objective_notice_remove", responses={204: None})
    def delete(self, request: Request, project_id: uuid.UUID) -> Response:
        """The planning manager while the target is being determined: the target names no notice any more."""
        services.notice_remove(self.project, by=request.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class PrivacyNoticeFile(OpenedOnRecord, ObjectiveAPIView):
    @extend_schema(
        "objective_notice_file", responses={(200, "application/octet-stream"): OpenApiTypes.BINARY}
    )
    def get(self, request: Request, project_id: uuid.UUID, notice_id: uuid.UUID) -> Any:
        """Who sees the project: the file itself; opening it is recorded."""
        return notice_response(services.notice_get(self.project, notice_id), by=request.user)
