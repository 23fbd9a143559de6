"""What of the team for personal information stands on a home page: a proposal to decide on, and that nobody leads the team."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Exists, F, OuterRef, Subquery
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from deid_portal.accounts.rules import may_administer
from projects.core.selectors import memberships_held, reads_along
from projects.core.tasks_registry import Task, task_provider

from . import selectors
from .enums import TeamDuty
from .models import TeamSeat
from .rules import may_lead

_HEADS = TeamSeat.objects.filter(duty=TeamDuty.HEAD)
reads_along("has_team_head", Exists(_HEADS))
_PROPOSED = _HEADS.filter(taken_at=None, ended_at=None, account=OuterRef("user"))
reads_along("head_proposed_at", Subquery(_PROPOSED.order_by().values("named_at")[:1]))


@task_provider
def head_of_team(user: Person) -> list[Task]:
    """To who is proposed as head that they decide; to senior management and administrators that nobody leads the team today.

    Where the organisation never proposed anybody it keeps its team elsewhere, and nobody is reminded.
    """
    manages, administers = bool(may_lead(user)), bool(may_administer(user))
    if not manages and not administers:
        return []
    held = memberships_held(user.pk)
    if held and not held[0].has_team_head:  # type: ignore[attr-defined]
        return []
    if held and manages and (since := held[0].head_proposed_at) is not None:  # type: ignore[attr-defined]
        return [_to_decide(since)]
    # Those that have not ended first: at most the head and who is proposed.
    seats = selectors.seats().filter(duty=TeamDuty.HEAD)
    found = list(seats.order_by(F("ended_at").desc(nulls_first=True))[:3])
    waiting = next((one for one in found if one.waits and one.may_be_held), None)
    if waiting is not None:
        return [_to_decide(waiting.named_at)] if waiting.account_id == user.pk else []
    if not found or selectors.head_now(found) is not None:
        return []
    return [
        Task(
            _("Nobody leads the team for personal information today"),
            reverse("organisation:team"),
            tone="warn",
            hint=_(
                "End the proposal of who can no longer lead, then propose somebody else of senior management."
            )
            if administers and any(one.waits for one in found)
            else _("Propose somebody of senior management as head.")
            if administers
            else _("An administrator proposes somebody of senior management, who then decides."),
            icon="users",
            rank=25,
        )
    ]


def _to_decide(since: datetime) -> Task:
    return Task(
        _("Decide whether you lead the team for personal information"),
        reverse("organisation:team"),
        due=since,
        tone="warn",
        word=_("Your decision"),
        hint=_("proposed on %(day)s") % {"day": timezone.localdate(since).isoformat()},
        icon="users",
        rank=24,
    )
