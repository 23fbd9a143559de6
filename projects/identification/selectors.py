"""Reading rounds and verdicts.

What later stages read: :func:`verdicts`, :func:`columns_with_role`, :func:`verdicts_hash`. All of them
speak of the current data set only: a newer data set or a newer scan leaves them empty until the
executor has given the verdicts anew.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterable
from typing import Any

from django.db.models import F, OuterRef, QuerySet, Subquery

from approvals.governance.draft import Subject
from approvals.request_cache import cached_read, is_caching, prime
from projects.core.current import current
from projects.core.models import Project
from projects.datasets.models import Dataset, Table
from projects.datasets.selectors import current_dataset, dataset_columns
from projects.datasets.tables.selectors import (
    dataset_now,
    datasets_now,
    further_datasets,
    links_of,
    main_table,
)

from .enums import ROLE_OF_ENGINE, ColumnRole, RoundStatus
from .models import ColumnVerdict, IdentificationRound


def rounds_of(project: Project) -> QuerySet[IdentificationRound]:
    """Every round, the newest first, without the reports."""
    return (
        IdentificationRound.objects.filter(project=project)
        .select_related("project", "dataset", "started_by")
        .defer("report")
    )


@current
def current_round(project: Project) -> IdentificationRound | None:
    """The latest finished round over the current data set, or None."""
    dataset = current_dataset(project)
    return None if dataset is None else _rounds_over(project, [dataset]).get(dataset.pk)


def _rounds_over(project: Project, datasets: Iterable[Dataset]) -> dict[uuid.UUID, IdentificationRound]:
    """Data set → the latest finished round over it, as it is now."""
    known = {dataset.pk: dataset for dataset in datasets}
    newest = IdentificationRound.objects.filter(
        dataset=OuterRef("dataset"), dataset_sha256=F("dataset__sha256"), status=RoundStatus.FINISHED
    )
    found = project.rounds.filter(dataset__in=known, pk=Subquery(newest.values("pk")[:1]))
    rounds = {round_.dataset_id: round_ for round_ in found.select_related("started_by")}
    for key, round_ in rounds.items():
        round_.dataset = known[key]
    return rounds


def round_now(project: Project, table: Table | None = None) -> IdentificationRound | None:
    """The latest finished round over the current data set of one table; None is the main table."""
    if table is None or table.is_main:
        return current_round(project)
    return further_rounds(project).get(table.pk)


@current
def further_rounds(project: Project) -> dict[uuid.UUID | None, IdentificationRound]:
    """Table → the latest finished round over its current data set, for the further tables."""
    datasets = further_datasets(project).values()
    return {round_.dataset.table_id: round_ for round_ in _rounds_over(project, datasets).values()}


def rounds_now(project: Project) -> list[tuple[Table | None, IdentificationRound | None]]:
    """Each table with its round; of a project with a single table that one, under None."""
    return [(table, round_now(project, table)) for table, _dataset in datasets_now(project)]


def verdicts_about(dataset: Dataset) -> dict[str, ColumnVerdict]:
    """The current verdicts about the table of a current data set."""
    return verdicts(dataset.project, dataset.table)


@cached_read
def _given_in(round_: IdentificationRound) -> list[ColumnVerdict]:
    """Every verdict of one round, also what was replaced: in the order of the file, the newest first.

    Of several tables, who asks about one asks about the others too: they come with the same statement.
    """
    together = {round_.pk: round_}
    if is_caching() and main_table(round_.project) is not None:
        together |= {other.pk: other for _table, other in rounds_now(round_.project) if other is not None}
    given: dict[Any, list[ColumnVerdict]] = {key: [] for key in together}
    for verdict in ColumnVerdict.objects.filter(round__in=given).select_related("decided_by"):
        given[verdict.round_id].append(verdict)
    for key, found in given.items():
        prime(_given_in, together[key], result=found)
    return given[round_.pk]


def verdicts_in(round_: IdentificationRound) -> dict[str, ColumnVerdict]:
    """The current verdicts of one round by column, in the order of the file."""
    return {row.column: row for row in _given_in(round_) if row.superseded_at is None}


def verdicts(project: Project, table: Table | None = None) -> dict[str, ColumnVerdict]:
    """Column → current verdict, in the order of the file; only those that were given so far."""
    round_ = round_now(project, table)
    return {} if round_ is None else verdicts_in(round_)


def columns_with_role(project: Project, role: ColumnRole | str) -> list[str]:
    """The columns whose current verdict is ``role``, in the order of the file.

    ``role`` is a :class:`ColumnRole` or its value, or the engine's name of the role.
    """
    wanted = ROLE_OF_ENGINE.get(str(role)) or ColumnRole(role)
    return [column for column, verdict in verdicts(project).items() if verdict.role == wanted]


def verdicts_hash(project: Project) -> str:
    """SHA-256 over data set, report and every current verdict; "" while there is no finished round.

    Of several tables it is one over all of them and their links.
    """
    if main_table(project) is not None:
        return _hash_of_all(project)
    round_ = current_round(project)
    return "" if round_ is None else hash_of(round_, verdicts_in(round_))


def _hash_of_all(project: Project) -> str:
    tables = []
    for table, round_ in rounds_now(project):
        if round_ is None:
            return ""
        tables.append([str(table), hash_of(round_, verdicts_in(round_))])
    links = sorted([str(link), link.of_person] for link in links_of(project))
    return canonical_hash({"tables": tables, "links": links})


def hash_of(round_: IdentificationRound, given: dict[str, ColumnVerdict]) -> str:
    """The content hash of a round with these verdicts."""
    content: dict[str, Any] = {
        "dataset": round_.dataset_sha256,
        "report": round_.report_hash,
        "verdicts": [
            [v.column, v.role, v.kind, v.reason, v.overrules, str(v.decided_by_id)]
            for v in sorted(given.values(), key=lambda v: v.position)
        ],
    }
    return canonical_hash(content)


def canonical_hash(content: Any) -> str:
    """SHA-256 of the canonical JSON of ``content``."""
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def columns_without_verdict(project: Project, table: Table | None = None) -> list[str]:
    """The columns of the current data set that still lack a verdict; all of them before a scan."""
    dataset = dataset_now(project, table)
    if dataset is None:
        return []
    given = verdicts(project, table)
    return [column for column in dataset_columns(dataset) if column not in given]


def verdict_history(project: Project, column: str, table: Table | None = None) -> QuerySet[ColumnVerdict]:
    """Every verdict ever given about a column name in one table of this project, the newest first."""
    return (
        ColumnVerdict.objects.filter(project=project, column=column, dataset__table=table)
        .select_related("decided_by", "round")
        .order_by("-decided_at")
    )


def report_subject(round_: IdentificationRound, given: dict[str, ColumnVerdict]) -> Subject:
    """The identification report as the subject of reviews and documents: the round with its verdicts.

    Of several tables it is that of the main table's round with the hash over all of them.
    """
    if main_table(round_.project) is not None:
        return Subject("identification", str(round_.pk), str(round_), verdicts_hash(round_.project))
    return Subject("identification", str(round_.pk), str(round_), hash_of(round_, given))


@current
def running_round(project: Project) -> IdentificationRound | None:
    """The round whose scan is queued or running, or None."""
    return project.rounds.filter(status=RoundStatus.RUNNING).select_related("dataset").first()


def round_get(project: Project, round_id: Any) -> IdentificationRound:
    """The round if it belongs to ``project``; else ``IdentificationRound.DoesNotExist``."""
    return IdentificationRound.objects.select_related("dataset", "started_by").get(
        project=project, pk=round_id
    )


def earlier_verdicts(round_: IdentificationRound) -> dict[str, ColumnVerdict]:
    """Column → the last verdict from before ``round_``, to be proposed again; never taken over silently."""
    if round_.number == 1:
        return {}
    rows = (
        ColumnVerdict.objects.filter(project_id=round_.project_id, superseded_at=None)
        .exclude(round=round_)
        .filter(round__number__lt=round_.number, dataset__table=round_.dataset.table_id)
        .select_related("decided_by", "round")
        .order_by("round__number", "decided_at")
    )
    return {row.column: row for row in rows}


def superseded_in(round_: IdentificationRound) -> dict[str, list[ColumnVerdict]]:
    """Column → the verdicts of this round that were replaced, the newest first."""
    result: dict[str, list[ColumnVerdict]] = {}
    for row in _given_in(round_):
        if row.superseded_at is not None:
            result.setdefault(row.column, []).append(row)
    return result
