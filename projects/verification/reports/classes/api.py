"""The sizes of the classes of a result for programs: the same rule and sentences as the page. Values are shown on the page alone."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from projects.core.numbers import whole_number
from projects.datasets.tables.api import TABLE, TableAPIView

from ...rules import may_see_values
from ...selectors import measured_with_classes
from .presentation import sentences
from .rules import are_there
from .selectors import ClassesPage, classes_page


class ListedClassSerializer(serializers.Serializer[Any]):
    """``size`` in persons where those are counted, else in rows."""

    place = serializers.IntegerField()
    size = serializers.IntegerField()
    rows = serializers.IntegerField()
    is_below = serializers.BooleanField(help_text="Smaller than the k that the target asks for.")


class ClassesSerializer(serializers.Serializer[Any]):
    """A page of the classes of the newest whole measurement by ``columns``, the smallest first, without their values. ``listed`` of ``total`` are kept, ``below`` of those are
    smaller than ``k``. Where nothing was listed of the table, ``classes`` is empty, ``k`` null and ``said`` says why."""

    verification = serializers.UUIDField(allow_null=True)
    said = serializers.ListField(child=serializers.CharField())
    columns = serializers.ListField(child=serializers.CharField(), default=[])
    persons = serializers.BooleanField(default=False)
    k = serializers.IntegerField(allow_null=True, default=None)
    total = serializers.IntegerField(default=0)
    listed = serializers.IntegerField(default=0)
    below = serializers.IntegerField(default=0)
    page = serializers.IntegerField(source="number", default=1)
    pages = serializers.IntegerField(default=1)
    classes = ListedClassSerializer(source="rows", many=True, default=[])


class Classes(TableAPIView):
    inside = True

    @extend_schema(
        "verification_classes",
        parameters=[TABLE, OpenApiParameter("page", OpenApiTypes.INT, description="From 1, of 50 classes")],
        responses=ClassesSerializer,
    )
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """The supervisor and auditors: one page of the sizes of the classes of a table. Their values are on the page alone."""
        may_see_values(request.user, self.project).require()
        table, verification = self.table, measured_with_classes(self.project)
        listed = are_there(verification)
        data: dict[str, Any] = {"verification": verification and verification.pk, "said": [listed.text]}
        if verification is not None and listed:
            number = whole_number(request.query_params.get("page", "1"))
            page = classes_page(verification, table, max(1, number))
            data["said"] = sentences(verification, page)
            data |= vars(page) if isinstance(page, ClassesPage) else {}
        return Response(ClassesSerializer(data).data)
