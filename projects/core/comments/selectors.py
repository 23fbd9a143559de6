"""Reading comments, and whom a text calls."""

from __future__ import annotations

import re

from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce

from approvals.governance.person import Person
from projects.workflow import Stage

from ..enums import INSIDE_ROLES, Thread
from ..models import Project, StageComment
from ..selectors import members_by_role


def threads_of(project: Project) -> dict[Thread, list[StageComment]]:
    """Every thread in the order of the steps, each with what was said, oldest first."""
    found: dict[Thread, list[StageComment]] = {thread: [] for thread in Thread}
    for comment in StageComment.objects.filter(project=project).select_related("written_by"):
        found[Thread(comment.thread)].append(comment)
    return found


def comment_count(project: Project, thread: Stage) -> int:
    """How many comments were made on a step."""
    return StageComment.objects.filter(project=project, thread=thread).count()


def comments_counted(thread: Stage) -> Coalesce:
    """The same for a statement about rows of a project, at no statement more."""
    found = StageComment.objects.filter(project=OuterRef("project"), thread=thread).order_by()
    return Coalesce(Subquery(found.values("project").annotate(n=Count("pk")).values("n")), 0)


def members_inside(project: Project) -> list[Person]:
    """Who works in the project now, in the order of the roles."""
    held = members_by_role(project)
    return [person for role, people in held.items() if role in INSIDE_ROLES for person in people]


def mentioned_in(text: str, members: list[Person]) -> list[Person]:
    """The members that ``text`` calls by ``@`` and their user name or full name."""
    names = {name: one for one in members for name in (one.username, one.full_name) if name}
    if not names:
        return []
    # The longest first, so that nobody is called by the beginning of another's name.
    either = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    called = {names[match].pk for match in re.findall(f"@({either})(?![A-Za-z0-9_])", text)}
    return [one for one in members if one.pk in called]
