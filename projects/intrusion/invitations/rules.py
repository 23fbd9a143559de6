"""Who invites an outsider to an intruder test, whom, and what who is invited may do: never who works on the project."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from typing import Any

from django.utils.timezone import localdate
from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny, first_denial
from projects.core.models import Project
from projects.core.rules import has_role
from projects.core.selectors import memberships_of
from projects.processing.runs.shares import share_files_of
from projects.workflow import Role
from projects.workflow.posts import Post

from ..models import IntruderTest, Invitation
from ..rules import goes_on


class InvitationReason(Reason):
    NOT_A_TESTER = (
        "not_a_tester",
        _("%(person)s has no account for invited testers whose time has not run out."),
    )
    WORKS_HERE = "tester_works_here", _("%(person)s works or worked on this project under another account.")
    INVITED_ALREADY = "tester_invited", _("%(person)s is already invited to this intruder test.")
    DAY_WRONG = (
        "invitation_day",
        _("The last day is not before today, and not after the last day of the tester's account: %(day)s."),
    )
    SHARED_OUT = (
        "result_is_in_shares",
        _("This result is handed out in shares, each holder their own; nobody from outside is shown it."),
    )
    OVER = "invitation_over", _("This invitation is over.")
    NO_FILE = (
        "invitation_without_file",
        _("You were invited to look at the result here; its file is not handed out."),
    )


def may_invite(user: Person, test: IntruderTest) -> Verdict:
    """The supervisor, who conducts the test, while it goes on."""
    verdict = has_role(user, test.project, Role.SUPERVISOR)
    verdict = verdict and goes_on(test)
    return deny(InvitationReason.SHARED_OUT) if verdict and share_files_of(test.run_id) else verdict


Place = tuple[Project, str | None]
"""Where a result of a project would go: a country, None where it is not stated."""

Demand = Callable[[Sequence[Place]], list[Verdict]]
_demands: list[Demand] = []


def demands_of_invitations(demand: Demand) -> Demand:
    """Register what else is asked before a result goes to a tester at a place: of several at once, as a list of invitations asks."""
    _demands.append(demand)
    return demand


def may_go_to(places: Sequence[Place]) -> list[Verdict]:
    """Whether a result of each project may be shown to a tester in the country or region beside it."""
    asked = [demand(places) for demand in _demands]
    return [first_denial(*(verdicts[at] for verdicts in asked)) for at in range(len(places))]


def may_be_invited(person: Person, test: IntruderTest, until: date, country: str) -> Verdict:
    """An account for testers while it lasts, of nobody who works or worked on the project, where the result may go."""
    verdict = may_test(person, test.project)
    if not verdict:
        return verdict
    if Invitation.objects.filter(test=test, tester=person, ended_at=None).exists():
        return deny(InvitationReason.INVITED_ALREADY, person=str(person))
    if person.access_until is None or not localdate() <= until <= person.access_until:
        return deny(InvitationReason.DAY_WRONG, day=f"{person.access_until}")
    (verdict,) = may_go_to([(test.project, country)])
    return verdict


def may_test(person: Person, project: Project) -> Verdict:
    if person.post != Post.TESTER or not person.is_active or person.access_ended:
        return deny(InvitationReason.NOT_A_TESTER, person=str(person))
    if any(person.is_same_person(one.user) for one in memberships_of(project)):
        return deny(InvitationReason.WORKS_HERE, person=str(person))
    return ALLOW


def may_end(user: Person, invitation: Invitation) -> Verdict:
    verdict = has_role(user, invitation.test.project, Role.SUPERVISOR)
    return deny(InvitationReason.OVER) if verdict and not invitation.is_in_force else verdict


def are_open(invitations: Iterable[Invitation]) -> dict[Any, Verdict]:
    """By the key of each whether its tester can still try it: while the invitation lasts, the test is open, the project goes on and
    the result may go where they are."""
    held = list(invitations)
    lasting = [one for one in held if one.is_in_force and goes_on(one.test)]
    verdicts = may_go_to([(one.test.project, one.country) for one in lasting])
    goes = {one.pk: verdict for one, verdict in zip(lasting, verdicts, strict=True)}
    return {one.pk: goes.get(one.pk, deny(InvitationReason.OVER)) for one in held}


def may_look(user: Person, invitation: Invitation) -> Verdict:
    """Who is invited, while it is open to them."""
    if user.pk != invitation.tester_id:
        return deny(InvitationReason.OVER)
    return are_open([invitation])[invitation.pk] and may_test(user, invitation.test.project)


def may_fetch(user: Person, invitation: Invitation) -> Verdict:
    verdict = may_look(user, invitation)
    return deny(InvitationReason.NO_FILE) if verdict and not invitation.gets_file else verdict
