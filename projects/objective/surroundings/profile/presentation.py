"""What recipients may do, and what keeps the protections, in words: the same on pages, on paper and for programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from projects.core.numbers import beside

from ...enums import Protection
from ...targets.content import Profile
from .acts import acts_allowed, profile_in
from .protections import Kept, kept_by

CLAUSE = "T/ISC 0078 11.2 b"


def act_lines(profile: Profile | None, sharing_type: str) -> list[str]:
    """A line for each act that is allowed, and one for what bounds them."""
    return [*_acts(profile, sharing_type), *_bounds(profile)]


def _acts(profile: Profile | None, sharing_type: str) -> list[str]:
    return [str(act.label) for act in acts_allowed(profile, sharing_type)]


def _bounds(profile: Profile | None) -> list[str]:
    if profile is None:
        return [_("This is everything that the sharing type permits.")]
    if profile.queries_a_day is None:
        return []
    return [_("At most %(most)s SQL queries a day and person.") % {"most": profile.queries_a_day}]


def kept_lines(factors: Mapping[str, Any], sharing_type: str) -> list[str]:
    """A line for each protection that is ticked: who keeps it, and by what."""
    return [
        _("%(protection)s: %(keeper)s (%(how)s)")
        % {"protection": protection.label, "keeper": kept.by.label, "how": kept.how}
        for protection, kept in _kept(factors, sharing_type)
    ]


def _kept(factors: Mapping[str, Any], sharing_type: str) -> list[tuple[Protection, Kept]]:
    """Each protection that is ticked, with what keeps it."""
    profile = profile_in(factors)
    return [
        (Protection(name), kept_by(name, sharing_type, profile)) for name in factors.get("protections") or ()
    ]


def profile_rows(factors: Mapping[str, Any] | None, sharing_type: str) -> list[dict[str, str]]:
    """{key, value, hint}: what recipients may do, and what keeps the protections; none before both are known."""
    if not factors or not sharing_type:
        return []
    return _rows(
        "\n".join(act_lines(profile_in(factors), sharing_type)), "\n".join(kept_lines(factors, sharing_type))
    )


def profile_lines(factors: Mapping[str, Any] | None, sharing_type: str) -> list[dict[str, str]]:
    """The same rows, a line each, for who decides: by what a protection is kept, the plan and the agreement say."""
    if not factors or not sharing_type:
        return []
    profile = profile_in(factors)
    acts = _(", ").join(_acts(profile, sharing_type))
    for bound in _bounds(profile):
        acts = beside(acts, bound)
    kept = [beside(str(one.label), str(kept.by.label)) for one, kept in _kept(factors, sharing_type)]
    return _rows(acts, _(", ").join(kept))


def _rows(acts: str, kept: str) -> list[dict[str, str]]:
    rows = [(_("What recipients may do"), acts), (_("What keeps the protections"), kept)]
    return [{"key": key, "value": value, "hint": CLAUSE} for key, value in rows if value]


def stated_rows(factors: Mapping[str, Any] | None, sharing_type: str) -> list[dict[str, str]]:
    """The first of these rows where the target says so itself, for what compares its versions."""
    if profile_in(factors or {}) is None:
        return []
    return profile_rows(factors, sharing_type)[:1]
