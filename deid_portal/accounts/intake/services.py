"""Taking people in: all of a table that was looked at, in one transaction, or nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.contrib.auth.hashers import make_password
from django.utils import timezone

from approvals.audit.recording import recording
from approvals.governance.draft import Subject
from approvals.governance.person import Person
from approvals.governance.serialization import governed_act
from approvals.governance.verdict import deny
from deid_portal.organisation.exchange import BadTable
from projects.workflow.posts import AppointedPost, Post

from .. import rules
from ..appointments.services import appointment_give
from ..models import User
from ..services import one_time_password, user_create, user_edit
from . import events
from .files import cells_read
from .plan import Action, Plan, Row, plan_of

HASHING = 4


def intake_look(content: bytes, *, by: Person) -> Plan:
    """What would be done with the table; raises ``BadTable`` where it is none."""
    rules.may_administer(by).require()
    return plan_of(cells_read(content), by=by)


def intake_carry_out(content: bytes, *, fingerprint: str, reason: str, by: Person) -> list[tuple[User, str]]:
    """Do what the plan of ``fingerprint`` says; the new accounts with their one-time passwords, which are known nowhere else.

    Where the accounts have changed since, or something is wrong, nothing is made: the plan is to be looked at again.
    """
    seen = intake_look(content, by=by)
    if seen.problems:
        raise BadTable(seen.problems)
    rules.may_take_in(seen.does_something, same=seen.fingerprint == fingerprint).require()
    passwords = {row.username: one_time_password() for row in seen.rows if row.action == Action.CREATE}
    # Strong hashes take their time, which nobody else is to wait for behind an open transaction.
    hashed = dict(zip(passwords, _hashes(passwords.values()), strict=True))
    with governed_act():
        plan = plan_of(cells_read(content), by=by)
        rules.may_take_in(plan.does_something, same=plan.fingerprint == fingerprint).require()
        if not reason.strip():
            deny(rules.AccountReason.REASON_NEEDED).require()
        digest = hashlib.sha256(content).hexdigest()[:12]
        subject = Subject("intake", digest, digest)
        facts: dict[str, Any] = {"created": plan.created, "changed": plan.changed, "proposed": plan.proposed}
        with recording(events.TAKEN_IN, by=by, subject=subject, reason=reason.strip(), **facts):
            pass
        # Each account and each post has an event of its own behind that one; all of them or none are there in the end.
        made = [
            (account, passwords[row.username])
            for row in plan.rows
            if (account := _take_in(row, hashed.get(row.username), reason.strip(), by)) is not None
        ]
    return made


def _hashes(passwords: Iterable[str]) -> list[str]:
    with ThreadPoolExecutor(HASHING) as pool:
        return list(pool.map(make_password, passwords))


def _take_in(row: Row, hashed: str | None, reason: str, by: Person) -> User | None:
    """The account that was made, if one was."""
    name, department, email = (row.values[name] for name in ("full_name", "department", "email"))
    if row.action == Action.CREATE:
        account = user_create(
            username=row.username,
            password=None,
            hashed=hashed,
            post=Post(row.post),
            full_name=name,
            department=department,
            email=email,
            access_until=row.access_until,
            must_change_password=True,
            by=by,
        )
    else:
        account = User.objects.get(username=row.username)
        if row.action == Action.CHANGE:
            account = user_edit(
                account,
                full_name=name,
                department=department,
                email=email,
                access_until=row.access_until,
                by=by,
            )
    for post in row.posts:
        appointment_give(
            account, post=AppointedPost(post), starts_on=timezone.localdate(), reason=reason, by=by
        )
    return account if row.action == Action.CREATE else None
