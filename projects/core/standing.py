"""What stands now: of the rows that a project has gathered, the one that counts.

The current data set, the recipe, the latest run … belong to different packages, and nearly every page
needs most of them. A package declares which of its rows stands::

    @stands("datasets", related=("uploaded_by",))
    def current_dataset(project_id: Any) -> QuerySet[Dataset]:
        return Dataset.objects.filter(project_id=project_id).exclude(status=DatasetStatus.REFUSED)

and is given a selector, ``current_dataset(project) -> Dataset | None``: the first row of that query. While
a request only reads (:mod:`approvals.memory`), the first that is asked for brings all of them, in one
statement with a join for each. Else every call reads its own row anew.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from functools import update_wrapper
from typing import Any, Generic, TypeVar

from django.db.models import FilteredRelation, Model, Q, QuerySet, Subquery

from approvals.memory import asked_once, is_remembering
from approvals.prepared import Key, Prepared

from .models import Project

Row = TypeVar("Row", bound=Model)


def project_key() -> Key:
    """The key of a project, where a query differs by that."""
    return Key(Project._meta.pk, uuid.uuid4())


def _first(rows: QuerySet[Row]) -> QuerySet[Row]:
    return (rows if rows.ordered else rows.order_by("pk"))[:1]


class Standing(Generic[Row]):
    """The selector of one standing row; see :func:`stands`."""

    def __init__(
        self,
        rows: Callable[[Any], QuerySet[Row]],
        relation: str,
        related: tuple[str, ...],
        beside: tuple[str, ...],
    ) -> None:
        self.rows, self.relation, self.related = rows, relation, related
        self.name: str = rows.__name__
        paths = ("project", *related, *beside)
        self._alone = Prepared(
            Project, lambda project_id: _first(rows(project_id).select_related(*paths)), project_key
        )
        update_wrapper(self, rows)

    def __call__(self, project: Project) -> Row | None:
        if is_remembering():
            found: Row | None = _together(project)[self.name]
            return found
        rows: list[Row] = self._alone.rows(project.pk)
        return rows[0] if rows else None

    def key(self, project_id: Any) -> Subquery:
        """The key of the row, for the query of a row that depends on it."""
        return Subquery(self.rows(project_id).values("pk")[:1])


_standing: dict[str, Standing[Any]] = {}


def stands(
    relation: str, *, related: tuple[str, ...] = (), beside: tuple[str, ...] = ()
) -> Callable[[Callable[[Any], QuerySet[Row]]], Standing[Row]]:
    """Declare which row of a project's ``relation`` stands: the first of the decorated query.

    ``related`` are relations of the row to be read along; ``beside`` those of them that lead to other
    standing rows by the query's own condition, which are read anyway when all are read together.
    """

    def register(rows: Callable[[Any], QuerySet[Row]]) -> Standing[Row]:
        standing = Standing(rows, relation, related, beside)
        assert standing.name not in _standing, standing.name
        _standing[standing.name] = standing
        return standing

    return register


def _query(project_id: uuid.UUID) -> QuerySet[Project]:
    """The project with a join for each standing row."""
    joins = {
        name: FilteredRelation(
            standing.relation, condition=Q(**{f"{standing.relation}__pk": standing.key(project_id)})
        )
        for name, standing in _standing.items()
    }
    paths = [
        path
        for name, standing in _standing.items()
        for path in (name, *(f"{name}__{relation}" for relation in standing.related))
    ]
    return Project.objects.filter(pk=project_id).order_by().annotate(**joins).select_related(*paths)


_prepared = Prepared(Project, _query, project_key)


@asked_once
def _together(project: Project) -> dict[str, Any]:
    """All standing rows by the names of their selectors, with one statement; they know each other."""
    (row,) = _prepared.rows(project.pk)
    found = {name: getattr(row, name, None) for name in _standing}
    introduce([project, *filter(None, found.values())])
    return found


def introduce(rows: list[Any]) -> None:
    """Let each row's relations lead to the very rows that were read with it."""
    known = {(type(row), row.pk): row for row in rows}
    for row in rows:
        for field in row._meta.concrete_fields:
            if field.is_relation:
                other = known.get((field.related_model, getattr(row, field.attname)))
                if other is not None:
                    field.set_cached_value(row, other)
