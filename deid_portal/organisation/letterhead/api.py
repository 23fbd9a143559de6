"""API of the letterhead: which versions there are. It is set on the page."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ..models import LetterheadVersion
from ..rules import may_read_organisation
from .versions import versions


class LetterheadSerializer(serializers.ModelSerializer[LetterheadVersion]):
    made_by = serializers.CharField(source="made_by.username")

    class Meta:
        model = LetterheadVersion
        fields = ("number", "name", "name_en", "mark", "logo_type", "made_by", "made_at")
        read_only_fields = fields


class LetterheadList(APIView):
    """Every version of the letterhead, the newest first, which holds."""

    @extend_schema("organisation_letterhead", responses=LetterheadSerializer(many=True))
    def get(self, request: Request) -> Response:
        may_read_organisation(request.user).require()
        return Response(LetterheadSerializer(versions(), many=True).data)
