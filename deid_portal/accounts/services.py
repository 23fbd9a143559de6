"""The only writer of accounts; credentials are written by ``two_step`` and ``tokens``."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from contextlib import suppress
from datetime import date

from django.conf import settings
from django.utils import timezone

from approvals.audit.recording import recording
from approvals.audit.rules import LogBroken
from approvals.governance.draft import Subject
from approvals.governance.person import Person
from approvals.governance.serialization import governed_act
from projects.workflow.posts import COMES_WITH, AppointedPost, Post

from . import events, rules
from .appointments.enums import WITH_ACCOUNT
from .appointments.services import appointment_give, appointments_set_up
from .models import User


def subject_of(user: User) -> Subject:
    return Subject("user", str(user.pk), str(user))


def user_create(
    *,
    username: str,
    password: str | None,
    full_name: str,
    post: Post = Post.STAFF,
    department: str = "",
    email: str = "",
    access_until: date | None = None,
    must_change_password: bool = False,
    appointed: Iterable[AppointedPost] = (),
    by: Person | None,
    hashed: str | None = None,
) -> User:
    """Create an account. What its post allows is asked of the account each time, never copied.

    ``by`` is None where the portal is set up from the command line: then the appointment that goes with the post, and those that
    are ``appointed``, count at once. What an administrator makes waits for a second one. ``hashed`` is a password that was hashed
    before, for many accounts at a time.
    """
    if by is not None:
        rules.may_administer(by).require()
    subject = Subject("user", username, full_name)
    with governed_act():
        with recording(events.USER_CREATED, by=by, subject=subject, post=str(post)):
            user = User(
                username=username,
                full_name=full_name,
                post=post,
                department=department,
                email=email,
                access_until=access_until,
                must_change_password=must_change_password,
                origin=None if by is None else by.origin or by,
            )
            if hashed is None:
                user.set_password(password)
            else:
                user.password = hashed
            user.full_clean(exclude=["password"])
            user.save()
        own = COMES_WITH.get(Post(post))
        if by is None:
            appointments_set_up(user, [*([own] if own else []), *appointed])
        elif own is not None:
            today = timezone.localdate()
            last = access_until if access_until and access_until >= today else None
            appointment_give(user, post=own, starts_on=today, ends_on=last, reason=WITH_ACCOUNT, by=by)
        return user


def one_time_password() -> str:
    """About 96 bits, in signs that are hard to misread."""
    return secrets.token_urlsafe(16).replace("-", "x").replace("_", "y")


def user_edit(
    account: User, *, full_name: str, department: str, email: str, access_until: date | None, by: Person
) -> User:
    """Change what is known about a person. The post is for good: who changes post gets a new account."""
    rules.may_administer(by).require()
    new = {"full_name": full_name, "department": department, "email": email, "access_until": access_until}
    changed = sorted(name for name, value in new.items() if getattr(account, name) != value)
    if not changed:
        return account
    with recording(events.USER_EDITED, by=by, subject=subject_of(account), fields=", ".join(changed)):
        account = User.objects.select_for_update().get(pk=account.pk)
        for name, value in new.items():
            setattr(account, name, value)
        account.full_clean(exclude=["password"])
        account.save(update_fields=list(new))
        return account


def user_set_active(account: User, *, active: bool, by: Person) -> User:
    """Deactivate or activate an account; its sessions and tokens stop working at once."""
    rules.may_set_active(by, account, active=active).require()
    action = events.USER_ACTIVATED if active else events.USER_DEACTIVATED
    with recording(action, by=by, subject=subject_of(account)):
        account.is_active = active
        account.save(update_fields=["is_active"])
        return account


def password_reset(account: User, *, by: Person) -> str:
    """Give the account a one-time password and return it; it has to be changed at the next sign-in. Called by ``recovery`` alone.

    Whoever knew the old password may have made tokens with it, so those end as well.
    """
    rules.may_administer_other(by, account).require()
    password = one_time_password()
    with recording(events.PASSWORD_RESET, by=by, subject=subject_of(account)) as event:
        event.facts["tokens_ended"] = account.api_tokens.all().delete()[0]
        account.set_password(password)
        account.must_change_password = True
        account.save(update_fields=["password", "must_change_password"])
    return password


def password_set(account: User, *, password: str, by: None) -> User:
    """Set a password from the command line of the machine itself; no page and no API calls this."""
    with recording(events.PASSWORD_RESET, by=by, subject=subject_of(account)) as event:
        event.facts["tokens_ended"] = account.api_tokens.all().delete()[0]
        account.set_password(password)
        account.must_change_password = False
        account.save(update_fields=["password", "must_change_password"])
        return account


def password_change(user: User, *, password: str) -> User:
    """A person's own new password; the caller has checked the old one and the validators.

    Whoever knew the old one may have made tokens with it, so those end as well.
    """
    with recording(events.PASSWORD_CHANGED, by=user, subject=subject_of(user)) as event:
        event.facts["tokens_ended"] = user.api_tokens.all().delete()[0]
        user.set_password(password)
        user.must_change_password = False
        user.save(update_fields=["password", "must_change_password"])
        return user


def password_rehash(user: User, raw: str) -> None:
    """The same password under the hashing of today; left for another day while nothing can be recorded."""
    with suppress(LogBroken), recording(events.PASSWORD_REHASHED, by=None, subject=subject_of(user)):
        user.set_password(raw)
        user.save(update_fields=["password"])


def profile_edit(user: User, *, email: str, language: str) -> User:
    """What a person may change about their own account."""
    with recording(events.USER_EDITED, by=user, subject=subject_of(user), fields="email, language"):
        user.email, user.language = email, language
        user.full_clean(exclude=["password"])
        user.save(update_fields=["email", "language"])
        return user


def language_remember(user: Person, language: str) -> None:
    """Keep the chosen language with the account: a preference, not an event."""
    if language in dict(settings.LANGUAGES) and user.language != language:
        User.objects.filter(pk=user.pk).update(language=language)
        user.language = language
