"""The only writer of the policy library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import BinaryIO

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.serialization import governed_act
from approvals.governance.verdict import deny
from projects.core.services import notify_person
from projects.datasets.models import StoredFile
from projects.datasets.store.store import store_open, store_remove
from projects.datasets.upload.file_names import display_name
from projects.objective.notice.files import notice_kind

from ..proposals.rules import may_propose
from ..proposals.services import proposal_decide, proposal_lay
from ..rules import OrganisationReason, may_read_organisation
from . import events, rules
from .enums import CONCERNED, PolicyKind
from .grounds import newer_announce
from .models import Policy, PolicyAcknowledgement, PolicyReview, PolicyVersion
from .selectors import has_acknowledged, in_force_of, versions_of

PURPOSE = "policy"


@dataclass(frozen=True)
class Document:
    """A received file that lies in the encrypted store; whoever takes it over answers for it."""

    stored: StoredFile
    name: str


@dataclass(frozen=True)
class Wording:
    """What a version says, but for its document."""

    edition: str
    text: str
    effective_on: date
    review_on: date
    concerns: Sequence[str]


def policy_add(
    *,
    title: str,
    kind: PolicyKind,
    regulation: str,
    every_project: bool,
    owner: Person,
    wording: Wording,
    document: Document | None,
    reason: str,
    by: Person,
) -> Policy:
    """Add an entry with its first version, which waits for its approval.

    Raises ``ValidationError`` by field, ``Refused`` where the person may not; a document that is not kept leaves nothing in the store.
    """
    try:
        with governed_act(), recording(events.ADDED, by=by, policy_kind=PolicyKind(kind).value) as event:
            may_propose(by).require()
            rules.may_own(owner).require()
            policy = Policy(
                title=title.strip(),
                kind=kind,
                regulation=regulation,
                every_project=every_project,
                owner=owner,
            )
            policy.full_clean(exclude=["review_on"])
            policy.save()
            event.subject = policy.subject
            _lay(_version(policy, wording, document, reason), by=by)
            return policy
    except BaseException:
        _let_go(document)
        raise


def version_propose(
    policy: Policy, *, wording: Wording, document: Document | None, reason: str, by: Person
) -> PolicyVersion:
    """Lay down the next version. It waits for senior management where it is an internal policy, else for a second person."""
    try:
        with governed_act():
            may_propose(by).require()
            version = _version(policy, wording, document, reason)
            now = in_force_of(policy)
            if now is not None and now.content == version.content:
                deny(OrganisationReason.NOTHING_CHANGED).require()
            return _lay(version, by=by)
    except BaseException:
        _let_go(document)
        raise


def _version(policy: Policy, wording: Wording, document: Document | None, reason: str) -> PolicyVersion:
    """What is proposed; ``ValidationError`` by field where it cannot be."""
    wrong = _wrong(wording, document)
    kind = notice_kind(document.stored) if document is not None else None
    if document is not None and kind is None:
        wrong["file"] = [_("The document must be a PDF or a plain text file (UTF-8, UTF-16 or GB 18030).")]
    if wrong:
        raise ValidationError(wrong)
    version = PolicyVersion(
        policy=policy,
        edition=wording.edition.strip(),
        text=wording.text.strip(),
        effective_on=wording.effective_on,
        review_on=wording.review_on,
        concerns=[post.value for post in CONCERNED if post.value in wording.concerns],
        reason=reason,
    )
    if document is not None:
        version.stored = document.stored
        version.document_name = display_name(document.name)
        version.document_kind, version.document_hash = str(kind), document.stored.sha256
    return version


def _lay(version: PolicyVersion, *, by: Person) -> PolicyVersion:
    return proposal_lay(
        version,
        versions=PolicyVersion.objects.filter(policy=version.policy),
        sentences=events.VERSION,
        facts={},
        by=by,
    )


def _wrong(wording: Wording, document: Document | None) -> dict[str, list[str]]:
    wrong = {}
    if not wording.text.strip() and document is None:
        wrong["text"] = [_("Enter the text, or choose a document.")]
    if wording.review_on <= max(timezone.localdate(), wording.effective_on):
        wrong["review_on"] = [_("The review must lie in the future and after the version takes effect.")]
    if set(wording.concerns) - {post.value for post in CONCERNED}:
        wrong["concerns"] = [_("Unknown post.")]
    return wrong


def _let_go(document: Document | None) -> None:
    if document is not None:
        store_remove(document.stored)


def version_decide(version: PolicyVersion, *, accept: bool, reason: str, by: Person) -> PolicyVersion:
    """Approve a version in place of the one before, or turn it down. Projects that rest on an earlier one learn of it in the same
    act: live releases are re-assessed."""

    def then(approved: PolicyVersion) -> None:
        policy = approved.policy
        policy.review_on = approved.review_on
        policy.save()
        newer_announce(approved)

    return proposal_decide(
        version,
        versions=PolicyVersion.objects.filter(policy=version.policy_id),
        sentences=events.VERSION,
        accept=accept,
        reason=reason,
        by=by,
        then=then,
    )


def version_acknowledge(version: PolicyVersion, *, by: Person) -> PolicyAcknowledgement:
    """Somebody whom the version in force concerns has read it."""
    with recording(events.ACKNOWLEDGED, by=by, subject=version.subject):
        version = versions_of(version.policy).get(pk=version.pk)
        rules.may_acknowledge(by, version, done=has_acknowledged(by, version)).require()
        return PolicyAcknowledgement.objects.create(version=version, by=by)


def document_open(version: PolicyVersion, *, by: Person) -> BinaryIO:
    """The document, for everybody inside; on the record."""
    may_read_organisation(by).require()
    if version.stored is None:
        raise PolicyVersion.DoesNotExist
    with recording(events.READ, by=by, subject=version.subject):
        return store_open(version.stored, whole=True)


def policy_review(policy: Policy, *, result: str, next_on: date, by: Person) -> PolicyReview:
    """The owner has looked an entry through; what has to change is proposed as another version."""
    with recording(events.REVIEWED, by=by, about=policy, due_on=next_on.isoformat()):
        policy = _locked(policy)
        rules.may_review(by, policy).require()
        if not result.strip():
            deny(OrganisationReason.REASON_NEEDED).require()
        if next_on <= timezone.localdate():
            deny(rules.PolicyReason.NEXT_IN_PAST).require()
        policy.review_on = next_on
        policy.save()
        return PolicyReview.objects.create(policy=policy, result=result.strip(), next_on=next_on, by=by)


def owner_change(policy: Policy, *, owner: Person, by: Person) -> Policy:
    """Somebody else answers for the entry from now on."""
    with recording(events.OWNER_CHANGED, by=by, about=policy, owner=str(owner)):
        policy = _locked(policy)
        rules.may_hand_over(by).require()
        rules.may_own(owner).require()
        if owner.pk == policy.owner_id:
            deny(OrganisationReason.NOTHING_CHANGED).require()
        policy.owner = owner
        policy.save()
        notify_person(owner, events.OWNER_CHANGED, by=by, subject=policy.title, owner=str(owner))
        return policy


def _locked(policy: Policy) -> Policy:
    return Policy.objects.select_for_update().get(pk=policy.pk)
