"""Reading advice on techniques and on the model."""

from __future__ import annotations

from django.db.models import QuerySet

from projects.core.models import Project
from projects.datasets.models import Table

from ..models import AdviceRecord, ModelAdviceRecord


def advice_records(project: Project) -> QuerySet[AdviceRecord]:
    """The answers to the questions about techniques, newest first."""
    return AdviceRecord.objects.filter(project=project).select_related("made_by", "table")


def current_advice(table: Table) -> AdviceRecord | None:
    """The newest answers about a table, or None."""
    return advice_records(table.project).filter(table=table).first()


def model_advice_records(project: Project) -> QuerySet[ModelAdviceRecord]:
    """The conversations about the model, newest first."""
    return ModelAdviceRecord.objects.filter(project=project).select_related(
        "made_by", "taken_by", "taken_in", "project", "table"
    )


def current_model_advice(table: Table) -> ModelAdviceRecord | None:
    """The newest one about a table, or None."""
    return model_advice_records(table.project).filter(table=table).first()
