"""Who gives, confirms and ends appointments: two administrators who are two people, neither of whom made the other."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny, first_denial
from projects.workflow.posts import OPEN_TO, AppointedPost, Post

from ..models import Appointment, User
from ..rules import may_administer, may_administer_other
from .enums import AppointmentStatus


class AppointmentReason(Reason):
    NOT_FOR_THIS_ACCOUNT = (
        "post_not_for_account",
        _(
            "An account of this kind (%(kind)s) cannot be appointed as %(post)s; a person who changes post gets a new account."
        ),
    )
    APPOINTMENT_WAITS = (
        "appointment_waits",
        _("An appointment of this account as %(post)s is already waiting for another administrator."),
    )
    DAYS_OVER = "days_over", _("The last day is in the past or before the first day.")
    DECIDED_ALREADY = "appointment_decided", _("This appointment has already been decided.")
    OWN_APPOINTMENT = (
        "own_appointment",
        _("Nobody can confirm their own appointment; another administrator does."),
    )
    GIVEN_BY_YOU = (
        "given_by_you",
        _("You made this appointment yourself; another administrator has to confirm it."),
    )
    ONE_HAND = (
        "one_hand",
        _(
            "Your account and that of the person who made this appointment go back to the same "
            "administrator, so one person could be behind both. The appointment has to be confirmed "
            "by someone whose account was created by another administrator or from the server's "
            "command line."
        ),
    )
    NOT_IN_FORCE = (
        "appointment_not_confirmed",
        _("Only an appointment that was confirmed and has not ended can be ended."),
    )
    REASON_NEEDED = "reason_needed", _("A reason is required.")


def may_appoint(
    by: Person, account: User, post: AppointedPost, *, starts_on: date, ends_on: date | None
) -> Verdict:
    """An administrator, somebody else, to a post that accounts of this kind are open to."""
    verdict = may_administer_other(by, account)
    if not verdict:
        return verdict
    facts: dict[str, Any] = {"kind": account.get_post_display(), "post": str(post.label)}
    if post not in OPEN_TO[Post(account.post)]:
        return deny(AppointmentReason.NOT_FOR_THIS_ACCOUNT, **facts)
    if ends_on is not None and ends_on < max(starts_on, timezone.localdate()):
        return deny(AppointmentReason.DAYS_OVER)
    if Appointment.objects.filter(account=account, post=post, status=AppointmentStatus.WAITS).exists():
        return deny(AppointmentReason.APPOINTMENT_WAITS, **facts)
    return ALLOW


def may_decide(by: Person, appointment: Appointment, *, confirm: bool) -> Verdict:
    """Another administrator than who gave it, of another origin; who gave it may take it back."""
    verdict = may_administer(by)
    if not verdict:
        return verdict
    if appointment.status != AppointmentStatus.WAITS:
        return deny(AppointmentReason.DECIDED_ALREADY)
    if not confirm:
        return ALLOW
    if by.is_same_person(appointment.account):
        return deny(AppointmentReason.OWN_APPOINTMENT)
    giver = appointment.given_by
    if giver is None or by.is_same_person(giver):
        return deny(AppointmentReason.GIVEN_BY_YOU)
    return deny(AppointmentReason.ONE_HAND) if by.has_origin_of(giver) else ALLOW


def may_end(by: Person, appointment: Appointment) -> Verdict:
    """Any other administrator, at once: taking a right away needs no second one."""
    over = appointment.status != AppointmentStatus.CONFIRMED or (
        appointment.ends_on is not None and appointment.ends_on < timezone.localdate()
    )
    return first_denial(
        may_administer_other(by, appointment.account),
        deny(AppointmentReason.NOT_IN_FORCE) if over else ALLOW,
    )
