"""The scenes of use for programs."""

from __future__ import annotations

import uuid
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from projects.datasets.tables.api import TABLE, TableAPIView
from techniques.recipe.scenes import SCENES

from .recipes import scene_lines, scene_recipe


class SceneColumnSerializer(serializers.Serializer[Any]):
    """What a scene does with one column; texts in the caller's language."""

    column = serializers.CharField()
    role = serializers.CharField()
    technique = serializers.CharField()
    technique_name = serializers.CharField(source="name")
    keeps = serializers.CharField()
    lost = serializers.ListField(child=serializers.CharField())


class SceneSerializer(serializers.Serializer[Any]):
    """A scene of T/ISC 0078 Annex B with its preset for this project's verdicts."""

    scene = serializers.CharField()
    name = serializers.CharField()
    clause = serializers.CharField()
    aim = serializers.CharField()
    way = serializers.CharField()
    limit = serializers.CharField(
        allow_blank=True,
        help_text="What its result cannot be used for; empty where the gate passes it as it is.",
    )
    columns = SceneColumnSerializer(many=True)
    content = serializers.JSONField(help_text="The content of a recipe; empty while verdicts are missing.")


class Scenes(TableAPIView):
    @extend_schema("processing_scenes", responses=SceneSerializer(many=True), parameters=[TABLE])
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """Every scene of use with a whole recipe to start from; save one with its ``scene``."""
        found = [
            {
                "scene": scene.value,
                "name": _(text.name),
                "clause": text.clause,
                "aim": _(text.aim),
                "way": _(text.way),
                "limit": _(text.limit) if text.limit else "",
                "columns": scene_lines(self.table, scene),
                "content": scene_recipe(self.table, scene),
            }
            for scene, text in SCENES.items()
        ]
        return Response(SceneSerializer(found, many=True).data)
