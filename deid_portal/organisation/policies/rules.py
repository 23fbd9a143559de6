"""Who acknowledges, reviews and hands over what stands in the policy library."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny

from ..proposals.models import ProposalStatus
from ..rules import may_edit_metadata, may_read_organisation
from .enums import CONCERNED
from .models import Policy, PolicyVersion


class PolicyReason(Reason):
    NOT_IN_FORCE = "not_in_force", _("Only the version in force can be acknowledged.")
    NOT_CONCERNED = "not_concerned", _("This version does not ask you for an acknowledgement.")
    ACKNOWLEDGED = "acknowledged", _("You have acknowledged this version.")
    NOT_THE_OWNER = "not_the_owner", _("Only the owner of the entry reviews it.")
    NOTHING_TO_REVIEW = "nothing_to_review", _("No version has been approved yet.")
    OWNER_OUTSIDE = "owner_outside", _("The owner must be an active person of the organisation.")
    NEXT_IN_PAST = "next_in_past", _("The next review must lie in the future.")


def may_acknowledge(user: Person, version: PolicyVersion, *, done: bool) -> Verdict:
    """Whom the version in force concerns, once. ``done``: whether they have."""
    if not (allowed := may_read_organisation(user)):
        return allowed
    if version.status != ProposalStatus.IN_FORCE:
        return deny(PolicyReason.NOT_IN_FORCE)
    if user.post not in version.concerns:
        return deny(PolicyReason.NOT_CONCERNED)
    return deny(PolicyReason.ACKNOWLEDGED) if done else ALLOW


def may_own(user: Person) -> Verdict:
    """Everybody inside for good."""
    return ALLOW if user.is_active and user.post in CONCERNED else deny(PolicyReason.OWNER_OUTSIDE)


def may_review(user: Person, policy: Policy) -> Verdict:
    """The owner, once there is something to look through."""
    if not (allowed := may_read_organisation(user)):
        return allowed
    if user.pk != policy.owner_id:
        return deny(PolicyReason.NOT_THE_OWNER)
    return deny(PolicyReason.NOTHING_TO_REVIEW) if policy.review_on is None else ALLOW


def may_hand_over(user: Person) -> Verdict:
    """Who edits the organisation's tables."""
    return may_edit_metadata(user)
