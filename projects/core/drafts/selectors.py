"""Drafts of forms, for who left them."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet

from approvals.governance.person import Person
from approvals.governance.verdict import Verdict

from ..models import Project
from .models import FormDraft


@dataclass(frozen=True)
class Place:
    """Where a draft belongs. ``verdict`` is whether the form may be saved: who may not keeps no draft of it either."""

    form: str
    verdict: Verdict
    project: Project | None = None
    about: str = ""


def drafts_at(place: Place, user: Person) -> QuerySet[FormDraft]:
    """The draft that ``user`` left there, if any. Nobody reads one of somebody else."""
    return FormDraft.objects.filter(saved_by=user, project=place.project, form=place.form, about=place.about)


def draft_of(place: Place, user: Person) -> FormDraft | None:
    return drafts_at(place, user).select_related("saved_by").first()
