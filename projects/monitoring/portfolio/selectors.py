"""What management sees of all its projects: where each is, how old, by when, at which measured risk; and who holds releases.

Of all projects that the reader may see only that is read which counts and orders them; the rest of those that are shown. Whoever
wants every line gets them in portions.
"""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar, overload

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from approvals.decisions.selectors import decisions_read
from approvals.governance.person import Person
from projects.core.deadlines import Deadline, deadline_on, deadlines_among
from projects.core.enums import SharingType
from projects.core.models import Project
from projects.core.returns import Return, current_return, returned_among
from projects.core.selectors import in_visible, visible_projects
from projects.datasets.tables.names import titled
from projects.findings.models import Finding
from projects.findings.selectors import findings_open
from projects.processing.models import Run
from projects.releases.enums import DeliveryStatus
from projects.releases.models import Agreement, Delivery, Release
from projects.verification.models import Verification
from projects.verification.reports.gate import CheckResult, checks_of, greatest_risk
from projects.verification.wording import translated
from projects.workflow import STAGES, STATES, TERMINAL, Stage, State, stage_states

from .. import selectors
from ..models import Reassessment
from .forms import Due, Order

PORTION = 500
"""So many lines are read at once where all are wanted."""
_Line = TypeVar("_Line")


class ProjectKey(NamedTuple):
    """What a project is counted, named and ordered by."""

    pk: uuid.UUID
    number: str
    stage: Stage
    deadline: Deadline | None

    @property
    def due(self) -> date:
        return self.deadline.due if self.deadline else date.max


class DueKey(NamedTuple):
    """The same of what is due: the day (of what has none the last there is) and the number of its project, the ``model`` and the id of
    its row, that of the project where its work was returned."""

    due: date
    number: str
    project: uuid.UUID
    model: type[Reassessment | Finding | Project]
    pk: uuid.UUID


class Lines(Sequence[_Line]):
    """Lines of which the number and the order are known; ``read`` has those that somebody looks at."""

    def __init__(self, keys: list[Any], read: Callable[[list[Any]], list[_Line]]) -> None:
        self.keys, self._read = keys, read

    def __len__(self) -> int:
        return len(self.keys)

    @overload
    def __getitem__(self, place: int) -> _Line: ...
    @overload
    def __getitem__(self, place: slice) -> list[_Line]: ...
    def __getitem__(self, place: int | slice) -> _Line | list[_Line]:
        if isinstance(place, slice):
            return self._read(self.keys[place])
        return self._read([self.keys[place]])[0]

    def __iter__(self) -> Iterator[_Line]:
        for start in range(0, len(self.keys), PORTION):
            yield from self._read(self.keys[start : start + PORTION])


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
    projects: list[ProjectKey] = field(default_factory=list)
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
    """``risks``: the greatest that are known, of so many projects as were wanted."""

    lines: Lines[ProjectLine]
    risks: list[tuple[ProjectKey, float]]
    recipients: list[RecipientLine]
    due: Lines[DueLine]

    @property
    def by_stage(self) -> dict[Stage, int]:
        """How many of the lines are at each stage, in the order of the stages."""
        found = Counter(key.stage for key in self.lines.keys)
        order = [*STAGES, *([Stage.CLOSED] if found[Stage.CLOSED] else [])]
        return {stage: found[stage] for stage in order}

    @property
    def overdue(self) -> int:
        return sum(key.deadline is not None and key.deadline.is_overdue for key in self.lines.keys)

    @property
    def near(self) -> int:
        return sum(key.deadline is not None and key.deadline.is_near for key in self.lines.keys)


def portfolio_of(
    user: Person,
    *,
    q: str = "",
    stage: str = "",
    due: str = "",
    order: str = "",
    over: bool = False,
    most_risks: int = 0,
) -> Portfolio:
    """The projects that ``user`` may see, narrowed and in order; what is over only where ``over`` wants it."""
    found = visible_projects(user).select_related(None)
    if not over:
        found = found.exclude(state__in=TERMINAL)
    if q:
        found = found.filter(Q(title__icontains=q) | Q(number__icontains=q))
    if stage:
        states = stage_states(Stage(stage))
        found = found.filter(Q(state__in=states) | Q(state=State.SUSPENDED, suspended_from__in=states))
    keys = _keys(user, found, due, order)
    # What is due tells by a day that no statement asks for.
    among = {key.pk: key for key in keys}
    return Portfolio(
        Lines(keys, _project_lines),
        _greatest(user, among, most_risks),
        _recipients(user, among),
        Lines(_due_keys(user, found, among), _due_lines),
    )


