"""Reading the documents of outside assessments."""

from __future__ import annotations

from django.db.models import OuterRef, QuerySet, Subquery

from projects.core.assessments.models import AssessmentOrder
from projects.core.assessments.selectors import document_read_by
from projects.core.models import Project

from .models import AssessmentDocument

document_read_by(
    Subquery(AssessmentDocument.objects.filter(order=OuterRef("pk")).values("sha256")[:1]),
)


def document_of(order: AssessmentOrder) -> AssessmentDocument | None:
    """None where none is kept yet."""
    return AssessmentDocument.objects.select_related("stored", "kept_by").filter(order=order).first()


def documents_of(project: Project) -> QuerySet[AssessmentDocument]:
    """All of a project, by the number of their orders."""
    found = AssessmentDocument.objects.filter(order__project=project)
    return found.select_related("stored", "order").order_by("order__number")
