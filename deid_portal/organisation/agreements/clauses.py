"""The organisation's own clauses of the data use agreement: their only writer, and how they are read."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from approvals.governance.verdict import deny
from approvals.request_cache import cached_read
from projects.releases.agreements.clauses import Clause, Clauses

from .. import events
from ..models import AgreementClauses
from ..proposals.models import ProposalStatus
from ..proposals.services import proposal_decide, proposal_lay
from ..rules import OrganisationReason

MOST_CLAUSES = 20
LONGEST_MATTER = 60
LONGEST = 1_000


def versions() -> QuerySet[AgreementClauses]:
    """Every version, the newest first."""
    return AgreementClauses.objects.select_related("made_by", "decided_by")


def version_get(version_id: uuid.UUID) -> AgreementClauses:
    """Raises ``AgreementClauses.DoesNotExist``."""
    return versions().get(pk=version_id)


@cached_read
def clauses_now() -> Clauses:
    """Those in force; none where there is no version, or one without clauses."""
    found = AgreementClauses.objects.filter(status=ProposalStatus.IN_FORCE).first()
    return Clauses() if found is None else clauses_from(found)


def clauses_from(version: AgreementClauses) -> Clauses:
    return Clauses(version.number, version.content_hash, tuple(Clause(**one) for one in version.clauses))


def clauses_propose(clauses: Sequence[Clause], *, reason: str, by: Person) -> AgreementClauses:
    """Lay down the next version; it waits for a second person. No clauses: agreements have none of the organisation's own any more.

    Raises ``ValidationError`` where a clause is not whole; ``Refused`` where the person may not, no reason is given, nothing would
    change, or a version is waiting already.
    """
    wrong = [text for place, one in enumerate(clauses, 1) if (text := _wrong(place, one))]
    if len(clauses) > MOST_CLAUSES:
        wrong.append(_("At most %(most)d clauses.") % {"most": MOST_CLAUSES})
    if wrong:
        raise ValidationError(wrong)
    if clauses_now().of == tuple(clauses):
        deny(OrganisationReason.NOTHING_CHANGED).require()
    return proposal_lay(
        AgreementClauses(clauses=[one.as_json() for one in clauses], reason=reason),
        versions=AgreementClauses.objects.all(),
        sentences=events.CLAUSES,
        facts={},
        by=by,
    )


def _wrong(place: int, clause: Clause) -> str:
    if not all(text.strip() for text in clause.as_json().values()):
        return _("Clause %(number)d needs its matter and its text in both languages.") % {"number": place}
    if max(len(clause.matter_zh), len(clause.matter_en)) > LONGEST_MATTER:
        said = {"number": place, "most": LONGEST_MATTER}
        return _("The matter of clause %(number)d is too long: at most %(most)d characters.") % said
    if max(len(clause.zh), len(clause.en)) > LONGEST:
        return _("Clause %(number)d is too long: at most %(most)d characters.") % {
            "number": place,
            "most": LONGEST,
        }
    return ""


def clauses_decide(version: AgreementClauses, *, accept: bool, reason: str, by: Person) -> AgreementClauses:
    """Put a proposed version in force, for every text of an agreement that is printed from then on, or turn it down."""
    return proposal_decide(
        version,
        versions=AgreementClauses.objects.all(),
        sentences=events.CLAUSES,
        accept=accept,
        reason=reason,
        by=by,
    )