_ORDERS = {Order.AGE: "created_at", Order.WAITING: "state_since"}


def _keys(user: Person, found: QuerySet[Project], due: str, order: str) -> list[ProjectKey]:
    """What is due first, unless another order is wanted; what a line does not have stands last."""
    deadlines = deadlines_among(found)
    # The younger stand first where nothing else tells them apart.
    rows = found.order_by(_ORDERS.get(Order(order), "-created_at") if order else "-created_at")
    keys = [
        ProjectKey(pk, number, _STAGES[before or state], deadlines.get(pk))
        for pk, number, state, before in rows.values_list("pk", "number", "state", "suspended_from")
    ]
    if due:
        keys = [key for key in keys if _is_due(key.deadline, Due(due))]
    if order in _ORDERS:
        return keys
    if order == Order.RISK:
        risks: dict[uuid.UUID, Any] = dict(_known(user).values_list("project_id", "max_risk"))
        return sorted(keys, key=lambda key: risks.get(key.pk, -1.0), reverse=True)
    if order == Order.NUMBER:
        return sorted(keys, key=lambda key: key.number)
    return sorted(keys, key=lambda key: (key.due, key.number))


_STAGES = {str(state): row.stage for state, row in STATES.items()}


def _is_due(deadline: Deadline | None, due: Due) -> bool:
    if deadline is None:
        return due == Due.NONE
    return {Due.OVERDUE: deadline.is_overdue, Due.NEAR: deadline.is_near}.get(due, False)


def _known(user: Person) -> QuerySet[Verification]:
    """The newest complete measurement of each project that ``user`` may see in which the greatest risk is known."""
    newer = Verification.objects.filter(
        project=OuterRef("project"), number__gt=OuterRef("number"), measured_at__isnull=False
    )
    measured = Verification.objects.filter(in_visible(user), max_risk__isnull=False)
    return measured.filter(~Exists(newer.order_by())).order_by()


def _greatest(user: Person, among: dict[uuid.UUID, ProjectKey], most: int) -> list[tuple[ProjectKey, float]]:
    """At most ``most``, the greatest first; the index has them in this order, and is left where there are enough."""
    if not most:
        return []
    chosen: dict[uuid.UUID, ProjectKey] = {}
    for pk, project in _known(user).order_by("-max_risk").values_list("pk", "project_id").iterator(PORTION):
        if project in among:
            chosen[pk] = among[project]
        if len(chosen) == most:
            break
    # The column orders; what is shown stands in what the log proves.
    checks = dict(Verification.objects.filter(pk__in=chosen).order_by().values_list("pk", "checks"))
    shares = [(key, greatest_risk(checks_of(checks[pk]))[0]) for pk, key in chosen.items()]
    return [(key, share) for key, share in shares if share is not None]


def _project_lines(keys: list[ProjectKey]) -> list[ProjectLine]:
    projects = Project.objects.filter(pk__in=[key.pk for key in keys]).select_related("created_by")
    by_id = {project.pk: project for project in projects}
    risks, today = _risks(list(by_id)), timezone.localdate()
    return [
        ProjectLine(
            project := by_id[key.pk],
            (today - timezone.localdate(project.created_at)).days,
            (today - timezone.localdate(project.state_since)).days,
            key.deadline,
            risks.get(key.pk),
        )
        for key in keys
    ]


def _risks(projects: list[uuid.UUID]) -> dict[uuid.UUID, MeasuredRisk]:
    """The newest complete measurement of each project."""
    newest = Verification.objects.filter(project=OuterRef("project"), measured_at__isnull=False)
    last_run = Run.objects.filter(project=OuterRef("project")).order_by("-number")
    measured = Verification.objects.filter(
        project__in=projects, pk=Subquery(newest.order_by("-number").values("pk")[:1])
    ).order_by()
    found = {}
    for row in (
        measured.annotate(last_run=Subquery(last_run.values("number")[:1]))
        .select_related("run")
        .defer("report")
    ):
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


