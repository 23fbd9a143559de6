"""Recipes and the catalogue of techniques for programs: the same services, rules and reasons as the pages."""

from __future__ import annotations

import uuid
from functools import lru_cache
from typing import Any

from django.utils.translation import get_language
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from approvals.api import given
from projects.core.api import ProjectAPIView
from projects.core.models import Project
from projects.datasets.tables.api import TABLE, TableAPIView
from projects.identification.selectors import verdicts_hash
from techniques import catalogue
from techniques.catalogue.family import FAMILIES
from techniques.catalogue.technique import MISSING_TEXTS
from techniques.core.fields import ParameterField

from .. import wording
from ..models import RecipeVersion
from .pages import plan_departure, preparation_of
from .proposal.selectors import recipe_proposed
from .selectors import recipe_get, recipes_of
from .services import recipe_save
from .sets import content_of

VERSIONS = 50
"""Of the recipe, in one answer: each holds its whole content."""


class RecipeSerializer(serializers.Serializer[Any]):
    """A version of the recipe. ``fits_verdicts``: it was written for the verdicts that stand now."""

    number = serializers.IntegerField()
    content = serializers.JSONField()
    content_hash = serializers.CharField()
    verdicts_hash = serializers.CharField()
    fits_verdicts = serializers.SerializerMethodField()
    preparation = serializers.SerializerMethodField(
        help_text="By table how values are prepared (5.4.2): code steps, none (with its reason) or not_stated, and text; departs: "
        "what the approved plan says otherwise, empty where it does not."
    )
    note = serializers.CharField()
    scenes = serializers.JSONField(
        help_text="The scenes of use whose presets recipes of it began from: table, scene, its name, and as departures the columns "
        "that it treats otherwise."
    )
    created_by = serializers.CharField(source="created_by.full_name")
    created_at = serializers.DateTimeField()

    def to_representation(self, version: RecipeVersion) -> dict[str, Any]:
        """With several tables ``content`` is the whole set, as it can be saved again."""
        content = super().to_representation(version)
        return content | {"content": content_of(version)}

    def get_preparation(self, version: RecipeVersion) -> dict[str, dict[str, str]]:
        return {
            name: dict(zip(("code", "text"), preparation_of(content), strict=True))
            | {"departs": plan_departure(version.project, content)}
            for name, content in version.tables.items()
        }

    def get_fits_verdicts(self, version: RecipeVersion) -> bool:
        return bool(version.verdicts_hash == self.context["verdicts_hash"])


class RecipeWriteSerializer(serializers.Serializer[Any]):
    """A recipe to be saved as a new version; from the second one on ``note`` says what changed and why."""

    content = serializers.DictField()
    note = serializers.CharField(max_length=300, required=False, allow_blank=True, default="")
    scene = serializers.CharField(
        max_length=20,
        required=False,
        allow_blank=True,
        default="",
        help_text="The scene of use whose preset it began from: statistics, development, display, operations.",
    )


class SettingSerializer(serializers.Serializer[Any]):
    """One setting of a technique, as a form would ask for it; texts in the caller's language."""

    name = serializers.CharField()
    kind = serializers.CharField()
    title = serializers.CharField()
    help = serializers.CharField()
    required = serializers.BooleanField()  # type: ignore[assignment]
    default = serializers.JSONField(allow_null=True)
    minimum = serializers.FloatField(allow_null=True)
    maximum = serializers.FloatField(allow_null=True)
    exclusive_minimum = serializers.BooleanField()
    choices = serializers.JSONField()
    item_choices = serializers.JSONField()
    item_kind = serializers.CharField(allow_null=True)
    max_length = serializers.IntegerField(allow_null=True)


class TechniqueSerializer(serializers.Serializer[Any]):
    """A technique of the engine: what it is for, its clauses, its row of Table C.1, its settings."""

    key = serializers.CharField()
    family = serializers.CharField()
    family_name = serializers.CharField()
    name = serializers.CharField()
    summary = serializers.CharField()
    clauses = serializers.ListField(child=serializers.CharField())
    scope = serializers.CharField()
    roles = serializers.ListField(child=serializers.CharField())
    data_types = serializers.ListField(child=serializers.CharField())
    reversible = serializers.BooleanField()
    needs_key = serializers.BooleanField()
    random = serializers.BooleanField()
    missing = serializers.CharField(help_text="What becomes of missing values.")
    table_c1 = serializers.JSONField(allow_null=True)
    parameters = SettingSerializer(many=True)


