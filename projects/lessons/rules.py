"""Who records a look back at a project."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny, first_denial
from projects.core.enums import INSIDE_ROLES
from projects.core.models import Project
from projects.core.rules import has_role, in_state
from projects.core.selectors import members_in_order
from projects.workflow import Role, State


class LessonReason(Reason):
    NOT_INSIDE = "owner_not_inside", _("Who changes it has to work in this project.")
    NOTHING_SAID = "lesson_says_nothing", _("Answer every question of the look back.")


def may_record(user: Person, project: Project) -> Verdict:
    """The planning manager and the supervisor, once the project is released, and after it was closed."""
    return first_denial(
        has_role(user, project, Role.PLANNER, Role.SUPERVISOR),
        in_state(project, State.MONITORING, State.CLOSED),
    )


def owners_of(project: Project) -> list[Person]:
    """Who may be asked to change something: whoever works in the project."""
    return [
        one.user
        for one in members_in_order(project)
        if one.role in INSIDE_ROLES and one.ended_at is None and one.user.is_active
    ]


def may_own(user: Person, project: Project) -> Verdict:
    inside = any(one.pk == user.pk for one in owners_of(project))
    return ALLOW if inside else deny(LessonReason.NOT_INSIDE)
