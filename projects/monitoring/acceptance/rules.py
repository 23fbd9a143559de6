"""Who accepts a risk, which conclusions stand open, and when an overdue look back stops deliveries."""

from __future__ import annotations

from datetime import date

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny, first_denial
from projects.core.models import Membership
from projects.core.rules import has_role, in_state
from projects.releases.models import Release
from projects.releases.rules import demands_of_receipt
from projects.workflow import Role, State

from ..amendments.selectors import waits_for_amendment, was_amended_since
from ..enums import ReassessmentOutcome
from ..models import Reassessment
from ..rules import MonitoringReason, may_conclude
from .selectors import acceptance_of, received_until


class AcceptanceReason(Reason):
    NOTHING_TO_ACCEPT = "nothing_to_accept", _("Every target is met; there is no risk to accept.")
    ACCEPTED_ALREADY = "risk_accepted_already", _("Senior management has already accepted this measurement.")
    BROKEN = (
        "seal_is_broken",
        _("The seal is broken; what is stored is not what was approved, and that cannot be accepted."),
    )
    NOT_MET = (
        "targets_not_met",
        _(
            "Not every target is met any more, by the release alone or together with others: it has to be suspended, or "
            "verified or processed again, unless senior management accepts this until a set day."
        ),
    )
    DAY_PAST = "day_past", _("The day is in the past.")
    TOO_LONG = "accepted_too_long", _("At most a year: until %(most)s.")
    OVERDUE = (
        "reassessment_overdue",
        _(
            "Nothing can be received until the supervisor has concluded the overdue re-assessment of this release."
        ),
    )


def may_accept_risk(user: Person, reassessment: Reassessment) -> Verdict:
    """Senior management of a monitored project, once for each measurement that does not meet every target."""
    verdict = first_denial(
        has_role(user, reassessment.project, Role.MANAGEMENT),
        in_state(reassessment.project, State.MONITORING),
    )
    if not verdict:
        return verdict
    if reassessment.concluded_at is not None:
        return deny(MonitoringReason.CONCLUDED)
    if reassessment.opened_at is None or reassessment.measured_at is None:
        return deny(MonitoringReason.NOT_MEASURED)
    if was_amended_since(reassessment):
        return deny(MonitoringReason.AMENDED_SINCE)
    if reassessment.meets_targets:
        return deny(AcceptanceReason.NOTHING_TO_ACCEPT)
    if reassessment.remeasured.broken:
        return deny(AcceptanceReason.BROKEN)
    return deny(AcceptanceReason.ACCEPTED_ALREADY) if acceptance_of(reassessment) is not None else ALLOW


def latest_day(today: date) -> date:
    """The last day until which a risk is accepted: a year from ``today``."""
    return today.replace(year=today.year + 1, day=min(today.day, 28) if today.month == 2 else today.day)


def may_conclude_so(user: Person, reassessment: Reassessment, outcome: ReassessmentOutcome) -> Verdict:
    """A release that does not meet its targets is not kept by the supervisor alone."""
    verdict = may_conclude(user, reassessment)
    if not verdict or outcome != ReassessmentOutcome.KEEP:
        return verdict
    if waits_for_amendment(reassessment):
        return deny(MonitoringReason.AMENDMENT_WAITS)
    if reassessment.meets_targets:
        return verdict
    accepted = acceptance_of(reassessment)
    return ALLOW if accepted and accepted.until >= timezone.localdate() else deny(AcceptanceReason.NOT_MET)


@demands_of_receipt
def looked_back_at(user: Person, release: Release, held: Membership) -> Verdict:
    """A look back that is overdue beyond the organisation's grace, or a risk accepted until a day that is over, stops deliveries."""
    until = received_until(held)
    return deny(AcceptanceReason.OVERDUE) if until is not None and until < timezone.localdate() else ALLOW
