"""Who reports an incident, and who does what about it: the law's duties, stopped deliveries, and an end that senior management sets."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny
from projects.core.models import Membership, Project
from projects.core.rules import has_role, may_see_inside
from projects.core.selectors import reads_along
from projects.releases.models import Release
from projects.releases.rules import demands_of_receipt
from projects.workflow import Role
from projects.workflow.posts import Post

from .enums import IncidentAct as A
from .enums import IncidentVerdict
from .models import Incident

INSIDE = (Role.PLANNER, Role.EXECUTOR, Role.SUPERVISOR, Role.MANAGEMENT)
OUTSIDE_POSTS = (Post.AUDITOR, Post.ASSESSOR)


class IncidentReason(Reason):
    CLOSED = "incident_closed", _("This incident is closed.")
    STOPPED_ALREADY = "stopped_already", _("Deliveries have already been stopped.")
    NOT_STOPPED = "not_stopped", _("Deliveries are not stopped because of this incident.")
    JUDGED_ALREADY = (
        "incident_judged_already",
        _("It has already been stated whether this incident is confirmed."),
    )
    NOT_CONFIRMED = (
        "incident_not_confirmed",
        _("It has not yet been stated whether this incident is confirmed."),
    )
    NOTIFIED_ALREADY = "notified_already", _("This has already been recorded.")
    NO_MEASURE = "no_measure", _("No measure has been recorded yet.")
    NOT_NOTIFIED = (
        "not_notified",
        _(
            "The authority has not been notified yet, or notification of the persons has neither been recorded nor decided against (article 57)."
        ),
    )
    STILL_STOPPED = (
        "still_stopped",
        _("Deliveries are still stopped; the supervisor has to resume them first."),
    )
    TEXT_NEEDED = "incident_text_needed", _("State it in words.")
    IN_FUTURE = "noticed_in_future", _("It cannot have been noticed in the future.")
    DELIVERIES_STOPPED = (
        "incident_stops_deliveries",
        _(
            "Nothing can be received for the time being: an incident involving these data is being investigated."
        ),
    )


@dataclass(frozen=True)
class ActRule:
    """Who does it, and what it does to the incident."""

    roles: tuple[Role, ...]
    once: bool = False


ACTS: dict[A, ActRule] = {
    A.MEASURE: ActRule((Role.PLANNER, Role.EXECUTOR, Role.SUPERVISOR)),
    A.STOP: ActRule((Role.PLANNER, Role.SUPERVISOR, Role.MANAGEMENT)),
    A.RESUME: ActRule((Role.SUPERVISOR,)),
    A.CONFIRM: ActRule((Role.SUPERVISOR,)),
    A.UNFOUNDED: ActRule((Role.SUPERVISOR,)),
    A.AUTHORITY: ActRule((Role.PLANNER,), once=True),
    A.PERSONS: ActRule((Role.PLANNER,), once=True),
    A.SPARE: ActRule((Role.MANAGEMENT,), once=True),
    A.CLOSE: ActRule((Role.MANAGEMENT,)),
}


def may_raise(user: Person, project: Project) -> Verdict:
    """Everybody who works in the project or looks on from outside it, in any state."""
    if user.is_active and user.post in OUTSIDE_POSTS and may_see_inside(user, project):
        return ALLOW
    return has_role(user, project, *INSIDE)


def may_act(user: Person, incident: Incident, act: A, done: Iterable[str]) -> Verdict:
    """Whether ``user`` may do ``act`` now; ``done`` are the acts that were done already."""
    rule, done = ACTS[A(act)], {*done}
    verdict = has_role(user, incident.project, *rule.roles)
    if not verdict:
        return verdict
    if incident.closed_at is not None:
        return deny(IncidentReason.CLOSED)
    if rule.once and act in done:
        return deny(IncidentReason.NOTIFIED_ALREADY)
    reason = _denial(incident, A(act), done)
    return deny(reason) if reason is not None else ALLOW


def _denial(incident: Incident, act: A, done: set[str]) -> IncidentReason | None:
    """What about the incident itself stands against an act."""
    judged = incident.verdict != IncidentVerdict.OPEN
    if act == A.STOP and incident.stopped:
        return IncidentReason.STOPPED_ALREADY
    if act == A.RESUME and not incident.stopped:
        return IncidentReason.NOT_STOPPED
    if act in (A.CONFIRM, A.UNFOUNDED) and judged:
        return IncidentReason.JUDGED_ALREADY
    if act != A.CLOSE:
        return None
    if not judged:
        return IncidentReason.NOT_CONFIRMED
    if incident.stopped:
        return IncidentReason.STILL_STOPPED
    if incident.verdict == IncidentVerdict.UNFOUNDED:
        return None
    if A.MEASURE not in done:
        return IncidentReason.NO_MEASURE
    notified = A.AUTHORITY in done and (A.PERSONS in done or A.SPARE in done)
    return None if notified else IncidentReason.NOT_NOTIFIED


_STOPS = Incident.objects.filter(project=OuterRef("project"), stopped=True)
reads_along("incident_stops", Exists(_STOPS))


@demands_of_receipt
def not_stopped(user: Person, release: Release, held: Membership) -> Verdict:
    """Nobody receives a release while an incident stops deliveries."""
    return deny(IncidentReason.DELIVERIES_STOPPED) if held.incident_stops else ALLOW  # type: ignore[attr-defined]
