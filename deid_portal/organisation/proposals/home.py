"""What of proposals stands on a person's home page: those that wait for their decision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from projects.core.tasks_registry import Task, due_text

from .models import ProposalStatus
from .rules import may_decide, may_propose


def proposals_waiting(
    user: Person, versions: QuerySet[Any], title: Callable[[Any], str], address: Callable[[Any], str]
) -> list[Task]:
    """Those of ``versions`` that ``user`` may put in force or turn down."""
    if not may_propose(user):
        return []
    return [
        Task(
            title(proposal),
            address(proposal),
            due=proposal.made_at,
            tone="warn",
            word=_("Your decision"),
            hint=_("proposed by %(by)s, since %(since)s")
            % {"by": proposal.made_by, "since": due_text(proposal.made_at)},
            icon="shield",
            rank=24,
        )
        for proposal in versions.filter(status=ProposalStatus.PROPOSED).select_related("made_by")
        if may_decide(user, proposal)
    ]
