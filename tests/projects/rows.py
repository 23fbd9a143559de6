"""Rows as somebody writes them who has the database's own password: past services, rules and the log.

What a row refers to need not exist, and nothing stays of it.
"""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import date, timedelta
from typing import Any, TypeVar

import pytest
from django.db import IntegrityError, models, transaction
from django.utils import timezone

from deid_portal.accounts.appointments.enums import AppointmentStatus, Basis
from deid_portal.accounts.models import Appointment, User
from projects.core.models import Membership, Project
from projects.releases.models import Agreement, TermsAcceptance
from projects.workflow import Role
from projects.workflow.posts import OPEN_TO, POST_OF_ROLE, Post

_M = TypeVar("_M", bound=models.Model)
_numbers = itertools.count(900_000)


@contextmanager
def unkept() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@contextmanager
def refused(message: str) -> Iterator[None]:
    """A trigger or a constraint refuses it, with this message."""
    with pytest.raises(IntegrityError, match=message), transaction.atomic():
        yield


def put(model: type[_M], **given: Any) -> _M:
    """A row; of what is not ``given`` and may not be missing something is made up."""
    made_up = {
        field.attname: new_value(field)
        for field in model._meta.concrete_fields
        if not (
            field.name in given or field.attname in given or field.has_default() or field.null or field.blank
        )
    }
    row = model(**made_up, **given)
    models.Model.save(row, force_insert=True)
    return row


def new_value(field: models.Field[Any, Any]) -> Any:
    """A value for the column that it has in no other row, but for yes and no."""
    wanted = field.target_field if isinstance(field, models.ForeignKey) else field
    if isinstance(wanted, models.UUIDField):
        return uuid.uuid4()
    if isinstance(wanted, models.IntegerField | models.FloatField):
        return next(_numbers)
    if isinstance(wanted, models.BinaryField):
        return uuid.uuid4().bytes
    if isinstance(wanted, models.BooleanField):
        return True
    if isinstance(wanted, models.DateTimeField):
        return timezone.now()
    if isinstance(wanted, models.DateField):
        return timezone.localdate() + timedelta(days=next(_numbers) - 900_000)
    return f"text {next(_numbers)}"


def change(row: models.Model, **new: Any) -> None:
    models.QuerySet(type(row)).filter(pk=row.pk).update(**new)


def delete(row: models.Model) -> None:
    models.QuerySet(type(row)).filter(pk=row.pk)._raw_delete("default")


def another(row: models.Model, name: str) -> dict[str, Any]:
    """The field with another value than the row has."""
    field = row._meta.get_field(name)
    return {name: not getattr(row, name) if isinstance(field, models.BooleanField) else new_value(field)}


def account(person: User | None = None, *, alone: bool = False, **given: Any) -> User:
    """One more account, appointed to every post that its kind is open to: of somebody new, or of ``person``.

    Whoever is new has yet another account, which does nothing: what is refused to one person under two accounts has to be allowed to
    two persons who have several each. ``alone``: not this one.
    """
    made = put(User, username=f"account{next(_numbers)}", person_id=person.pk if person else None, **given)
    for post in OPEN_TO[Post(made.post)]:
        appoint(made, post)
    if alone:
        return made
    if person is None:
        put(User, username=f"account{next(_numbers)}", person_id=made.pk)
    first = person or made
    change(first, person_id=first.pk)
    first.refresh_from_db()
    return made


def appoint(account: User, post: str, **given: Any) -> Appointment:
    """That the account holds the post, since long ago and without end where nothing else is said."""
    said: dict[str, Any] = {
        "basis": Basis.SET_UP,
        "starts_on": date(2020, 1, 1),
        "status": AppointmentStatus.CONFIRMED,
        "decided_at": timezone.now(),
        "given_by": None,
    }
    return put(Appointment, account=account, post=post, **said | given)


def appointed(user: User, role: str) -> User:
    """``user``, who holds the post that the role asks for."""
    post = POST_OF_ROLE.get(Role(role))
    if post is not None and not user.holds(post):
        appoint(user, post)
    return user


def member(project: Project | uuid.UUID, role: str, user: User | None = None, **given: Any) -> User:
    """Who has the role, and the post that it asks for: a new account where none is named."""
    user = appointed(user or account(), role)
    of = {"project_id": project} if isinstance(project, uuid.UUID) else {"project": project}
    put(Membership, user=user, role=role, **of, **given)
    return user


def team(project: Project) -> dict[str, User]:
    """Somebody for each role, and an outsider; by the name of the role."""
    return {role.value: member(project, role) for role in Role} | {"outsider": account()}


def agree(project: Project, recipient: User, *, accepted: bool = False, **given: Any) -> Agreement:
    """An agreement for today with all that it must say, and the scan of what was signed; its terms ``accepted`` or not yet."""
    today = timezone.localdate()
    prohibits = ("prohibits_reidentification", "prohibits_linkage", "prohibits_onward_sharing")
    said: dict[str, Any] = dict.fromkeys(prohibits, True) | {"purpose": "a study", "scan_sha256": "f" * 64}
    days = {"signed_on": today, "valid_until": today}
    agreement = put(Agreement, project=project, recipient=recipient, **said | days | given)
    if accepted:
        put(TermsAcceptance, agreement=agreement, accepted_by=recipient)
    return agreement


def allowed() -> AbstractContextManager[None]:
    """Nothing refuses it, and it is undone at once."""
    return unkept()
