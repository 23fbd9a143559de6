"""Who leads the team for personal information, who names its members, and who reads it.

Its head is of senior management (T/ISC 0078 12.1 a), so the others are named by the head and not by planning managers: these put
teams of projects together, and none of them answers for the organisation. Administrators propose the head, as they appoint to posts,
and name nobody else. A seat gives no right in any project, and no project waits for one.
"""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny, first_denial
from deid_portal.accounts.models import User
from deid_portal.accounts.rules import may_administer, may_administer_other
from projects.workflow.posts import AppointedPost, Post

from ..policies.enums import CONCERNED
from ..rules import may_read_organisation
from . import selectors
from .enums import TeamDuty
from .models import TeamSeat


class TeamReason(Reason):
    NOT_MANAGEMENT = (
        "team_head_not_management",
        _("%(person)s does not hold the post of senior management today, which the head of the team has to."),
    )
    OWN_PROPOSAL = "team_own_proposal", _("Somebody else has to propose you as head of the team.")
    HEAD_WAITS = (
        "team_head_waits",
        _("%(person)s is proposed as head of the team already and has not decided yet."),
    )
    NOT_PROPOSED = (
        "team_not_proposed",
        _("Only who is proposed as head takes the lead of the team, as long as they have not decided."),
    )
    NOT_THE_HEAD = "team_not_the_head", _("Only the head of the team gives its other duties.")
    BY_PROPOSAL = "team_head_by_proposal", _("The head of the team is proposed by an administrator.")
    OUTSIDE = "team_member_outside", _("Only an active person of the organisation can be in the team.")
    AUDITOR = (
        "team_auditor_reviews",
        _("An auditor judges the work of others and can have no other duty than review and audit."),
    )
    HAS_IT = "team_has_duty", _("%(person)s has this duty already.")
    NOT_THEIRS = (
        "team_not_their_seat",
        _("Only who has it, the head of the team and administrators end a duty."),
    )
    HEAD_NOT_THEIRS = (
        "team_not_their_lead",
        _("Only the head and administrators end the seat of the head."),
    )
    ENDED = "team_seat_ended", _("This duty has ended already.")


def may_read_team(user: Person) -> Verdict:
    """Everybody inside: who has which duty is for all to know (12.1 b)."""
    return may_read_organisation(user)


def may_read_trainings(user: Person) -> bool:
    """Who keeps the records, who leads, and who reads everything: what is on record about people is for no others."""
    return bool(may_administer(user)) or (
        user.is_active and (user.holds(AppointedPost.MANAGEMENT) or user.reads_all_projects)
    )


def may_propose(by: Person) -> Verdict:
    """Administrators, while nobody waits to decide."""
    verdict = may_administer(by)
    waiting = next((one for one in selectors.head_seats() if one.waits), None) if verdict else None
    return verdict if waiting is None else deny(TeamReason.HEAD_WAITS, person=str(waiting.account))


def may_lead(account: User) -> Verdict:
    """Senior management, by post, while it is held."""
    if account.is_active and account.holds(AppointedPost.MANAGEMENT):
        return ALLOW
    return deny(TeamReason.NOT_MANAGEMENT, person=str(account))


def may_be_proposed(by: Person, account: User) -> Verdict:
    """Another person, of senior management, who has not the seat of the head."""
    own = deny(TeamReason.OWN_PROPOSAL) if by.is_same_person(account) else ALLOW
    return first_denial(may_propose(by), own, may_lead(account), _not_yet(account, TeamDuty.HEAD))


def may_take(by: Person, seat: TeamSeat) -> Verdict:
    """Who is proposed as head, themself, while they hold the post. Whoever has led until then does not any more."""
    if not seat.waits or by.pk != seat.account_id:
        return deny(TeamReason.NOT_PROPOSED)
    return may_lead(by)


def may_name(by: Person) -> Verdict:
    """The head, while they lead."""
    return ALLOW if by.is_active and selectors.leads(by) else deny(TeamReason.NOT_THE_HEAD)


def may_be_named(account: User, duty: TeamDuty) -> Verdict:
    """Somebody inside for good, once for each duty; an auditor for review alone."""
    if duty == TeamDuty.HEAD:
        return deny(TeamReason.BY_PROPOSAL)
    if not account.is_active or account.post not in CONCERNED:
        return deny(TeamReason.OUTSIDE)
    auditors = User.objects.filter(post=Post.AUDITOR, is_active=True)
    if duty != TeamDuty.REVIEW and any(account.is_same_person(one) for one in auditors):
        return deny(TeamReason.AUDITOR)
    return _not_yet(account, duty)


def _not_yet(account: User, duty: TeamDuty) -> Verdict:
    """Nobody has one duty twice, under another account either."""
    same = [
        one
        for one in selectors.seats().filter(duty=duty, ended_at=None)
        if one.account.is_same_person(account)
    ]
    return deny(TeamReason.HAS_IT, person=str(account)) if same else ALLOW


def may_end(by: Person, seat: TeamSeat, *, leads: bool) -> Verdict:
    """Who has it and administrators; of every duty but the head's the head too. ``leads``: whether ``by`` is the head today."""
    theirs = by.is_active and by.pk == seat.account_id
    if not theirs and not may_administer_other(by, seat.account) and (seat.is_head or not leads):
        return deny(TeamReason.HEAD_NOT_THEIRS if seat.is_head else TeamReason.NOT_THEIRS)
    return ALLOW if seat.ended_at is None else deny(TeamReason.ENDED)
