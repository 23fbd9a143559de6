"""The plan as a document: 去标识化实施计划书 in both languages, and the sheet of its approval."""

from __future__ import annotations

from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _

from approvals.decisions.models import Review, SignOff
from approvals.decisions.selectors import current_approval, reviews_of
from approvals.documents.models import Document
from approvals.documents.render import DocumentHead
from approvals.governance.draft import Subject
from approvals.governance.person import Person
from projects.core.enums import SharingType
from projects.core.executing.source import executing_facts
from projects.core.numbers import moment
from projects.core.returns import justified_rows
from projects.core.selectors import members_by_role
from projects.jobs.documents import Paper, document_start, document_write, signers_of
from projects.jobs.models import Job
from projects.workflow import Role, Stage
from techniques.core.messages import gettext_noop

from ..enums import APPROVAL_JOB, PLAN_JOB
from ..models import APPROVAL_KIND, APPROVAL_SUBJECT, PlanVersion
from ..presentation import factor_rows, ground_rows, notice_rows, plan_rows, risk_rows, scope_rows
from ..rules import PLAN
from ..surroundings.profile.presentation import profile_rows
from ..targets.risk import TABLE_ONE, RiskTargets
from ..targets.utility import utility_rows
from .need.wording import need_rows

PLAN_KIND = "plan"
_SUFFIX = {PLAN_KIND: "P", APPROVAL_KIND: "PA"}


def plan_document_start(version: PlanVersion, *, by: Person) -> Job | None:
    """Queue the plan's PDF in every language; None when it is there already or being made."""
    title = gettext_noop("Write the implementation plan as PDF")
    return document_start(
        PLAN_JOB, project=version.project, kind=PLAN_KIND, about=version.subject, title=title, by=by
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
    """``…-P2`` for version 2, ``…-PA2`` for its approval; the series goes on where one is approved a second time."""
    kind = PLAN_KIND if approval is None else APPROVAL_KIND
    return f"{version.project.number}-{_SUFFIX[kind]}{version.number}"


def _head(version: PlanVersion, approval: SignOff | None) -> DocumentHead:
    return DocumentHead(
        number=document_number(version, approval),
        title=_("De-identification implementation plan (approved)")
        if approval
        else _("De-identification implementation plan"),
        subtitle=version.content["title"],
        project=version.project.number,
        content_hash=version.content_hash,
        made_at=(approval.decided_at if approval else None) or version.created_at,
    )


def plan_document_context(
    version: PlanVersion, *, language: str, approval: SignOff | None = None
) -> dict[str, Any]:
    """Everything the template shows, out of the frozen version; the decisions out of their records."""
    content = version.content
    sharing_type = SharingType(content["sharing_type"])
    with translation.override(language):
        review = _review(version, approval) if approval is not None else None
        carried_out = executing_facts(version.project, version.created_at)
        recipients = members_by_role(version.project).get(Role.RECIPIENT, [])
        facts = [
            (_("Project"), f"{version.project.number} {content['title']}", ""),
            (_("Who receives it"), _(", ").join(map(str, recipients)) or _("None named yet"), ""),
            *((*one, "") for one in carried_out),
            (_("What the data will be used for"), content["summary"] or "–", ""),
            (_("Sharing type"), str(sharing_type.label), grades_of(sharing_type)),
            (_("Version"), str(version.number), ""),
            (_("Submitted by"), str(version.created_by), ""),
            (_("Submitted on"), moment(version.created_at), ""),
        ]
        return {
            "justified": justified_rows(content.get("justifications", ())),
            "brief": [dict(zip(("key", "value", "hint"), fact, strict=True)) for fact in facts],
            "sections": plan_rows(content["plan"]),
            "need": need_rows(content.get("need")),
            "scope": [
                *scope_rows(content["scope"]),
                *notice_rows(content.get("notice")),
                *ground_rows(content.get("rests_on")),
            ],
            "factors": factor_rows(content["factors"]) + profile_rows(content["factors"], sharing_type),
            "risk": risk_rows(RiskTargets(**content["risk"]), sharing_type),
            "utility": utility_rows(content["utility"]),
            "irrevocable": sharing_type is SharingType.PUBLIC,
            "signers": signers_of(
                version.project,
                Role.PLANNER,
                version.created_by,
                version.created_at,
                review=review,
                decided=approval,
            ),
            "review": review,
        }


def grades_of(sharing_type: SharingType) -> str:
    """What Table 1 says of a type of sharing."""
    row = next(row for row in TABLE_ONE if row.sharing_type == sharing_type)
    text = _("Possible re-identification risk: %(risk)s; demand on de-identification: %(demand)s.")
    return text % {"risk": row.risk.label, "demand": row.requirement.label}


def _review(version: PlanVersion, approval: SignOff) -> Review | None:
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
