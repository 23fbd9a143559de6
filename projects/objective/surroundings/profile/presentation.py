"""What recipients may do, and what keeps the protections, in words: the same on pages, on paper and for programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from projects.core.numbers import beside

from ...enums import Protection
from ...targets.content import Profile
from .acts import acts_allowed
from .protections import kept_by

CLAUSE = "T/ISC 0078 11.2 b"


def profile_in(factors: Mapping[str, Any] | None) -> Profile | None:
    said = (factors or {}).get("profile")
    return None if said is None else Profile(**said)


def act_lines(profile: Profile | None, sharing_type: str) -> list[str]:
    """A line for each act that is allowed, and one for a bound."""
    lines = [str(act.label) for act in acts_allowed(profile, sharing_type)]
    if profile is None:
        lines.append(_("This is everything that the sharing type permits."))
    elif profile.queries_a_day is not None:
        lines.append(_("At most %(most)s SQL queries a day and person.") % {"most": profile.queries_a_day})
    return lines


def kept_lines(factors: Mapping[str, Any], sharing_type: str) -> list[str]:
    """A line for each protection that is ticked: who keeps it, and by what."""
    profile = profile_in(factors)
    found = []
    for name in factors.get("protections") or ():
        kept = kept_by(name, sharing_type, profile)
        found.append(
            _("%(protection)s: %(keeper)s (%(how)s)")
            % {"protection": Protection(name).label, "keeper": kept.by.label, "how": kept.how}
        )
    return found


def profile_rows(factors: Mapping[str, Any] | None, sharing_type: str) -> list[dict[str, str]]:
    """{key, value, hint}: what recipients may do, and what keeps the protections; none before both are known."""
    if not factors or not sharing_type:
        return []
    rows = [
        (_("What recipients may do"), act_lines(profile_in(factors), sharing_type)),
        (_("What keeps the protections"), kept_lines(factors, sharing_type)),
    ]
    return [{"key": key, "value": "\n".join(lines), "hint": CLAUSE} for key, lines in rows if lines]


def profile_lines(factors: Mapping[str, Any] | None, sharing_type: str) -> list[dict[str, str]]:
    """The same rows, a line each, for who decides: the acts, and who keeps each protection; by what, the plan and the agreement say."""
    if not factors or not sharing_type:
        return []
    profile = profile_in(factors)
    kept = [
        beside(str(Protection(name).label), str(kept_by(name, sharing_type, profile).by.label))
        for name in factors.get("protections") or ()
    ]
    rows = [
        (_("What recipients may do"), [str(act.label) for act in acts_allowed(profile, sharing_type)]),
        (_("What keeps the protections"), kept),
    ]
    return [{"key": key, "value": _(", ").join(lines), "hint": CLAUSE} for key, lines in rows if lines]


def stated_rows(factors: Mapping[str, Any] | None, sharing_type: str) -> list[dict[str, str]]:
    """The first of these rows where the target says so itself, for what compares its versions."""
    if profile_in(factors) is None:
        return []
    return profile_rows(factors, sharing_type)[:1]
