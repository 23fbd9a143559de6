"""What management sees of all its projects: where each is, how old, by when, at which measured risk; and who holds releases.

Everything is read once for all projects that the reader may see, however many they are.
"""

from __future__ import annotations

import uuid
from collections import Counter
from dataclasses import dataclass, field
from datetime import date, datetime

from django.db.models import Max, OuterRef, Q, Subquery
from django.utils import timezone

from approvals.decisions.selectors import decisions_read
from approvals.governance.person import Person
from projects.core.deadlines import Deadline, deadline_on, deadlines_of
from projects.core.enums import SharingType
from projects.core.models import Project
from projects.core.returns import Return, current_return
from projects.core.selectors import visible_projects
from projects.datasets.tables.names import titled
from projects.findings.models import Finding
from projects.findings.selectors import open_in
from projects.processing.models import Run
from projects.releases.enums import DeliveryStatus
from projects.releases.models import Agreement, Delivery, Release
from projects.verification.models import Verification
from projects.verification.reports.gate import CheckResult, checks_of
from projects.verification.wording import translated
from projects.workflow import STAGES, TERMINAL, Stage, State

from .. import selectors
from ..models import Reassessment
from .forms import Due, Order


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


@dataclass
class RecipientLine:
    """What one organisation holds: the releases in force under its agreements; ``fetched`` files so far.

    ``organisation`` is empty for releases without an agreement; those that anybody may have are ``public``.
    """

    organisation: str
    public: bool = False
    projects: list[Project] = field(default_factory=list)
    fetched: int = 0
    last: datetime | None = None
    agreed_until: date | None = None


@dataclass(frozen=True)
class DueLine:
    """What is to be done about a project beside its stage: a re-assessment, a finding, or work that was returned."""

    project: Project
    deadline: Deadline | None
    reassessment: Reassessment | None = None
    finding: Finding | None = None
    returned: Return | None = None


@dataclass(frozen=True)
class Portfolio:
    lines: list[ProjectLine]
    recipients: list[RecipientLine]
    due: list[DueLine]

    @property
    def by_stage(self) -> dict[Stage, int]:
        """How many of the lines are at each stage, in the order of the stages."""
        found = Counter(line.project.stage for line in self.lines)
        order = [*STAGES, *([Stage.CLOSED] if found[Stage.CLOSED] else [])]
        return {stage: found[stage] for stage in order}

    @property
    def overdue(self) -> int:
        return sum(line.deadline is not None and line.deadline.is_overdue for line in self.lines)

    @property
    def near(self) -> int:
        return sum(line.deadline is not None and line.deadline.is_near for line in self.lines)


def portfolio_of(
    user: Person, *, q: str = "", stage: str = "", due: str = "", order: str = "", over: bool = False
) -> Portfolio:
    """The projects that ``user`` may see, narrowed and in order; what is over only where ``over`` wants it."""
    found = visible_projects(user)
    if not over:
        found = found.exclude(state__in=TERMINAL)
    if q:
        found = found.filter(Q(title__icontains=q) | Q(number__icontains=q))
    projects = [one for one in found if not stage or one.stage == stage]
    deadlines = deadlines_of(projects)
    if due:
        projects = [one for one in projects if _is_due(deadlines.get(one.pk), Due(due))]
    risks = _risks(projects)
    today = timezone.localdate()
    lines = [
        ProjectLine(
            project,
            (today - timezone.localdate(project.created_at)).days,
            (today - timezone.localdate(project.state_since)).days,
            deadlines.get(project.pk),
            risks.get(project.pk),
        )
        for project in projects
    ]
    return Portfolio(_ordered(lines, order), _recipients(projects), _due(user, projects, deadlines))


def _is_due(deadline: Deadline | None, due: Due) -> bool:
    if deadline is None:
        return due == Due.NONE
    return {Due.OVERDUE: deadline.is_overdue, Due.NEAR: deadline.is_near}.get(due, False)


def _ordered(lines: list[ProjectLine], order: str) -> list[ProjectLine]:
    """What is due first, unless another order is wanted; what a line does not have stands last."""
    if order == Order.RISK:
        return sorted(
            lines,
            key=lambda one: -1.0 if one.risk is None or one.risk.share is None else one.risk.share,
            reverse=True,
        )
    if order == Order.AGE:
        return sorted(lines, key=lambda one: one.project.created_at)
    if order == Order.WAITING:
        return sorted(lines, key=lambda one: one.project.state_since)
    if order == Order.NUMBER:
        return sorted(lines, key=lambda one: one.project.number)
    return sorted(lines, key=lambda one: (one.deadline.due if one.deadline else date.max, one.project.number))


