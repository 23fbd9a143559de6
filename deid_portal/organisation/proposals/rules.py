"""Who proposes a version, and who decides about it."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny
from projects.workflow.posts import AppointedPost

from ..rules import may_edit_metadata
from .models import Proposal, ProposalStatus


class ProposalReason(Reason):
    OWN_PROPOSAL = "own_proposal", _("You proposed this yourself; another person decides.")
    DECIDED_ALREADY = "decided_already", _("This version has been decided already.")
    WRONG_POST = "wrong_post", _("Only senior management approves an internal policy.")
    ONE_IS_WAITING = "one_is_waiting", _("Another version is already waiting for a decision.")


def may_propose(user: Person) -> Verdict:
    """Who edits the organisation's tables."""
    return may_edit_metadata(user)


def may_decide_for_all(user: Person) -> Verdict:
    """By the post of senior management, while it is held; superuser rights give nothing here."""
    if user.is_active and user.holds(AppointedPost.MANAGEMENT):
        return ALLOW
    return deny(ProposalReason.WRONG_POST)


def may_decide(user: Person, proposal: Proposal) -> Verdict:
    """Another one of those who may propose, or senior management where the proposal asks for it."""
    allowed = may_decide_for_all(user) if proposal.by_management else may_propose(user)
    if not allowed:
        return allowed
    if proposal.status != ProposalStatus.PROPOSED:
        return deny(ProposalReason.DECIDED_ALREADY)
    if user.is_same_person(proposal.made_by):
        return deny(ProposalReason.OWN_PROPOSAL)
    return ALLOW
