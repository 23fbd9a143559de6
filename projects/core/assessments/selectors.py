"""Reading orders of assessments. Callers have found the project among those that the reader may see."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from datetime import date
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import CharField, Exists, OuterRef, Q, QuerySet, Value
from django.db.models.expressions import Combinable
from django.utils.timezone import localdate

from approvals.governance.person import Person
from approvals.request_cache import cached_read
from projects.workflow.posts import Post

from ..deadlines import months_later
from .models import AssessmentOrder

_document: list[Combinable] = []


def document_read_by(expression: Combinable) -> None:
    """Register how the SHA-256 of the outside body's own document is read: an expression over an order. The package that keeps these
    documents is of a later stage."""
    _document[:] = [expression]


def orders_of(project: Any) -> QuerySet[AssessmentOrder]:
    """All of them, the newest first; ``document_sha256``: of the outside body's own document, None where none is kept."""
    found = AssessmentOrder.objects.filter(project=project)
    found = found.annotate(document_sha256=_document[0] if _document else Value(None, CharField()))
    return found.select_related("project", "assessor", "ordered_by", "ended_by")


def order_get(project: Any, order_id: uuid.UUID) -> AssessmentOrder:
    return orders_of(project).get(pk=order_id)


def orders_in_force(assessor_id: Any) -> QuerySet[AssessmentOrder]:
    """Those by which somebody sees projects today."""
    return AssessmentOrder.objects.filter(assessor=assessor_id, ended_at=None, until__gte=localdate())


@cached_read
def projects_ordered(assessor_id: Any) -> frozenset[uuid.UUID]:
    """The keys of the projects that somebody is to assess today."""
    return frozenset(orders_in_force(assessor_id).values_list("project", flat=True))


def is_ordered(user: Person, project: Any) -> bool:
    """Whether ``user`` is an external assessor whose time lasts and who has an order in force for ``project``."""
    return user.post == Post.ASSESSOR and user.assesses and project.pk in projects_ordered(user.pk)


def due_again(order: AssessmentOrder) -> date | None:
    """The day by which the project is to be assessed again: counted from the report, or from the end of an order that none came of."""
    if order.again_months is None or (order.is_in_force and not order.reported_at):
        return None
    over = order.reported_at or order.ended_at
    return months_later(localdate(over) if over else order.until, order.again_months)


def orders_to_repeat(projects: Iterable[Any], by_day: date) -> list[tuple[AssessmentOrder, date]]:
    """Of these projects the last orders by which another assessment is due on ``by_day`` at the latest, with its day."""
    every = AssessmentOrder.objects.filter(project__in=projects)
    later = AssessmentOrder.objects.filter(project=OuterRef("project"), number__gt=OuterRef("number"))
    # A later one that was ended, or ran out, without a report came of nothing.
    counts = Q(reported_at__isnull=False) | Q(ended_at=None, until__gte=localdate())
    found = every.filter(
        ~Exists(later.filter(Q(again_months__isnull=False) | counts)), again_months__isnull=False
    )
    found = found.select_related("project")
    return [(one, day) for one in found if (day := due_again(one)) is not None and day <= by_day]


def assessors() -> list[Any]:
    """External assessors whose time lasts."""
    people = get_user_model().objects.filter(is_active=True, post=Post.ASSESSOR)
    people = people.order_by("full_name", "username").prefetch_related("appointments")
    return [one for one in people if one.assesses]
