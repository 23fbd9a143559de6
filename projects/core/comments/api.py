"""Comments for programs: the same rule and the same service as the page."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from ..api import ProjectAPIView
from ..enums import Thread
from .forms import LONGEST
from .selectors import threads_of
from .services import comment_write


class CommentSerializer(serializers.Serializer[Any]):
    """``mentioned`` are the keys of the accounts that the text calls."""

    id = serializers.UUIDField(read_only=True)
    thread = serializers.ChoiceField(choices=Thread.choices)
    text = serializers.CharField(max_length=LONGEST)
    mentioned = serializers.ListField(child=serializers.IntegerField(), read_only=True)
    written_by = serializers.CharField(read_only=True)
    written_at = serializers.DateTimeField(read_only=True)


class CommentListView(ProjectAPIView):
    """Who may see the project: what was said about its steps; who works in it writes."""

    @extend_schema("projects_comments", responses=CommentSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        said = [comment for thread in threads_of(self.project).values() for comment in thread]
        return Response(CommentSerializer(said, many=True).data)

    @extend_schema("projects_comment", request=CommentSerializer, responses={201: CommentSerializer})
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        made = comment_write(self.project, **self.sent(CommentSerializer), by=request.user)
        return Response(CommentSerializer(made).data, status=status.HTTP_201_CREATED)
