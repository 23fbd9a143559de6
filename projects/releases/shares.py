"""Secret shares are handed out one file to one person: who holds which, and the only writer of that (A.2.6).

A number belongs to one natural person for all of a project's runs: the shares of one key and source are the same
in each run, so who got the file of another number once could put two of them together.
"""

from __future__ import annotations

import hashlib
import uuid
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from approvals.governance import deny, recording
from approvals.request_cache import cached_read
from projects.core.models import Project
from projects.core.services import project_lock
from projects.processing.models import Run, ShareFile
from projects.processing.shares import share_files_of

from . import events
from .models import Release, ShareHolding


def holdings_of(project: Project) -> QuerySet[ShareHolding]:
    """Who holds, or held, which number."""
    return ShareHolding.objects.filter(project=project).select_related("holder", "assigned_by")


def shares_hash(run: Run | uuid.UUID) -> str:
    """SHA-256 over the hashes of all holders' files of a run; empty where it shares nothing.

    A file that was exchanged for another one counts as what is stored, so that the hash is another one.
    """
    hashes = [
        share.sha256 if share.sha256 == share.stored.sha256 else f"{share.sha256} {share.stored.sha256}"
        for share in share_files_of(getattr(run, "pk", run))
    ]
    return hashlib.sha256("\n".join(hashes).encode()).hexdigest() if hashes else ""


def number_held(user: Any, project_id: uuid.UUID) -> int | None:
    """Whose shares ``user`` gets in a project; None where nobody has given them a number."""
    return _numbers_held(user.pk).get(project_id)


@cached_read
def _numbers_held(user_id: Any) -> dict[uuid.UUID, int]:
    held = ShareHolding.objects.filter(holder=user_id, ended_at=None)
    return dict(held.values_list("project_id", "number"))


def share_file_for(user: Any, release: Release) -> ShareFile | None:
    """The one file of a release of shares that ``user`` may have."""
    number = number_held(user, release.project_id)
    if number is None:
        return None
    return next((share for share in share_files_of(release.run_id) if share.number == number), None)


def share_assign(project: Project, *, number: int, holder: Any, by: Any) -> ShareHolding:
    """Give the file of holder ``number`` to a recipient; who had that number before gets it no more."""
    from . import rules

    with recording(
        events.SHARE_ASSIGNED,
        by=by,
        subject=project.subject,
        project_id=project.pk,
        number=number,
        holder=str(holder),
    ):
        project = project_lock(project)
        rules.may_hold(by, project, number, holder).require()
        standing = ShareHolding.objects.filter(project=project, number=number, ended_at=None).first()
        if standing is not None and standing.holder_id == holder.pk:
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
