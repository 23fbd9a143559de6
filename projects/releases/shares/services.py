"""The only writer of holdings of secret shares: one file to one person (A.2.6).

A number belongs to one natural person for all of a project's runs: the shares of one key and source are the same
in each run, so who got the file of another number once could put two of them together.
"""

from __future__ import annotations

from django.utils import timezone

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import deny
from projects.core.models import Project
from projects.core.services import project_lock

from .. import events, rules
from ..models import ShareHolding


def share_assign(project: Project, *, number: int, holder: Person, by: Person) -> ShareHolding:
    """Give the file of holder ``number`` to a recipient; who had that number before gets it no more."""
    with recording(events.SHARE_ASSIGNED, by=by, about=project, number=number, holder=str(holder)):
        project = project_lock(project)
        rules.may_hold(by, project, number, holder).require()
        current = ShareHolding.objects.filter(project=project, number=number, ended_at=None).first()
        if current is not None and current.holder_id == holder.pk:
            deny(rules.ReleaseReason.HOLDS_IT_ALREADY).require()
        ShareHolding.objects.filter(project=project, number=number, ended_at=None).update(
            ended_at=timezone.now()
        )
        earlier = ShareHolding.objects.filter(project=project, holder=holder).first()
        if earlier is not None:
            earlier.ended_at = None
            earlier.save()
            return earlier
        return ShareHolding.objects.create(project=project, number=number, holder=holder, assigned_by=by)
