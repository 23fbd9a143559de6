"""Reading the target. Callers have found the project among those that the reader may see."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import F, QuerySet, Subquery
from django.db.models.functions import Coalesce

from approvals.audit.models import AuditEvent
from approvals.decisions.models import Decision, SignOff
from approvals.decisions.selectors import current_approval, signoffs_of
from approvals.documents.models import Document
from approvals.documents.selectors import documents_made
from approvals.request_cache import cached_read, one_reading, prime
from projects.core.models import Project
from projects.core.returns import justifications_in
from projects.workflow import MOVES, Move, Stage, State
from techniques.core.canonical import canonical_hash

from .enums import Classification
from .models import (
    APPROVAL_KIND,
    APPROVAL_SUBJECT,
    SUBJECT_KIND,
    Objective,
    PartDraft,
    PlanVersion,
    ProjectNeed,
)
from .targets.grounds import grounds_exist
from .targets.risk import RiskTargets, risk_defaults
from .targets.utility import parse_utility


@cached_read
def objective_of(project: Project) -> Objective | None:
    """The target as far as it was determined, or None before the first part was saved."""
    read = Objective.objects.filter(project=project).select_related(
        "notice", "need__raised_by", "need__answered_by"
    )
    found = read.annotate(grounds_exist=grounds_exist()).first()
    if found is not None:
        found.project = project
    return found


@cached_read
def factors_of(project: Project) -> dict[str, Any]:
    """The factors of the target as they are saved; empty before that."""
    objective = objective_of(project)
    return (objective.factors if objective else None) or {}


def factors_along(project: Project) -> None:
    """Keep for the rest of this reading the factors that were read along with ``project`` (``select_related("objective")``)."""
    try:
        said = project.objective.factors
    except Objective.DoesNotExist:
        said = None
    prime(factors_of, project, result=said or {})


def grade_of(project: Project) -> Classification | None:
    """How the scope grades the data; None before it says so."""
    objective = objective_of(project)
    grade = ((objective.scope if objective else None) or {}).get("classification")
    return Classification(grade) if grade in Classification.values else None


def needs_of(project: Project) -> QuerySet[ProjectNeed]:
    """Every need that was raised, newest first."""
    return ProjectNeed.objects.filter(project=project).select_related("project", "raised_by", "answered_by")


@cached_read
def drafts_of(project: Project) -> dict[str, PartDraft]:
    """Part → what somebody left half filled in it, while the target is being determined."""
    if project.state != State.OBJECTIVE_DRAFT:
        return {}
    return {
        one.part: one
        for one in PartDraft.objects.filter(project=project).select_related("saved_by", "saved_plan")
    }


def risk_targets(project: Project) -> RiskTargets:
    """The saved risk targets; before they are saved, the defaults of the sharing type.

    Raises ``ValueError`` while no sharing type is chosen: without it there is no target at all.
    """
    objective = objective_of(project)
    if objective is None or objective.risk is None:
        return risk_defaults(project.sharing_type)
    return RiskTargets(**objective.risk)


def signed_plan(project: Project) -> tuple[PlanVersion, datetime] | None:
    """The plan by which what was released is judged once its project is monitored no longer, with the moment at which senior management
    approved it: what is saved by then may be a draft. None while the project is monitored, for then it is what is saved."""
    if State(project.suspended_from or project.state) == State.MONITORING:
        return None
    approved = [
        one
        for one in signoffs_of(project.pk)
        if one.subject_kind == SUBJECT_KIND and one.decision == Decision.APPROVED
    ]
    hashes = [one.subject_hash for one in approved]
    versions = {one.content_hash: one for one in project.plan_versions.filter(content_hash__in=hashes)}
    for one in approved:
        version = versions.get(one.subject_hash)
        if version is not None and one.decided_at is not None:
            return version, one.decided_at
    return None


def utility_targets(project: Project) -> list[Any]:
    """The saved utility targets, each a model of ``techniques.data_utility.targets``; empty before they are saved."""
    objective = objective_of(project)
    return parse_utility(objective.utility or []) if objective else []


def plan_content(project: Project) -> dict[str, Any]:
    """Everything that a sign-off of the plan judges; one changed letter changes its hash.

    Why a returned plan comes back as it was is part of it.
    """
    justified = justifications_in(project, Stage.OBJECTIVE)
    return plan_work(project) | ({"justifications": justified} if justified else {})


def plan_work(project: Project) -> dict[str, Any]:
    """What people have put into target and plan.

    A project without a privacy notice has no such line, and neither has one that rests on no version of the policy library or for
    which no need was accepted, so that plans signed before there were any of these keep their hash.
    """
    objective = objective_of(project)
    notice = objective.notice if objective else None
    need = objective.need if objective else None
    return {
        "title": project.title,
        "summary": project.summary,
        "sharing_type": project.sharing_type,
        **{name: getattr(objective, name, None) for name in ("scope", "factors", "risk", "utility", "plan")},
        **({"notice": {"name": notice.name, "sha256": notice.sha256}} if notice else {}),
        **({"rests_on": objective.rests_on} if objective and objective.rests_on else {}),
        **({"need": need.content} if need is not None and need.is_accepted else {}),
    }


def plan_hash(project: Project) -> str:
    return canonical_hash(plan_content(project))


# A fixed list, so that a new part of the content decides for itself whether the plan was written about it.
BASIS = ("sharing_type", "scope", "factors", "risk", "utility", "notice", "rests_on")


def basis_hash(project: Project) -> str:
    """Hash of the parts that the plan's text was written about."""
    return canonical_hash({name: part for name, part in plan_work(project).items() if name in BASIS})


