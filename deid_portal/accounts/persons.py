"""Which accounts are one natural person's: the only writer of that.

A post is for good, so who changes post gets a new account; the duties that the old one had in a project count
for the new one all the same. All accounts of a person point to one of them, which points to itself, so that
two accounts are compared without a question to the database.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import QuerySet

from approvals.audit.recording import recording
from approvals.governance.person import Person
from projects.core.selectors import conflicts_of_person

from . import events, rules
from .models import User
from .services import subject_of


def accounts_of(account: User) -> QuerySet[User]:
    """The other accounts of the person whose account this is."""
    if account.person_id is None:
        return User.objects.none()
    return (
        User.objects.filter(person=account.person_id).exclude(pk=account.pk).order_by("full_name", "username")
    )


def person_link(account: User, other: User, *, reason: str, by: Person) -> list[str]:
    """Record that two accounts (with all that either is linked with) are one person's.

    Returns the numbers of the projects in which they already hold different roles: what was judged there may
    have been judged by who did it, and has to be looked at. It is recorded all the same, because it is true.
    """
    with recording(
        events.USER_LINKED, by=by, subject=subject_of(account), reason=reason.strip(), other=str(other)
    ) as event:
        rows = User.objects.select_for_update().in_bulk([account.pk, other.pk])
        account, other = rows[account.pk], rows[other.pk]
        rules.may_link(by, account, other).require()
        person = other.person_id or other.pk
        joined = {pk for one in (account, other) for pk in (one.pk, one.person_id) if pk is not None}
        people = User.objects.filter(pk__in=joined) | User.objects.filter(person__in=joined)
        _person_set(people.distinct(), person)
        conflicts = conflicts_of_person(person)
        event.facts["projects_in_conflict"] = ", ".join(conflicts)
        return conflicts


def person_unlink(account: User, *, reason: str, by: Person) -> None:
    """Take an account out of a person's, because the link was a mistake; with a reason, on the record."""
    with recording(events.USER_UNLINKED, by=by, subject=subject_of(account), reason=reason.strip()) as event:
        account = User.objects.select_for_update().get(pk=account.pk)
        rules.may_unlink(by, account).require()
        rest = list(accounts_of(account))
        event.facts["others"] = ", ".join(str(one) for one in rest)
        _person_set([account], None)
        _person_set(rest, rest[0].pk if len(rest) > 1 else None)


def _person_set(accounts: Iterable[User], person: int | None) -> None:
    for account in accounts:
        account.person_id = person
        account.save(update_fields=["person"])
