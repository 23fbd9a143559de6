"""First drafts of the plan's nine sections out of what is known (5.2.4); the planning manager edits them.

They are written in the language of the person who opens the page, and belong to that person from then on.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from projects.core.enums import SharingType
from projects.core.models import Project
from projects.core.numbers import beside
from projects.core.selectors import members_by_role
from projects.workflow import Role

from .. import wording
from ..enums import Candidate, Protection, Regulation, RiskModel, Section
from ..models import Objective
from ..presentation import risk_rows
from ..targets.risk import RiskTargets
from ..targets.utility import utility_rows

# Weeks from now until each stage is done, where nobody has said otherwise.
WEEKS = {"objective": 1, "identification": 2, "processing": 4, "verification": 6, "release": 7}


def plan_prefill(project: Project, objective: Objective | None) -> dict[str, Any]:
    """A text for every section, and days for the schedule; sections that nothing is known about stay empty."""
    scope: dict[str, Any] = (objective.scope if objective else None) or {}
    factors: dict[str, Any] = (objective.factors if objective else None) or {}
    writers: dict[Section, Callable[[], str]] = {
        Section.PURPOSE: lambda: _purpose(project, scope, factors),
        Section.GOALS: lambda: _goals(project, objective),
        Section.DATA_OBJECTS: lambda: _joined(
            scope.get("source"), scope.get("business"), factors.get("personal_information")
        ),
        Section.SHARING_MODE: lambda: _sharing(project, factors),
        Section.TEAM: lambda: _team(project),
        Section.SCHEME: lambda: _scheme(factors),
        Section.STAKEHOLDERS: lambda: _stakeholders(scope),
        Section.CONTINGENCY: lambda: _contingency(project),
        Section.SCHEDULE: lambda: _schedule(objective),
    }
    today = timezone.localdate()
    days = {stage: (today + timedelta(weeks=weeks)).isoformat() for stage, weeks in WEEKS.items()}
    return {**{section.value: writers[section]() for section in Section}, "deadlines": days}


def _joined(*parts: Any) -> str:
    return "\n".join(str(part) for part in parts if part)


def _labels(choices: Any, values: Any) -> str:
    return _(", ").join(str(choices(value).label) for value in values or [])


def _purpose(project: Project, scope: dict[str, Any], factors: dict[str, Any]) -> str:
    basis = _labels(Regulation, scope.get("regulations"))
    return _joined(
        project.summary,
        scope.get("use"),
        factors.get("use_after"),
        _("De-identification is required by: %(basis)s.") % {"basis": basis} if basis else "",
    )


def _goals(project: Project, objective: Objective | None) -> str:
    if objective is None or objective.risk is None or not project.sharing_type:
        return ""
    lines = [
        _("%(what)s: %(columns)s") % {"what": f"{row['label']} {row['target']}", "columns": row["plain"]}
        for row in risk_rows(RiskTargets(**objective.risk), project.sharing_type)
        if wording.RISK[row["key"]].goal
    ]
    lines += [f"{row['label']} {row['target']}" for row in utility_rows(objective.utility or [])]
    return "\n".join(lines)


def _sharing(project: Project, factors: dict[str, Any]) -> str:
    label = SharingType(project.sharing_type).label if project.sharing_type else ""
    return _joined(label, _labels(Protection, factors.get("protections")), factors.get("protection"))


def _team(project: Project) -> str:
    members = members_by_role(project)
    return "\n".join(
        _("%(what)s: %(columns)s")
        % {"what": role.label, "columns": _(", ").join(_person(person) for person in members[role])}
        for role in Role
        if role in members
    )


def _person(person: Person) -> str:
    department = getattr(person, "department", "")
    return beside(str(person), department) if department else str(person)


def _scheme(factors: dict[str, Any]) -> str:
    if not factors:
        return ""
    return _joined(
        _(
            "1. Identify the identifiers: look-up, rules applied to every row, and a verdict for every column."
        ),
        _("2. Process them with a recipe, every version of which is kept. Candidates: %(candidates)s.")
        % {"candidates": _labels(Candidate, factors.get("candidates"))},
        _("3. Verify on the written result file. Risk model: %(model)s.")
        % {"model": RiskModel(factors["risk_model"]).label if factors.get("risk_model") else ""},
        _("4. Every step is reviewed by the supervisor; senior management approves the result."),
        factors.get("applicability"),
    )


def _stakeholders(scope: dict[str, Any]) -> str:
    return _joined(
        _("The people in the data, the department that owns the source system, and the recipients."),
        scope.get("use"),
    )


def _contingency(project: Project) -> str:
    lines = [
        _("Anyone who suspects a re-identification or a leak tells the supervisor at once."),
        _("The supervisor suspends the project; the portal blocks every further step and download."),
    ]
    if project.sharing_type == SharingType.PUBLIC:
        lines.append(
            _("What was published cannot be recalled: the people concerned are told, and sources are closed.")
        )
    else:
        lines.append(_("Recipients stop using the data, confirm its destruction, and their access ends."))
    lines.append(
        _("Senior management decides on notification of people and authorities; the risk is assessed again.")
    )
    return "\n".join(lines)


def _schedule(objective: Objective | None) -> str:
    months = (objective.risk or {}).get("reassess_months", 12) if objective else 12
    return _joined(
        _("Each stage is completed by its due date."),
        _("Re-assessment: every %(n)s months after the release") % {"n": months},
    )
