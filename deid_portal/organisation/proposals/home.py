"""What of proposals stands on a person's home page: those that wait for their decision, of every kind in one read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import CharField, F, Value
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
    names: tuple[str, ...] = ()
    """Texts of a version, at most two, that its title and address need beside its number."""
    reads: tuple[str, ...] = ()
    """Rows that a version is read with, beside who proposed it: then it is read by itself."""

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
        for kind, proposal in _waiting(kinds)
        if may_decide(user, proposal)
    ]


def _waiting(kinds: list[ProposalKind]) -> Iterator[tuple[ProposalKind, Proposal]]:
    """Every version that waits, of all kinds in one read and one of the people; of a kind that needs other rows in one more."""
    none = Value("", output_field=CharField())
    waiting = [
        kind.versions.objects.filter(status=ProposalStatus.PROPOSED)
        .annotate(
            place=Value(str(place), output_field=CharField()),
            **dict(zip(("first", "second"), (*map(F, kind.names), none, none), strict=False)),
        )
        .order_by()
        .values_list("place", "pk", "number", "made_at", "made_by", "first", "second")
        for place, kind in enumerate(kinds)
    ]
    found = [(kinds[int(place)], *rest) for place, *rest in waiting[0].union(*waiting[1:], all=True)]
    people = get_user_model().objects.in_bulk({row[4] for row in found if not row[0].reads})
    for kind, pk, number, made_at, made_by, *called in found:
        if not kind.reads:
            said = {"pk": pk, "number": number, "made_at": made_at, "made_by": people[made_by]}
            named = dict(zip(kind.names, called, strict=False))
            yield kind, kind.versions(status=ProposalStatus.PROPOSED, **said, **named)
    for kind in kinds:
        if kind.reads and (keys := [row[1] for row in found if row[0] is kind]):
            for proposal in kind.versions.objects.filter(pk__in=keys).select_related("made_by", *kind.reads):
                yield kind, proposal
