"""What an agreement would alter of what senior management has signed, and the changes that were proposed."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from datetime import date, datetime

from django.db.models import Prefetch, QuerySet

from approvals.countries import is_abroad
from approvals.decisions.models import Decision
from approvals.decisions.selectors import signoffs_of
from approvals.governance.person import Person
from projects.core.enums import SharingType
from projects.core.models import Membership, Project
from projects.core.selectors import members_by_role
from projects.verification.rules import RELEASE
from projects.verification.sign_off.signers import Signing
from projects.workflow import Role, State

from ...enums import ChangeOutcome, TermsChanged
from ...models import Agreement, ChangeSignature, RecipientChange
from ..checks import is_less_often


def signed_at(project: Project) -> datetime | None:
    """When senior management last signed a release of the project, and with it who receives it."""
    for one in signoffs_of(project.pk):
        if one.subject_kind == RELEASE and one.decision == Decision.APPROVED:
            return one.decided_at
    return None


def asks_of(
    project: Project,
    recipient: Person,
    *,
    purpose: str,
    valid_until: date,
    check_months: int | None,
    country: str | None,
    fetch_approval: bool | None = None,
) -> list[TermsChanged]:
    """What an agreement with ``recipient`` would alter of what was signed; nothing where the planning manager just records it."""
    if recipient.pk in {one.pk for one in unsigned(project, [recipient])}:
        return [TermsChanged.RECIPIENT]
    if project.state != State.MONITORING:
        return []
    agreements = list(Agreement.objects.filter(project=project, recipient=recipient))
    if not agreements:
        # What is for everybody goes out without agreements.
        return [] if project.sharing_type == SharingType.PUBLIC else [TermsChanged.RECIPIENT]
    held = next((one for one in agreements if one.ended_at is None), None)
    if held is None:
        return [TermsChanged.AGAIN]
    asked = [TermsChanged.PURPOSE] * (held.purpose != purpose)
    asked += [TermsChanged.TERM] * (valid_until > held.valid_until)
    asked += [TermsChanged.COUNTRY] * (is_abroad(country) and country != held.country)
    asked += [TermsChanged.APPROVAL] * (bool(held.fetch_approval) and not fetch_approval)
    return asked + [TermsChanged.CHECKS] * is_less_often(check_months, held.check_months)


def unsigned(project: Project, recipients: Iterable[Person]) -> list[Person]:
    """Those of ``recipients`` whom senior management has not signed: they came after its signature, and no change approved them."""
    at = signed_at(project)
    if at is None:
        return []
    later = Membership.objects.filter(project=project, role=Role.RECIPIENT, since__gt=at)
    new = set(later.values_list("user", flat=True))
    if new:
        approved = RecipientChange.objects.filter(
            project=project, outcome=ChangeOutcome.APPROVED, decided_at__gt=at
        )
        new -= set(approved.values_list("recipient", flat=True))
    return [one for one in recipients if one.pk in new]


def changes_of(project: Project) -> QuerySet[RecipientChange]:
    """All of them, the newest first."""
    found = RecipientChange.objects.filter(project=project)
    return found.select_related("project", "recipient", "proposed_by", "decided_by", "agreement")


def change_get(project: Project, change_id: uuid.UUID) -> RecipientChange:
    return with_signatures(changes_of(project)).select_related("scan").get(pk=change_id)


def with_signatures(changes: QuerySet[RecipientChange]) -> QuerySet[RecipientChange]:
    """The same, with what was signed and by whom, in one more statement for all of them."""
    return changes.prefetch_related(
        Prefetch("signatures", queryset=ChangeSignature.objects.select_related("signed_by"))
    )


def signatures_of(change: RecipientChange) -> list[ChangeSignature]:
    """What was signed before the last of several who have to sign, oldest first; nothing is read where one signs."""
    return list(change.signatures.all()) if change.needed > 1 else []


def is_last(change: RecipientChange) -> bool:
    """Whether the next approval is the last that is needed."""
    return len(signatures_of(change)) + 1 >= change.needed


def signing_of(change: RecipientChange) -> Signing | None:
    """How far the signatures have come; None where nothing waits, or where one person signs."""
    if change.outcome != ChangeOutcome.WAITING or change.needed == 1:
        return None
    given = signatures_of(change)
    signed = [one.signed_by for one in given]
    missing = [
        person
        for person in members_by_role(change.project).get(Role.MANAGEMENT, [])
        if person.is_active and not any(person.is_same_person(one) for one in (*signed, change.proposed_by))
    ]
    return Signing(change.needed, change.needed_by, given, missing)


def held_by(change: RecipientChange) -> Agreement | None:
    """The agreement in force with the recipient of a change, which an approved one replaces."""
    return Agreement.objects.filter(project=change.project, recipient=change.recipient, ended_at=None).first()
