"""The days of a plan in other statements: by when each stage is done, as it is drafted and as it was submitted last."""

from __future__ import annotations

from typing import Any

from django.db.models import CharField, JSONField, OuterRef, QuerySet, Subquery
from django.db.models.fields.json import KT

from projects.workflow import Stage

from ..models import Objective, PlanVersion


def days(project: str, *, drafted: bool) -> Subquery:
    """Of the project that the column ``project`` names: a JSON object of stages and days; null where there is no plan."""
    rows, path = _said(project, drafted)
    return Subquery(rows.values(path)[:1], output_field=JSONField())


def day(stage: Stage, *, drafted: bool) -> Subquery:
    """Of each project of a statement about projects: the day of ``stage`` as text; null where the plan has none."""
    rows, path = _said("pk", drafted)
    return Subquery(rows.values(day=KT(f"{path}__{stage.value}"))[:1], output_field=CharField())


def _said(project: str, drafted: bool) -> tuple[QuerySet[Any], str]:
    if drafted:
        return Objective.objects.filter(project=OuterRef(project)), "plan__deadlines"
    newest = PlanVersion.objects.filter(project=OuterRef(project)).order_by("-number")
    return newest, "content__plan__deadlines"
