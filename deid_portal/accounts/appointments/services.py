"""The only writer of appointments."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any

from django.utils import timezone

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import deny
from projects.core.services import notify_person
from projects.workflow.posts import COMES_WITH, AppointedPost, Post

from ..models import Appointment, User
from . import events, rules
from .enums import AppointmentStatus, Basis
from .selectors import administrators_now


def appointment_give(
    account: User,
    *,
    post: AppointedPost,
    starts_on: date,
    ends_on: date | None = None,
    reason: str,
    by: Person,
) -> Appointment:
    """Appoint somebody; it waits for a second administrator, and counts for nothing until then."""
    with recording(
        events.APPOINTED, by=by, reason=reason.strip(), **_facts(post, starts_on, ends_on)
    ) as event:
        account = User.objects.select_for_update().get(pk=account.pk)
        rules.may_appoint(by, account, post, starts_on=starts_on, ends_on=ends_on).require()
        if not reason.strip():
            deny(rules.AppointmentReason.REASON_NEEDED).require()
        made = Appointment.objects.create(
            account=account,
            post=post,
            starts_on=starts_on,
            ends_on=ends_on,
            reason=reason.strip(),
            given_by=by,
        )
        event.subject = made.subject
        for administrator in administrators_now().exclude(pk__in=(by.pk, account.pk)):
            if rules.may_decide(administrator, made, confirm=True):
                notify_person(administrator, events.WAITS, by=by)
        return made


def appointment_decide(appointment: Appointment, *, confirm: bool, by: Person) -> Appointment:
    """The second administrator's word, or that of who gave it and takes it back."""
    action = events.CONFIRMED if confirm else events.TURNED_DOWN
    post = AppointedPost(appointment.post)
    with recording(action, by=by, subject=appointment.subject, **_facts(post)):
        row = Appointment.objects.select_for_update(of=("self",)).select_related("account", "given_by")
        appointment = row.get(pk=appointment.pk)
        rules.may_decide(by, appointment, confirm=confirm).require()
        appointment.status = AppointmentStatus.CONFIRMED if confirm else AppointmentStatus.TURNED_DOWN
        appointment.decided_by, appointment.decided_at = by, timezone.now()
        appointment.save()
        notify_person(appointment.account, events.OF_YOURS, by=by, **_facts(post))
        return appointment


def appointment_end(appointment: Appointment, *, reason: str, by: Person) -> Appointment:
    """End an appointment at once; what was decided in it stays decided."""
    post = AppointedPost(appointment.post)
    with recording(events.ENDED, by=by, subject=appointment.subject, reason=reason.strip(), **_facts(post)):
        appointment = Appointment.objects.select_for_update().get(pk=appointment.pk)
        rules.may_end(by, appointment).require()
        if not reason.strip():
            deny(rules.AppointmentReason.REASON_NEEDED).require()
        appointment.status, appointment.end_reason = AppointmentStatus.ENDED, reason.strip()
        appointment.ended_by, appointment.ended_at = by, timezone.now()
        appointment.save()
        notify_person(appointment.account, events.OF_YOURS, by=by, **_facts(post))
        return appointment


def appointments_set_up(account: User, posts: Iterable[AppointedPost]) -> None:
    """Appoint an account that the command line of the server makes: whoever has that needs no second administrator."""
    for post in posts:
        with recording(events.SET_UP, by=None, **_facts(post)) as event:
            made = _counted(account, post, Basis.SET_UP, starts_on=timezone.localdate())
            event.subject = made.subject


def posts_take_over() -> int:
    """Give the people of a portal that knew no appointments what they held: their posts, and the roles that they have now.

    Once, after the migration; nothing where somebody is appointed already, or nobody has an account.
    """
    if Appointment.objects.exists() or not User.objects.exists():
        return 0
    with recording(events.TAKEN_OVER, by=None) as event:
        count = 0
        for account in User.objects.order_by("pk"):
            roles = account.memberships.filter(ended_at=None).values_list("role", flat=True).distinct()
            held = {one for one in AppointedPost if one.value in set(roles)}
            if (own := COMES_WITH.get(Post(account.post))) is not None:
                held.add(own)
            for post in sorted(held):
                _counted(account, post, Basis.TAKEN_OVER, starts_on=timezone.localdate(account.date_joined))
            count += len(held)
        origins_take_over()
        event.facts["count"] = count
        return count


def origins_take_over() -> None:
    """Have each account go back to whose account made it, as far as the log says so; oldest first, as they were made."""
    from approvals.audit.models import AuditEvent

    from ..events import USER_CREATED

    known = {user.username: user for user in User.objects.all()}
    people = {str(user.pk): user for user in known.values()}
    for event in AuditEvent.objects.filter(action=USER_CREATED).order_by("seq"):
        account, maker = known.get(event.subject_id), people.get(event.actor_id)
        if account is not None and maker is not None and account.pk != maker.pk:
            account.origin = maker.origin or maker
            account.save(update_fields=["origin"])


def _counted(account: User, post: AppointedPost, basis: Basis, *, starts_on: date) -> Appointment:
    last = account.access_until
    return Appointment.objects.create(
        account=account,
        post=post,
        starts_on=starts_on,
        ends_on=last if post == AppointedPost.ASSESSOR and last and last >= starts_on else None,
        reason=str(basis.value),
        basis=basis,
        status=AppointmentStatus.CONFIRMED,
        decided_at=timezone.now(),
    )


def _facts(post: AppointedPost, starts_on: date | None = None, ends_on: date | None = None) -> dict[str, Any]:
    if starts_on is None:
        return {"appointed_to": post.value}
    ends = ends_on.isoformat() if ends_on else "–"
    return {"appointed_to": post.value, "starts": starts_on.isoformat(), "ends": ends}
