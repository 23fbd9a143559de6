"""The only writer of masking policies, and the masking itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import F, Max
from django.utils import timezone

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.serialization import governed_act
from approvals.governance.verdict import deny
from deid_portal.organisation.rules import EDITORS
from projects.core.models import Notification
from projects.workflow.posts import Post
from techniques.engines.masking import HIDDEN, IN_FULL, check, mask

from . import events, rules
from .enums import PolicyStatus
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
    with governed_act(), recording(events.PROPOSED, by=by, reason=reason.strip()) as event:
        rules.may_propose(by).require()
        if not reason.strip():
            deny(rules.MaskingReason.REASON_NEEDED).require()
        versions = MaskingPolicy.objects.filter(name=name)
        if versions.filter(status=PolicyStatus.PROPOSED).exists():
            deny(rules.MaskingReason.ONE_IS_WAITING).require()
        number = (versions.aggregate(last=Max("number"))["last"] or 0) + 1
        policy = MaskingPolicy(
            name=name,
            number=number,
            title=title.strip(),
            scene=scene,
            treatments=chosen,
            reason=reason.strip(),
            made_by=by,
        )
        policy.content_hash = policy.hash_of_content()
        policy.save()
        event.subject = policy.subject
        event.facts["in_full"] = sum(key == IN_FULL for kinds in chosen.values() for key in kinds.values())
        transaction.on_commit(lambda: _notify_deciders(policy))
    return policy


def _notify_deciders(policy: MaskingPolicy) -> None:
    """Tell everybody who may decide about a proposed version."""
    people = get_user_model().objects.filter(is_active=True, post__in=EDITORS)
    Notification.objects.bulk_create(
        Notification(
            user=person, action=events.PROPOSED_NEWS, actor=str(policy.made_by), reason=policy.reason
        )
        for person in people.select_related("person")
        if rules.may_decide(person, policy)
    )


def policy_decide(policy: MaskingPolicy, *, accept: bool, reason: str, by: Person) -> MaskingPolicy:
    """Put a proposed version in force in place of the one before, or turn it down."""
    action = events.IN_FORCE if accept else events.TURNED_DOWN
    with governed_act(), recording(action, by=by, subject=policy.subject, reason=reason.strip()):
        policy = MaskingPolicy.objects.select_for_update().get(pk=policy.pk)
        rules.may_decide(by, policy).require()
        if not reason.strip():
            deny(rules.MaskingReason.REASON_NEEDED).require()
        if accept:
            current = MaskingPolicy.objects.filter(name=policy.name, status=PolicyStatus.IN_FORCE)
            current.update(status=PolicyStatus.REPLACED)
        policy.status = PolicyStatus.IN_FORCE if accept else PolicyStatus.TURNED_DOWN
        policy.decided_by, policy.decided_at = by, timezone.now()
        policy.decision_reason = reason.strip()
        policy.save()
    return policy


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
