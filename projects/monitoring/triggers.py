"""What no code may break about looks back: a release that fails is not kept by its supervisor alone."""

from __future__ import annotations

from approvals.governance.triggers import Trigger, register
from projects.core.trigger_conditions import changed, exchanged, linked_accounts, where_named

_ACCEPTED = "EXISTS (SELECT 1 FROM monitoring_riskacceptance a WHERE a.reassessment_id = NEW.id AND a.measured_at = NEW.measured_at)"

# What is decided about after the measurement, or is not decided yet, may turn its outcome.
_AMENDED = (
    "EXISTS (SELECT 1 FROM monitoring_amendment a WHERE a.project_id = NEW.project_id AND ((a.outcome = 'approved' "
    "AND a.decided_at > NEW.measured_at) OR (a.reassessment_id = NEW.id AND a.outcome IN ('waiting', 'reviewed'))))"
)
_PROPOSED = changed(
    "id", "project_id", "reassessment_id", "number", "kind", "content", "former", "why", "content_hash", "proposed_by_id",
    "proposed_at",
)  # fmt: skip

_MEASURED = f"{changed('id', 'project_id', 'release_id', 'due_on', 'measurement')} OR {exchanged('measured_at', 'met')}"


def _holds(role: str, person: str) -> str:
    return (
        "EXISTS (SELECT 1 FROM core_membership m WHERE m.project_id = NEW.project_id "
        f"AND m.role = '{role}' AND m.user_id = NEW.{person})"
    )


register(
    Trigger(
        "reassessment_kept_by_the_yardstick_in_force",
        "monitoring_reassessment",
        ("UPDATE",),
        "a release is kept only by what it was measured by, with every amendment decided before",
        f"NEW.outcome = 'keep' AND OLD.outcome <> 'keep' AND {_AMENDED}",
    ),
    Trigger(
        "amendment_begins_as_proposed",
        "monitoring_amendment",
        ("INSERT",),
        "an amendment is proposed by the planning manager of the project, and judged later",
        f"NEW.outcome <> 'waiting' OR NOT {_holds('planner', 'proposed_by_id')}",
    ),
    Trigger(
        "amendment_stays_as_proposed",
        "monitoring_amendment",
        ("UPDATE",),
        "an amendment stays as it was proposed, and judged as it was judged",
        f"{_PROPOSED} OR {exchanged('reviewed_by_id', 'reviewed_at', 'decided_by_id', 'decided_at')} "
        "OR (OLD.reviewed_by_id IS NOT NULL AND OLD.review <> NEW.review) "
        f"OR (OLD.outcome NOT IN ('waiting', 'reviewed') AND {changed('outcome', 'review', 'decision')})",
    ),
    Trigger(
        "amendment_approved_only_after_its_review",
        "monitoring_amendment",
        ("UPDATE",),
        "an amendment is approved by senior management after the supervisor has reviewed it",
        "(NEW.reviewed_by_id IS NOT NULL AND OLD.reviewed_by_id IS NULL "
        f"AND NOT {_holds('supervisor', 'reviewed_by_id')}) "
        "OR (NEW.decided_by_id IS NOT NULL AND OLD.decided_by_id IS NULL "
        f"AND (OLD.outcome <> 'reviewed' OR NOT {_holds('management', 'decided_by_id')}))",
    ),
    *where_named(
        "amendment_by_three_natural_persons",
        "monitoring_amendment",
        "nobody judges an amendment that they proposed or reviewed under another account",
        f"({linked_accounts('NEW.reviewed_by_id', 'NEW.proposed_by_id')} "
        f"OR {linked_accounts('NEW.decided_by_id', 'NEW.proposed_by_id')} "
        f"OR {linked_accounts('NEW.decided_by_id', 'NEW.reviewed_by_id')})",
        "(OLD.reviewed_by_id IS NULL OR OLD.decided_by_id IS NULL)",
    ),
    Trigger("amendment_never_deleted", "monitoring_amendment", ("DELETE",), "an amendment is kept"),
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
        f"OLD.outcome <> '' AND ({_MEASURED} OR {changed('outcome', 'finding')} OR {exchanged('concluded_by_id', 'concluded_at')})",
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
