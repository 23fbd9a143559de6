"""What no code may break about looks back: a release that fails is not kept by its supervisor alone."""

from __future__ import annotations

from approvals.governance.triggers import Trigger, register
from projects.core.trigger_conditions import changed, exchanged

_ACCEPTED = "EXISTS (SELECT 1 FROM monitoring_riskacceptance a WHERE a.reassessment_id = NEW.id AND a.measured_at = NEW.measured_at)"

register(
    Trigger(
        "reassessment_kept_only_if_met_or_accepted",
        "monitoring_reassessment",
        ("UPDATE",),
        "a release that does not meet its targets stays only where senior management accepts that",
        f"NEW.outcome = 'keep' AND OLD.outcome <> 'keep' AND NEW.met IS FALSE AND NOT {_ACCEPTED}",
    ),
    Trigger(
        "reassessment_conclusion_stays",
        "monitoring_reassessment",
        ("UPDATE",),
        "a conclusion of a re-assessment stays",
        f"OLD.outcome <> '' AND ({changed('outcome', 'finding')} OR {exchanged('concluded_by_id', 'concluded_at')})",
    ),
    Trigger(
        "risk_accepted_by_management",
        "monitoring_riskacceptance",
        ("INSERT",),
        "a risk is accepted by senior management of the project",
        "NOT EXISTS (SELECT 1 FROM core_membership m WHERE m.project_id = NEW.project_id AND m.role = 'management' "
        "AND m.user_id = NEW.accepted_by_id)",
    ),
    Trigger(
        "risk_acceptance_stays",
        "monitoring_riskacceptance",
        ("UPDATE",),
        "an acceptance of a risk stays as it was given, and ended as it ended",
        f"{changed('id', 'project_id', 'reassessment_id', 'measured_at', 'until', 'reason', 'accepted_by_id', 'accepted_at')} "
        f"OR {exchanged('ended_at')}",
    ),
    Trigger(
        "risk_acceptance_never_deleted",
        "monitoring_riskacceptance",
        ("DELETE",),
        "an acceptance of a risk is kept",
    ),
)
