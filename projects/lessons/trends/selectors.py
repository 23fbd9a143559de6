"""What happened in each quarter of a year in the projects that somebody may see; read once for all of them, however many they are."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from statistics import median
from typing import Any

from django.db.models import Count, Min, Q, QuerySet
from django.db.models.functions import ExtractQuarter
from django.utils import timezone

from approvals.decisions.models import SignOff
from approvals.governance.person import Person
from projects.core.selectors import visible_projects
from projects.findings.models import Finding
from projects.incidents.models import Incident
from projects.monitoring.models import Reassessment
from projects.releases.models import Release
from projects.verification.models import Verification
from projects.verification.reports.gate import checks_of, greatest_risk

from ..models import Lesson

QUARTERS = (1, 2, 3, 4)
DAY = 86_400
MOST_LESSONS = 50


@dataclass
class Quarter:
    """``risk``: the greatest risk of any person among the releases of the quarter as they were measured, None where none was;
    ``unmeasured`` of them have no such figure. ``waits``: days from each submission to its decision."""

    number: int
    releases: int = 0
    risk: float | None = None
    unmeasured: int = 0
    findings: int = 0
    closed: int = 0
    incidents: int = 0
    reassessed: int = 0
    not_met: int = 0
    waits: list[float] = field(default_factory=list)

    @property
    def wait(self) -> float | None:
        """The median of the days from submission to decision."""
        return median(self.waits) if self.waits else None


@dataclass(frozen=True)
class Trends:
    year: int
    first: int
    quarters: list[Quarter]
    lessons: list[Lesson]

    @property
    def whole(self) -> Quarter:
        """The year as one."""
        parts = self.quarters
        risks = [one.risk for one in parts if one.risk is not None]
        counts = ("releases", "unmeasured", "findings", "closed", "incidents", "reassessed", "not_met")
        return Quarter(
            0,
            risk=max(risks, default=None),
            waits=[days for one in parts for days in one.waits],
            **{name: sum(getattr(one, name) for one in parts) for name in counts},
        )


def trends_of(user: Person, year: int | None = None) -> Trends:
    """One year, this one unless another is asked for, of the projects that ``user`` may see."""
    seen = visible_projects(user).order_by()
    today = timezone.localdate()
    earliest = seen.aggregate(first=Min("created_at"))["first"]
    first = timezone.localdate(earliest).year if earliest else today.year
    year = min(max(year or today.year, first), today.year)
    quarters = [Quarter(number) for number in QUARTERS]
    ids = seen.values("pk")
    for name, rows, at in (
        ("releases", Release.objects.filter(project__in=ids), "released_at"),
        ("findings", Finding.objects.filter(project__in=ids), "raised_at"),
        ("closed", Finding.objects.filter(project__in=ids), "closed_at"),
        ("incidents", Incident.objects.filter(project__in=ids), "raised_at"),
    ):
        for quarter, count in _counted(rows, at, year):
            setattr(quarters[quarter - 1], name, count)
    _reassessed(quarters, ids, year)
    _risks(quarters, ids, year)
    _waited(quarters, ids, year)
    lessons = Lesson.objects.filter(project__in=ids, **_within("recorded_at", year))
    shown = lessons.select_related("project", "owner", "recorded_by")[:MOST_LESSONS]
    return Trends(year, first, quarters, list(shown))


def _within(at: str, year: int) -> dict[str, Any]:
    zone = timezone.get_current_timezone()
    begins, ends = (datetime.combine(date(one, 1, 1), datetime.min.time(), zone) for one in (year, year + 1))
    return {f"{at}__gte": begins, f"{at}__lt": ends}


def _counted(rows: QuerySet[Any], at: str, year: int) -> list[tuple[int, int]]:
    within = rows.filter(**_within(at, year)).order_by()
    return list(within.annotate(quarter=ExtractQuarter(at)).values_list("quarter").annotate(n=Count("pk")))


def _reassessed(quarters: list[Quarter], ids: Any, year: int) -> None:
    rows = Reassessment.objects.filter(project__in=ids, **_within("concluded_at", year)).order_by()
    found = rows.annotate(quarter=ExtractQuarter("concluded_at")).values_list("quarter")
    for quarter, count, failed in found.annotate(n=Count("pk"), failed=Count("pk", filter=Q(met=False))):
        quarters[quarter - 1].reassessed, quarters[quarter - 1].not_met = count, failed


def _risks(quarters: list[Quarter], ids: Any, year: int) -> None:
    """Of each release, what the last complete measurement of its run has found."""
    of_year = Release.objects.filter(project__in=ids, **_within("released_at", year)).order_by()
    released = of_year.annotate(quarter=ExtractQuarter("released_at")).values_list("run_id", "quarter")
    measured = Verification.objects.filter(run__in=of_year.values("run_id"), measured_at__isnull=False)
    newest = dict(measured.order_by("number").values_list("run_id", "checks"))
    for run, quarter in released:
        share, _row = greatest_risk(checks_of(newest[run])) if run in newest else (None, None)
        of = quarters[quarter - 1]
        if share is None:
            of.unmeasured += 1
        else:
            of.risk = share if of.risk is None else max(of.risk, share)


def _waited(quarters: list[Quarter], ids: Any, year: int) -> None:
    decided = SignOff.objects.filter(project_id__in=ids, **_within("decided_at", year)).order_by()
    rows = decided.annotate(quarter=ExtractQuarter("decided_at"))
    for quarter, submitted, at in rows.values_list("quarter", "submitted_at", "decided_at"):
        assert at is not None  # of a year
        quarters[quarter - 1].waits.append((at - submitted).total_seconds() / DAY)
