"""Who keeps the register of organisations, who reads it, and with whom no agreement is made any more."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny
from projects.workflow.posts import AppointedPost

from ..rules import may_edit_metadata
from .models import Party


class PartyReason(Reason):
    NOT_A_KEEPER = (
        "not_the_keeper",
        _("Only planning managers and administrators keep the register of organisations."),
    )
    NOT_A_READER = (
        "not_a_reader_of_parties",
        _(
            "The register of organisations is for planning managers, administrators, senior management, supervisors and auditors."
        ),
    )
    ENDED = "party_ended", _("This organisation has ended in the register.")
    NO_AGREEMENT = (
        "no_agreement_with_party",
        _(
            "“%(party)s” has ended in the register of organisations on %(day)s (%(why)s), so that no agreement is made with it any more."
        ),
    )


def may_keep(user: Person) -> Verdict:
    """Who edits the organisation's tables: planning managers and administrators, while they are appointed."""
    return ALLOW if may_edit_metadata(user) else deny(PartyReason.NOT_A_KEEPER)


def may_read_parties(user: Person) -> Verdict:
    """Who keeps it, senior management, supervisors and auditors, while they are appointed."""
    posts = (AppointedPost.MANAGEMENT, AppointedPost.SUPERVISOR)
    if may_keep(user) or (user.is_active and (any(map(user.holds, posts)) or user.reads_all_projects)):
        return ALLOW
    return deny(PartyReason.NOT_A_READER)


def may_change(user: Person, party: Party) -> Verdict:
    """Who keeps the register, of what has not ended."""
    verdict = may_keep(user)
    return deny(PartyReason.ENDED) if verdict and not party.in_force else verdict


def may_agree(party: Party | None) -> Verdict:
    """Nobody of the register, or who has not ended there."""
    if party is None or party.ended_at is None:
        return ALLOW
    day = timezone.localdate(party.ended_at).isoformat()
    return deny(PartyReason.NO_AGREEMENT, party=party.name, day=day, why=party.end_reason)
