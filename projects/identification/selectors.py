"""Reading rounds and verdicts.

What later stages read: :func:`verdicts_of`, :func:`columns_with_role`, :func:`person_key_of`, :func:`verdicts_hash`. All of them
speak of the current data set only: a newer data set or a newer scan leaves them empty until the
executor has given the verdicts anew.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import F, FilteredRelation, OuterRef, Q, QuerySet, Subquery

from approvals.governance.draft import Subject
from approvals.request_cache import cached_read, is_caching, one_reading
from projects.core.models import Project
from projects.core.returns import justifications_in
from projects.datasets.models import Table
from projects.datasets.selectors import dataset_columns
from projects.datasets.tables.selectors import current_datasets, dataset_now, first_table, links_of, tables_of
from projects.objective.enums import Classification
from projects.objective.selectors import grade_of
from projects.workflow import Stage
from techniques.core.canonical import canonical_hash, set_hash

from .enums import ROLE_OF_ENGINE, ColumnRole, RoundStatus
from .models import ColumnVerdict, IdentificationRound, PersonKey

IDENTIFICATION = "identification"
"""The kind of the content that a review of the identification judges."""


def rounds_of(project: Project) -> QuerySet[IdentificationRound]:
    """Every round, the newest first, without the reports."""
    return (
        IdentificationRound.objects.filter(project=project)
        .select_related("project", "dataset", "started_by")
        .defer("report")
    )


@cached_read
def current_rounds(project: Project) -> dict[uuid.UUID, IdentificationRound]:
    """Table → the latest finished round over its current data set, as that is now, with its ``key_now``: whose rows they
    are, as :func:`person_key_in` reads it."""
    datasets = {dataset.pk: dataset for dataset in current_datasets(project).values()}
    newest = IdentificationRound.objects.filter(
        dataset=OuterRef("dataset"), dataset_sha256=F("dataset__sha256"), status=RoundStatus.FINISHED
    )
    found = project.rounds.filter(dataset__in=datasets, pk=Subquery(newest.values("pk")[:1]))
    decided = FilteredRelation("person_keys", condition=Q(person_keys__superseded_at=None))
    rounds: dict[uuid.UUID, IdentificationRound] = {}
    # The stubs know no select_related along a filtered relation.
    read = found.annotate(key_now=decided).select_related("started_by", "key_now__decided_by")  # type: ignore[misc]
    for round_ in read:
        round_.dataset = datasets[round_.dataset_id]
        rounds[round_.dataset.table_id] = round_
    return rounds


def round_now(table: Table) -> IdentificationRound | None:
    """The latest finished round over the current data set of a table, or None."""
    return current_rounds(table.project).get(table.pk)


def rounds_now(project: Project) -> list[tuple[Table, IdentificationRound | None]]:
    found = current_rounds(project)
    return [(table, found.get(table.pk)) for table in tables_of(project)]


def current_round(project: Project) -> IdentificationRound | None:
    """The round over the first table: the report about all tables is filed under it."""
    return round_now(first_table(project))


@cached_read
def _given_now(project: Project) -> dict[uuid.UUID, list[ColumnVerdict]]:
    """Round → its verdicts, for the rounds that are current."""
    given: dict[uuid.UUID, list[ColumnVerdict]] = {
        round_.pk: [] for round_ in current_rounds(project).values()
    }
    for verdict in ColumnVerdict.objects.filter(round__in=given).select_related("decided_by"):
        given[verdict.round_id].append(verdict)
    return given


def _given_in(round_: IdentificationRound) -> list[ColumnVerdict]:
    """Every verdict of one round, also what was replaced: in the order of the file, the newest first."""
    given = _given_now(round_.project).get(round_.pk) if is_caching() else None
    if given is None:
        given = list(ColumnVerdict.objects.filter(round=round_).select_related("decided_by"))
    return given


def verdicts_in(round_: IdentificationRound) -> dict[str, ColumnVerdict]:
    """The current verdicts of one round by column, in the order of the file."""
    return {row.column: row for row in _given_in(round_) if row.superseded_at is None}


def verdicts_of(table: Table) -> dict[str, ColumnVerdict]:
    """Column → current verdict, in the order of the file; only those that were given so far."""
    round_ = round_now(table)
    return {} if round_ is None else verdicts_in(round_)


def columns_with_role(table: Table, role: ColumnRole | str) -> list[str]:
    """The columns of a table whose current verdict is ``role``, in the order of the file.

    ``role`` is a :class:`ColumnRole` or its value, or the engine's name of the role.
    """
    wanted = ROLE_OF_ENGINE.get(str(role)) or ColumnRole(role)
    return [column for column, verdict in verdicts_of(table).items() if verdict.role == wanted]


def person_key_in(round_: IdentificationRound) -> PersonKey | None:
    """The decision whose rows they are in the light of one round; None where nobody said."""
    current = current_rounds(round_.project).get(round_.dataset.table_id)
    if current is not None and current.pk == round_.pk:
        # Without a decision the join leaves nothing behind.
        found: PersonKey | None = getattr(current, "key_now", None)
        return found
    return PersonKey.objects.filter(round=round_, superseded_at=None).select_related("decided_by").first()


def person_key_of(table: Table) -> tuple[str, ...] | None:
    """The columns of the source by which rows of ``table`` are of one person: () where one row is one person, None where
    nobody said."""
    round_ = round_now(table)
    key = None if round_ is None else person_key_in(round_)
    return None if key is None else tuple(key.columns)


@one_reading
def verdicts_hash(project: Project) -> str:
    """SHA-256 over data set, report, every current verdict and whose rows they are, of each table, and the links between.

    "" while a table has no finished round.
    """
    return _hash_of_rounds(project, rounds_now(project))


def _hash_of_rounds(project: Project, rounds: Iterable[tuple[Table, IdentificationRound | None]]) -> str:
    tables = []
    for table, round_ in rounds:
        if round_ is None:
            return ""
        tables.append((str(table), hash_of(round_, verdicts_in(round_))))
    links = sorted([str(link), link.of_person] for link in links_of(project))
    whole = canonical_hash({"tables": tables, "links": links})
    return set_hash([content for _name, content in tables], links, whole) if tables else ""


def hash_of(round_: IdentificationRound, given: dict[str, ColumnVerdict]) -> str:
    """The content hash of a round with these verdicts, and with the decision whose rows they are once there is one."""
    content: dict[str, Any] = {
        "dataset": round_.dataset_sha256,
        "report": round_.report_hash,
        "verdicts": [
            [
                v.column,
                v.role,
                v.kind,
                v.reason,
                v.overrules,
                str(v.decided_by_id),
                *filter(None, [v.severity]),
                *([{"grade": v.grade}] if v.grade else ()),
            ]
            for v in sorted(given.values(), key=lambda v: v.position)
        ],
    }
    key = person_key_in(round_)
    if key is not None:
        content["persons"] = [key.columns, key.reason, str(key.decided_by_id)]
    return canonical_hash(content)


def graded_above(project: Project, given: Iterable[ColumnVerdict]) -> list[ColumnVerdict]:
    """Those of the verdicts ``given`` that grade their column higher than the scope grades the data: they do not go out as they are.
    Nothing is read where none grades one."""
    graded = [verdict for verdict in given if verdict.grade]
    scope = grade_of(project) if graded else None
    return [one for one in graded if scope is None or Classification(one.grade).rank > scope.rank]


def columns_without_verdict(table: Table) -> list[str]:
    """The columns of the current data set that still lack a verdict; all of them before a scan."""
    dataset = dataset_now(table)
    if dataset is None:
        return []
    given = verdicts_of(table)
    return [column for column in dataset_columns(dataset) if column not in given]


def verdict_history(table: Table, column: str) -> QuerySet[ColumnVerdict]:
    """Every verdict ever given about a column name in one table of a project, the newest first."""
    return (
        ColumnVerdict.objects.filter(project=table.project_id, column=column, dataset__table=table)
        .select_related("decided_by", "round")
        .order_by("-decided_at")
    )


@one_reading
def report_subject(round_: IdentificationRound) -> Subject:
    """The identification report as the subject of reviews and documents: a round over the first table, with the hash
    over its verdicts and those of the other tables."""
    content_hash = _hash_of_rounds(round_.project, rounds_with(round_))
    if justified := justifications_in(round_.project, Stage.IDENTIFICATION):
        content_hash = canonical_hash([content_hash, justified])
    return Subject(IDENTIFICATION, str(round_.pk), str(round_), content_hash)


def rounds_with(round_: IdentificationRound) -> list[tuple[Table, IdentificationRound | None]]:
    """Each table with its current round, ``round_`` being that of its own."""
    of, found = round_.dataset.table_id, rounds_now(round_.project)
    return [(table, round_ if table.pk == of else current) for table, current in found]


@cached_read
def running_round(project: Project) -> IdentificationRound | None:
    """The round whose scan is queued or running, or None."""
    return project.rounds.filter(status=RoundStatus.RUNNING).select_related("dataset").first()


def round_get(project: Project, round_id: Any) -> IdentificationRound:
    """The round if it belongs to ``project``; else ``IdentificationRound.DoesNotExist``."""
    return IdentificationRound.objects.select_related("dataset", "started_by").get(
        project=project, pk=round_id
    )


def verdicts_at(project: Project, at: datetime) -> list[ColumnVerdict]:
    """The verdict about each column of each table that stood at a moment."""
    given = ColumnVerdict.objects.filter(project=project, decided_at__lte=at).order_by("decided_at")
    rows = given.select_related("dataset__table")
    return list({(row.dataset.table_id, row.column): row for row in rows}.values())


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
