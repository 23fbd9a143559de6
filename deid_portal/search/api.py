"""The search for programs: the same groups, words and limits as the page."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals.api import given

from .enums import Group
from .forms import LONGEST
from .presentation import search


class SearchQuerySerializer(serializers.Serializer[Any]):
    query = serializers.CharField(max_length=LONGEST)


class SearchHitSerializer(serializers.Serializer[Any]):
    """``url`` is the path of the page that shows it; ``project`` is null where it belongs to none."""

    text = serializers.CharField()
    detail = serializers.CharField(allow_blank=True)
    url = serializers.CharField()
    project = serializers.UUIDField(allow_null=True)


class SearchGroupSerializer(serializers.Serializer[Any]):
    """At most ten hits; ``more``: there are others."""

    group = serializers.ChoiceField(choices=Group.choices)
    hits = SearchHitSerializer(many=True)
    more = serializers.BooleanField()


class SearchView(APIView):
    """Every signed-in person: what they may see of what they search for.

    It reads, but what is searched for may be a person's name, which belongs in no address.
    """

    @extend_schema("search", request=SearchQuerySerializer, responses={200: SearchGroupSerializer(many=True)})
    def post(self, request: Request) -> Response:
        query = given(SearchQuerySerializer(data=request.data))["query"]
        return Response(SearchGroupSerializer(search(request.user, query), many=True).data)
