"""Reading looks back. Callers have found the project among those that the reader may see."""

from __future__ import annotations

from django.db.models import QuerySet

from projects.core.models import Project

from .models import Lesson


def lessons_of(project: Project) -> QuerySet[Lesson]:
    """All of them, the newest first."""
    return Lesson.objects.filter(project=project).select_related("project", "owner", "recorded_by")
