"""What stands now in each further table of a project, as :mod:`projects.core.standing` has it for the project.

A package declares which of its rows stands in a table::

    @stands_in_tables("datasets", related=("uploaded_by",))
    def further_datasets(project_id: Any, table: Any) -> QuerySet[Dataset]:
        return Dataset.objects.filter(table=table).exclude(status=DatasetStatus.REFUSED)

and is given a selector, ``further_datasets(project) -> {key of the table: Dataset}``: the first row of that query
for every table that has one. While a request only reads, the first that is asked for brings the tables, the links
between them and all that stands in them, in one statement. Else every call reads its own rows anew.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import update_wrapper
from typing import Any, Generic, TypeVar

from django.db.models import F, FilteredRelation, Model, OuterRef, Q, QuerySet, Subquery

from approvals.memory import asked_once, is_remembering
from approvals.prepared import Prepared
from projects.core.models import Project
from projects.core.standing import introduce, project_key

from ..models import Table, TableLink

Row = TypeVar("Row", bound=Model)


class StandingInTables(Generic[Row]):
    """The selector of one standing row for each further table; see :func:`stands_in_tables`."""

    def __init__(
        self,
        rows: Callable[[Any, Any], QuerySet[Row]],
        relation: str,
        related: tuple[str, ...],
        beside: tuple[str, ...],
    ) -> None:
        self.rows, self.relation, self.related = rows, relation, related
        self.name: str = rows.__name__
        self._alone = Prepared(Table, lambda project_id: _query(project_id, [self], beside), project_key)
        update_wrapper(self, rows)

    def __call__(self, project: Project) -> dict[uuid.UUID, Row]:
        if is_remembering():
            return together(project).rows[self.name]
        return _gathered(project, self._alone.rows(project.pk), [self]).rows[self.name]

    def key(self, project_id: Any, table: Any) -> Subquery:
        """The key of the row in ``table``, for the query of a row that depends on it."""
        return Subquery(self.rows(project_id, OuterRef(table)).values("pk")[:1])


_standing: dict[str, StandingInTables[Any]] = {}


def stands_in_tables(
    relation: str, *, related: tuple[str, ...] = (), beside: tuple[str, ...] = ()
) -> Callable[[Callable[[Any, Any], QuerySet[Row]]], StandingInTables[Row]]:
    """Declare which row of a table's ``relation`` stands: the first of the decorated query.

    ``relation``, ``related`` and ``beside`` are as for ``projects.core.standing.stands``; the relation begins at
    the table.
    """

    def register(rows: Callable[[Any, Any], QuerySet[Row]]) -> StandingInTables[Row]:
        standing = StandingInTables(rows, relation, related, beside)
        assert standing.name not in _standing, standing.name
        _standing[standing.name] = standing
        return standing

    return register


@dataclass(frozen=True)
class Together:
    """The tables of a project, the links between them, and by selector and table what stands in them."""

    tables: list[Table]
    links: list[TableLink]
    rows: dict[str, dict[uuid.UUID, Any]]


def _query(
    project_id: Any, standing: Iterable[StandingInTables[Any]], beside: tuple[str, ...] = ()
) -> QuerySet[Table]:
    """The tables with a join for each standing row."""
    tables = Table.objects.filter(project=project_id, removed_at=None).order_by()
    for one in standing:
        stands = Q(**{f"{one.relation}__pk": one.key(project_id, "pk")})
        tables = tables.annotate(**{one.name: FilteredRelation(one.relation, condition=stands)})
        paths = [f"{one.name}__{relation}" for relation in (*one.related, *beside)]
        tables = tables.select_related(one.name, *paths)
    return tables


def _everything(project_id: Any) -> QuerySet[Any]:
    """All that stands, and one more row of a table for each further link that leads away from it."""
    relation = "project__table_links"
    leads = Q(**{f"{relation}__source": F("pk"), f"{relation}__removed_at": None})
    tables: QuerySet[Any] = _query(project_id, _standing.values())
    tables = tables.annotate(link=FilteredRelation(relation, condition=leads))
    return tables.select_related("link")


_prepared = Prepared(Table, _everything, project_key)


@asked_once
def together(project: Project) -> Together:
    """The tables of a project with several, the main one first, and what stands in them, with one statement."""
    found = _prepared.rows(project.pk)
    links = {row.link.pk: row.link for row in found if getattr(row, "link", None)}
    return _gathered(project, found, _standing.values(), links.values())


def _gathered(
    project: Project,
    found: list[Any],
    standing: Iterable[StandingInTables[Any]],
    links: Iterable[TableLink] = (),
) -> Together:
    tables = {table.pk: table for table in found}
    rows = {
        one.name: {table.pk: getattr(table, one.name) for table in tables.values() if getattr(table, one.name, None)}
        for one in standing
    }  # fmt: skip
    known = Together(
        sorted(tables.values(), key=lambda table: (not table.is_main, table.position)),
        sorted(links, key=lambda link: (link.declared_at, link.pk)),
        rows,
    )
    introduce(
        [project, *known.tables, *known.links, *(row for of_tables in rows.values() for row in of_tables.values())]
    )  # fmt: skip
    return known
