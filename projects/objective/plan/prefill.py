"""First drafts of the plan's nine sections out of what is known (5.2.4); the planning manager edits them.

They are written in the language of the person who opens the page, and belong to that person from then on. Who reads the plan in
another language has the lines that nobody changed in it (:mod:`.sentences`).
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from projects.core.enums import SharingType
from projects.core.executing.source import executing_of
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
from . import sentences

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
        str(sentences.REQUIRED_BY) % {"basis": basis} if basis else "",
    )


def _goals(project: Project, objective: Objective | None) -> str:
    if objective is None or objective.risk is None or not project.sharing_type:
        return ""
    lines = [
        str(sentences.LISTED) % {"what": f"{row['label']} {row['target']}", "columns": row["plain"]}
        for row in risk_rows(RiskTargets(**objective.risk), project.sharing_type)
        if wording.RISK[row["key"]].goal
    ]
    lines += [f"{row['label']} {row['target']}" for row in utility_rows(objective.utility or [])]
    return "\n".join(lines)


def _sharing(project: Project, factors: dict[str, Any]) -> str:
    label = SharingType(project.sharing_type).label if project.sharing_type else ""
    return _joined(label, _labels(Protection, factors.get("protections")), factors.get("protection"))


def _team(project: Project) -> str:
    members, executing = members_by_role(project), executing_of(project)
    return _joined(
        str(sentences.CARRIED_OUT) % {"party": executing.name} if executing.is_set else "",
        *(
            str(sentences.LISTED)
            % {"what": role.label, "columns": _(", ").join(_person(person) for person in members[role])}
            for role in Role
            if role in members
        ),
    )


def _person(person: Person) -> str:
    department = getattr(person, "department", "")
    return beside(str(person), department) if department else str(person)


def _scheme(factors: dict[str, Any]) -> str:
    if not factors:
        return ""
    return _joined(
        sentences.IDENTIFY,
        str(sentences.PROCESS) % {"candidates": _labels(Candidate, factors.get("candidates"))},
        str(sentences.VERIFY)
        % {"model": RiskModel(factors["risk_model"]).label if factors.get("risk_model") else ""},
        sentences.REVIEWED,
        factors.get("applicability"),
    )


def _stakeholders(scope: dict[str, Any]) -> str:
    return _joined(sentences.CONCERNED, scope.get("use"))


def _contingency(project: Project) -> str:
    public = project.sharing_type == SharingType.PUBLIC
    gone = sentences.PUBLISHED if public else sentences.RECALLED
    return _joined(sentences.ALARM, sentences.SUSPENDED, gone, sentences.NOTIFIED)


def _schedule(objective: Objective | None) -> str:
    months = (objective.risk or {}).get("reassess_months", 12) if objective else 12
    return _joined(sentences.DUE, str(sentences.AGAIN) % {"n": months})
