"""The only writer of acceptances of a risk."""

from __future__ import annotations

from datetime import date

from django.utils import timezone

from approvals.audit.proof import explained_require
from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import deny
from projects.core.rules import CoreReason
from projects.core.services import notify, project_lock
from projects.workflow import Role

from .. import events
from ..models import Reassessment, RiskAcceptance
from . import rules


def risk_accept(reassessment: Reassessment, *, until: date, reason: str, by: Person) -> RiskAcceptance:
    """Accept, until a day, that the release stays although what was measured does not meet every target."""
    project, reason = reassessment.project, reason.strip()
    with recording(events.RISK_ACCEPTED, by=by, about=project, reason=reason, until=str(until)):
        project = project_lock(project)
        locked = Reassessment.objects.select_for_update(of=("self",)).select_related("project", "release")
        reassessment = locked.get(pk=reassessment.pk)
        rules.may_accept_risk(by, reassessment).require()
        assert reassessment.measured_at is not None  # as the rule requires
        if not reason:
            deny(CoreReason.REASON_NEEDED).require()
        today = timezone.localdate()
        if until < today:
            deny(rules.AcceptanceReason.DAY_PAST).require()
        if until > (most := rules.latest_day(today)):
            deny(rules.AcceptanceReason.TOO_LONG, most=str(most)).require()
        explained_require(project.pk, by=by)
        accepted = RiskAcceptance.objects.create(
            project=project,
            reassessment=reassessment,
            measured_at=reassessment.measured_at,
            until=until,
            reason=reason,
            accepted_by=by,
        )
        notify(
            project,
            events.RISK_ACCEPTED,
            (Role.SUPERVISOR, Role.PLANNER),
            by=by,
            reason=reason,
            until=str(until),
        )
        return accepted


def acceptances_end(reassessment: Reassessment) -> None:
    """What was accepted about a release ends with the next conclusion about it; called in that act. What the conclusion itself rests
    on goes on."""
    assert reassessment.measured_at is not None  # before that nothing is concluded
    earlier = RiskAcceptance.objects.filter(reassessment__release=reassessment.release_id, ended_at=None)
    earlier.exclude(reassessment=reassessment, measured_at=reassessment.measured_at).update(
        ended_at=timezone.now()
    )
