"""Reading the team for personal information: who has which duty today, and who had one."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from deid_portal.accounts.appointments.tenure import in_force, posts_read
from deid_portal.accounts.models import Appointment, User
from deid_portal.records.models import StaffRecord
from deid_portal.records.selectors import trainings_of
from projects.workflow.posts import AppointedPost

from ..policies.selectors import owners
from .enums import TeamDuty
from .models import TeamSeat


@dataclass(frozen=True)
class Member:
    """A seat as it is shown: with the posts of its person today and the trainings that count today; ``trainings`` is None for a
    reader who may not know of them."""

    seat: TeamSeat
    posts: tuple[AppointedPost, ...]
    trainings: tuple[StaffRecord, ...] | None

    @property
    def holds(self) -> str:
        """The posts in words; what the account is for where its person holds none."""
        return _(", ").join(str(post.label) for post in self.posts) or self.seat.account.get_post_display()


@dataclass(frozen=True)
class Team:
    """``head``: who leads it today; ``former``: who has the seat of the head and cannot lead today; ``waiting``: who is proposed as
    head and has not decided. ``members`` have the seats of the head as well, in the order of the duties."""

    members: tuple[Member, ...]
    head: TeamSeat | None
    former: TeamSeat | None
    waiting: TeamSeat | None

    def having(self, duty: TeamDuty) -> list[Member]:
        return [one for one in self.members if one.seat.duty == duty and not one.seat.waits]


def _accounts() -> Prefetch[Any]:
    """With the posts that each holds today, so that no seat asks for them."""
    return Prefetch("account", User.objects.annotate(posts_read=posts_read()))


def seats() -> QuerySet[TeamSeat]:
    return TeamSeat.objects.select_related("named_by", "ended_by").prefetch_related(_accounts())


def seat_get(seat_id: uuid.UUID) -> TeamSeat:
    """Raises ``TeamSeat.DoesNotExist``."""
    return seats().get(pk=seat_id)


def seats_ended() -> QuerySet[TeamSeat]:
    """What is over, the latest first."""
    return seats().exclude(ended_at=None).order_by("-ended_at", "pk")


def seats_of(account: User) -> QuerySet[TeamSeat]:
    """Those that somebody has, or is proposed for."""
    return seats().filter(account=account, ended_at=None)


def head_seats() -> list[TeamSeat]:
    """The seat of the head and the one for which somebody is proposed, as far as there are such."""
    return list(seats().filter(duty=TeamDuty.HEAD, ended_at=None))


def head_now(among: Iterable[TeamSeat] | None = None) -> TeamSeat | None:
    """Who leads the team today; ``among`` what was read already."""
    found = head_seats() if among is None else among
    return next((one for one in found if one.is_head and one.in_office), None)


def leads(user: Person) -> bool:
    head = head_now()
    return head is not None and head.account_id == user.pk


def team_now(*, with_trainings: bool) -> Team:
    """The team of today, in at most four statements."""
    found = list(seats().filter(ended_at=None))
    order = list(TeamDuty)
    found.sort(key=lambda one: (order.index(TeamDuty(one.duty)), one.named_at))
    head = head_now(found)
    return Team(
        tuple(shown(found, with_trainings=with_trainings)),
        head,
        next((one for one in found if one.is_head and not one.waits and one is not head), None),
        next((one for one in found if one.waits), None),
    )


def shown(found: Sequence[TeamSeat], *, with_trainings: bool) -> list[Member]:
    """Seats as they are shown, of whatever time."""
    trained = trainings_of(one.account_id for one in found) if with_trainings else None
    return [
        Member(
            one,
            tuple(post for post in AppointedPost if one.account.holds(post)),
            None if trained is None else tuple(trained.get(one.account_id, ())),
        )
        for one in found
    ]


def heads_possible() -> QuerySet[User]:
    """Who holds the post of senior management today."""
    held = Appointment.objects.filter(in_force(), post=AppointedPost.MANAGEMENT)
    return User.objects.filter(is_active=True, pk__in=held.values("account")).order_by(
        "full_name", "username"
    )


def members_possible() -> QuerySet[User]:
    """Everybody inside for good."""
    return owners()
