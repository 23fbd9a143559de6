"""What the register of releases answers for a target: which earlier ones may be about the same persons (5.2.2 f).

Whoever looks may not see every project. Of those that they may not see they learn that there is one, why, and a mark by which an
auditor finds it; neither title nor number, and which columns it has only as far as they named them themselves.
"""

from __future__ import annotations

import uuid
from typing import Any

from django.db.models import F, OuterRef, Q, Subquery

from approvals.governance.person import Person
from projects.core.models import Project
from projects.core.selectors import visible_projects
from projects.objective.models import Objective
from projects.objective.targets.content import KINSHIPS, Kinship
from projects.objective.targets.register.content import FoundRelease
from projects.objective.targets.register.selectors import RegisterQuestion, finds_releases
from projects.processing.models import RunTable

from ..models import Release
from .outside.kinship import same_source
from .selectors import SAME_COLUMNS, share_of


def mark_of(release_id: uuid.UUID) -> str:
    """By what an auditor finds a release that somebody else may not see: the register is searched by it."""
    return f"R-{release_id.hex[:8]}"


@finds_releases
def earlier_releases(user: Person, project: Project, asked: RegisterQuestion) -> list[FoundRelease]:
    """One line for each project, the youngest release first; ended ones count, for what was fetched stays."""
    released = Release.objects.filter(run_id=OuterRef("run_id")).order_by("-released_at")
    rows: Any = RunTable.objects.annotate(
        released=Subquery(released.values("pk")[:1]),
        released_at=Subquery(released.values("released_at")[:1]),
        ended_at=Subquery(released.values("ended_at")[:1]),
        columns=F("report__columns_out"),
    ).filter(Q(released__isnull=False) & ~Q(run__project=project))
    rows = rows.select_related("dataset", "run__recipe_version", "run__project").order_by("-released_at")
    by_project: dict[uuid.UUID, list[Any]] = {}
    for row in rows.defer("report", "notice", "dataset__profile"):
        by_project.setdefault(row.run.project_id, []).append(row)
    said = {
        one.project_id: one
        for one in Objective.objects.filter(project__in=by_project).select_related("notice")
    }
    seen = set(visible_projects(user).filter(pk__in=by_project).values_list("pk", flat=True))
    found = []
    for pk, tables in by_project.items():
        grounds, columns = _grounds(asked, tables, said.get(pk))
        if not grounds:
            continue
        hidden, other = pk not in seen, tables[0].run.project
        known = (
            {} if hidden else {"title": other.title, "sharing_type": other.sharing_type, "state": other.state}
        )
        found.append(
            FoundRelease(
                number=mark_of(tables[0].released) if hidden else other.number,
                is_hidden=hidden,
                by=grounds,
                columns=columns,
                releases=len({one.released for one in tables}),
                is_live=any(one.ended_at is None for one in tables),
                **known,
            )
        )
    return found


def _grounds(
    asked: RegisterQuestion, tables: list[Any], said: Objective | None
) -> tuple[list[Kinship], list[str]]:
    """Why the releases of one project are named, and which of the columns that were named they have."""
    grounds: set[Kinship] = set()
    common: set[str] = set()
    subject = {name.casefold() for name in asked.question.subject}
    for one in tables:
        if one.dataset.sha256 in asked.files:
            grounds.add("file")
        theirs = one.run.recipe_version.tables.get(one.name, {}).get("subject") or []
        if subject & {name.casefold() for name in theirs}:
            grounds.add("subject")
        if share_of(asked.columns, one.columns or []) >= SAME_COLUMNS:
            grounds.add("columns")
            common |= {*asked.columns} & {*one.columns}
    if said is not None:
        if asked.notice and said.notice is not None and said.notice.sha256 == asked.notice:
            grounds.add("notice")
        if same_source(asked.question.source, (said.scope or {}).get("source", "")):
            grounds.add("source")
    found: list[Kinship] = [one for one in KINSHIPS if one in grounds]
    return found, sorted(common)
