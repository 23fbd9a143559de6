"""Which versions of the library a project rests on, and what a newer one means for those that rest on an earlier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Exists, Q
from django.utils import timezone
from django.utils.translation import gettext_noop

from approvals.request_cache import cached_read
from approvals.sentences import Sentence
from projects.core.models import Project
from projects.core.services import notify
from projects.monitoring.enums import ChangeKind
from projects.monitoring.services import change_report
from projects.objective.selectors import objective_of
from projects.objective.targets.grounds import Grounds
from projects.workflow import Role, State

from ..proposals.models import ProposalStatus
from . import events
from .models import PolicyVersion
from .selectors import resting_on

_ABOUT = Q(policy__every_project=True) | ~Q(policy__regulation="")
_HOLDING = PolicyVersion.objects.filter(_ABOUT, status=ProposalStatus.IN_FORCE)
SOME = Exists(_HOLDING)
"""Whether there is a version in force that a target may rest on."""


@cached_read
def _in_force() -> list[dict[str, Any]]:
    read = _HOLDING.order_by("policy__kind", "policy__title").values(
        "policy", "policy__title", "policy__regulation", "policy__every_project", "edition", "number", "content_hash"
    )  # fmt: skip
    return [dict(row) for row in read]


def grounds_for(regulations: Sequence[str]) -> Grounds:
    """The approved versions that every project rests on, and those of the laws and standards that a scope names."""
    return [
        {
            "policy": str(row["policy"]),
            "title": row["policy__title"],
            "edition": row["edition"],
            "version": row["number"],
            "hash": row["content_hash"],
        }
        for row in _in_force()
        if row["policy__every_project"] or row["policy__regulation"] in regulations
    ]


def newer_announce(version: PolicyVersion) -> None:
    """Tell the projects that rest on an earlier one: a live release is re-assessed, of any other the planning manager learns of it."""
    for project, number in resting_on(version.policy):
        if number < version.number:
            _tell(project, version)


def stale_report(project: Project) -> None:
    """A release that rests on versions of which newer ones were approved while it was made is re-assessed (4.2 a, 5.6.2)."""
    objective = objective_of(project)
    for ground in (objective.rests_on if objective else None) or ():
        found = PolicyVersion.objects.select_related("policy").filter(
            policy=ground["policy"], status=ProposalStatus.IN_FORCE, number__gt=ground["version"]
        )
        for version in found:
            _tell(project, version)


def _tell(project: Project, version: PolicyVersion) -> None:
    if project.state != State.MONITORING:
        facts = {"policy": version.policy.title, "version": version.edition or str(version.number)}
        notify(project, events.SUPERSEDED, (Role.PLANNER,), by=None, **facts)
        return
    text = gettext_noop(
        "The release rests on an earlier version of “%(policy)s”. Version %(number)s (%(edition)s) takes effect on %(date)s."
    )
    names = {
        "policy": version.policy.title,
        "number": version.number,
        "edition": version.edition or "–",
        "date": version.effective_on.isoformat(),
    }
    change_report(
        project,
        kind=ChangeKind.RULES,
        description=Sentence(text, names),
        happened_on=timezone.localdate(),
        by=None,
    )
