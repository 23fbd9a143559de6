"""The plan as a document: 去标识化实施计划书 in both languages, and the sheet of its approval."""

from __future__ import annotations

from typing import Any

from django.utils import timezone, translation
from django.utils.translation import gettext as _

from approvals.decisions.models import Decision, SignOff
from approvals.decisions.selectors import current_approval, reviews_of, signoffs_of
from approvals.documents.models import Document
from approvals.documents.render import DocumentHead
from approvals.governance.draft import Subject
from approvals.governance.person import Person
from projects.core.enums import SharingType
from projects.core.selectors import members_by_role
from projects.jobs.documents import Paper, document_start, document_write
from projects.jobs.models import Job
from projects.workflow import Role, Stage
from techniques.core.messages import gettext_noop

from ..models import APPROVAL_KIND, APPROVAL_SUBJECT, PlanVersion
from ..presentation import factor_rows, notice_rows, plan_rows, risk_rows, scope_rows
from ..rules import PLAN
from ..targets.risk import TABLE_ONE, RiskTargets
from ..targets.utility import utility_rows

PLAN_KIND = "plan"
PLAN_JOB = "objective.plan_pdf"
APPROVAL_JOB = "objective.approval_pdf"
_SUFFIX = {PLAN_KIND: "P", APPROVAL_KIND: "PA"}


def plan_document_start(version: PlanVersion, *, by: Person) -> Job | None:
    """Queue the plan's PDF in every language; None when it is there already or being made."""
    return document_start(
        PLAN_JOB,
        project=version.project,
        kind=PLAN_KIND,
        about=version.subject,
        title=gettext_noop("Write the implementation plan as PDF"),
        by=by,
    )


def approval_document_start(version: PlanVersion, *, by: Person) -> Job | None:
    """Queue the plan's PDF with the review and the approval that stands; None when none does."""
    approval = current_approval(version.project_id, kind=PLAN, content_hash=version.content_hash)
    if approval is None:
        return None
    return document_start(
        APPROVAL_JOB,
        project=version.project,
        kind=APPROVAL_KIND,
        about=approval_subject(version, approval),
        title=gettext_noop("Write the approved plan as PDF"),
        by=by,
    )


def approval_subject(version: PlanVersion, approval: SignOff) -> Subject:
    """What the approved plan's document is about: the one decision.

    The same version may come to be decided about again; each decision has a document of its own.
    """
    return Subject(APPROVAL_SUBJECT, str(approval.pk), str(version), version.content_hash)


def plan_document_write(version: PlanVersion, *, language: str, approval: SignOff | None = None) -> Document:
    """Print and keep one language of the plan, as submitted or with its ``approval``."""

    def paper() -> Paper:
        head = _head(version, approval)
        context = plan_document_context(version, language=language, approval=approval)
        return Paper(head, f"{head.title} {version.project.title}", "documents/plan.html", context)

    return document_write(
        version.project,
        kind=PLAN_KIND if approval is None else APPROVAL_KIND,
        about=version.subject if approval is None else approval_subject(version, approval),
        language=language,
        paper=paper,
    )


def document_number(version: PlanVersion, approval: SignOff | None = None) -> str:
    """``…-P2`` for version 2, ``…-PA2`` for its approval, ``…-PA2.2`` for the second approval of it."""
    if approval is None:
        return f"{version.project.number}-{_SUFFIX[PLAN_KIND]}{version.number}"
    earlier = [
        row
        for row in signoffs_of(version.project_id)
        if row.decision == Decision.APPROVED
        and (row.subject_kind, row.subject_id) == (PLAN, str(version.pk))
        and row.submitted_at < approval.submitted_at
    ]
    again = f".{len(earlier) + 1}" if earlier else ""
    return f"{version.project.number}-{_SUFFIX[APPROVAL_KIND]}{version.number}{again}"


def _head(version: PlanVersion, approval: SignOff | None) -> DocumentHead:
    title = (
        _("De-identification implementation plan")
        if approval is None
        else _("De-identification implementation plan (approved)")
    )
    return DocumentHead(
        number=document_number(version, approval),
        title=title,
        subtitle=version.content["title"],
        project=version.project.number,
        content_hash=version.content_hash,
        made_at=version.created_at
        if approval is None or approval.decided_at is None
        else approval.decided_at,
    )


def plan_document_context(
    version: PlanVersion, *, language: str, approval: SignOff | None = None
) -> dict[str, Any]:
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
            "scope": scope_rows(content["scope"]) + notice_rows(content.get("notice")),
            "factors": factor_rows(content["factors"]),
            "risk": risk_rows(RiskTargets(**content["risk"]), sharing_type),
            "utility": utility_rows(content["utility"]),
            "irrevocable": sharing_type is SharingType.PUBLIC,
            "signers": _signers(version, approval),
            "review": _review(version, approval) if approval is not None else None,
        }


def _time(version: PlanVersion) -> str:
    return timezone.localtime(version.created_at).strftime("%Y-%m-%d %H:%M")


def _review(version: PlanVersion, approval: SignOff) -> Any:
    """The review that led to this approval: the youngest that passed this content before it."""
    return next(
        (
            review
            for review in reviews_of(version.project_id)
            if review.stage == Stage.OBJECTIVE
            and review.subject_hash == version.content_hash
            and review.outcome == "passed"
            and (approval.decided_at is None or review.recorded_at <= approval.decided_at)
        ),
        None,
    )


def _signers(version: PlanVersion, approval: SignOff | None) -> list[dict[str, Any]]:
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
    if approval is not None:
        review = _review(version, approval)
        if review is not None:
            supervisor |= {
                "name": str(review.reviewed_by),
                "decision": review.get_outcome_display(),
                "time": review.time,
            }
        management |= {
            "name": str(approval.decided_by),
            "decision": approval.get_decision_display(),
            "reason": approval.reason,
            "time": approval.decided_at,
        }
    return [planner, supervisor, management]
