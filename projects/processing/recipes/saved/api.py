"""Saved recipes for programs."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from approvals.api import PORTION, portion
from projects.core.saved.api import SavedContentSerializer
from projects.datasets.tables.api import TABLE, TableAPIView

from ... import rules
from ...models import SavedRecipe
from . import services


class SavedRecipeSerializer(SavedContentSerializer):
    """A recipe under a name; its content holds choices, numbers and names of columns, and no other text."""

    class Meta(SavedContentSerializer.Meta):
        model = SavedRecipe


class SavedRecipeChoiceSerializer(serializers.Serializer[Any]):
    """Which saved recipe."""

    saved = serializers.CharField(max_length=36)


class FittedRecipeSerializer(serializers.Serializer[Any]):
    """A saved recipe upon the columns of a table: the content to start from, and sentences about what did not fit."""

    content = serializers.JSONField()
    left = serializers.ListField(child=serializers.CharField())


class SavedRecipes(TableAPIView):
    @extend_schema("processing_saved_list", parameters=PORTION, responses=SavedRecipeSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """The executor, while the data is processed: one's own saved recipes and those for everybody who writes recipes."""
        rules.may_edit_recipe(request.user, self.project).require()
        return portion(request, services.SAVED_RECIPES.available(request.user), SavedRecipeSerializer)

    @extend_schema(
        "processing_saved_create",
        request=SavedRecipeSerializer,
        responses={201: SavedRecipeSerializer},
        parameters=[TABLE],
    )
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """Keep what the current recipe does with a table under a name: choices, numbers and names of columns, no other text."""
        services.may_save(request.user, self.table).require()
        said = self.sent(SavedRecipeSerializer)
        made = services.saved_create(
            self.table,
            name=said["name"],
            of_organisation=said.get("of_organisation", False),
            by=request.user,
        )
        return Response(SavedRecipeSerializer(made).data, status=status.HTTP_201_CREATED)


class FittedRecipe(TableAPIView):
    @extend_schema(
        "processing_saved_fit",
        request=SavedRecipeChoiceSerializer,
        responses=FittedRecipeSerializer,
        parameters=[TABLE],
    )
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """What a saved recipe becomes upon the columns of a table, and what did not fit; nothing is saved by it."""
        rules.may_edit_recipe(request.user, self.project).require()
        chosen = services.saved_get(self.sent(SavedRecipeChoiceSerializer)["saved"], request.user)
        found = services.saved_fit(chosen, self.table, by=request.user)
        return Response(FittedRecipeSerializer({"content": found.content, "left": found.left}).data)
