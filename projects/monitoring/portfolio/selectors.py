"""What management sees of all its projects: where each is, how old, by when, at which measured risk; and who holds releases.

The database counts and orders; of the lists only that is read which is shown.
"""

from __future__ import annotations

import uuid
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, QuerySet, Subquery
from django.utils import timezone

from approvals.governance.person import Person
from projects.core.deadlines import Deadline, deadline_on, due_day
from projects.core.models import Project
from projects.datasets.tables.names import titled
from projects.processing.models import Run
from projects.verification.models import Verification
from projects.verification.reports.gate import CheckResult, checks_of, greatest_risk
from projects.verification.wording import translated
from projects.workflow import STAGES, STATES, Stage

from .due import DueLine, due_lines
from .forms import Order
from .holders import RecipientLine, holders
from .lines import Lines
from .narrowing import Narrowing


@dataclass(frozen=True)
class MeasuredRisk:
    """The greatest risk of any person in the result of ``run``, as ``verification`` has measured it in each table and in
    the view that joins them; None where it is not known in one of them, for it might be higher there, and ``why``.
    ``newer_run``: a later run that this does not speak of."""

    share: float | None
    verification: int
    run: int
    at: datetime
    passed: bool
    newer_run: int | None
    why: str = ""


@dataclass(frozen=True)
class ProjectLine:
    """One project. ``age`` and ``waiting`` in whole days: since it was opened, and since it is in its state."""

    project: Project
    age: int
    waiting: int
    deadline: Deadline | None
    risk: MeasuredRisk | None


@dataclass(frozen=True)
class Portfolio:
    """``by_stage``: how many projects are at each stage, in the order of the stages; ``overdue`` and ``near`` of them by their deadline.
    ``risks``: number of the project and greatest risk, the greatest that are known, of so many projects as were wanted.
    ``holders`` are :attr:`recipients` without what takes long to read."""

    lines: Lines[ProjectLine]
    by_stage: dict[Stage, int]
    overdue: int
    near: int
    risks: list[tuple[str, float]]
    holders: list[RecipientLine]
    recipients: Lines[RecipientLine]
    due: Lines[DueLine]


def portfolio_of(
    user: Person,
    *,
    q: str = "",
    stage: str = "",
    due: str = "",
    order: str = "",
    over: bool = False,
    most_risks: int = 0,
    named: int | None = None,
) -> Portfolio:
    """The projects that ``user`` may see, narrowed and in order; what is over only where ``over`` wants it. Of what one recipient
    holds at most ``named`` projects are named."""
    among = Narrowing(user, q, stage, due, over)
    found = Project.objects.filter(among.of()).order_by()
    stages, deadlines = _counted(found)
    held, recipients = holders(among, named=named)
    return Portfolio(
        Lines(sum(stages.values()), _ordered(found, order), _project_lines),
        {one: stages[one] for one in [*STAGES, *([Stage.CLOSED] if stages[Stage.CLOSED] else [])]},
        sum(count for deadline, count in deadlines.items() if deadline.is_overdue),
        sum(count for deadline, count in deadlines.items() if deadline.is_near),
        _greatest(among, most_risks),
        held,
        recipients,
        due_lines(among),
    )


_STAGES = {str(state): row.stage for state, row in STATES.items()}


def _counted(found: QuerySet[Project]) -> tuple[Counter[Stage], Counter[Deadline]]:
    """How many projects are at each stage, and how many have each deadline."""
    stages, deadlines = Counter[Stage](), Counter[Deadline]()
    dated: Any = found.annotate(day=due_day())
    rows = dated.values_list("state", "suspended_from", "day").annotate(Count("pk"))
    for state, before, day, count in rows:
        stages[_STAGES[before or state]] += count
        if day is not None:
            deadlines[deadline_on(day)] += count
    return stages, deadlines


def _ordered(found: QuerySet[Project], order: str) -> QuerySet[Project]:
    """What is due first and among equals the lower number, unless another order is wanted; what a line does not have stands last."""
    found = found.annotate(due=due_day()).select_related("created_by")
    if order == Order.RISK:
        newest = _measured().filter(project=OuterRef("pk")).order_by("-number")
        # Of the newest measurement, though it does not know the risk.
        found = found.annotate(risk=Subquery(newest.values("max_risk")[:1]))
    columns: dict[str, Any] = {
        Order.RISK: [F("risk").desc(nulls_last=True)],
        Order.AGE: ["created_at"],
        Order.WAITING: ["state_since"],
        Order.NUMBER: ["number"],
    }
    first = columns.get(order, [F("due").asc(nulls_last=True), "number"])
    return found.order_by(*first, "-created_at", "pk")


def _measured() -> QuerySet[Verification]:
    return Verification.objects.filter(measured_at__isnull=False)


def _greatest(among: Narrowing, most: int) -> list[tuple[str, float]]:
    """At most ``most``, the greatest first; the index has them in this order, and is left where there are enough."""
    if not most:
        return []
    newer = _measured().filter(project=OuterRef("project"), number__gt=OuterRef("number"))
    known = _measured().filter(among.of("project"), max_risk__isnull=False)
    rows = known.filter(~Exists(newer.order_by())).order_by("-max_risk")
    # The column orders; what is shown stands in what the log proves.
    shares = [
        (number, greatest_risk(checks_of(checks))[0])
        for number, checks in rows.values_list("project__number", "checks")[:most]
    ]
    return [(number, share) for number, share in shares if share is not None]


def _project_lines(projects: list[Any]) -> list[ProjectLine]:
    risks, today = _risks([project.pk for project in projects]), timezone.localdate()
    return [
        ProjectLine(
            project,
            (today - timezone.localdate(project.created_at)).days,
            (today - timezone.localdate(project.state_since)).days,
            deadline_on(project.due) if project.due else None,
            risks.get(project.pk),
        )
        for project in projects
    ]


def _risks(projects: list[uuid.UUID]) -> dict[uuid.UUID, MeasuredRisk]:
    """The newest complete measurement of each project."""
    newest = _measured().filter(project=OuterRef("project"))
    last_run = Run.objects.filter(project=OuterRef("project")).order_by("-number")
    measured = Verification.objects.filter(
        project__in=projects, pk=Subquery(newest.order_by("-number").values("pk")[:1])
    ).order_by()
    rows = measured.annotate(last_run=Subquery(last_run.values("number")[:1])).select_related("run")
    found = {}
    for row in rows.defer("report"):
        assert row.measured_at is not None  # the statement asks for those that are complete
        run, (share, why) = row.run.number, greatest_risk(checks_of(row.checks))
        found[row.project_id] = MeasuredRisk(
            share,
            row.number,
            run,
            row.measured_at,
            bool(row.passed),
            row.last_run if row.last_run > run else None,
            why_said(why),
        )
    return found


def why_said(row: CheckResult | None) -> str:
    """Why the greatest risk is not known, in words, where a row of the gate's table says so."""
    return titled(row.table, translated(row.plain)) if row else ""