@cached_read
def plan_versions(project: Project) -> list[PlanVersion]:
    """All submitted versions, newest first."""
    return list(PlanVersion.objects.filter(project=project).select_related("created_by", "project"))


@cached_read
def plan_latest(project: Project) -> PlanVersion | None:
    """The version that was submitted last, whether or not the target changed since; with ``submitted_at``, when the project was
    last submitted with it: who submits anew what did not change makes no new version."""
    submitted = AuditEvent.objects.filter(
        project_id=project.pk, action=MOVES[Move.SUBMIT_OBJECTIVE].audit_action
    )
    last = Coalesce(Subquery(submitted.values("at")[:1]), F("created_at"))
    return project.plan_versions.select_related("created_by").annotate(submitted_at=last).first()


@one_reading
def plan_current(project: Project) -> PlanVersion | None:
    """The last submitted version, if it is exactly what the target says now; else None."""
    latest = plan_latest(project)
    return latest if latest is not None and latest.content_hash == plan_hash(project) else None


def planned_preparation(project: Project) -> dict[str, Any] | None:
    """What the plan that was submitted last says of preparation (5.4.2); None where it says nothing."""
    latest = plan_latest(project)
    plan = (latest.content.get("plan") if latest is not None else None) or {}
    said: dict[str, Any] | None = plan.get("preparation")
    return said


def plan_documents(version: PlanVersion) -> list[Document]:
    """The documents of a version: as submitted, and with the last decision about it if that approved it.

    An earlier approval of the same version stays in the store, and is no longer shown as its approval.
    """
    about = {version.subject.id}
    decided = signoff_about(version)
    if decided is not None and decided.decision == Decision.APPROVED:
        about.add(str(decided.pk))
    return [
        d
        for d in _documents(version.project_id)
        if d.subject_id in about and d.subject_hash == version.content_hash
    ]


def signoff_about(version: PlanVersion) -> SignOff | None:
    """The last sign-off that was asked for about this version, decided or not."""
    for row in signoffs_of(version.project_id):
        if (row.subject_kind, row.subject_id) == (SUBJECT_KIND, str(version.pk)):
            return row
    return None


def _documents(project_id: Any) -> list[Document]:
    """The documents of all versions."""
    found = [
        one
        for one in documents_made(project_id)
        if one.subject_kind == SUBJECT_KIND
        or (one.subject_kind, one.kind) == (APPROVAL_SUBJECT, APPROVAL_KIND)
    ]
    return sorted(sorted(found, key=lambda one: one.language, reverse=True), key=lambda one: one.kind)


def plan_document(project: Project, language: str) -> Document | None:
    """The document of the last submitted version in ``language``; with the approval where there is one."""
    version = plan_latest(project)
    if version is None:
        return None
    fitting = [d for d in plan_documents(version) if d.language == language]
    approval = current_approval(project.pk, kind=SUBJECT_KIND, content_hash=version.content_hash)
    approved = [d for d in fitting if approval is not None and d.subject_id == str(approval.pk)]
    # While the approved plan is being written there is the plan as submitted; "plan" sorts first.
    return next(iter(approved or fitting), None)
