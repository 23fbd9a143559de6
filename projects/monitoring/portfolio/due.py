"""What is to be done about projects beside their stage: re-assessments, findings, and work that was returned."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

from django.db.models import CharField, QuerySet, Value
from django.db.models.functions import Coalesce

from approvals.decisions.selectors import decisions_read
from projects.core.deadlines import Deadline, deadline_on, due_day
from projects.core.models import Project
from projects.core.returns import Return, current_return, returned_among
from projects.findings.models import Finding
from projects.findings.selectors import findings_open

from .. import selectors
from ..models import Reassessment
from .lines import Lines, Merged
from .narrowing import Narrowing


@dataclass(frozen=True)
class DueLine:
    """A re-assessment, a finding, or work that was returned."""

    project: Project
    deadline: Deadline | None
    reassessment: Reassessment | None = None
    finding: Finding | None = None
    returned: Return | None = None


class _Row(NamedTuple):
    """What orders a line, and which row it is of."""

    day: date
    number: str
    project: uuid.UUID
    kind: str
    key: uuid.UUID


def due_lines(among: Narrowing) -> Lines[DueLine]:
    """Re-assessments that are not concluded, findings that are not closed, and work that was returned and is not submitted again,
    of the projects ``among``; what is due first, and last what has no day."""
    inside = among.of("project")
    found: list[QuerySet[Any]] = [
        selectors.board(among.user).filter(inside),
        findings_open(among.user).filter(inside),
        returned_among(Project.objects.filter(among.of())),
    ]
    plain = [one.select_related(None).defer(None).order_by() for one in found]
    return Lines(sum(one.count() for one in plain), Merged([_rows(one) for one in plain]), _read)


def _rows(found: Any) -> Any:
    """Day, number and key of its project, model and key of each row of ``found``, in order."""
    kind = Value(found.model._meta.label, output_field=CharField())
    if found.model is Project:
        dated = found.annotate(day=Coalesce(due_day(), Value(date.max)), kind=kind)
        return dated.order_by("day", "number", "pk").values_list("day", "number", "pk", "kind", "pk")
    # The index has them by their day.
    ordered = found.annotate(kind=kind).order_by("due_on", "project__number", "pk")
    return ordered.values_list("due_on", "project__number", "project_id", "kind", "pk")


def _read(given: list[Any]) -> list[DueLine]:
    rows = [_Row(*row) for row in given]
    chosen: dict[str, list[uuid.UUID]] = {}
    for row in rows:
        chosen.setdefault(row.kind, []).append(row.key)

    def of(model: type[Any]) -> list[uuid.UUID]:
        return chosen.get(model._meta.label, [])

    projects = {one.pk: one for one in Project.objects.filter(pk__in={row.project for row in rows})}
    looked = Reassessment.objects.select_related("release").defer("release__files", "measurement")
    found: dict[Any, Any] = {one.pk: one for one in looked.filter(pk__in=of(Reassessment))}
    found |= {one.pk: one for one in Finding.objects.select_related("owner").filter(pk__in=of(Finding))}
    decisions_read(of(Project))
    return [
        DueLine(
            project := projects[row.project],
            None if row.day == date.max else deadline_on(row.day),
            reassessment=found[row.key] if row.kind == Reassessment._meta.label else None,
            finding=found[row.key] if row.kind == Finding._meta.label else None,
            returned=current_return(project) if row.kind == Project._meta.label else None,
        )
        for row in rows
    ]
