"""Who hands the planning of a project over, and to whom."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny, first_denial
from projects.workflow import TERMINAL, Role, State
from projects.workflow.posts import AppointedPost, Post

from ..models import Project
from ..rules import CoreReason, has_role, may_join


class SuccessionReason(Reason):
    NOT_TO_YOURSELF = (
        "not_to_yourself",
        _("Nobody can take over the planning on their own; someone else has to hand it over."),
    )


def may_hand_over(by: Person, project: Project) -> Verdict:
    """Senior management of the project, or an administrator; until the project has ended."""
    if State(project.state) in TERMINAL:
        return deny(CoreReason.WRONG_STATE, state=project.get_state_display())
    administers = by.is_active and by.post == Post.ADMINISTRATOR and by.holds(AppointedPost.ADMINISTRATOR)
    return ALLOW if administers else has_role(by, project, Role.MANAGEMENT)


def may_take_over(by: Person, to: Person, project: Project) -> Verdict:
    """Somebody else, who holds the post of planning manager and has no role in the project yet."""
    own = deny(SuccessionReason.NOT_TO_YOURSELF) if by.is_same_person(to) else ALLOW
    return first_denial(may_hand_over(by, project), own, may_join(to, project, Role.PLANNER))
