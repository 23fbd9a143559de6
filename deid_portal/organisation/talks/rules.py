"""Who keeps the record of talks, who reads it, and who closes what follows from one."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny
from projects.workflow.posts import AppointedPost, Post

from ..policies.rules import may_own
from ..rules import may_read_organisation
from .models import FollowUp


class TalkReason(Reason):
    NOT_THE_PLANNER = "not_the_planner", _("Only planning managers keep the record of talks.")
    NOT_A_READER = (
        "not_a_reader",
        _("The record of talks is for planning managers, senior management and auditors."),
    )
    NOT_THEIR_FOLLOW_UP = (
        "not_their_follow_up",
        _("Only its owner and planning managers close a follow-up."),
    )
    AUDITOR = "follow_up_of_an_auditor", _("An auditor is given nothing to do.")
    CLOSED = "follow_up_closed", _("This follow-up is closed already.")


def may_record(user: Person) -> Verdict:
    """Planning managers, by post, while it is held."""
    if user.is_active and user.post == Post.PLANNER and user.holds(AppointedPost.PLANNER):
        return ALLOW
    return deny(TalkReason.NOT_THE_PLANNER)


def may_read_talks(user: Person) -> Verdict:
    """Who keeps the record, senior management and auditors, while they are appointed."""
    if may_record(user) or (
        user.is_active and (user.holds(AppointedPost.MANAGEMENT) or user.reads_all_projects)
    ):
        return ALLOW
    return deny(TalkReason.NOT_A_READER)


def may_read_talk(user: Person, *, owns_follow_up: bool) -> Verdict:
    """Who reads them all, and of a single one who has or had something to do after it."""
    if owns_follow_up and may_read_organisation(user):
        return ALLOW
    return may_read_talks(user)


def may_have_to_do(person: Person) -> Verdict:
    """Somebody inside; an auditor, who judges the others' work, is given none."""
    verdict = may_own(person)
    return deny(TalkReason.AUDITOR) if verdict and person.post == Post.AUDITOR else verdict


def may_close(user: Person, follow_up: FollowUp) -> Verdict:
    """Its owner and planning managers, once."""
    is_owner = user.pk == follow_up.owner_id and bool(may_read_organisation(user))
    if not is_owner and not may_record(user):
        return deny(TalkReason.NOT_THEIR_FOLLOW_UP)
    return ALLOW if follow_up.is_open else deny(TalkReason.CLOSED)
