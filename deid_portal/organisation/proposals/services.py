"""The only writer of proposals: one person lays a version down, another decides about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.serialization import governed_act
from approvals.governance.verdict import deny
from deid_portal.accounts.appointments.tenure import in_force
from deid_portal.accounts.models import Appointment
from projects.core.models import Notification
from projects.workflow.posts import AppointedPost

from ..rules import EDITORS, OrganisationReason
from . import rules
from .models import Proposal, ProposalStatus

_P = TypeVar("_P", bound=Proposal)


@dataclass(frozen=True)
class Sentences:
    """The audit events of a kind of proposal; ``news`` is its notification, which knows no facts of the event."""

    proposed: str
    news: str
    in_force: str
    turned_down: str


def proposal_lay(
    proposal: _P, *, versions: QuerySet[_P], sentences: Sentences, facts: Mapping[str, Any], by: Person
) -> _P:
    """Keep ``proposal`` as the next of ``versions``; it waits for a second person.

    Raises ``Refused`` where the person may not, no reason is given, or a version is waiting already.
    """
    proposal.reason = proposal.reason.strip()
    with governed_act(), recording(sentences.proposed, by=by, reason=proposal.reason) as event:
        rules.may_propose(by).require()
        if not proposal.reason:
            deny(OrganisationReason.REASON_NEEDED).require()
        if versions.filter(status=ProposalStatus.PROPOSED).exists():
            deny(rules.ProposalReason.ONE_IS_WAITING).require()
        proposal.number = (versions.aggregate(last=Max("number"))["last"] or 0) + 1
        proposal.made_by = by
        proposal.content_hash = proposal.hash_of_content()
        proposal.save()
        event.subject = proposal.subject
        event.facts.update(facts)
        transaction.on_commit(lambda: _deciders_notify(proposal, sentences.news))
    return proposal


def _deciders_notify(proposal: Proposal, news: str) -> None:
    """Tell everybody who may decide about a proposed version."""
    people = get_user_model().objects.filter(is_active=True)
    if proposal.by_management:
        held = Appointment.objects.filter(in_force(), post=AppointedPost.MANAGEMENT)
        people = people.filter(pk__in=held.values("account"))
    else:
        people = people.filter(post__in=EDITORS)
    Notification.objects.bulk_create(
        Notification(user=person, action=news, actor=str(proposal.made_by), reason=proposal.reason)
        for person in people.select_related("person")
        if rules.may_decide(person, proposal)
    )


def proposal_decide(
    proposal: _P,
    *,
    versions: QuerySet[_P],
    sentences: Sentences,
    accept: bool,
    reason: str,
    by: Person,
    then: Callable[[_P], None] | None = None,
) -> _P:
    """Put a proposed version in force in place of the one of ``versions`` before, or turn it down. ``then`` is what being in force
    brings about, in the same act."""
    action = sentences.in_force if accept else sentences.turned_down
    with governed_act(), recording(action, by=by, subject=proposal.subject, reason=reason.strip()):
        proposal = versions.select_for_update().get(pk=proposal.pk)
        rules.may_decide(by, proposal).require()
        if not reason.strip():
            deny(OrganisationReason.REASON_NEEDED).require()
        if accept:
            versions.filter(status=ProposalStatus.IN_FORCE).update(status=ProposalStatus.REPLACED)
        proposal.status = ProposalStatus.IN_FORCE if accept else ProposalStatus.TURNED_DOWN
        proposal.decided_by, proposal.decided_at = by, timezone.now()
        proposal.decision_reason = reason.strip()
        proposal.save()
        if accept and then is not None:
            then(proposal)
    return proposal
