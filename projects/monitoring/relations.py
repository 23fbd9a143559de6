"""What a re-assessment knows of others' data and of other releases that may tell of the same persons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from approvals.governance.person import Person
from projects.core.enums import SharingType
from projects.core.models import Membership
from projects.datasets.rules import may_upload
from projects.datasets.tables.selectors import population_query, tables_of
from projects.processing.models import Run
from projects.releases.models import Release
from projects.releases.relatives.outside.kinship import outside_of
from projects.releases.relatives.report import OWN, findings_of
from projects.releases.relatives.selectors import Relative, holders_of, measured_now, relatives_of
from projects.workflow import Role

from .models import Reassessment
from .report import Relations


def relations_of(run: Run) -> Relations:
    """Of a released result, as it stands now."""
    relatives, outside = relatives_of(run), len(outside_of(run))
    if not relatives:
        return Relations(releases=0, outside=outside)
    holders = holders_of(relatives, run)
    held = {one for releases in holders.values() for one in releases}
    live = Release.objects.filter(pk__in=held, ended_at=None).count()
    found = Relations(releases=len(relatives), shared=live, persons=len(holders), outside=outside)
    measured = measured_now(run.project, run, relatives)
    if measured is not None:
        every = [one for one in findings_of(measured.findings) if one.kind != "linked"]
        found.measurement, found.sets = str(measured), len(every)
        risky = [{*one.releases} - {OWN} for one in every if one.is_risky]
        found.risky = len(risky)
        found.in_one_hand = sum(_in_one_hand(risky, relatives, _hands(run, relatives, holders)))
        found.failed = sum(bool(one.problem) for one in every)
    return found


def _hands(run: Run, relatives: Sequence[Relative], holders: Mapping[Any, Sequence[str]]) -> list[set[str]]:
    """Which of the relatives each who has the result has: its recipients, or, as it is public, all recipients of the relatives."""
    if run.project.sharing_type != SharingType.PUBLIC:
        return [{*held} for held in holders.values()]
    found: dict[Any, set[str]] = {}
    rows = Membership.objects.filter(
        role=Role.RECIPIENT, project__in=[one.project_id for one in relatives]
    ).values_list("user", "project")
    for user, project in rows:
        found.setdefault(user, set()).update(
            str(one.release_id) for one in relatives if one.project_id == project
        )
    return [*found.values()]


def _in_one_hand(
    sets: Sequence[set[str]], relatives: Sequence[Relative], hands: Sequence[set[str]]
) -> list[bool]:
    """Of each set whether somebody has all of it; what is public everybody has."""
    releases = Release.objects.filter(pk__in=[one.release_id for one in relatives])
    public = {str(one.pk) for one in releases.filter(project__sharing_type=SharingType.PUBLIC)}
    return [any(one <= held | public for held in [*hands, set()]) for one in sets]


def outside_tables(user: Person, reassessment: Reassessment) -> list[tuple[str, str]]:
    """The tables beside which ``user`` may bring others' data into an open re-assessment, each with the query of its page."""
    if not reassessment.is_open:
        return []
    tables = tables_of(reassessment.project)
    return [
        (table.name if len(tables) > 1 else "", population_query(table))
        for table in tables
        if may_upload(user, table, population=True)
    ]
