"""Sessions in the audit log: who signed in, who signed out, which account was locked."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from axes.signals import user_locked_out
from django.conf import settings
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone

from approvals.audit.models import AuditEvent
from approvals.audit.recording import leave_note
from approvals.governance.draft import Subject

from . import events
from .lockout import is_stopped
from .models import User
from .services import subject_of
from .two_step import has_second_step


def sign_in_record(user: User, *, two_step: bool) -> None:
    """Only a finished sign-in is one: with a second step, after that."""
    leave_note(events.SIGNED_IN, by=user, subject=subject_of(user), two_step=two_step)


@receiver(user_logged_in, dispatch_uid="audit-sign-in")
def _signed_in(sender: Any, user: User, request: HttpRequest | None = None, **kwargs: Any) -> None:
    said = getattr(request, "by_provider", None)
    given = said is not None and said.second_step
    if given or not has_second_step(user):
        sign_in_record(user, two_step=given)


@receiver(user_logged_out, dispatch_uid="audit-sign-out")
def _signed_out(sender: Any, user: User | None, **kwargs: Any) -> None:
    if user is not None:
        leave_note(events.SIGNED_OUT, by=user, subject=subject_of(user))


@receiver(user_locked_out, dispatch_uid="audit-lock-out")
def _locked(sender: Any, request: HttpRequest, **kwargs: Any) -> None:
    """What was typed as a user name may be a password: only an account's own name reaches the log.

    Where the address is stopped the account is not locked, whatever the signal says.
    """
    if is_stopped(request):
        return
    username = (getattr(request, "axes_credentials", None) or {}).get("username", "")
    account = User.objects.filter(username=username or "").first()
    subject = subject_of(account) if account else Subject("user", "", "?")
    # Every further try while the account is locked signals again: one lock-out is one event.
    since = timezone.now() - timedelta(hours=settings.AXES_COOLOFF_TIME)
    if AuditEvent.objects.filter(action=events.SIGN_IN_LOCKED, subject_id=subject.id, at__gte=since).exists():
        return
    leave_note(events.SIGN_IN_LOCKED, by=None, subject=subject)
