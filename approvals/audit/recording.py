"""The only way to write a governed model: with its audit event, in one transaction."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Protocol

from django.db import transaction

from approvals.governance.draft import Draft, Subject, current_draft
from approvals.governance.person import Person
from approvals.governance.serialization import serialize
from approvals.request_cache import close_cache

from .proof import units_of, units_require
from .rules import LogBroken
from .services import event_append
from .state import State

log = logging.getLogger(__name__)


class Recorded(Protocol):
    """A row that events are about, and the project whose history they belong to."""

    @property
    def subject(self) -> Subject: ...
    @property
    def project_id(self) -> Any: ...


@contextmanager
def recording(
    action: str,
    *,
    by: Person | None,
    about: Recorded | None = None,
    subject: Subject | None = None,
    project_id: uuid.UUID | None = None,
    reason: str = "",
    data_leave: bool = False,
    **facts: Any,
) -> Iterator[Draft]:
    """Open a transaction in which governed models may be written, and append the audit event at its end.

    ``by`` is the user who acts, or None for the portal itself. ``about`` is the row that the event is about; where there is
    none yet, ``subject`` and ``project_id`` say it. Recordings nest: the inner event carries the same ``act`` id, so that one
    user action reads as one. If the block raises, neither the writes nor the event exist afterwards.

    Before it begins, what it rests on is proved: the account of who acts, the project's rows and the organisation's policies
    are as the log left them (:class:`rules.Unexplained`). Where ``data_leave``, rows that are otherwise proved before they
    are written are proved as well. Who locks rows before opens
    ``approvals.governance.serialization.governed_act`` first.
    """
    if about is not None:
        subject, project_id = about.subject, about.project_id
    outer = current_draft.get()
    draft = Draft(action, by, subject, project_id, reason, dict(facts))
    if outer is not None:
        draft.act = outer.act
        draft.project_id = draft.project_id or outer.project_id
    else:
        close_cache()
    with transaction.atomic():
        if outer is None:
            serialize()
        draft.state = outer.state if outer is not None else State()
        draft.prove = partial(units_require, draft.state)
        draft.prove(units_of(draft.project_id, by, all_kinds=data_leave))
        token = current_draft.set(draft)
        try:
            yield draft
        finally:
            current_draft.reset(token)
        event_append(draft)


def leave_note(
    action: str,
    *,
    by: Person | None,
    about: Recorded | None = None,
    subject: Subject | None = None,
    **facts: Any,
) -> None:
    """An event about what changes nothing, such as a sign-in: over a broken log it goes on, and the server's log says so."""
    try:
        with recording(action, by=by, about=about, subject=subject, **facts):
            pass
    except LogBroken as broken:
        log.critical("not recorded: %s. %s", action, broken.verdict.text)
