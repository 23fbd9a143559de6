"""The only writer of tables and of the links between them.

Declaring is the whole truth: what a list leaves out is no longer a part of the project. Uploads of a table that
was taken out stay on record like those that were replaced.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.serialization import governed_act
from projects.core.models import Project
from projects.core.services import project_lock
from projects.jobs.models import Job
from projects.jobs.services import job_start
from techniques.core.messages import EngineError, gettext_noop

from .. import events, rules
from ..enums import JOIN_CHECK
from ..models import Table, TableLink
from .selectors import datasets_now, links_of, tables_of

MOST = 20
# What a table is called that nobody has given a name.
FIRST = "data"
INCOMPLETE = gettext_noop("Choose a column of one table and the column of another that it refers to.")
# As the engine lets the tables of a recipe be called; the name becomes that of a file.
_NAME = re.compile(r"\w[\w \-.]{0,39}")


@dataclass(frozen=True)
class Given:
    """A link as somebody declares it, by the names of tables and columns."""

    source: str
    source_column: str
    target: str
    target_column: str
    of_person: bool = True


def tables_declare(project: Project, *, names: Sequence[str], by: Person) -> list[Table]:
    """Say which tables the project holds; with no name it holds the first one, called ``FIRST``.

    A table that is already there keeps its data; the first name becomes that of the first table.
    EngineError for a name that cannot be, twice the same, or too many.
    """
    wanted = [name.strip() for name in names]
    for name in wanted:
        if not _NAME.fullmatch(name):
            text = gettext_noop(
                "A table is called by letters, digits, spaces, hyphens and dots, 40 characters at most."
            )
            raise EngineError("table.name", text)
    if len({name.casefold() for name in wanted}) != len(wanted):
        raise EngineError("table.name_twice", gettext_noop("Two tables cannot have the same name."))
    if len(wanted) > MOST:
        text = gettext_noop("A project holds at most %(most)d tables.")
        raise EngineError("table.too_many", text, most=MOST)
    with recording(events.TABLES_DECLARED, by=by, project_id=project.pk, tables=", ".join(wanted)) as event:
        project = project_lock(project)
        event.subject = project.subject
        rules.may_declare_tables(by, project).require()
        _declare(project, wanted or [FIRST], by)
        return tables_of(project)


def _declare(project: Project, names: Sequence[str], by: Person) -> None:
    """``names`` in their order; a name that is known keeps its table."""
    now = timezone.now()
    first, *others = tables_of(project)
    further = {table.name: table for table in others}
    gone = [table for name, table in further.items() if name not in names[1:]]
    for link in links_of(project):
        if {link.source, link.target} & set(gone):
            link.removed_at = now
            link.save()
    for table in gone:
        table.removed_at = now
        table.save()
    first.name = names[0]
    first.save()
    for position, name in enumerate(names[1:], start=1):
        table = further.get(name) or Table(project=project, name=name, declared_by=by)
        table.position = position
        table.save()


def first_table_create(project: Project, *, by: Person) -> Table:
    """The table that a project comes with. To be called in the recording that opens the project."""
    return Table.objects.create(project=project, name=FIRST, position=0, declared_by=by)


def links_declare(project: Project, *, links: Sequence[Given], by: Person) -> list[TableLink]:
    """Say which columns refer to which; a link that is already there keeps what was checked of it.

    Starts the check on the data where every table has its data set. EngineError where a table or, as far as
    the columns are known, a column does not exist.
    """
    with recording(events.LINKS_DECLARED, by=by, project_id=project.pk, count=len(links)) as event:
        project = project_lock(project)
        event.subject = project.subject
        rules.may_declare_tables(by, project).require()
        known = {table.name: (table, data) for table, data in datasets_now(project)}
        current = {_content(link): link for link in links_of(project)}
        wanted = list(dict.fromkeys(links))
        for given in wanted:
            _check(given, known)
            if given not in current:
                TableLink.objects.create(
                    project=project,
                    source=known[given.source][0],
                    source_column=given.source_column,
                    target=known[given.target][0],
                    target_column=given.target_column,
                    of_person=given.of_person,
                    declared_by=by,
                )
        for content, link in current.items():
            if content not in wanted:
                link.removed_at = timezone.now()
                link.save()
        made = links_of(project)
        event.facts["links"] = "; ".join(str(link) for link in made)
        if rules.may_check_links(by, project):
            _check_start(project, by)
        return made


def _content(link: TableLink) -> Given:
    return Given(link.source.name, link.source_column, link.target.name, link.target_column, link.of_person)


given_of = _content


def _check(given: Given, known: Mapping[str, Any]) -> None:
    if given.source == given.target:
        raise EngineError("link.same_table", gettext_noop("A link leads from one table to another."))
    for name, column in ((given.source, given.source_column), (given.target, given.target_column)):
        if name not in known:
            text = gettext_noop("There is no table called “%(table)s”.")
            raise EngineError("link.no_table", text, table=name[:40])
        dataset = known[name][1]
        if dataset is not None and dataset.is_ready and column not in dataset.columns:
            text = gettext_noop("Table “%(table)s” has no column called “%(column)s”.")
            raise EngineError("link.no_column", text, table=name, column=column[:512])


def links_check(project: Project, *, by: Person) -> Job:
    """Check on the data whether the links join, as a job; it counts and keeps no value."""
    with governed_act():
        project = project_lock(project)
        rules.may_check_links(by, project).require()
        return _check_start(project, by)


def _check_start(project: Project, by: Person) -> Job:
    title = gettext_noop("Checking the links between the tables")
    return job_start(JOIN_CHECK, project=project, subject=project.subject, title=title, by=by)


def links_checked(project: Project, *, found: Mapping[str, Mapping[str, Any]], by: Person) -> None:
    """The checking job's end: per link (by id) its counts and the hashes of the files that were read."""
    rows = sum(one["counts"]["rows"] for one in found.values())
    joined = rows - sum(one["counts"]["orphans"] for one in found.values())
    with recording(events.LINKS_CHECKED, by=by, about=project, rows=rows, joined=joined):
        project = project_lock(project)
        for link in links_of(project):
            one = found.get(str(link.pk))
            if one is not None:
                link.counts, link.checked_at = dict(one["counts"]), timezone.now()
                link.source_sha256, link.target_sha256 = one["source"], one["target"]
                link.save()
