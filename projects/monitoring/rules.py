"""Who may review a stage, and when."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from approvals.governance import Reason, Verdict, deny, first_denial
from projects.core.evidence import content_of
from projects.core.models import Project
from projects.core.rules import has_role, in_state
from projects.workflow import REVIEW_STATES, Role, State


class MonitoringReason(Reason):
    NOTHING_TO_REVIEW = "nothing_to_review", _("This stage has no content that could be reviewed.")


def may_review_stage(user: Any, project: Project) -> Verdict:
    """A supervisor, while the stage is under review, of content that exists."""
    verdict = first_denial(has_role(user, project, Role.SUPERVISOR), in_state(project, *REVIEW_STATES))
    if verdict and content_of(project, REVIEW_STATES[State(project.state)]) is None:
        return deny(MonitoringReason.NOTHING_TO_REVIEW)
    return verdict
