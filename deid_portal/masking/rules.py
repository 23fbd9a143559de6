"""Who proposes a masking policy, who puts it in force, who has values masked by it."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny
from deid_portal.organisation.rules import may_edit_metadata

from .enums import PolicyStatus
from .models import MaskingPolicy


class MaskingReason(Reason):
    OWN_PROPOSAL = "own_proposal", _("You proposed it yourself; another person decides.")
    DECIDED_ALREADY = "decided_already", _("This version has been decided already.")
    ONE_IS_WAITING = "one_is_waiting", _("A version of this policy is waiting for a decision already.")
    REASON_NEEDED = "reason_needed", _("A reason is required.")


def may_propose(user: Person) -> Verdict:
    """Who edits the organisation's tables."""
    return may_edit_metadata(user)


def may_decide(user: Person, policy: MaskingPolicy) -> Verdict:
    """Another one of those who may propose."""
    allowed = may_edit_metadata(user)
    if not allowed:
        return allowed
    if policy.status != PolicyStatus.PROPOSED:
        return deny(MaskingReason.DECIDED_ALREADY)
    if user.is_same_person(policy.made_by):
        return deny(MaskingReason.OWN_PROPOSAL)
    return ALLOW
