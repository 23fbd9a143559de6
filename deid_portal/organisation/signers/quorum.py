"""The organisation's numbers of signatures: their only writer, and how they are read."""

from __future__ import annotations

import uuid
from collections.abc import Mapping

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from approvals.governance.verdict import deny
from approvals.request_cache import cached_read
from projects.core.enums import SharingType
from projects.core.models import Project
from projects.verification.sign_off.quorum import Ask, Basis

from .. import events
from ..grading.demands import grade_rule_of
from ..models import SIGNERS_BOUNDS, SignerQuorum
from ..proposals.models import ProposalStatus
from ..proposals.services import proposal_decide, proposal_lay
from ..rules import OrganisationReason


def versions() -> QuerySet[SignerQuorum]:
    """Every version, the newest first."""
    return SignerQuorum.objects.select_related("made_by", "decided_by")


def version_get(version_id: uuid.UUID) -> SignerQuorum:
    """Raises ``SignerQuorum.DoesNotExist``."""
    return versions().get(pk=version_id)


@cached_read
def version_now() -> SignerQuorum | None:
    """The one in force; until there is one, one person signs."""
    return SignerQuorum.objects.filter(status=ProposalStatus.IN_FORCE).first()


def signers_now() -> Mapping[str, int]:
    """How many sign a result that is submitted now, by sharing type."""
    return signers_in(version_now())


def signers_in(version: SignerQuorum | None) -> dict[str, int]:
    """By sharing type; one each where there is no version."""
    return {kind.value: 1 if version is None else getattr(version, kind.value) for kind in SharingType}


def asks_of(project: Project) -> list[Ask]:
    """How many sign what is submitted now: by how it is shared, by the version in force; by the grade of its data, by the version of
    the grading that the project goes by."""
    asks, version, sharing = [], version_now(), project.sharing_type
    if version is not None and sharing:
        asks.append(Ask(signers_in(version)[sharing], Basis.SHARING, sharing, version.number))
    grade, rule, grading = grade_rule_of(project)
    if rule is not None and grading:
        asks.append(Ask(rule.signers, Basis.GRADE, grade, grading))
    return asks


def signers_propose(needed: Mapping[str, int], *, reason: str, by: Person) -> SignerQuorum:
    """Lay down the next version; it waits for a second person.

    Raises ``ValidationError`` by sharing type for a number that cannot be; ``Refused`` where the person may not, no reason is given,
    nothing would change, or a version is waiting already.
    """
    content = {kind.value: needed.get(kind.value, 0) for kind in SharingType}
    least, most = SIGNERS_BOUNDS
    text = _("Between %(least)d and %(most)d.") % {"least": least, "most": most}
    wrong = {kind: [text] for kind, given in content.items() if not least <= given <= most}
    if wrong:
        raise ValidationError(wrong)
    if signers_now() == content:
        deny(OrganisationReason.NOTHING_CHANGED).require()
    return proposal_lay(
        SignerQuorum(**content, reason=reason),
        versions=SignerQuorum.objects.all(),
        sentences=events.SIGNERS,
        facts={},
        by=by,
    )


def signers_decide(version: SignerQuorum, *, accept: bool, reason: str, by: Person) -> SignerQuorum:
    """Put a proposed version in force, for every result that is submitted for signature from then on, or turn it down."""
    return proposal_decide(
        version,
        versions=SignerQuorum.objects.all(),
        sentences=events.SIGNERS,
        accept=accept,
        reason=reason,
        by=by,
    )
