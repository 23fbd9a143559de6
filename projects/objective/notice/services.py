"""Privacy notices on file: their only writer, and reading them."""

from __future__ import annotations

import uuid
from typing import Any, BinaryIO

from django.db.models import QuerySet

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.serialization import governed_act
from projects.core.models import Project
from projects.core.rules import may_see_inside
from projects.core.services import project_lock
from projects.datasets.models import StoredFile
from projects.datasets.store.store import store_destroy, store_open, store_remove
from projects.datasets.upload.file_names import display_name
from techniques.core.messages import EngineError, gettext_noop

from .. import events
from ..models import Objective, PlanVersion, PrivacyNotice
from ..rules import may_edit_after_sharing
from ..services import notice_set
from .files import notice_kind


def notices_of(project: Project) -> QuerySet[PrivacyNotice]:
    """Those whose content is there, newest first: the one that counts, and those that a submitted plan names."""
    found = PrivacyNotice.objects.filter(project=project, stored__destroyed_at=None)
    return found.select_related("project", "stored", "kept_by")


def notice_get(project: Project, notice_id: uuid.UUID) -> PrivacyNotice:
    """``PrivacyNotice.DoesNotExist`` for another project's, and for one whose content is gone."""
    return notices_of(project).get(pk=notice_id)


def notice_keep(project: Project, *, stored: StoredFile, name: str, by: Person) -> PrivacyNotice:
    """Put a received file on file in place of the earlier one; the same file under the same name changes nothing.

    ``EngineError`` for what is neither PDF nor plain text. A file that is not taken leaves nothing in the store.
    """
    try:
        may_edit_after_sharing(by, project).require()
        kind = notice_kind(stored)
        if kind is None:
            text = gettext_noop("The notice must be a PDF or a plain text file (UTF-8, UTF-16 or GB 18030).")
            raise EngineError("notice.kind", text)
        with governed_act():
            project = project_lock(project)
            may_edit_after_sharing(by, project).require()
            name, earlier = display_name(name), _named(project)
            if earlier is not None and (earlier.name, earlier.sha256) == (name, stored.sha256):
                store_remove(stored)
                return earlier
            notice = PrivacyNotice(
                project=project,
                name=name,
                kind=kind,
                stored=stored,
                size=stored.size,
                sha256=stored.sha256,
                kept_by=by,
            )
            facts: dict[str, Any] = {
                "kind": str(kind),
                "size": stored.size,
                "replaces": str(earlier.pk) if earlier else "",
            }
            with recording(events.NOTICE_KEPT, by=by, about=notice, **facts):
                notice.save(force_insert=True)
                notice_set(project, notice=notice, by=by)
                _let_go(earlier)
            return notice
    except BaseException:
        store_remove(stored)
        raise


def notice_remove(project: Project, *, by: Person) -> None:
    """Take the notice out of the target; nothing happens where there is none."""
    with governed_act():
        project = project_lock(project)
        may_edit_after_sharing(by, project).require()
        notice = _named(project)
        if notice is None:
            return
        with recording(events.NOTICE_REMOVED, by=by, about=notice):
            notice_set(project, notice=None, by=by)
            _let_go(notice)


def notice_open(notice: PrivacyNotice, *, by: Person) -> BinaryIO:
    """The content, for who may see the target; on the record."""
    may_see_inside(by, notice.project).require()
    with recording(events.NOTICE_READ, by=by, about=notice):
        return store_open(notice.stored, whole=True)


def _named(project: Project) -> PrivacyNotice | None:
    objective = Objective.objects.filter(project=project).select_related("notice__stored").first()
    return objective.notice if objective else None


def _let_go(notice: PrivacyNotice | None) -> None:
    """Destroy the content of a notice that counts no more, unless a submitted version of the plan names it."""
    if notice is None:
        return
    versions = PlanVersion.objects.filter(project=notice.project_id, content__notice__sha256=notice.sha256)
    if not versions.exists():
        store_destroy(notice.stored)
