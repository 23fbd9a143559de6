"""Taking an audit package along."""

from __future__ import annotations

from dataclasses import replace

from approvals.audit.anchors import anchor_now
from approvals.audit.recording import leave_note
from approvals.governance.person import Person
from approvals.governance.serialization import governed_act

from .. import events
from ..models import Project
from .contents import Package, package_of, unreadable
from .rules import may_take


def package_take(project: Project, *, by: Person) -> Package:
    """What ``by`` takes along; the log says so, in the package too.

    Over a log that is not sound it is given nevertheless: who audits has to see that. What is lost is found before anybody has to
    wait; then nobody writes until rows, documents and decisions are listed, so that they are of one moment.
    """
    may_take(by, project).require()
    lost = unreadable(project)
    with governed_act():
        project.refresh_from_db()
        package = package_of(project, by=str(by), lost=lost)
        leave_note(
            events.AUDIT_PACKAGE_TAKEN,
            by=by,
            about=project,
            documents=len(package.documents),
            attachments=len(package.attachments),
            unreadable=len(package.lost),
        )
        return replace(package, end=anchor_now())
