"""The only writer of changes of recipients, and of the terms that recipients accept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, BinaryIO

from django.core.exceptions import ValidationError
from django.db.models import Max
from django.utils import timezone

from approvals.audit.proof import explained_require
from approvals.audit.recording import recording
from approvals.countries import UNKNOWN, is_country
from approvals.governance.person import Person
from approvals.governance.serialization import governed_act
from approvals.governance.verdict import deny
from projects.core.models import Project
from projects.core.rules import CoreReason, may_see_inside
from projects.core.services import notify, notify_person, project_lock
from projects.datasets.models import StoredFile
from projects.datasets.store.store import store_open
from projects.verification.sign_off.quorum import quorum_of
from projects.workflow import Role
from techniques.core.canonical import canonical_hash

from ... import events
from ...enums import ChangeOutcome
from ...models import Agreement, ChangeSignature, RecipientChange, TermsAcceptance
from ...rules import can_be_agreed
from ..approvals import approval_fact
from ..checks import interval_fact
from ..parties import may_agree, register_kept
from ..terms import Terms, terms_hash
from . import rules
from .selectors import asks_of, is_last

Approved = Callable[[RecipientChange, Person], None]
_approved: list[Approved] = []


def on_change_approved(function: Approved) -> Approved:
    """Subscribe to approved changes: how monitoring reacts to other users of the data (5.6.2 a)."""
    _approved.append(function)
    return function


def change_propose(
    project: Project, *, recipient: Person, terms: Terms, scan: StoredFile, by: Person
) -> RecipientChange:
    """Propose an agreement that alters what senior management has signed; it replaces one about the same recipient that waits."""
    facts: dict[str, Any] = (
        {"recipient": str(recipient)}
        | interval_fact(terms.check_months)
        | {"country": terms.country}
        | approval_fact(terms.fetch_approval)
    )
    with recording(events.CHANGE_PROPOSED, by=by, project_id=project.pk, **facts) as event:
        project = project_lock(project)
        rules.may_propose_change(by, project, recipient).require()
        may_agree(project, terms.organisation).require()
        if terms.valid_until < timezone.localdate():
            deny(rules.ChangeReason.TERM_OVER).require()
        can_be_agreed(project, terms.check_months, terms.fetch_approval).require()
        if terms.country is None or not is_country(terms.country):
            raise ValidationError({"country": [UNKNOWN]})
        asks = asks_of(
            project,
            recipient,
            purpose=terms.purpose,
            valid_until=terms.valid_until,
            check_months=terms.check_months,
            country=terms.country,
            fetch_approval=terms.fetch_approval,
        )
        if not asks:
            deny(rules.ChangeReason.NOTHING_CHANGES).require()
        changes = RecipientChange.objects.filter(project=project)
        changes.filter(recipient=recipient, outcome=ChangeOutcome.WAITING).update(
            outcome=ChangeOutcome.REPLACED
        )
        last = changes.aggregate(last=Max("number"))["last"] or 0
        quorum = quorum_of(project)
        change = RecipientChange(
            project=project,
            number=last + 1,
            recipient=recipient,
            asks=[one.value for one in asks],
            terms=terms.model_dump(mode="json"),
            scan=scan,
            scan_sha256=scan.sha256,
            proposed_by=by,
            needed=quorum.needed,
            needed_by=quorum.by,
        )
        change.content_hash = canonical_hash(
            [str(recipient.pk), change.asks, change.terms, change.scan_sha256]
        )
        change.save(force_insert=True)
        event.subject = change.subject
        notify(project, events.CHANGE_PROPOSED, (Role.MANAGEMENT,), by=by, recipient=str(recipient))
        return change


def change_decide(
    change: RecipientChange, *, approve: bool, reason: str, seen_hash: str, by: Person
) -> RecipientChange:
    """Senior management approves a change, whereby its agreement comes into force, or refuses it.

    Of several who have to approve it, all but the last leave a signature, and nothing comes into force. ``seen_hash`` is the
    content hash of what was on the screen.
    """
    reason = reason.strip()
    with governed_act():
        project = project_lock(change.project)
        locked = RecipientChange.objects.select_for_update(of=("self",))
        change = locked.select_related("project", "recipient", "proposed_by").get(pk=change.pk)
        rule = rules.may_approve_change if approve else rules.may_decide_change
        rule(by, change).require()
        if not reason:
            deny(CoreReason.REASON_NEEDED).require()
        if seen_hash != change.content_hash:
            deny(rules.ChangeReason.OTHER_CONTENT).require()
        if approve and not is_last(change):
            return _signature_leave(project, change, reason=reason, by=by)
        return _decide(project, change, approve=approve, reason=reason, by=by)


def _signature_leave(
    project: Project, change: RecipientChange, *, reason: str, by: Person
) -> RecipientChange:
    facts: dict[str, Any] = {
        "recipient": str(change.recipient),
        "given": change.signatures.count() + 1,
        "needed": change.needed,
    }
    with recording(events.CHANGE_SIGNED, by=by, about=change, reason=reason, **facts):
        explained_require(project.pk, by=by)
        ChangeSignature.objects.create(
            project=project,
            change=change,
            content_hash=change.content_hash,
            signed_by=by,
            reason=reason[:500],
        )
        notify(project, events.CHANGE_SIGNED, (Role.MANAGEMENT,), by=by, reason=reason, **facts)
        return change


def _decide(
    project: Project, change: RecipientChange, *, approve: bool, reason: str, by: Person
) -> RecipientChange:
    facts: dict[str, Any] = {"recipient": str(change.recipient)}
    action = events.CHANGE_APPROVED if approve else events.CHANGE_REFUSED
    with recording(action, by=by, about=change, reason=reason, **facts) as event:
        explained_require(project.pk, by=by)
        change.outcome = ChangeOutcome.APPROVED if approve else ChangeOutcome.REFUSED
        change.decided_by, change.decided_at, change.reason = by, timezone.now(), reason[:500]
        if approve:
            # The change first: no agreement of a live release comes into being that nobody has signed (see triggers).
            agreement = _agreement(change)
            change.agreement = agreement
            change.save()
            held = Agreement.objects.filter(project=project, recipient=change.recipient, ended_at=None)
            held.update(ended_at=change.decided_at)
            agreement.save(force_insert=True)
            if party := register_kept().link(agreement):
                event.facts["party"] = party
            for function in _approved:
                function(change, by)
        else:
            change.save()
        notify(project, action, (Role.PLANNER,), by=by, reason=reason, **facts)
        if approve:
            notify_person(change.recipient, events.CHANGE_APPROVED, by=by, project=project, **facts)
        return change


def _agreement(change: RecipientChange) -> Agreement:
    """What an approved change becomes; whoever proposed it has recorded it."""
    return Agreement(
        project=change.project,
        recipient=change.recipient,
        **Terms.model_validate(change.terms).model_dump(),
        prohibits_reidentification=True,
        prohibits_linkage=True,
        prohibits_onward_sharing=True,
        scan_id=change.scan_id,
        scan_sha256=change.scan_sha256,
        recorded_by=change.proposed_by,
    )


def change_scan_open(change: RecipientChange, *, by: Person) -> BinaryIO:
    """The signed agreement of a change, for who may see the project; on the record, because people signed it."""
    may_see_inside(by, change.project).require()
    with recording(events.AGREEMENT_SCAN_READ, by=by, about=change.project, recipient=str(change.recipient)):
        return store_open(change.scan)


def terms_accept(agreement: Agreement, *, confirmed: bool, by: Person) -> TermsAcceptance:
    """The recipient accepts the terms; before that nothing is received."""
    with recording(events.TERMS_ACCEPTED, by=by, about=agreement.project) as event:
        agreement = (
            Agreement.objects.select_for_update(of=("self",)).select_related("project").get(pk=agreement.pk)
        )
        rules.may_accept(by, agreement).require()
        if not confirmed:
            deny(rules.ChangeReason.TERMS_UNREAD).require()
        accepted = TermsAcceptance(agreement=agreement, accepted_by=by, terms_hash=terms_hash(agreement))
        accepted.save(force_insert=True)
        event.facts["terms_hash"] = accepted.terms_hash
        return accepted
