"""Reading what lies there for a project, and what became of it."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from typing import Any

from django.db.models import CharField, Count, QuerySet, Value

from approvals.audit.models import AuditEvent
from approvals.decisions.models import Review, SignOff
from approvals.documents.models import Document
from approvals.request_cache import cached_read
from projects.core.models import Project
from projects.datasets.store.holdings import DATA, HeldKind, holdings_of
from projects.datasets.store.store import ciphertext_size
from projects.jobs.enums import ACTIVE
from projects.jobs.models import Job
from projects.releases.deliveries.copies.selectors import copies_of
from projects.releases.models import Release
from projects.vault.models import Secret

from .enums import CARRIED_OUT, CERTIFICATE_JOB
from .models import Disposal


def disposals_of(project: Project) -> QuerySet[Disposal]:
    """All of them, the newest first."""
    return Disposal.objects.filter(project=project).select_related("project", "proposed_by", "decided_by")


def disposal_get(project: Project, disposal_id: uuid.UUID) -> Disposal:
    return disposals_of(project).get(pk=disposal_id)


@cached_read
def disposals_done(project: Project) -> list[Disposal]:
    """Those that were carried out, the newest first; encrypted files of that one may not be gone yet."""
    return list(disposals_of(project).filter(outcome__in=CARRIED_OUT))


def content_now(project: Project, kinds: Collection[str] = DATA) -> dict[str, Any]:
    """What lies there now of these ``kinds``, as ``Disposal.content`` has it."""
    keys = Secret.objects.filter(project=project, destroyed_at=None).order_by("created_at", "pk")
    of_keys = keys.values_list("pk", "purpose") if HeldKind.AUXILIARY in kinds else ()
    return {
        "kinds": [kind.value for kind in DATA if kind in kinds],
        "files": [
            {
                "id": str(one.stored.pk),
                "code": one.code,
                "kind": one.kind.value,
                "name": one.name,
                "size": one.stored.size,
                "sha256": one.stored.sha256,
            }
            for one in holdings_of(project)
            if one.kind in kinds
        ],
        "keys": [{"id": str(pk), "purpose": purpose} for pk, purpose in of_keys],
    }


def kinds_in(content: dict[str, Any]) -> list[HeldKind]:
    """The kinds of which ``content`` has anything."""
    found = {one["kind"] for one in content["files"]} | (
        {HeldKind.AUXILIARY.value} if content["keys"] else set()
    )
    return [kind for kind in DATA if kind.value in found]


def release_in_force(project: Project) -> bool:
    return Release.objects.filter(project=project, ended_at=None).exists()


def jobs_running(project: Project) -> bool:
    """Whether a job may still read or write data; printing does neither."""
    jobs = Job.objects.filter(project=project, status__in=ACTIVE)
    return jobs.exclude(kind=CERTIFICATE_JOB).exclude(kind__endswith="_pdf").exists()


def still_there(disposal: Disposal) -> list[str]:
    """The ids of its files whose ciphertext lies on the disk now."""
    return [one["id"] for one in disposal.files if ciphertext_size(uuid.UUID(one["id"])) is not None]


def evidence_counted(project: Project) -> dict[str, int]:
    """How much there is of what stays."""
    models: dict[str, Any] = {
        "events": AuditEvent,
        "documents": Document,
        "reviews": Review,
        "signatures": SignOff,
    }
    first, *others = (
        model.objects.filter(project_id=project.pk)
        .order_by()
        .values("project_id")
        .annotate(what=Value(code, output_field=CharField()), number=Count("pk"))
        .values_list("what", "number")
        for code, model in models.items()
    )
    counted = dict(first.union(*others, all=True))
    scans = len(holdings_of(project, evidence=True))
    return {code: counted.get(code, 0) for code in models} | {"scans": scans}


def copies_stated(project: Project) -> list[dict[str, Any]]:
    """What recipients fetched, and whether they have stated that it is destroyed, as ``Disposal.measured`` keeps it."""
    return [
        {
            "recipient": str(one.recipient),
            "file": str(one.release),
            "fetched": one.fetched_at.isoformat(),
            "stated": one.statement.stated_at.isoformat() if one.statement else None,
            "how": one.statement.how if one.statement else "",
        }
        for one in copies_of(project)
    ]
