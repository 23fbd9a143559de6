"""What was found, in words and with its address: the same for the page and the API."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from approvals.audit.models import AuditEvent
from approvals.audit.registry import sentence_for
from approvals.audit.rules import may_read_log
from approvals.governance.person import Person
from deid_portal.accounts.models import User
from projects.core.models import Project
from projects.core.numbers import moment
from projects.datasets.tables.selectors import table_query
from projects.releases.relatives.outside.presentation import entry_state

from .enums import Group
from .selectors import MOST, Found, found_by, memberships_of, projects_of


@dataclass(frozen=True)
class Hit:
    """One thing that was found; ``project`` is None where it belongs to none, or to one that is shown by its release."""

    text: str
    detail: str
    url: str
    project: uuid.UUID | None = None


@dataclass(frozen=True)
class Hits:
    """What was found in a group; ``more``: there is more than stands here."""

    group: Group
    hits: list[Hit]
    more: bool


def search(user: Person, query: str) -> list[Hits]:
    """What ``user`` finds, by group; a group in which nothing was found is left out."""
    found = found_by(user, query)
    groups: dict[Group, Iterable[Hit]] = {
        Group.PROJECTS: map(_project, found.projects),
        Group.RELEASES: [
            Hit(
                str(release.project),
                _("released %(when)s") % {"when": moment(release.released_at)},
                reverse("recipient:detail", args=[release.pk]),
            )
            for release in found.releases
        ],
        Group.OUTSIDE: [
            Hit(
                str(entry),
                " · ".join((entry.source, entry.released_on.isoformat(), entry_state(entry)[1])),
                reverse("board:outside", args=[entry.pk]),
            )
            for entry in found.outside
        ],
        Group.COLUMNS: [
            Hit(
                column.label,
                str(column.project),
                reverse("identification:page", args=[column.project.pk]) + table_query(column.table),
                column.project.pk,
            )
            for column in found.columns
        ],
        Group.PEOPLE: _people(found.people),
        Group.EVENTS: _events(user, found),
    }
    given = {group: list(hits) for group, hits in groups.items()}
    return [Hits(group, hits[:MOST], len(hits) > MOST) for group, hits in given.items() if hits]


def _project(project: Project) -> Hit:
    return Hit(
        str(project), str(project.get_state_display()), reverse("core:project", args=[project.pk]), project.pk
    )


def _people(people: list[User]) -> list[Hit]:
    """An administrator is led to the account, everybody else to the team of a project that both may see."""
    roles = memberships_of(people)
    hits = []
    for person in people:
        if (role := roles.get(person.pk)) is None:
            detail = " · ".join(filter(None, (person.username, person.department)))
            hits.append(Hit(str(person), detail, reverse("accounts:account", args=[person.pk])))
            continue
        said = _("%(role)s on %(project)s") % {"role": role.get_role_display(), "project": role.project}
        detail = " · ".join(filter(None, (person.department, said)))
        hits.append(
            Hit(str(person), detail, reverse("core:members", args=[role.project_id]), role.project_id)
        )
    return hits


def _events(user: Person, found: Found) -> list[Hit]:
    """A reader of the log is led to the event, everybody else to the history of its project."""
    reads_log, projects = bool(may_read_log(user)), projects_of(found.events)
    return [_event(event, projects.get(event.project_id), reads_log) for event in found.events]


def _event(event: AuditEvent, project: Project | None, reads_log: bool) -> Hit:
    sentence = sentence_for(
        event.action, actor=event.actor, subject=event.subject, reason=event.reason, facts=event.facts
    )
    detail = " · ".join(filter(None, (f"#{event.seq}", moment(event.at), project.number if project else "")))
    url = (
        reverse("audit:event", args=[event.seq])
        if reads_log
        else reverse("core:history", args=[event.project_id])
    )
    return Hit(sentence, detail, url, event.project_id)
