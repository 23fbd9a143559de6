"""The only writer of documents of outside assessments, and reading them on the record."""

from __future__ import annotations

from typing import Any, BinaryIO

from approvals.audit.recording import recording
from approvals.governance.person import Person
from projects.core.assessments.models import AssessmentOrder
from projects.core.assessments.selectors import order_get
from projects.core.rules import may_see_inside
from projects.core.services import notify_person, project_lock
from projects.datasets.models import StoredFile
from projects.datasets.store.store import store_open, store_remove

from . import events, rules
from .models import AssessmentDocument

PURPOSE = "assessment"


def document_keep(order: AssessmentOrder, *, stored: StoredFile, by: Person) -> AssessmentDocument:
    """Keep a received file as the outside body's own document; who ordered the assessment is notified. One that is refused leaves
    nothing in the store."""
    facts: dict[str, Any] = {"sha256": stored.sha256}
    try:
        with recording(events.DOCUMENT_KEPT, by=by, about=order, **facts):
            project = project_lock(order.project)
            order = order_get(project, order.pk)
            rules.may_keep(by, order).require()
            made = AssessmentDocument(
                order=order, stored=stored, sha256=stored.sha256, size=stored.size, kept_by=by
            )
            made.save(force_insert=True)
            notify_person(
                order.ordered_by, events.DOCUMENT_KEPT, by=by, project=project, subject=str(order), **facts
            )
            return made
    except BaseException:
        store_remove(stored)
        raise


def document_open(document: AssessmentDocument, *, by: Person) -> BinaryIO:
    """The content, for who sees the project; on the record."""
    may_see_inside(by, document.order.project).require()
    with recording(events.DOCUMENT_READ, by=by, about=document.order):
        return store_open(document.stored, whole=True)
