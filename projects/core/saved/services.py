"""Who takes and withdraws what was saved under a name; each kind of content has one :class:`SavedContents`, its only writer."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import Manager, Q, QuerySet
from django.utils import timezone

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny
from techniques.core.canonical import canonical_hash

from ..models import Project
from .models import SavedContent

Saved = TypeVar("Saved", bound=SavedContent)


@dataclass(frozen=True)
class SavedContents(Generic[Saved]):
    """One kind of content that is saved: ``audience`` says who does the work that it is for; the reasons are the kind's own."""

    rows: Manager[Saved]
    audience: Callable[[Person], bool]
    withdrawal: str
    name_needed: Reason
    name_taken: Reason
    saved_by_another: Reason

    def available(self, person: Person) -> QuerySet[Saved]:
        """Those that a person may take: their own, and those for everybody who does the work; none for who does not do it."""
        if not self.audience(person):
            return self.rows.none()
        return self.rows.filter(
            Q(saved_by=person.pk) | Q(of_organisation=True), withdrawn_at=None
        ).select_related("saved_by")

    def get(self, saved_id: uuid.UUID, person: Person) -> Saved:
        """Raises ``DoesNotExist`` of the model for one that the person may not take."""
        return self.available(person).get(pk=saved_id)

    def create(
        self, content: Any, *, name: str, of_organisation: bool, project: Project, by: Person
    ) -> Saved:
        """Keep content under a name that the person has not given yet; inside the recording of who calls."""
        name = " ".join(name.split())[:120]
        if not name:
            deny(self.name_needed).require()
        if self.rows.filter(saved_by=by.pk, name=name, withdrawn_at=None).exists():
            deny(self.name_taken).require()
        return self.rows.create(
            name=name,
            content=content,
            content_hash=canonical_hash(content),
            of_organisation=of_organisation,
            project=project,
            saved_by=by,
        )

    def may_withdraw(self, person: Person, saved: Saved) -> Verdict:
        """Who saved it."""
        return ALLOW if saved.saved_by_id == person.pk else deny(self.saved_by_another)

    def withdraw(self, saved: Saved, *, by: Person) -> None:
        """Nobody takes it any more; what began from it stays as it is."""
        with recording(self.withdrawal, by=by, project_id=saved.project_id) as event:
            saved = self.rows.select_for_update(of=("self",)).get(pk=saved.pk)
            self.may_withdraw(by, saved).require()
            saved.withdrawn_at = saved.withdrawn_at or timezone.now()
            saved.save()
            event.subject = saved.subject
