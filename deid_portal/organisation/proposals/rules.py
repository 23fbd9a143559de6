"""Who proposes a version, and who decides about it."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny

from ..rules import may_edit_metadata
from .models import Proposal, ProposalStatus


class ProposalReason(Reason):
    OWN_PROPOSAL = "own_proposal", _("You proposed this yourself; another person decides.")
    DECIDED_ALREADY = "decided_already", _("This version has been decided already.")
    ONE_IS_WAITING = "one_is_waiting", _("Another version is already waiting for a decision.")


def may_propose(user: Person) -> Verdict:
    """Who edits the organisation's tables."""
    return may_edit_metadata(user)


def may_decide(user: Person, proposal: Proposal) -> Verdict:
    """Another one of those who may propose."""
    allowed = may_propose(user)
    if not allowed:
        return allowed
    if proposal.status != ProposalStatus.PROPOSED:
        return deny(ProposalReason.DECIDED_ALREADY)
    if user.is_same_person(proposal.made_by):
        return deny(ProposalReason.OWN_PROPOSAL)
    return ALLOW
