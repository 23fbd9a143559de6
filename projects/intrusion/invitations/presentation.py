"""Invitations in rows: for the pages of testers, for the page of their test, its paper and the API."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from approvals.governance.person import Person
from approvals.governance.verdict import Verdict
from projects.core.numbers import count

from ..enums import ClaimVerdict
from ..models import IntruderClaim, IntruderTest, Invitation
from .rules import InvitationReason, are_open, may_end
from .selectors import invited_from


def why_not(verdict: Verdict) -> str:
    """Why a tester cannot try it though the invitation lasts; empty where they can, and where it is over."""
    return "" if verdict or verdict.code == InvitationReason.OVER else verdict.text


def invitation_rows(
    invitations: Iterable[Invitation], claims: Iterable[IntruderClaim], user: Person
) -> list[dict[str, Any]]:
    """Each invitation with what the tester claimed and looked at, and what ``user`` may do about it."""
    held, found = list(claims), list(invitations)
    verdicts = are_open(found)
    return [
        {
            "invitation": one,
            "place": place_text(one),
            "is_open": bool(verdicts[one.pk]),
            "why_not": why_not(verdicts[one.pk]),
            "claims": count(sum(claim.invitation_id == one.pk for claim in held)),
            "views": views_text(one),
            "may_end": bool(may_end(user, one)),
        }
        for one in found
    ]


def place_text(invitation: Invitation) -> str:
    """Where the tester is."""
    return invitation.place or _("not stated")


def views_text(invitation: Invitation) -> str:
    """How often the tester looked, and fetched."""
    views = ngettext("looked once", "looked %(n)s times", invitation.views) % {"n": count(invitation.views)}
    if not invitation.views:
        views = _("never looked")
    if not invitation.fetches:
        return views
    fetched = ngettext("fetched once", "fetched %(n)s times", invitation.fetches)
    return _("%(looks)s, %(fetched)s") % {
        "looks": views,
        "fetched": fetched % {"n": count(invitation.fetches)},
    }


def claim_state(claim: IntruderClaim, invitation: Invitation) -> tuple[str, str]:
    """Tone and words of what a tester is told of their claim: whether it was checked, and no more unless they were promised it."""
    if claim.verdict == ClaimVerdict.WAITING:
        return "info", _("Waits to be checked")
    if not invitation.shows_verdicts:
        return "neutral", _("Checked")
    return "neutral", str(claim.get_verdict_display())


def apart(test: IntruderTest, claims: Iterable[IntruderClaim]) -> list[tuple[str, str]]:
    """Where invited outsiders are, their claims and those of everybody else, for the paper; nothing where nobody was invited."""
    invited = invited_from(test)
    if not invited:
        return []
    places = _("; ").join(f"{one.tester} · {place_text(one)}" for one in invited)
    held = list(claims)
    parts = (
        (_("Claims of invited outsiders"), [one for one in held if one.invitation_id]),
        (_("Claims of others"), [one for one in held if not one.invitation_id]),
    )
    said = _("%(claims)s claims, of which %(right)s right")
    return [
        (_("Country or region of the invited outsiders"), places),
        *(
            (
                label,
                said
                % {
                    "claims": count(len(found)),
                    "right": count(sum(one.verdict == ClaimVerdict.RIGHT for one in found)),
                },
            )
            for label, found in parts
        ),
    ]
