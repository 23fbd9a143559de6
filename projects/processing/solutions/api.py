"""The solutions behind a recipe's model for programs."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from projects.core.api import ProjectAPIView
from projects.datasets.tables.api import TABLE, TableAPIView

from ..models import Exploration
from ..recipes.api import RecipeSerializer
from . import services as solutions


class ExplorationSerializer(serializers.ModelSerializer[Any]):
    table = serializers.UUIDField(source="dataset.table_id")
    recipe_version = serializers.IntegerField(source="recipe_version.number")
    requested_by = serializers.CharField(source="requested_by.full_name")
    result = serializers.JSONField(
        help_text="space: columns, lattice_size, nodes with levels, loss, kept, suppressed, classes, smallest, "
        "satisfies, best, and sparing: which columns the best empties, and which where as few as possible are; "
        "frontier: the best for other k and limits; what_if: what dropping a column, or keeping it coarser, "
        "would buy, with gained as the difference of the detail kept."
    )
    chosen_in = serializers.IntegerField(source="chosen_in.number", allow_null=True, default=None)

    class Meta:
        model = Exploration
        fields = (
            "id", "number", "table", "recipe_version", "result", "content_hash", "requested_by", "requested_at",
            "measured_at", "ended_at", "job_id", "chosen_levels", "choice_reason", "chosen_in", "chosen_at",
        )  # fmt: skip
        read_only_fields = fields


class SolutionChoiceSerializer(serializers.Serializer[Any]):
    levels = serializers.ListField(
        child=serializers.IntegerField(min_value=0),
        help_text="One for each column, in the order of the result.",
    )
    reason = serializers.CharField(max_length=2000)


class Explorations(TableAPIView):
    @extend_schema("processing_exploration_list", responses=ExplorationSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """All lists of solutions, the newest first."""
        return Response(ExplorationSerializer(solutions.explorations_of(self.project), many=True).data)

    @extend_schema(
        "processing_explore", request=None, responses={202: ExplorationSerializer}, parameters=[TABLE]
    )
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """Have the solutions of the model in a table's current recipe listed, as a job."""
        exploration, _job = solutions.exploration_start(self.table, by=request.user)
        return Response(ExplorationSerializer(exploration).data, status=status.HTTP_202_ACCEPTED)


class SolutionChoice(ProjectAPIView):
    @extend_schema(
        "processing_solution_choose", request=SolutionChoiceSerializer, responses={201: RecipeSerializer}
    )
    def post(self, request: Request, project_id: uuid.UUID, exploration_id: uuid.UUID) -> Response:
        """Fix another solution in a new version of the recipe, with the reason."""
        exploration = solutions.exploration_get(self.project, exploration_id)
        sent = self.sent(SolutionChoiceSerializer)
        version = solutions.solution_choose(exploration, **sent, by=request.user)
        context = {"verdicts_hash": version.verdicts_hash}
        return Response(RecipeSerializer(version, context=context).data, status=status.HTTP_201_CREATED)
