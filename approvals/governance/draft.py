"""An audit event while its act is under way, and what it is about."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from approvals.governance.person import Person

# (label of a marked model, whose rows: a project, a person, "" for the organisation's)
Unit = tuple[str, str]


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
    by: Person | None
    subject: Subject | None = None
    project_id: uuid.UUID | None = None
    reason: str = ""
    facts: dict[str, Any] = field(default_factory=dict)
    act: uuid.UUID = field(default_factory=uuid.uuid4)
    # Rows that give permission and were written in it: ids by the model's label.
    rows: dict[str, set[Any]] = field(default_factory=dict)
    # The units that these rows belong to, and what proves a unit before the act writes the first row of it.
    units: set[Unit] = field(default_factory=set)
    prove: Callable[[set[Unit]], None] = lambda units: None
    # What the act knows of the rows that the end of the log seals (:mod:`approvals.audit.state`).
    state: Any = None

    def before_write(self, unit: Unit) -> None:
        if unit not in self.units:
            self.prove({unit})
            self.units.add(unit)


current_draft: ContextVar[Draft | None] = ContextVar("current_draft", default=None)
"""The draft of the innermost recording that is open, if one is."""
