"""What who signs the plan must know, on one screen: who is to get what for which purpose, and every caveat (5.2.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from approvals.governance.person import Person
from projects.core.enums import SharingType
from projects.core.models import Project
from projects.core.returns import Return
from projects.core.selectors import members_by_role
from projects.workflow import Role

from ..models import Objective
from ..presentation import law_rows, schedule_text
from ..targets.risk import RiskTargets, risk_defaults
from ..targets.strictness import Direction, changes


@dataclass(frozen=True)
class PlanSummary:
    """``law`` are rows of key and value, ``caveats`` sentences, ``schedule`` the day of each stage where the plan names days;
    ``worst`` says what may happen to the person who is easiest to find, empty where no target was set."""

    recipients: list[Person]
    law: list[dict[str, str]]
    source: str
    caveats: list[str]
    schedule: str
    worst: str


def plan_summary(
    project: Project, objective: Objective, *, targets: Mapping[str, Any], returns: Sequence[Return]
) -> PlanSummary:
    """``targets``: their ``risk_rows`` (or None), and ``conflicts`` between answers; ``returns``: what who judges must know first."""
    scope, plan = objective.scope or {}, objective.plan or {}
    recipients = members_by_role(project).get(Role.RECIPIENT, [])
    rows = {row["key"]: row for row in targets["risk_rows"] or ()}
    caveats = [str(text) for text in targets["conflicts"]]
    if lower := [rows[name]["label"] for name in _lower(project, objective) if name in rows]:
        text = _("Asks for less than is suggested for this sharing type: %(targets)s")
        caveats.append(text % {"targets": _("; ").join(lower)})
    if project.sharing_type == SharingType.PUBLIC:
        caveats.append(
            _("Completely public sharing cannot be recalled: what has been published stays published.")
        )
    elif not recipients:
        caveats.append(_("No recipient is named"))
    if any(one.unchanged for one in returns):
        caveats.append(_("Work that was returned once has been resubmitted unchanged"))
    return PlanSummary(
        recipients=recipients,
        law=law_rows(scope),
        source=str(scope.get("source", "")),
        caveats=caveats,
        schedule=schedule_text(plan),
        worst=rows["max_risk"]["plain"] if "max_risk" in rows else "",
    )


def _lower(project: Project, objective: Objective) -> list[str]:
    """The risk targets that ask for less than the sharing type suggests. How likely an attempt is, is an estimate and no target."""
    if objective.risk is None or not project.sharing_type:
        return []
    found = changes(risk_defaults(project.sharing_type), RiskTargets(**objective.risk))
    return [name for name, one in found.items() if one is Direction.LOOSER and name != "context_risk"]
