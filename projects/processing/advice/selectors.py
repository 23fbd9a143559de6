"""Reading advice on techniques and on the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import QuerySet

from projects.core.models import Project

from ..models import AdviceRecord, ModelAdviceRecord

if TYPE_CHECKING:
    pass


def current_advice(project: Project) -> AdviceRecord | None:
    """The newest answers to the questions about techniques, or None."""
    return advice_records(project).first()


def advice_records(project: Project) -> QuerySet[AdviceRecord]:
    return AdviceRecord.objects.filter(project=project).select_related("made_by")


def model_advice_records(project: Project) -> QuerySet[ModelAdviceRecord]:
    """The conversations about the model, newest first."""
    return ModelAdviceRecord.objects.filter(project=project).select_related(
        "made_by", "taken_by", "taken_in", "project"
    )


def current_model_advice(project: Project) -> ModelAdviceRecord | None:
    """The newest one, or None."""
    return model_advice_records(project).first()
