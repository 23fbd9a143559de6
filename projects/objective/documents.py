"""The plan as a document: 去标识化实施计划书 in both languages, and the sheet of its approval."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from approvals.decisions.selectors import reviews_of, standing_approval
from approvals.documents.models import Document
from approvals.documents.render import LANGUAGES, DocumentHead, render_pdf
from approvals.documents.selectors import documents_about
from approvals.documents.services import document_create
from projects.core.enums import SharingType
from projects.core.selectors import members_by_role
from projects.jobs.models import Job
from projects.jobs.selectors import latest_job
from projects.jobs.services import job_start
from projects.workflow import Role, Stage
from techniques.messages import gettext_noop

from .models import PlanVersion
from .presentation import factor_rows, plan_rows, risk_rows, scope_rows
from .rules import PLAN
from .targets import TABLE_ONE, RiskTargets
from .utility import utility_rows

PLAN_KIND = "plan"
APPROVAL_KIND = "plan_approval"
PLAN_JOB = "objective.plan_pdf"
APPROVAL_JOB = "objective.approval_pdf"
_SUFFIX = {PLAN_KIND: "P", APPROVAL_KIND: "PA"}


def plan_document_start(version: PlanVersion, *, by: Any) -> Job | None:
    """Queue the plan's PDF in every language; None when it is there already or being made."""
    return _start(version, PLAN_JOB, PLAN_KIND, gettext_noop("Write the implementation plan as PDF"), by)


def approval_document_start(version: PlanVersion, *, by: Any) -> Job | None:
    """Queue the plan's PDF with the review and the approval in it."""
    return _start(version, APPROVAL_JOB, APPROVAL_KIND, gettext_noop("Write the approved plan as PDF"), by)


def _start(version: PlanVersion, job_kind: str, kind: str, title: str, by: Any) -> Job | None:
    if documents_about(version.subject, kind=kind).count() == len(LANGUAGES):
        return None
    running = latest_job(version.project, job_kind, version.pk)
    if running is not None and running.is_active:
        return None
    with transaction.atomic():
        return job_start(job_kind, project=version.project, subject=version.subject, title=title, by=by)


def plan_document_write(version: PlanVersion, *, kind: str, language: str) -> Document:
    """Render and keep one language of the plan; called by the job, and harmless when called twice."""
    with translation.override(language):
        head = _head(version, kind)
        title = f"{head.title} {version.project.title}"
    context = plan_document_context(version, kind=kind, language=language)
    content = render_pdf("documents/plan.html", context, language, head=head)
    return document_create(
        kind=kind,
        subject=version.subject,
        project_id=version.project_id,
        number=head.number,
        title=title,
        language=language,
        content=content,
        by=None,
    )


def document_number(version: PlanVersion, kind: str = PLAN_KIND) -> str:
    return f"{version.project.number}-{_SUFFIX[kind]}{version.number}"


def _head(version: PlanVersion, kind: str) -> DocumentHead:
    title = (
        _("De-identification implementation plan")
        if kind == PLAN_KIND
        else _("De-identification implementation plan (approved)")
    )
    return DocumentHead(
        number=document_number(version, kind),
        title=title,
        subtitle=version.content["title"],
        project=version.project.number,
        content_hash=version.content_hash,
        made_at=version.created_at,
    )


def plan_document_context(version: PlanVersion, *, kind: str, language: str) -> dict[str, Any]:
    """Everything the template shows, out of the frozen version; the decisions out of their records."""
    content = version.content
    sharing_type = SharingType(content["sharing_type"])
    with translation.override(language):
        table_one = next(row for row in TABLE_ONE if row.sharing_type == sharing_type)
        facts = [
            {"key": _("Project"), "value": f"{version.project.number} {content['title']}", "hint": ""},
            {"key": _("What the data is wanted for"), "value": content["summary"] or "—", "hint": ""},
            {
                "key": _("Sharing type"),
                "value": str(sharing_type.label),
                "hint": _(
                    "Possible re-identification risk: %(risk)s; demand on de-identification: %(demand)s."
                )
                % {"risk": table_one.risk.label, "demand": table_one.requirement.label},
            },
            {"key": _("Version"), "value": str(version.number), "hint": ""},
            {"key": _("Submitted by"), "value": str(version.created_by), "hint": ""},
            {"key": _("Submitted on"), "value": _time(version), "hint": ""},
        ]
        return {
            "facts": facts,
            "sections": plan_rows(content["plan"]),
            "scope": scope_rows(content["scope"]),
            "factors": factor_rows(content["factors"]),
            "risk": risk_rows(RiskTargets(**content["risk"]), sharing_type),
            "utility": utility_rows(content["utility"]),
            "irrevocable": sharing_type is SharingType.PUBLIC,
            "signers": _signers(version, kind),
            "review": _review(version) if kind == APPROVAL_KIND else None,
        }


def _time(version: PlanVersion) -> str:
    return timezone.localtime(version.created_at).strftime("%Y-%m-%d %H:%M")


def _review(version: PlanVersion) -> Any:
    return next(
        (
            review
            for review in reviews_of(version.project_id)
            if review.stage == Stage.OBJECTIVE
            and review.subject_hash == version.content_hash
            and review.outcome == "passed"
        ),
        None,
    )


def _signers(version: PlanVersion, kind: str) -> list[dict[str, Any]]:
    members = members_by_role(version.project)

    def names(role: Role) -> str:
        return ", ".join(str(person) for person in members.get(role, []))

    planner: dict[str, Any] = {
        "role": str(Role.PLANNER.label),
        "name": str(version.created_by),
        "decision": _("Submitted"),
        "time": version.created_at,
    }
    supervisor: dict[str, Any] = {"role": str(Role.SUPERVISOR.label), "name": names(Role.SUPERVISOR)}
    management: dict[str, Any] = {"role": str(Role.MANAGEMENT.label), "name": names(Role.MANAGEMENT)}
    if kind == APPROVAL_KIND:
        review = _review(version)
        if review is not None:
            supervisor |= {
                "name": str(review.reviewed_by),
                "decision": review.get_outcome_display(),
                "time": review.time,
            }
        approval = standing_approval(version.project_id, kind=PLAN, content_hash=version.content_hash)
        if approval is not None:
            management |= {
                "name": str(approval.decided_by),
                "decision": approval.get_decision_display(),
                "reason": approval.reason,
                "time": approval.decided_at,
            }
    return [planner, supervisor, management]
