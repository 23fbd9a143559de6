"""What of proposals stands on a person's home page: those that wait for their decision, of every kind in one read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db.models import CharField, Value
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from projects.core.tasks_registry import Task, due_text, task_provider

from .models import Proposal, ProposalStatus
from .rules import may_decide, may_decide_for_all, may_propose


@dataclass(frozen=True)
class ProposalKind:
    """Versions of one kind: what a task about one is called, and the page to decide on."""

    versions: type[Any]
    title: Callable[[Any], str]
    address: Callable[[Any], str]
    reads: tuple[str, ...] = ()
    """What a version is read with, beside who proposed it."""

    @property
    def asks_management(self) -> bool:
        """Whether senior management decides about some of its versions."""
        return bool(self.versions.by_management is not Proposal.by_management)


_kinds: list[ProposalKind] = []


def proposal_kind(kind: ProposalKind) -> None:
    """Let proposals of this kind wait on home pages; called once, from an app's ``home`` module."""
    _kinds.append(kind)


@task_provider
def proposals_waiting(user: Person) -> list[Task]:
    """Those that ``user`` may put in force or turn down."""
    # Senior management decides about no others than those that ask for it.
    kinds = _kinds if may_propose(user) else [kind for kind in _kinds if kind.asks_management]
    if not kinds or (not may_propose(user) and not may_decide_for_all(user)):
        return []
    waiting = [
        kind.versions.objects.filter(status=ProposalStatus.PROPOSED)
        .annotate(place=Value(str(place), output_field=CharField()))
        .order_by()
        .values_list("place", "pk")
        for place, kind in enumerate(kinds)
    ]
    keys = list(waiting[0].union(*waiting[1:], all=True))
    return [
        Task(
            kind.title(proposal),
            kind.address(proposal),
            due=proposal.made_at,
            tone="warn",
            word=_("Your decision"),
            hint=_("proposed by %(by)s, since %(since)s")
            % {"by": proposal.made_by, "since": due_text(proposal.made_at)},
            icon="shield",
            rank=24,
        )
        for place, kind in enumerate(kinds)
        if (of_kind := [key for which, key in keys if which == str(place)])
        for proposal in kind.versions.objects.filter(pk__in=of_kind).select_related("made_by", *kind.reads)
        if may_decide(user, proposal)
    ]
