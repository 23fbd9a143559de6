"""The only writer of the vault; every use leaves an audit event."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import deny
from projects.core.models import Project
from projects.core.rules import CoreReason, has_role
from projects.core.services import notify, project_lock
from projects.jobs.enums import JobStatus
from projects.jobs.selectors import latest_job
from projects.workflow import Role
from techniques.core.messages import EngineError, gettext_noop

from . import events, rules
from .custody.routing import is_apart
from .custody.services import key_forget, key_keep, key_open, keys_kept
from .documents import CERTIFICATE_JOB, certificate_start
from .keys import key_new, key_unwrap, key_wrap
from .models import Secret
from .purposes import purpose_text


def secret_get_or_create(project: Project, purpose: str, by: Person, *, shared: bool = False) -> Secret:
    """The live secret of the project for ``purpose``, made from fresh random bytes when there is none.

    A ``shared`` one has the bytes that another project's live secret for the same purpose has; each project keeps and destroys
    its own. ``by`` is the executor for whom it is needed, or None for the portal itself.
    """
    secret = Secret.objects.filter(project=project, purpose=purpose, destroyed_at=None).first()
    if secret is not None:
        return secret
    fresh = Secret(project=project, purpose=purpose, created_by=by)
    with recording(events.SECRET_CREATED, by=by, about=fresh) as event:
        locked = project_lock(project)
        if by is not None:
            has_role(by, locked, Role.EXECUTOR).require()
        secret = Secret.objects.filter(project=project, purpose=purpose, destroyed_at=None).first()
        if secret is None:
            secret = fresh
            others = Secret.objects.filter(purpose=purpose, destroyed_at=None).select_related("project")
            other = others.order_by("created_at").first() if shared else None
            if other is not None:
                event.facts["project"] = other.project.number
            key = key_new() if other is None else secret_bytes(other, by=by)
            if is_apart():
                key_keep(secret, key, by=by)
                secret.apart = True
            else:
                secret.wrapped_key = key_wrap(key, secret.context)
            secret.save(force_insert=True)
        event.subject = secret.subject
        return secret


def secret_bytes(secret: Secret, *, by: Person | None = None) -> bytes:
    """The 32 bytes. Leaves an audit event of the use; the caller keeps them in memory only."""
    with recording(events.SECRET_USED, by=by, about=secret):
        secret = Secret.objects.get(pk=secret.pk)
        if secret.is_destroyed:
            text = gettext_noop(
                "The key “%(purpose)s” was destroyed; what was made with it cannot be repeated."
            )
            raise EngineError("vault.destroyed", text, purpose=purpose_text(secret.purpose))
        if secret.apart:
            return key_open(secret, by=by)
        return key_unwrap(bytes(secret.wrapped_key), secret.context)


def secret_move(secret: Secret) -> Secret:
    """Put the bytes of a live key into the store of the keys; its row keeps none."""
    with recording(events.SECRET_MOVED, by=None, about=secret):
        secret = _locked(secret)
        if not secret.apart and not secret.is_destroyed:
            key_keep(secret, key_unwrap(bytes(secret.wrapped_key), secret.context), by=None)
            secret.wrapped_key, secret.apart = b"", True
            secret.save()
        return secret


def secret_destroy_spent(project: Project, purpose: str, *, by: Person, reason: str) -> None:
    """Destroy what was made for one use that is over; nothing where there is none. ``by``: for whom it was made."""
    secret = Secret.objects.filter(project=project, purpose=purpose, destroyed_at=None).first()
    if secret is not None:
        with recording(events.SECRET_SPENT, by=None, about=secret):
            _destroy(secret, reason=reason, by=by)


def _destroy(secret: Secret, *, reason: str, by: Person) -> None:
    secret.wrapped_key = b""
    secret.destroyed_at, secret.destroyed_by, secret.destroyed_why = timezone.now(), by, reason
    secret.save()
    # Not before: what is gone from the store does not come back with the row. Where it does not answer, the clock asks it again.
    transaction.on_commit(lambda: secrets_forget([secret]), robust=True)


def secrets_forget(secrets: Iterable[Secret]) -> None:
    """Remove from the store of the keys what is destroyed. EngineError ``vault.unreachable`` where it does not answer: nothing
    may say before that it is gone."""
    for secret in secrets:
        # A move that broke off may have left there the bytes of a key that does not lie apart.
        if secret.is_destroyed and (secret.apart or is_apart()):
            key_forget(secret, by=secret.destroyed_by)


def destroyed_leave_the_store() -> None:
    """What was destroyed while the store of the keys did not answer; called by the clock."""
    if is_apart():
        destroyed = Secret.objects.filter(destroyed_at__isnull=False, pk__in=keys_kept())
        for secret in destroyed.select_related("project", "created_by", "proposed_by", "destroyed_by"):
            secrets_forget([secret])
            printing = latest_job(secret.project, CERTIFICATE_JOB, secret.pk)
            if printing is not None and printing.status == JobStatus.FAILED:
                # It found that the bytes were still there.
                certificate_start(secret, by=printing.requested_by)


def secret_propose(secret: Secret, *, reason: str, by: Person) -> Secret:
    """Put the destruction of a key before a second person; nothing is gone yet."""
    with recording(events.SECRET_PROPOSED, by=by, about=secret, reason=reason):
        secret = _locked(secret)
        rules.may_propose(by, secret).require()
        secret.proposed_at, secret.proposed_by = timezone.now(), by
        secret.proposed_why = _said(reason)
        secret.save()
        about = {"subject": secret.purpose, "reason": secret.proposed_why}
        notify(secret.project, events.SECRET_PROPOSED, (Role.SUPERVISOR,), by=by, **about)
        return secret


def secret_keep(secret: Secret, *, reason: str, by: Person) -> Secret:
    """Take a proposal back, or decline it: the key stays."""
    with recording(events.SECRET_KEPT, by=by, about=secret, reason=reason):
        secret = _locked(secret)
        rules.may_keep(by, secret).require()
        _said(reason)
        secret.proposed_at, secret.proposed_by, secret.proposed_why = None, None, ""
        secret.save()
        about = {"subject": secret.purpose, "reason": reason.strip()}
        notify(secret.project, events.SECRET_KEPT, (Role.PLANNER,), by=by, **about)
        return secret


def proposals_lapse(project: Project) -> None:
    """The project was opened again: what was proposed to be destroyed is needed. Called in the transaction of the move."""
    for secret in Secret.objects.filter(project=project, proposed_at__isnull=False, destroyed_at=None):
        with recording(events.SECRET_LAPSED, by=None, about=secret):
            locked = _locked(secret)
            locked.proposed_at, locked.proposed_by, locked.proposed_why = None, None, ""
            locked.save()


def secret_destroy(secret: Secret, *, reason: str, by: Person) -> Secret:
    """The second person destroys the bytes for good; the row stays as evidence, and a certificate is printed."""
    with recording(events.SECRET_DESTROYED, by=by, about=secret, reason=reason):
        secret = _locked(secret)
        rules.may_destroy(by, secret).require()
        _destroy(secret, reason=_said(reason), by=by)
        certificate_start(secret, by=by)
        return secret


def secrets_destroy_with_data(
    project: Project,
    ids: Collection[uuid.UUID],
    *,
    proposed_by: Person,
    proposed_at: datetime,
    proposed_why: str,
    reason: str,
    by: Person,
) -> list[Secret]:
    """Destroy those live keys of a project along with its data, whose destruction one person proposed and ``by`` carries out; the
    certificate of the data names them."""
    destroyed = []
    for live in Secret.objects.filter(project=project, pk__in=ids, destroyed_at=None):
        with recording(events.SECRET_DESTROYED, by=by, about=live, reason=reason):
            secret = _locked(live)
            if not secret.is_proposed:
                secret.proposed_at, secret.proposed_by = proposed_at, proposed_by
                secret.proposed_why = proposed_why
                secret.save()
            rules.may_destroy(by, secret).require()
            _destroy(secret, reason=reason, by=by)
            destroyed.append(secret)
    return destroyed


def _said(reason: str) -> str:
    if not reason.strip():
        deny(CoreReason.REASON_NEEDED).require()
    return reason.strip()


def _locked(secret: Secret) -> Secret:
    found = Secret.objects.select_for_update(of=("self",))
    return found.select_related("project", "proposed_by").get(pk=secret.pk)
