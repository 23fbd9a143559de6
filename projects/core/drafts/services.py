"""The only writer of drafts of forms. A draft is no act: it has no event in the audit log, and what it says is in no log either."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.utils import timezone

from approvals.governance.person import Person
from approvals.governance.serialization import governed_act

from ..models import Project
from .models import Draft, FormDraft, SavedForm
from .selectors import Place, drafts_at

KEPT_DAYS = 90
"""So long a draft waits after its last change."""


def draft_keep(
    place: Place, *, entries: dict[str, list[str]], by: Person, opened: UUID | None = None
) -> FormDraft | None:
    """Keep what ``by`` has typed so far, in place of what they left there before; None where the form that they ``opened`` was saved
    meanwhile."""
    with governed_act():
        place.verdict.require()
        if opened is not None and SavedForm.objects.filter(opened=opened, saved_by=by).exists():
            return None
        return FormDraft.objects.update_or_create(
            saved_by=by,
            project=place.project,
            form=place.form,
            about=place.about,
            defaults={"entries": entries},
        )[0]


def draft_remove(place: Place, *, by: Person) -> None:
    """The draft is not wanted any more."""
    drafts_at(place, by).delete()


def form_saved(place: Place, *, by: Person, opened: UUID) -> None:
    """The form that ``by`` had ``opened`` is saved: its draft goes, and none of it is kept any more."""
    with governed_act():
        SavedForm.objects.get_or_create(opened=opened, saved_by=by)
        draft_remove(place, by=by)


def drafts_remove_of(user: Person) -> int:
    """Who leaves takes their drafts with them; how many."""
    SavedForm.objects.filter(saved_by=user).delete()
    return FormDraft.objects.filter(saved_by=user).delete()[0]


def drafts_remove_in(project: Project) -> int:
    """The project's data are destroyed, and what was half said about them with them, in whichever form; how many."""
    kinds: list[Any] = Draft.__subclasses__()
    return sum(kind.objects.filter(project=project).delete()[0] for kind in kinds)


def drafts_expire() -> int:
    """The clock: remove what nobody went on with for :data:`KEPT_DAYS`; how many."""
    before = timezone.now() - timedelta(days=KEPT_DAYS)
    SavedForm.objects.filter(saved_at__lt=before).delete()
    return FormDraft.objects.filter(saved_at__lt=before).delete()[0]
