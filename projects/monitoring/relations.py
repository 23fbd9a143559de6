"""What a re-assessment knows of others' data and of other releases that may tell of the same persons."""

from __future__ import annotations

from approvals.governance.person import Person
from projects.datasets.rules import may_upload
from projects.datasets.tables.selectors import population_query, tables_of
from projects.processing.models import Run
from projects.releases.models import Release
from projects.releases.relatives.report import findings_of
from projects.releases.relatives.selectors import holders_of, measured_now, relatives_of

from .models import Reassessment
from .report import Relations


def relations_of(run: Run) -> Relations:
    """Of a released result, as it stands now."""
    relatives = relatives_of(run)
    if not relatives:
        return Relations(releases=0)
    holders = holders_of(relatives, run)
    held = {one for releases in holders.values() for one in releases}
    live = Release.objects.filter(pk__in=held, ended_at=None).count()
    found = Relations(releases=len(relatives), shared=live, persons=len(holders))
    measured = measured_now(run.project, run, relatives)
    if measured is not None:
        every = [one for one in findings_of(measured.findings) if one.kind != "linked"]
        found.measurement, found.sets = str(measured), len(every)
        found.risky = sum(one.is_risky for one in every)
        found.failed = sum(bool(one.problem) for one in every)
    return found


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
