"""What keeps each protection, by the type of sharing, and which of them a type of sharing or a profile contradicts (GB/T 37964 5.2.3 c;
T/ISC 0078 11.2 b)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.utils.translation import gettext_lazy as _

from projects.core.enums import SharingType
from techniques.core.messages import gettext_noop

from ...enums import Keeper, Protection
from ...targets.conflicts import protection_conflicts
from ...targets.content import Factors, Profile, problem
from .acts import acts_allowed, acts_of, hands_over


class Kept(NamedTuple):
    """Who keeps a protection, and by what."""

    by: Keeper
    how: Any


_PUBLIC, _CONTROLLED, _ENCLAVE = SharingType.PUBLIC, SharingType.CONTROLLED, SharingType.ENCLAVE
_AGREED = Kept(
    Keeper.PORTAL,
    _("nothing is received without an agreement in force whose terms the recipient has accepted"),
)
_NAMED = Kept(
    Keeper.PORTAL, _("only the accounts of the project's recipients receive anything, each after signing in")
)
_LOGGED = Kept(Keeper.PORTAL, _("each look, query and fetch is recorded before it is answered"))
_NOTHING = Kept(Keeper.RECIPIENT, _("completely public sharing gives the data to everybody"))
_OUTSIDE = _("the portal keeps it encrypted until it is handed over; afterwards it rests on whoever holds it")

PROTECTIONS: Mapping[Protection, Mapping[SharingType, Kept]] = {
    Protection.AGREEMENT: {_PUBLIC: _NOTHING, _CONTROLLED: _AGREED, _ENCLAVE: _AGREED},
    Protection.NAMED_PEOPLE: {
        _PUBLIC: _NOTHING,
        _CONTROLLED: Kept(
            Keeper.IN_PART,
            _(
                "only the accounts of the project's recipients fetch anything; who reads a fetched file rests on the recipient's word"
            ),
        ),
        _ENCLAVE: _NAMED,
    },
    Protection.VIEW_ONLY: {
        _PUBLIC: _NOTHING,
        _CONTROLLED: Kept(Keeper.PORTAL, _("the profile of the surroundings allows no fetching of the file")),
        _ENCLAVE: Kept(
            Keeper.PORTAL, _("the rows are shown on pages of the portal only; no file of them is handed over")
        ),
    },
    Protection.ACCESS_LOG: {
        _PUBLIC: _NOTHING,
        _CONTROLLED: Kept(
            Keeper.IN_PART,
            _(
                "each fetch is recorded before it is answered; uses of a fetched file are not seen by the portal"
            ),
        ),
        _ENCLAVE: _LOGGED,
    },
    Protection.WATERMARK: {
        _PUBLIC: _NOTHING,
        _CONTROLLED: Kept(Keeper.RECIPIENT, _("a fetched file has no watermark")),
        _ENCLAVE: Kept(
            Keeper.PORTAL, _("every page that shows rows carries the name of who looks, and when")
        ),
    },
    Protection.ENCRYPTED: {
        _PUBLIC: Kept(Keeper.IN_PART, _OUTSIDE),
        _CONTROLLED: Kept(Keeper.IN_PART, _OUTSIDE),
        _ENCLAVE: Kept(
            Keeper.IN_PART,
            _(
                "the portal stores the rows encrypted; the connection is encrypted where the portal is installed with HTTPS"
            ),
        ),
    },
    Protection.EXPIRY: {
        _PUBLIC: _NOTHING,
        _CONTROLLED: Kept(
            Keeper.IN_PART,
            _(
                "nothing is fetched after the last day of the agreement; that copies are destroyed rests on the recipient's statement"
            ),
        ),
        _ENCLAVE: Kept(
            Keeper.IN_PART,
            _(
                "nothing is seen after the last day of the agreement; the data in the portal are destroyed by the project's disposal"
            ),
        ),
    },
    Protection.NO_CONTROL: dict.fromkeys(SharingType, Kept(Keeper.RECIPIENT, _("nothing is enforced"))),
}
"""A row each: a protection that is ticked says what keeps it from here, on pages, on paper and for programs."""


_FETCHED = Kept(Keeper.RECIPIENT, _("recipients fetch the file"))


def kept_by(protection: str, sharing_type: str, profile: Profile | None) -> Kept:
    """The row; a target of before contradictions were refused may name viewing only and have its file fetched."""
    is_view = protection == Protection.VIEW_ONLY and sharing_type == SharingType.CONTROLLED
    if is_view and hands_over(acts_allowed(profile, sharing_type)):
        return _FETCHED
    return PROTECTIONS[Protection(protection)][SharingType(sharing_type)]


def narrows(factors: Factors, sharing_type: str) -> Factors:
    """Check that the profile narrows what the sharing type permits and never widens it; raises a custom error."""
    said = factors.profile
    if said is not None and not set(said.allowed) <= set(acts_of(sharing_type)):
        text = gettext_noop("The profile allows what the sharing type does not permit.")
        raise problem("profile", text)
    return factors


def for_sharing(factors: Factors, sharing_type: str) -> Factors:
    """The same, and that nothing contradicts the protections: what a person sends is refused where it does, and nobody submits it."""
    narrows(factors, sharing_type)
    contradicted = protection_conflicts(factors.model_dump(mode="json"), sharing_type)
    if contradicted:
        raise problem("protections", contradicted[0])
    return factors
