"""A new password or the removal of the second step for somebody who lost theirs: never one administrator alone.

A second administrator decides about what the first asked for. Only a password whose account keeps its second step is
given at once: without the person's own code it opens nothing. The person is told each time.
"""

from __future__ import annotations

import logging
from smtplib import SMTPException
from typing import Any

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from approvals.audit.recording import recording
from approvals.governance.person import Person
from projects.core.services import notify_person

from . import events, rules
from .appointments.selectors import administrators_now
from .events import Lost
from .models import Recovery, User
from .services import password_reset, subject_of
from .two_step import has_second_step, remove_for

log = logging.getLogger(__name__)


def recovery_request(account: User, *, lost: Lost, reason: str, by: Person) -> tuple[Recovery, str]:
    """Ask for a recovery; returns it with the one-time password if it could be given at once, else with ""."""
    facts: dict[str, Any] = {"lost": lost.value, "reason": reason}
    with recording(events.RECOVERY_REQUESTED, by=by, subject=subject_of(account), **facts):
        rules.may_administer_other(by, account).require()
        rules.may_ask_for_recovery(account, lost).require()
        recovery = Recovery.objects.create(account=account, lost=lost, reason=reason, asked_by=by)
        password = ""
        if lost == Lost.PASSWORD and has_second_step(account):
            recovery.decided_at, recovery.carried_out = timezone.now(), True
            recovery.save()
            password = password_reset(account, by=by)
        else:
            for administrator in administrators_now().exclude(pk__in=[by.pk, account.pk]):
                notify_person(administrator, events.RECOVERY_WAITS, by=by)
        _tell(account, by=by)
        return recovery, password


def recovery_decide(recovery: Recovery, *, allow: bool, by: Person) -> str:
    """The second administrator's word, or the first one's who takes it back; the one-time password if there is one."""
    account = recovery.account
    facts: dict[str, Any] = {"lost": recovery.lost, "allowed": allow}
    with recording(events.RECOVERY_DECIDED, by=by, subject=subject_of(account), **facts):
        recovery = Recovery.objects.select_for_update().get(pk=recovery.pk)
        rules.may_decide_recovery(by, recovery, allow=allow).require()
        recovery.decided_by, recovery.decided_at, recovery.carried_out = by, timezone.now(), allow
        recovery.save()
        password = ""
        if allow and recovery.lost == Lost.PASSWORD:
            password = password_reset(account, by=by)
        elif allow:
            remove_for(account, by=by, reason=recovery.reason)
        _tell(account, by=by)
        return password


def recoveries_waiting(account: User) -> list[Recovery]:
    return list(Recovery.objects.filter(account=account, decided_at=None).select_related("asked_by"))


def _tell(account: User, *, by: Person) -> None:
    """In the portal and, where mail is set up and the account has an address, by mail: it may be that somebody pretends."""
    notify_person(account, events.RECOVERY_OF_YOURS, by=by)
    if settings.DEID_MAIL_IS_SET and account.email:
        transaction.on_commit(lambda: _mail(account))


def _mail(account: User) -> None:
    with translation.override(account.language):
        title = _("Your account in the de-identification portal")
        text = _(
            "An administrator requested a new password for your account or the removal of its "
            "two-step sign-in, or decided on such a request. If you do not know about this, tell the "
            "administrators and an auditor at once."
        )
    try:
        send_mail(title, text, None, [account.email])
    except (OSError, SMTPException) as error:
        failure = type(error).__name__
        log.error("the mail about the recovery of account %s was not sent (%s)", account.pk, failure)  # noqa: TRY400
