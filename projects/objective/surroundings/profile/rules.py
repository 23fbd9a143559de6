"""Whether the approved target allows an act of recipients. The rule of each act asks, after what the type of sharing says itself."""

from __future__ import annotations

from collections.abc import Callable

from django.utils.translation import gettext_lazy as _

from approvals.governance.verdict import ALLOW, Reason, Verdict, deny
from projects.core.models import Project

from ...enums import Act
from ...selectors import factors_of
from ...targets.content import Profile
from .acts import profile_in


class ProfileReason(Reason):
    NOT_ALLOWED = (
        "act_not_allowed",
        _("The approved target does not allow this in the surroundings of this project: %(act)s."),
    )
    ENOUGH_QUERIES = (
        "queries_of_the_day",
        _("The approved target allows %(most)s SQL queries a day and person; you have run them today."),
    )


def profile_of(project: Project) -> Profile | None:
    """What the target says; None where it leaves all that the type of sharing permits.

    From its approval on nobody alters a target before the project is taken back, and from then on nothing is received: while a
    release is received, this is what was approved.
    """
    return profile_in(factors_of(project))


def act_allowed(project: Project, *acts: Act) -> Verdict:
    """Whether any of ``acts`` is allowed; a refusal names the first."""
    profile = profile_of(project)
    if profile is None or set(acts) & set(profile.allowed):
        return ALLOW
    return deny(ProfileReason.NOT_ALLOWED, act=str(acts[0].label))


def queries_left(project: Project, run_today: Callable[[], int]) -> Verdict:
    """Whether one more SQL query is allowed today; ``run_today`` counts those of the person, and is called where that matters."""
    profile = profile_of(project)
    if profile is None or profile.queries_a_day is None:
        return ALLOW
    enough = run_today() >= profile.queries_a_day
    return deny(ProfileReason.ENOUGH_QUERIES, most=profile.queries_a_day) if enough else ALLOW
