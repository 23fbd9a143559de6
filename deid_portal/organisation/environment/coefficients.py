"""The organisation's coefficients of the surroundings (T/ISC 0078 C.5): their only writer, and how they are read."""

from __future__ import annotations

import uuid
from fractions import Fraction

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from approvals.governance.verdict import deny
from projects.core.numbers import number
from projects.objective.surroundings.coefficients import SHIPPED, Coefficients
from techniques.disclosure_risk.scales.degree import HIGH_BOUNDS, LOW_BOUNDS, Capability

from .. import events
from ..models import EnvironmentCoefficients
from ..proposals.models import ProposalStatus
from ..proposals.services import proposal_decide, proposal_lay
from ..rules import OrganisationReason


def versions() -> QuerySet[EnvironmentCoefficients]:
    """Every version, the newest first."""
    return EnvironmentCoefficients.objects.select_related("made_by", "decided_by")


def version_get(version_id: uuid.UUID) -> EnvironmentCoefficients:
    """Raises ``EnvironmentCoefficients.DoesNotExist``."""
    return versions().get(pk=version_id)


def coefficients_now() -> Coefficients:
    """Those in force; as shipped until a version is."""
    found = EnvironmentCoefficients.objects.filter(status=ProposalStatus.IN_FORCE).first()
    return found.coefficients if found else SHIPPED


def coefficients_propose(
    *, low: Fraction, high: Fraction, reason: str, by: Person
) -> EnvironmentCoefficients:
    """Lay down the next version; it waits for a second person.

    Raises ``ValidationError`` by field for a coefficient that is out of bounds or has more than two decimals, ``Refused``
    where the person may not, no reason is given, nothing would change, or a version is waiting already.
    """
    given = {"low": (low, LOW_BOUNDS), "high": (high, HIGH_BOUNDS)}
    wrong = {
        name: [
            _("Between %(least)s and %(most)s, with at most two decimals.")
            % {"least": number(float(least)), "most": number(float(most))}
        ]
        for name, (value, (least, most)) in given.items()
        if not least <= value <= most or (value * 100).denominator != 1
    }
    if wrong:
        raise ValidationError(wrong)
    now = coefficients_now().of
    if (now[Capability.LOW], now[Capability.HIGH]) == (low, high):
        deny(OrganisationReason.NOTHING_CHANGED).require()
    proposal = EnvironmentCoefficients(low=int(low * 100), high=int(high * 100), reason=reason)
    facts = {"low": float(low), "high": float(high)}
    return proposal_lay(
        proposal,
        versions=EnvironmentCoefficients.objects.all(),
        sentences=events.COEFFICIENTS,
        facts=facts,
        by=by,
    )


def coefficients_decide(
    version: EnvironmentCoefficients, *, accept: bool, reason: str, by: Person
) -> EnvironmentCoefficients:
    """Put a proposed version in force, for every measurement that begins from then on, or turn it down."""
    return proposal_decide(
        version,
        versions=EnvironmentCoefficients.objects.all(),
        sentences=events.COEFFICIENTS,
        accept=accept,
        reason=reason,
        by=by,
    )
