"""The grammar in which every rule and every write of the portal is spoken.

* A rule answers with a :class:`Verdict`: allowed, or denied with a typed :class:`Reason`. The same
  reason explains a disabled button, an API error and a log line.
* A governed model can be written only inside :func:`recording`, which opens the transaction and
  appends the audit event in it. A direct ``save``, ``update`` or ``delete`` raises.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.db import models, transaction

from approvals.turn import turn_take


class Reason(models.TextChoices):
    """Base of the typed reasons; each package's ``rules.py`` has its own subclass with labels."""


@dataclass(frozen=True)
class Verdict:
    """The answer of a rule. ``params`` fill the placeholders of the reason's label."""

    allowed: bool
    reason: Reason | None = None
    params: dict[str, Any] = field(default_factory=dict)
    missing: tuple[Any, ...] = ()

    def __bool__(self) -> bool:
        return self.allowed

    @property
    def code(self) -> str:
        return "" if self.reason is None else str(self.reason.value)

    @property
    def text(self) -> str:
        """The reason in the user's language."""
        if self.reason is None:
            return ""
        label = str(self.reason.label)
        return label % self.params if self.params else label

    def require(self) -> None:
        """Raise :class:`Refused` unless allowed."""
        if not self.allowed:
            raise Refused(self)


ALLOW = Verdict(allowed=True)


def deny(reason: Reason, *, missing: tuple[Any, ...] = (), **params: Any) -> Verdict:
    return Verdict(allowed=False, reason=reason, params=params, missing=missing)


def first_denial(*verdicts: Verdict) -> Verdict:
    """The first verdict that denies, else ALLOW."""
    return next((v for v in verdicts if not v), ALLOW)


class Refused(Exception):
    """An action that the rules deny; pages and API show ``verdict.text``."""

    def __init__(self, verdict: Verdict) -> None:
        self.verdict = verdict
        super().__init__(verdict.code)


class GovernanceBypassed(RuntimeError):
    """Somebody tried to write a governed model outside a service."""


_recording: ContextVar[Any] = ContextVar("recording", default=None)


def _require_recording(what: str) -> None:
    if _recording.get() is None:
        raise GovernanceBypassed(f"{what} is written by its services only")


_M = TypeVar("_M", bound=models.Model, covariant=True)


class GovernedQuerySet(models.QuerySet[_M]):
    """Refuses bulk writes outside a recording."""

    def update(self, **kwargs: Any) -> int:
        _require_recording(self.model.__name__)
        return super().update(**kwargs)

    def delete(self) -> tuple[int, dict[str, int]]:
        _require_recording(self.model.__name__)
        return super().delete()

    def bulk_create(self, *args: Any, **kwargs: Any) -> Any:
        _require_recording(self.model.__name__)
        return super().bulk_create(*args, **kwargs)

    def bulk_update(self, *args: Any, **kwargs: Any) -> int:
        _require_recording(self.model.__name__)
        return super().bulk_update(*args, **kwargs)


class GovernedModel(models.Model):
    """A model whose every write leaves an audit event in the same transaction."""

    objects = GovernedQuerySet.as_manager()

    class Meta:
        abstract = True
        base_manager_name = "objects"

    def save(self, *args: Any, **kwargs: Any) -> None:
        _require_recording(type(self).__name__)
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> Any:
        _require_recording(type(self).__name__)
        return super().delete(*args, **kwargs)


@dataclass(frozen=True)
class Subject:
    """What an event, a review or a sign-off is about: known by kind, id and content hash only."""

    kind: str
    id: str
    label: str = ""
    hash: str = ""


@dataclass
class Draft:
    """The audit event that a recording will append; a service may add facts while it works.

    Facts are short scalars (states, counts, hashes, column names), never raw personal data.
    """

    action: str
    by: Any
    subject: Subject | None = None
    project_id: uuid.UUID | None = None
    reason: str = ""
    facts: dict[str, Any] = field(default_factory=dict)
    act: uuid.UUID = field(default_factory=uuid.uuid4)


@contextmanager
def recording(
    action: str,
    *,
    by: Any,
    subject: Subject | None = None,
    project_id: uuid.UUID | None = None,
    reason: str = "",
    **facts: Any,
) -> Iterator[Draft]:
    """Open a transaction in which governed models may be written, and append the audit event at its end.

    ``by`` is the user who acts, or None for the portal itself. Recordings nest: the inner event
    carries the same ``act`` id, so that one user action reads as one. If the block raises, neither
    the writes nor the event exist afterwards. Who locks rows before opens ``approvals.turn.acting`` first.
    """
    from approvals.audit.services import event_append

    outer: Draft | None = _recording.get()
    draft = Draft(action, by, subject, project_id, reason, dict(facts))
    if outer is not None:
        draft.act = outer.act
        draft.project_id = draft.project_id or outer.project_id
    with transaction.atomic():
        if outer is None:
            turn_take()
        token = _recording.set(draft)
        try:
            yield draft
        finally:
            _recording.reset(token)
        event_append(draft)
