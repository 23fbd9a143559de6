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
            "An account of this kind (%(kind)s) is not appointed as %(post)s; who changes post gets a new account."
        ),
    )
    APPOINTMENT_WAITS = (
        "appointment_waits",
        _("An appointment of this account as %(post)s waits for another administrator already."),
    )
    DAYS_OVER = "days_over", _("The last day lies in the past or before the first one.")
    DECIDED_ALREADY = "appointment_decided", _("This appointment was decided already.")
    OWN_APPOINTMENT = (
        "own_appointment",
        _("Nobody confirms their own appointment; another administrator does."),
    )
    GIVEN_BY_YOU = "given_by_you", _("You gave this appointment yourself; another administrator confirms it.")
    ONE_HAND = (
        "one_hand",
        _(
            "Your account and that of who gave this appointment go back to the same administrator, so one person could be "
            "behind both. Somebody confirms whose account another administrator made, or the command line of the server."
        ),
    )
    NOT_IN_FORCE = "appointment_not_confirmed", _("Only what was confirmed and is not over can be ended.")
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
