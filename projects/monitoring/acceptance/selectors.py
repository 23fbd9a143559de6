"""Which acceptance is about what was measured last, and until when deliveries go on."""

from __future__ import annotations

from datetime import date, timedelta

from django.conf import settings
from django.db.models import OuterRef, Subquery

from projects.core.models import Membership
from projects.core.selectors import reads_along

from ..models import Reassessment, RiskAcceptance


def acceptance_of(reassessment: Reassessment) -> RiskAcceptance | None:
    """The acceptance of what was measured last; one of an earlier measurement says nothing of this one."""
    given = reassessment.acceptances.all()
    return next((one for one in given if one.measured_at == reassessment.measured_at), None)


_LIVE = {"project": OuterRef("project"), "release__ended_at": None, "concluded_at": None}
_ACCEPTED = {"project": OuterRef("project"), "reassessment__release__ended_at": None, "ended_at": None}
reads_along(
    "reassessment_due", Subquery(Reassessment.objects.filter(**_LIVE).order_by("due_on").values("due_on")[:1])
)
reads_along(
    "risk_accepted_until",
    Subquery(RiskAcceptance.objects.filter(**_ACCEPTED).order_by("until").values("until")[:1]),
)


def received_until(held: Membership) -> date | None:
    """The last day on which the release of a project is received without a conclusion about it: that of its acceptance, or the
    due day of a re-assessment and the organisation's grace; None where nothing is due. Reads what came along with the role."""
    due: date | None = held.reassessment_due  # type: ignore[attr-defined]
    accepted: date | None = held.risk_accepted_until  # type: ignore[attr-defined]
    grace = due + timedelta(days=settings.DEID_REASSESSMENT_GRACE_DAYS) if due is not None else None
    return min((day for day in (grace, accepted) if day is not None), default=None)
