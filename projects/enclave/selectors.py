"""Reading queries in the enclave, and the released tables as a query names them."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from approvals.governance.person import Person
from projects.core.models import Project
from projects.datasets.models import StoredFile
from projects.datasets.store.store import store_open
from projects.processing.models import RunTable
from projects.processing.runs.selectors import result_format
from projects.releases.models import Release

from .models import EnclaveQuery

if TYPE_CHECKING:
    from techniques.tables import TableReader

SINGLE = "data"
"""What the table of a release over a single one is called in a query."""


@dataclass(frozen=True)
class Source:
    """A released table: its columns as a query names them, and its place among the files of the release."""

    written: RunTable
    columns: list[str]


def queries_of(project: Project) -> QuerySet[EnclaveQuery]:
    return EnclaveQuery.objects.filter(project=project).select_related(
        "project", "release__project", "statement", "result", "asked_by"
    )


def queries_by(user: Person, release: Release) -> QuerySet[EnclaveQuery]:
    """What this person ran over this release, the newest first."""
    return queries_of(release.project).filter(release=release, asked_by=user.pk)


def queries_today(user: Person, project: Project) -> int:
    """How many the natural person ran in this project since midnight, under whichever of their accounts; those that failed too."""
    theirs = Q(asked_by=user.pk)
    if (person_id := getattr(user, "person_id", None)) is not None:
        theirs |= Q(asked_by__person=person_id)
    midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    return EnclaveQuery.objects.filter(theirs, project=project, asked_at__gte=midnight).count()


def query_get(user: Person, release: Release, query_id: uuid.UUID) -> EnclaveQuery:
    """A query for who ran it; else ``EnclaveQuery.DoesNotExist``."""
    return queries_by(user, release).get(pk=query_id)


def sources_of(release: Release) -> dict[str, Source]:
    """The released tables by the names that a query gives them, in the order of the files."""
    written = {one.name: one for one in RunTable.objects.filter(run=release.run_id).select_related("run")}
    found = [written[file["table"]] for file in release.files]
    names = _distinct(one.name or SINGLE for one in found)
    return {
        name: Source(one, _distinct(one.report["columns_out"]))
        for name, one in zip(names, found, strict=True)
    }


def _distinct(names: Iterable[str]) -> list[str]:
    """SQL reads A and a as one name; what repeats another so is given a number."""
    found: dict[str, str] = {}
    for name in names:
        distinct, number = name, 1
        while distinct.casefold() in found:
            number += 1
            distinct = f"{name}_{number}"
        found[distinct.casefold()] = distinct
    return list(found.values())


@contextmanager
def source_open(source: Source, stored: StoredFile) -> Iterator[TableReader]:
    """The rows of a released table."""
    from techniques.tables import open_table

    with store_open(stored) as stream, open_table(stream, result_format(source.written)) as reader:
        yield reader


def statement_of(query: EnclaveQuery) -> str:
    return str(_content(query.statement)["statement"])


def result_of(query: EnclaveQuery) -> dict[str, Any]:
    """What was found: ``columns`` and ``rows`` of texts, or ``hint``, DuckDB's words why not."""
    assert query.result is not None  # the rule has just said so
    return _content(query.result)


def _content(stored: StoredFile) -> dict[str, Any]:
    with store_open(stored, whole=True) as stream:
        found: dict[str, Any] = json.loads(stream.read())
    return found
