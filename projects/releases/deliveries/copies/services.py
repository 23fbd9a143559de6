"""The only writer of what recipients state about their copies."""

from __future__ import annotations

from collections.abc import Callable

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import deny
from projects.core.rules import CoreReason
from projects.core.services import notify, project_lock
from projects.workflow import Role

from ... import events
from ...models import CopyStatement, Release
from . import rules

Destroyed = Callable[[CopyStatement], None]
_destroyed: list[Destroyed] = []


def on_copy_destroyed(function: Destroyed) -> Destroyed:
    """Subscribe to what recipients state of their copies: how monitoring ends what waited for the last of them (5.6.2)."""
    _destroyed.append(function)
    return function


def copy_state(release: Release, *, how: str, by: Person) -> CopyStatement:
    """A recipient states that their copy, and every copy made of it, is destroyed, and how."""
    how = how.strip()
    with recording(events.COPY_DESTROYED, by=by, about=release, reason=how):
        project_lock(release.project)
        rules.may_state(by, release).require()
        if not how:
            deny(CoreReason.REASON_NEEDED).require()
        statement = CopyStatement.objects.create(release=release, recipient=by, how=how[:500])
        notify(
            release.project, events.COPY_DESTROYED, (Role.PLANNER,), by=by, subject=str(release), reason=how
        )
        for react in _destroyed:
            react(statement)
        return statement