class HierarchyKindSerializer(serializers.Serializer[Any]):
    """A kind of hierarchy with its settings."""

    kind = serializers.CharField()
    name = serializers.CharField()
    fields_of_kind = SettingSerializer(many=True)
    models_only = serializers.BooleanField(help_text="For the quasi-identifiers of a model alone.")


class CatalogueSerializer(serializers.Serializer[Any]):
    """Everything that a recipe may use."""

    techniques = TechniqueSerializer(many=True)
    hierarchies = HierarchyKindSerializer(many=True)


class Techniques(ProjectAPIView):
    @extend_schema("processing_techniques", responses=CatalogueSerializer)
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """The catalogue of techniques and of hierarchies."""
        return Response(_catalogue(get_language()))


class Suggestion(TableAPIView):
    @extend_schema("processing_suggestion", responses=OpenApiTypes.OBJECT, parameters=[TABLE])
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """The content of a first recipe by verdicts and targets, with what was found where it was tried on the data (``proposals/``); empty while verdicts are missing."""
        return Response(recipe_proposed(self.table)[0])


class OlderSerializer(serializers.Serializer[Any]):
    below = serializers.IntegerField(
        min_value=1,
        max_value=2**31 - 1,
        required=False,
        help_text="Only versions with smaller numbers than this one.",
    )


class Recipes(TableAPIView):
    @extend_schema("processing_recipes", parameters=[OlderSerializer], responses=RecipeSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """Versions of the recipe, the newest first, 50 at most; with several tables ``content`` is the whole set."""
        below = given(OlderSerializer(data=request.query_params)).get("below")
        versions = recipes_of(self.project)
        versions = (versions if below is None else versions.filter(number__lt=below))[:VERSIONS]
        return Response(RecipeSerializer(versions, many=True, context=_context(self.project)).data)

    @extend_schema("processing_recipe_save", request=RecipeWriteSerializer, responses={201: RecipeSerializer}, parameters=[TABLE])  # fmt: skip
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """Save a recipe as a new version; what says the same as the current version answers with that one."""
        saved = recipe_save(self.table, stated=True, by=request.user, **self.sent(RecipeWriteSerializer))
        return Response(
            RecipeSerializer(saved, context=_context(self.project)).data, status=status.HTTP_201_CREATED
        )


class Recipe(ProjectAPIView):
    @extend_schema("processing_recipe", responses=RecipeSerializer)
    def get(self, request: Request, project_id: uuid.UUID, number: int) -> Response:
        """One version of the recipe."""
        version = recipe_get(self.project, number)
        return Response(RecipeSerializer(version, context=_context(self.project)).data)


def _context(project: Project) -> dict[str, Any]:
    return {"verdicts_hash": verdicts_hash(project)}


@lru_cache(maxsize=4)
def _catalogue(language: str | None) -> dict[str, Any]:
    """What the catalogue says in ``language``, the active one; it is the same for everybody."""
    techniques = []
    for spec in catalogue.techniques():
        values = spec.as_dict() | {
            "name": wording.translated(spec.name),
            "summary": wording.translated(spec.summary),
            "missing": wording.translated(MISSING_TEXTS[spec.missing]),
            "family_name": wording.translated(FAMILIES[spec.family].name),
            "parameters": [_setting(field) for field in catalogue.parameter_fields(spec.key)],
        }
        techniques.append(values)
    hierarchies = [
        {
            "kind": one.kind,
            "name": wording.translated(one.name),
            "fields_of_kind": [_setting(field) for field in one.fields],
            "models_only": one.models_only,
        }
        for one in catalogue.hierarchy_kinds()
    ]
    return dict(CatalogueSerializer({"techniques": techniques, "hierarchies": hierarchies}).data)


def _setting(field: ParameterField) -> dict[str, Any]:
    values = field.as_dict()
    for name in ("title", "help"):
        values[name] = wording.translated(values[name])
    for name in ("choices", "item_choices"):
        values[name] = [
            {"value": one["value"], "label": wording.translated(one["label"])} for one in values[name]
        ]
    return values