def _recipients(user: Person, among: dict[uuid.UUID, ProjectKey]) -> list[RecipientLine]:
    """Who holds what is released and has not ended, whoever holds most first."""
    releases = {
        project: (release, released_at, sharing)
        for release, project, released_at, sharing in Release.objects.filter(in_visible(user), ended_at=None)
        .order_by("released_at")
        .values_list("pk", "project_id", "released_at", "project__sharing_type")
        if project in among
    }
    agreements: dict[uuid.UUID, list[tuple[str, Any, date]]] = {}
    rows = Agreement.objects.filter(in_visible(user), ended_at=None)
    for project, organisation, recipient, until in rows.values_list(
        "project_id", "organisation", "recipient_id", "valid_until"
    ):
        if project in releases:
            agreements.setdefault(project, []).append((organisation, recipient, until))
    deliveries = Delivery.objects.filter(
        in_visible(user, "release__project"), release__ended_at=None, status=DeliveryStatus.FETCHED
    )
    fetched: dict[uuid.UUID, list[tuple[Any, int]]] = {}
    counted = deliveries.order_by().values_list("release_id", "recipient_id").annotate(times=Count("pk"))
    for release, recipient, times in counted:
        fetched.setdefault(release, []).append((recipient, times))
    lines: dict[tuple[str, bool], RecipientLine] = {}
    for project, (release, released_at, sharing) in releases.items():
        those = agreements.get(project, [])
        public = sharing == SharingType.PUBLIC and not those
        for organisation in dict.fromkeys([one[0] for one in those] or [""]):
            line = lines.setdefault((organisation, public), RecipientLine(organisation, public))
            line.projects.append(among[project])
            line.last = released_at
            people = {one[1] for one in those if one[0] == organisation}
            for recipient, times in fetched.get(release, ()):
                line.fetched += times if recipient in people or not those else 0
            days = [one[2] for one in those if one[0] == organisation]
            line.agreed_until = min(
                [*days, *([line.agreed_until] if line.agreed_until else [])], default=None
            )
    return sorted(lines.values(), key=lambda one: (-len(one.projects), one.organisation))


def _due_keys(user: Person, found: QuerySet[Project], among: dict[uuid.UUID, ProjectKey]) -> list[DueKey]:
    """Re-assessments that are not concluded, findings that are not closed, and work that was returned and is not submitted again, what is due first."""
    of_models: list[tuple[type[Reassessment | Finding], QuerySet[Any]]] = [
        (Reassessment, selectors.board(user)),
        (Finding, findings_open(user)),
    ]
    keys = [
        DueKey(due, among[project].number, project, model, pk)
        for model, rows in of_models
        for due, project, pk in rows.values_list("due_on", "project_id", "pk")
        if project in among
    ]
    returned = returned_among(found.exclude(state__in=TERMINAL))
    keys += [DueKey(among[pk].due, among[pk].number, pk, Project, pk) for pk in returned if pk in among]
    return sorted(keys, key=itemgetter(0, 1))


def _due_lines(keys: list[DueKey]) -> list[DueLine]:
    def of(model: Any) -> list[uuid.UUID]:
        return [key.pk for key in keys if key.model is model]

    projects = {one.pk: one for one in Project.objects.filter(pk__in={key.project for key in keys})}
    looked = Reassessment.objects.select_related("release").defer("release__files", "measurement")
    rows: dict[Any, Any] = {one.pk: one for one in looked.filter(pk__in=of(Reassessment))}
    found = Finding.objects.select_related("owner").filter(pk__in=of(Finding))
    rows |= {one.pk: one for one in found}
    decisions_read(of(Project))
    return [
        DueLine(
            project := projects[key.project],
            None if key.due == date.max else deadline_on(key.due),
            reassessment=rows[key.pk] if key.model is Reassessment else None,
            finding=rows[key.pk] if key.model is Finding else None,
            returned=current_return(project) if key.model is Project else None,
        )
        for key in keys
    ]