def _risks(projects: list[Project]) -> dict[uuid.UUID, MeasuredRisk]:
    """The newest complete measurement of each project."""
    newest = Verification.objects.filter(project=OuterRef("project"), measured_at__isnull=False).order_by(
        "-number"
    )
    measured = Verification.objects.filter(
        project__in=projects, pk=Subquery(newest.values("pk")[:1])
    ).order_by()
    runs = dict(
        Run.objects.filter(project__in=projects).order_by().values_list("project").annotate(Max("number"))
    )
    found = {}
    for project, number, at, passed, checks, run in measured.values_list(
        "project_id", "number", "measured_at", "passed", "checks", "run__number"
    ):
        assert at is not None  # the statement asks for those that are complete
        share, why = greatest_risk(checks_of(checks))
        later = runs[project] if runs[project] > run else None
        found[project] = MeasuredRisk(share, number, run, at, bool(passed), later, why)
    return found


def greatest_risk(results: list[CheckResult]) -> tuple[float | None, str]:
    """The greatest risk in any table and in the view that joins them; None where one of them is not known, and why.

    A table in which nobody can be found has a row about k that passes without a number, and no risk.
    """
    shares = [one.measured for one in results if one.kind == "max_risk" and one.measured is not None]
    shares += [1 / one.measured for one in results if one.kind == "joined" and one.measured]
    unknown = [
        one
        for one in results
        if (one.kind == "k" and one.passed is None)
        or (one.kind == "max_risk" and one.measured is None)
        or (one.kind == "joined" and not one.measured)
    ]
    if shares and not unknown:
        return max(shares), ""
    speaking = unknown or [one for one in results if one.kind == "k"]
    return None, titled(speaking[0].table, translated(speaking[0].plain)) if speaking else ""


def _recipients(projects: list[Project]) -> list[RecipientLine]:
    """Who holds what is released and has not ended, whoever holds most first."""
    releases = list(
        Release.objects.filter(project__in=projects, ended_at=None)
        .select_related("project")
        .order_by("released_at")
    )
    agreements: dict[uuid.UUID, list[Agreement]] = {}
    for agreement in Agreement.objects.filter(
        project__in=[one.project_id for one in releases], ended_at=None
    ):
        agreements.setdefault(agreement.project_id, []).append(agreement)
    fetched = Counter(
        Delivery.objects.filter(release__in=releases, status=DeliveryStatus.FETCHED).values_list(
            "release_id", "recipient_id"
        )
    )
    lines: dict[tuple[str, bool], RecipientLine] = {}
    for release in releases:
        agreed = agreements.get(release.project_id, [])
        public = release.project.sharing_type == SharingType.PUBLIC and not agreed
        holders = {
            one.organisation: [two for two in agreed if two.organisation == one.organisation]
            for one in agreed
        }
        for organisation, those in (holders or {"": []}).items():
            line = lines.setdefault((organisation, public), RecipientLine(organisation, public))
            line.projects.append(release.project)
            line.last = release.released_at
            people = {one.recipient_id for one in those}
            line.fetched += sum(
                times
                for (of, recipient), times in fetched.items()
                if of == release.pk and (recipient in people or not those)
            )
            until = [one.valid_until for one in those] + ([line.agreed_until] if line.agreed_until else [])
            line.agreed_until = min(until, default=None)
    return sorted(lines.values(), key=lambda one: (-len(one.projects), one.organisation))


def _due(user: Person, projects: list[Project], deadlines: dict[uuid.UUID, Deadline]) -> list[DueLine]:
    """Re-assessments that are not concluded, findings that are not closed, and work that was returned and is not submitted again, what is due first."""
    by_id = {project.pk: project for project in projects}
    found = [
        DueLine(by_id[row.project_id], deadline_on(row.due_on), reassessment=row)
        for row in selectors.board(user)
        if row.project_id in by_id
    ]
    found += [
        DueLine(by_id[row.project_id], deadline_on(row.due_on), finding=row) for row in open_in(projects)
    ]
    working = [one for one in projects if State(one.state) not in TERMINAL]
    decisions_read([project.pk for project in working])
    found += [
        DueLine(project, deadlines.get(project.pk), returned=returned)
        for project in working
        if (returned := current_return(project)) is not None
    ]
    return sorted(found, key=lambda one: (one.deadline.due if one.deadline else date.max, one.project.number))
