"""The organisation's terms of retention: their only writer, and how they are read."""

from __future__ import annotations

import uuid
from collections.abc import Mapping

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from approvals.governance.verdict import deny
from approvals.request_cache import cached_read
from projects.datasets.store.holdings import DATA
from projects.disposal.terms import Terms

from .. import events
from ..models import RetentionTerms
from ..proposals.models import ProposalStatus
from ..proposals.services import proposal_decide, proposal_lay
from ..rules import OrganisationReason

MOST_DAYS = 36_500


def versions() -> QuerySet[RetentionTerms]:
    """Every version, the newest first."""
    return RetentionTerms.objects.select_related("made_by", "decided_by")


def version_get(version_id: uuid.UUID) -> RetentionTerms:
    """Raises ``RetentionTerms.DoesNotExist``."""
    return versions().get(pk=version_id)


@cached_read
def terms_now() -> Terms:
    """Those in force; until a version is, no kind has a term."""
    version = RetentionTerms.objects.filter(status=ProposalStatus.IN_FORCE).first()
    return Terms() if version is None else terms_of(version)


def terms_of(version: RetentionTerms) -> Terms:
    return Terms(version.number, {kind: days for kind, days in version.days.items() if days is not None})


def terms_propose(days: Mapping[str, int | None], *, reason: str, by: Person) -> RetentionTerms:
    """Lay down the next version; it waits for a second person. None: the kind has no term.

    Raises ``ValidationError`` by kind for a number that cannot be; ``Refused`` where the person may not, no reason is given, nothing
    would change, or a version is waiting already.
    """
    content = {kind.value: days.get(kind.value) for kind in DATA}
    text = _("Between 0 and %(most)d days, or empty for no term.") % {"most": MOST_DAYS}
    wrong = {
        kind: [text] for kind, given in content.items() if given is not None and not 0 <= given <= MOST_DAYS
    }
    if wrong:
        raise ValidationError(wrong)
    now = terms_now()
    if dict(now.days) == {kind: given for kind, given in content.items() if given is not None}:
        deny(OrganisationReason.NOTHING_CHANGED).require()
    return proposal_lay(
        RetentionTerms(days=content, reason=reason),
        versions=RetentionTerms.objects.all(),
        sentences=events.RETENTION,
        facts={},
        by=by,
    )


def terms_decide(version: RetentionTerms, *, accept: bool, reason: str, by: Person) -> RetentionTerms:
    """Put a proposed version in force, for every project that has ended or will, or turn it down."""
    return proposal_decide(
        version,
        versions=RetentionTerms.objects.all(),
        sentences=events.RETENTION,
        accept=accept,
        reason=reason,
        by=by,
    )
