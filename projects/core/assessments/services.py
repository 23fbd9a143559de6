"""The only writer of orders of assessments."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.db.models import Max
from django.utils import timezone

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import deny

from .. import events
from ..models import Project
from ..services import notify_person, project_lock
from .enums import Conclusion
from .models import AssessmentOrder
from .rules import AssessmentReason, may_be_ordered, may_end, may_order, may_report
from .selectors import order_get


def assessment_order(
    project: Project,
    *,
    assessor: Person,
    covers: str,
    until: date,
    again_months: int | None = None,
    by: Person,
) -> AssessmentOrder:
    """Have ``assessor`` assess the project until the end of the day ``until``; they see it from now on, and are told.

    ``again_months`` after the report another assessment is due, which the supervisor then has among their tasks.
    """
    covers = _said(covers)
    facts: dict[str, Any] = {"assessor": str(assessor), "last_day": until.isoformat()}
    again: dict[str, Any] = {"again_months": again_months} if again_months else {}
    with recording(events.ASSESSMENT_ORDERED, by=by, project_id=project.pk, **facts, **again) as event:
        project = project_lock(project)
        may_order(by, project).require()
        may_be_ordered(assessor, project, until).require()
        last = AssessmentOrder.objects.filter(project=project).aggregate(last=Max("number"))["last"] or 0
        order = AssessmentOrder.objects.create(
            project=project,
            number=last + 1,
            assessor=assessor,
            covers=covers,
            until=until,
            again_months=again_months,
            ordered_by=by,
        )
        event.subject = order.subject
        notify_person(
            assessor,
            events.ASSESSMENT_ORDERED,
            by=by,
            project=project,
            subject=str(order),
            **facts,
        )
        return order


def assessment_report(
    order: AssessmentOrder, *, conclusion: Conclusion, report: str, by: Person
) -> AssessmentOrder:
    """Write what the assessment came to; who ordered it is told. What deviates is raised as findings, before or after."""
    report = _said(report)
    facts: dict[str, Any] = {"conclusion": str(conclusion)}
    with recording(events.ASSESSMENT_REPORTED, by=by, about=order, **facts):
        project = project_lock(order.project)
        order = order_get(project, order.pk)
        may_report(by, order).require()
        order.conclusion, order.report, order.reported_at = conclusion, report, timezone.now()
        order.save(update_fields=["conclusion", "report", "reported_at"])
        notify_person(
            order.ordered_by,
            events.ASSESSMENT_REPORTED,
            by=by,
            project=project,
            subject=str(order),
            **facts,
        )
        return order


def assessment_end(order: AssessmentOrder, *, reason: str, by: Person) -> AssessmentOrder:
    """End an order before its last day; the assessor sees the project no more."""
    reason = _said(reason)
    with recording(events.ASSESSMENT_ENDED, by=by, about=order, reason=reason, assessor=str(order.assessor)):
        project = project_lock(order.project)
        order = order_get(project, order.pk)
        may_end(by, order).require()
        order.ended_by, order.ended_at, order.end_reason = by, timezone.now(), reason
        order.save(update_fields=["ended_by", "ended_at", "end_reason"])
        return order


def _said(text: str) -> str:
    """``text`` without the blanks around it; refused where nothing is left."""
    text = text.strip()
    if not text:
        deny(AssessmentReason.TEXT_NEEDED).require()
    return text
