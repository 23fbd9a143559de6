"""The acts of recipients, a row each: under which types of sharing the portal carries it out, and whether a file leaves by it.

A rule that lets a recipient do one of them asks :func:`.rules.act_allowed` for it; what no row is about is no use of the data: reading
notices and agreements, stating that a copy is destroyed, reporting.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from projects.core.enums import SharingType

from ...enums import Act
from ...targets.content import Profile

_FILES = (SharingType.PUBLIC, SharingType.CONTROLLED)
_INSIDE = (SharingType.ENCLAVE,)


@dataclass(frozen=True)
class ActRow:
    """``hands_over``: the released rows leave the portal by it."""

    act: Act
    sharing_types: tuple[SharingType, ...]
    hands_over: bool = False


ACTS = (
    ActRow(Act.FETCH, _FILES, hands_over=True),
    ActRow(Act.FETCH_API, _FILES, hands_over=True),
    ActRow(Act.PUBLISH, (SharingType.PUBLIC,), hands_over=True),
    ActRow(Act.LOOK, _INSIDE),
    ActRow(Act.QUERY, _INSIDE),
    ActRow(Act.SAMPLE, _INSIDE),
    ActRow(Act.ASK_TABLE, _INSIDE),
    ActRow(Act.FETCH_TABLE, tuple(SharingType)),
    ActRow(Act.QUESTION, tuple(SharingType)),
)


def profile_in(factors: Mapping[str, Any]) -> Profile | None:
    """What the factors of a target leave of the acts; None where they leave all."""
    said = factors.get("profile")
    return None if said is None else Profile(**said)


def acts_of(sharing_type: str) -> list[Act]:
    """What the type of sharing permits; nothing before it is chosen."""
    return [row.act for row in ACTS if sharing_type in row.sharing_types]


def acts_allowed(profile: Profile | None, sharing_type: str) -> list[Act]:
    """What is left of that by a profile; all of it without one. Never more, whatever the profile says."""
    return [act for act in acts_of(sharing_type) if profile is None or act in profile.allowed]


def hands_over(acts: Collection[str]) -> bool:
    """Whether the released rows leave the portal by any of ``acts``."""
    return any(row.hands_over for row in ACTS if row.act in acts)
