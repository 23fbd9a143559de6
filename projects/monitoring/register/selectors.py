"""Every release of the projects that a reader may see, with what it holds, who has it by which terms, and what tells of the same persons.

Everything of the releases of one page is read together, however many projects they come from.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet

from approvals.governance.person import Person
from projects.core.enums import SharingType
from projects.core.selectors import visible_projects
from projects.processing.models import Run, RunTable
from projects.releases.agreements.checks import Check, checks_in
from projects.releases.enums import DeliveryStatus
from projects.releases.models import Agreement, Delivery, RelativesMeasurement, Release
from projects.releases.relatives.outside.kinship import OutsideKin, outside_by_run
from projects.releases.relatives.report import findings_of
from projects.releases.relatives.selectors import Relative, is_about, names_for, relatives_by_run

# What somebody who may not see a release was told instead of its name (releases.relatives.lookup.mark_of).
_MARK = re.compile(r"R-([0-9a-f]{8})", re.IGNORECASE)


@dataclass(frozen=True)
class FileLine:
    """One file of a release. ``subject``: the columns of the source by whose values persons were told apart; empty: the recipe names none."""

    table: str
    rows: int
    sha256: str
    columns: Sequence[str]
    subject: Sequence[str]


@dataclass(frozen=True)
class HolderLine:
    """A recipient with their agreement: how often they fetched the release, when last, and the checks of it that they owe."""

    agreement: Agreement
    fetched: int
    last: datetime | None
    check: Check | None


@dataclass(frozen=True)
class Overlap:
    """Another release that may tell of the same persons; ``name`` as this reader may know it, ``is_known`` whether they see its project.
    ``by_one``: recipients of this release whom the other one has, too."""

    relative: Relative
    release: Release
    name: str
    is_known: bool
    by_one: Sequence[str]


@dataclass
class ReleaseLine:
    """One release. ``is_risky``: what its measurement together with exactly these overlaps has found; None: not measured so. Those
    that were made ``outside`` the portal nobody can measure."""

    release: Release
    files: list[FileLine] = field(default_factory=list)
    holders: list[HolderLine] = field(default_factory=list)
    overlaps: list[Overlap] = field(default_factory=list)
    outside: list[OutsideKin] = field(default_factory=list)
    is_risky: bool | None = None

    @property
    def tells_more(self) -> bool | None:
        """:attr:`is_risky`, but that nothing was found says nothing where one of them could not be measured."""
        return None if self.outside and not self.is_risky else self.is_risky

    @property
    def is_public(self) -> bool:
        return self.release.project.sharing_type == SharingType.PUBLIC

    @property
    def is_enclave(self) -> bool:
        return self.release.project.sharing_type == SharingType.ENCLAVE


def releases_seen(user: Person, *, q: str = "", over: bool = False) -> QuerySet[Release]:
    """The releases of the projects that ``user`` may see, the newest first; ended ones only where ``over`` wants them."""
    found = Release.objects.filter(project__in=visible_projects(user)).select_related(
        "project", "released_by"
    )
    if not over:
        found = found.filter(ended_at=None)
    if q:
        named = Agreement.objects.filter(project=OuterRef("project")).filter(
            Q(organisation__icontains=q) | Q(recipient__full_name__icontains=q)
        )
        wanted: Any = Q(project__title__icontains=q) | Q(project__number__icontains=q) | Exists(named)
        if mark := _MARK.fullmatch(q.strip()):
            wanted |= Q(pk__istartswith=mark[1])
        found = found.filter(wanted)
    return found.order_by("-released_at")


def lines_of(user: Person, releases: Sequence[Release]) -> list[ReleaseLine]:
    """What stands in the register of each of ``releases``, in their order."""
    lines = [ReleaseLine(one) for one in releases]
    _files(lines)
    _holders(lines)
    _overlaps(user, lines)
    outside = outside_by_run([line.release.run_id for line in lines])
    for line in lines:
        line.outside = outside.get(line.release.run_id, [])
    return lines


def _files(lines: Sequence[ReleaseLine]) -> None:
    runs = [line.release.run_id for line in lines]
    rows: Any = RunTable.objects.filter(run__in=runs).annotate(columns=F("report__columns_out"))
    by_file = {
        (row.run_id, row.name): (
            row.columns or [],
            row.run.recipe_version.tables.get(row.name, {}).get("subject") or [],
        )
        for row in rows.select_related("run__recipe_version").defer("report", "notice").order_by()
    }
    for line in lines:
        for file in line.release.files:
            columns, subject = by_file.get((line.release.run_id, file["table"]), ([], []))
            line.files.append(FileLine(file["table"], file["rows"], file["sha256"], columns, subject))


def _holders(lines: Sequence[ReleaseLine]) -> None:
    projects = {line.release.project_id for line in lines}
    agreements = Agreement.objects.filter(project__in=projects)
    checks = checks_in(*projects)
    by_project: dict[uuid.UUID, list[Agreement]] = {}
    for one in agreements.select_related("recipient", "acceptance"):
        by_project.setdefault(one.project_id, []).append(one)
    fetched = Delivery.objects.filter(
        release__in=[line.release.pk for line in lines], status=DeliveryStatus.FETCHED
    ).order_by()
    counted = {
        (release, person): (times, last)
        for release, person, times, last in fetched.values("release", "recipient")
        .annotate(times=Count("pk"), last=Max("fetched_at"))
        .values_list("release", "recipient", "times", "last")
    }
    for line in lines:
        ended = line.release.ended_at
        for one in by_project.get(line.release.project_id, []):
            times, last = counted.get((line.release.pk, one.recipient_id), (0, None))
            was_over = one.ended_at is not None and one.ended_at < line.release.released_at
            came_later = ended is not None and one.recorded_at > ended
            if times or not (was_over or came_later):
                check = checks.get(one.pk)
                of_it = check is not None and check.release_id == line.release.pk
                line.holders.append(HolderLine(one, times, last, check if of_it else None))


def _overlaps(user: Person, lines: Sequence[ReleaseLine]) -> None:
    runs = Run.objects.in_bulk([line.release.run_id for line in lines])
    found = relatives_by_run(list(runs.values()), sparing=True)
    ids = {one.release_id for relatives in found.values() for one in relatives}
    others = Release.objects.select_related("project").in_bulk(ids)
    names, known = names_for(user, others.values())
    who = _recipients({one.project_id for one in [line.release for line in lines] + list(others.values())})
    measured: dict[uuid.UUID, list[Any]] = {}
    rows = RelativesMeasurement.objects.filter(run__in=runs).exclude(measured_at=None).order_by("-number")
    for row in rows if ids else ():
        measured.setdefault(row.run_id, []).append(row)
    for line in lines:
        run = runs[line.release.run_id]
        relatives = found[run.pk]
        own = who.get(line.release.project_id, {})
        for one in relatives:
            theirs = who.get(one.project_id, {})
            line.overlaps.append(
                Overlap(
                    one,
                    others[one.release_id],
                    names[str(one.release_id)],
                    str(one.release_id) in known,
                    sorted(own[pk] for pk in own.keys() & theirs.keys()),
                )
            )
        about = next((row for row in measured.get(run.pk, []) if is_about(row, run, relatives)), None)
        if about is not None:
            line.is_risky = any(one.is_risky for one in findings_of(about.findings))


def _recipients(projects: set[uuid.UUID]) -> dict[uuid.UUID, dict[Any, str]]:
    rows = (
        Agreement.objects.filter(project__in=projects)
        .order_by()
        .values_list("project", "recipient", F("recipient__full_name"))
    )
    found: dict[uuid.UUID, dict[Any, str]] = {}
    for project, person, name in rows:
        found.setdefault(project, {})[person] = name
    return found
