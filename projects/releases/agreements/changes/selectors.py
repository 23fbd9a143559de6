"""What an agreement would alter of what senior management has signed, and the changes that were proposed."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from datetime import date, datetime

from django.db.models import QuerySet

from approvals.decisions.models import Decision
from approvals.decisions.selectors import signoffs_of
from approvals.governance.person import Person
from projects.core.enums import SharingType
from projects.core.models import Membership, Project
from projects.verification.rules import RELEASE
from projects.workflow import Role, State

from ...enums import ChangeOutcome, TermsChanged
from ...models import Agreement, RecipientChange


def signed_at(project: Project) -> datetime | None:
    """When senior management last signed a release of the project, and with it who receives it."""
    for one in signoffs_of(project.pk):
        if one.subject_kind == RELEASE and one.decision == Decision.APPROVED:
            return one.decided_at
    return None


def asks_of(project: Project, recipient: Person, *, purpose: str, valid_until: date) -> list[TermsChanged]:
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
    return asked + [TermsChanged.TERM] * (valid_until > held.valid_until)


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
    return changes_of(project).select_related("scan").get(pk=change_id)


def held_by(change: RecipientChange) -> Agreement | None:
    """The agreement in force with the recipient of a change, which an approved one replaces."""
    return Agreement.objects.filter(project=change.project, recipient=change.recipient, ended_at=None).first()
