"""Reading masking policies."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.db.models import QuerySet, Sum
from django.utils.translation import gettext

from deid_portal.organisation.proposals.models import ProposalStatus
from techniques.core.kinds import IDENTIFIER_NAMES, Identifier
from techniques.engines.masking import HIDDEN, treatments

from .enums import MASKED_POSTS
from .models import MaskingPolicy


def policies() -> QuerySet[MaskingPolicy]:
    """Every version that counts, by name: in force or waiting."""
    current = (ProposalStatus.IN_FORCE, ProposalStatus.PROPOSED)
    return MaskingPolicy.objects.filter(status__in=current).select_related("made_by", "decided_by")


def versions_of(name: str) -> QuerySet[MaskingPolicy]:
    """All versions of a policy with the values masked under each, the newest first."""
    return (
        MaskingPolicy.objects.filter(name=name)
        .select_related("made_by", "decided_by")
        .annotate(masked=Sum("uses__values", default=0))
        .order_by("-number")
    )


def policy_in_force(name: str) -> MaskingPolicy:
    """What masking needs of it. Raises ``MaskingPolicy.DoesNotExist``."""
    found = MaskingPolicy.objects.only("name", "number", "treatments")
    return found.get(name=name, status=ProposalStatus.IN_FORCE)


def policy_get(policy_id: uuid.UUID) -> MaskingPolicy:
    """Raises ``MaskingPolicy.DoesNotExist``."""
    return MaskingPolicy.objects.select_related("made_by", "decided_by").get(pk=policy_id)


@dataclass(frozen=True)
class Cell:
    """How one post sees one kind."""

    post: str
    key: str
    name: str
    level: str
    """``none``, ``part`` or ``all``: how much is shown."""


def grid(policy: MaskingPolicy) -> list[tuple[str, list[Cell]]]:
    """One line for each kind of identifier: its name, and a cell for each post."""
    known = {(kind, t.key): t.name for kind, several in treatments().items() for t in several}
    lines = []
    for kind in Identifier:
        cells = []
        for post in MASKED_POSTS:
            key = policy.treatments.get(post.value, {}).get(kind.value, HIDDEN)
            level = {HIDDEN: "none", "in_full": "all"}.get(key, "part")
            cells.append(Cell(str(post.label), key, gettext(known.get((kind, key), key)), level))
        lines.append((gettext(IDENTIFIER_NAMES[kind]), cells))
    return lines
