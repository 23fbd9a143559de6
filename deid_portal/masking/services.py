"""The only writer of masking policies, and the masking itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db.models import F
from django.utils import timezone

from approvals.governance.person import Person
from deid_portal.organisation.proposals.services import proposal_decide, proposal_lay
from projects.workflow.posts import Post
from techniques.engines.masking import HIDDEN, IN_FULL, check, mask

from . import events
from .models import MaskingPolicy, MaskingUse


def policy_propose(
    *, name: str, title: str, scene: str, treatments: Mapping[str, Mapping[str, str]], reason: str, by: Person
) -> MaskingPolicy:
    """Lay down the next version of the policy ``name``; it waits for a second person.

    Raises ``EngineError`` for a kind or a treatment that there is not, ``ValueError`` for an unknown post,
    ``Refused`` where the person may not, no reason is given, or a version is waiting already.
    """
    chosen: dict[str, dict[str, str]] = {}
    for post, by_kind in treatments.items():
        found = {kind.value: key for kind, key in check(by_kind).items() if key != HIDDEN}
        chosen[Post(post).value] = dict(sorted(found.items()))
    policy = MaskingPolicy(name=name, title=title.strip(), scene=scene, treatments=chosen, reason=reason)
    in_full = sum(key == IN_FULL for kinds in chosen.values() for key in kinds.values())
    versions = MaskingPolicy.objects.filter(name=name)
    return proposal_lay(
        policy, versions=versions, sentences=events.SENTENCES, facts={"in_full": in_full}, by=by
    )


def policy_decide(policy: MaskingPolicy, *, accept: bool, reason: str, by: Person) -> MaskingPolicy:
    """Put a proposed version in force in place of the one before, or turn it down."""
    versions = MaskingPolicy.objects.filter(name=policy.name)
    return proposal_decide(
        policy, versions=versions, sentences=events.SENTENCES, accept=accept, reason=reason, by=by
    )


def values_mask(
    policy: MaskingPolicy, values: Sequence[tuple[str, str | None]], *, by: Person
) -> list[str | None]:
    """n (kind, value) as ``by`` may see them; that it happened is counted, what was masked is not kept."""
    shown = mask(values, policy.treatments_for(by.post))
    hour = timezone.now().replace(minute=0, second=0, microsecond=0)
    more = {"calls": F("calls") + 1, "values": F("values") + len(values)}
    counted = MaskingUse.objects.filter(policy=policy, user=by, hour=hour)
    if not counted.update(**more):
        # The first call of the hour; another one may make the row at the same moment.
        MaskingUse.objects.get_or_create(policy=policy, user=by, hour=hour)
        counted.update(**more)
    return shown
