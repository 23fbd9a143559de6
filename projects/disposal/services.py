"""The only writer of disposals.

Destruction has two halves. With one transaction every key is gone, of the files and of the vault: from then on nothing can be read.
Then a job takes the encrypted files from the disk and looks that none is left. Until it has, the disposal says so.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection
from typing import Any

from django.db.models import Max
from django.utils import timezone

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import deny
from projects.core.drafts.services import drafts_remove_in
from projects.core.models import Project
from projects.core.rules import CoreReason
from projects.core.services import notify, project_lock
from projects.datasets.store.holdings import DATA
from projects.datasets.store.store import ciphertext_remove, ciphertext_size, store_shred
from projects.jobs.models import Job
from projects.jobs.services import job_about
from projects.vault.models import Secret
from projects.vault.services import secrets_destroy_with_data, secrets_forget
from projects.vault.sqlite_log import log_empty
from projects.workflow import Role
from techniques.core.canonical import canonical_hash
from techniques.core.messages import EngineError, gettext_noop

from . import events, rules
from .documents import certificate_start
from .enums import DESTROY_JOB, DisposalOutcome
from .models import Disposal
from .selectors import content_now, copies_stated, evidence_counted, still_there


def disposal_propose(project: Project, *, reason: str, kinds: Collection[str] = DATA, by: Person) -> Disposal:
    """Put the destruction of everything that lies there of these ``kinds`` before a second person; nothing is gone yet."""
    reason = reason.strip()
    with recording(events.PROPOSED, by=by, project_id=project.pk, reason=reason) as event:
        project = project_lock(project)
        rules.may_propose(by, project, kinds).require()
        _said(reason)
        last = Disposal.objects.filter(project=project).aggregate(last=Max("number"))["last"] or 0
        content = content_now(project, kinds)
        disposal = Disposal(
            project=project,
            number=last + 1,
            content=content,
            content_hash=canonical_hash(content),
            reason=reason[:500],
            proposed_by=by,
        )
        disposal.save(force_insert=True)
        event.subject = disposal.subject
        event.facts.update(files=len(content["files"]), keys=len(content["keys"]))
        notify(project, events.PROPOSED, (Role.SUPERVISOR,), by=by, subject=str(disposal), reason=reason)
        return disposal


def disposal_keep(disposal: Disposal, *, reason: str, by: Person) -> Disposal:
    """Decline a proposal, or take it back: everything stays."""
    reason = reason.strip()
    with recording(events.KEPT, by=by, about=disposal, reason=reason):
        disposal = _locked(disposal)
        rules.may_keep(by, disposal).require()
        _decide(disposal, DisposalOutcome.KEPT, reason, by)
        disposal.save()
        notify(
            disposal.project,
            events.KEPT,
            (Role.PLANNER, Role.SUPERVISOR),
            by=by,
            subject=str(disposal),
            reason=reason,
        )
        return disposal


def disposal_carry_out(disposal: Disposal, *, reason: str, by: Person) -> Disposal:
    """The second person destroys every key at once; a job removes the encrypted files and has the certificate printed."""
    reason = reason.strip()
    with recording(events.KEYS_DESTROYED, by=by, about=disposal, reason=reason) as event:
        disposal = _locked(disposal)
        rules.may_carry_out(by, disposal).require()
        _decide(disposal, DisposalOutcome.DESTROYING, reason, by)
        files = [uuid.UUID(one["id"]) for one in disposal.files]
        before = {str(one): ciphertext_size(one) for one in files}
        destroyed = secrets_destroy_with_data(
            disposal.project,
            {uuid.UUID(one["id"]) for one in disposal.keys},
            proposed_by=disposal.proposed_by,
            proposed_at=disposal.proposed_at,
            proposed_why=disposal.reason,
            reason=reason,
            by=by,
        )
        shredded = store_shred(files)
        assert shredded == len(files)  # the rule has just compared them, under the project's lock
        disposal.measured = {"before": before}
        disposal.save()
        drafts_remove_in(disposal.project)
        event.facts.update(files=shredded, keys=len(destroyed))
        _remove_start(disposal, by=by)
        facts: dict[str, Any] = {"files": shredded, "keys": len(destroyed), "subject": str(disposal)}
        notify(disposal.project, events.KEYS_DESTROYED, (Role.PLANNER,), by=by, reason=reason, **facts)
        return disposal


def disposal_resume(disposal: Disposal, *, by: Person) -> Job:
    """Have the encrypted files removed that an interrupted job has left."""
    with recording(events.RESUMED, by=by, about=disposal):
        disposal = _locked(disposal)
        rules.may_resume(by, disposal).require()
        return _remove_start(disposal, by=by)


def files_remove(disposal: Disposal, tick: Callable[[float], None]) -> None:
    """The job's work, any number of times: take from the disk what is still there."""
    files = disposal.files
    for place, one in enumerate(files):
        ciphertext_remove(uuid.UUID(one["id"]))
        tick((place + 1) / len(files))
    secrets_forget(
        Secret.objects.filter(pk__in=[one["id"] for one in disposal.keys]).select_related(
            "project", "destroyed_by"
        )
    )
    log_empty()


def disposal_finish(disposal: Disposal, *, by: Person) -> Disposal:
    """The job's end, in its transaction: look that nothing is left, and have the certificate printed."""
    if _locked(disposal).outcome != DisposalOutcome.DESTROYING:
        return disposal
    with recording(events.FINISHED, by=None, about=disposal) as event:
        disposal = _locked(disposal)
        left = set(still_there(disposal))
        if left:
            text = gettext_noop("%(files)d encrypted files are still on the disk and could not be removed.")
            raise EngineError("disposal.left", text, files=len(left))
        disposal.outcome, disposal.finished_at = DisposalOutcome.DESTROYED, timezone.now()
        after = {one["id"]: one["id"] in left for one in disposal.files}
        disposal.measured |= {"after": after, "staying": evidence_counted(disposal.project)}
        disposal.measured["copies"] = copies_stated(disposal.project)
        disposal.save()
        event.facts["removed"] = sum(size is not None for size in disposal.measured["before"].values())
        certificate_start(disposal, by=by)
        return disposal


def _remove_start(disposal: Disposal, *, by: Person) -> Job:
    return job_about(disposal, DESTROY_JOB, title=gettext_noop("Remove encrypted files"), by=by)


def _decide(disposal: Disposal, outcome: DisposalOutcome, reason: str, by: Person) -> None:
    _said(reason)
    disposal.outcome, disposal.decided_by, disposal.decided_at = outcome, by, timezone.now()
    disposal.decision_reason = reason[:500]


def _said(reason: str) -> None:
    if not reason:
        deny(CoreReason.REASON_NEEDED).require()


def _locked(disposal: Disposal) -> Disposal:
    """With its project, locked first, as every act on a project does."""
    project_lock(disposal.project)
    rows = Disposal.objects.select_for_update(of=("self",))
    return rows.select_related("project", "proposed_by", "decided_by").get(pk=disposal.pk)
