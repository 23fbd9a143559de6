"""Reading what external assessors were asked and have answered."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import QuerySet

from projects.core.models import Project
from projects.workflow.posts import Post

from ...models import Verification
from .models import UsefulnessOpinion


def opinions_of(project: Project) -> QuerySet[UsefulnessOpinion]:
    """All that was ever asked in the project, the newest first."""
    found = UsefulnessOpinion.objects.filter(project=project)
    return found.select_related("project", "verification__project", "assessor", "asked_by")


def opinion_get(project: Project, opinion_id: uuid.UUID) -> UsefulnessOpinion:
    return opinions_of(project).get(pk=opinion_id)


def opinions_about(verification: Verification) -> list[UsefulnessOpinion]:
    """What was asked about this very result."""
    return list(UsefulnessOpinion.objects.filter(verification=verification).select_related("assessor"))


def assessors() -> list[Any]:
    """External assessors who may be asked today."""
    people = get_user_model().objects.filter(is_active=True, post=Post.ASSESSOR)
    people = people.order_by("full_name", "username").prefetch_related("appointments")
    return [one for one in people if one.reads_all_projects]
