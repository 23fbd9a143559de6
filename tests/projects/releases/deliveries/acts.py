"""What the approved target allows of a released project, narrowed as it stands in the database."""

from __future__ import annotations

from typing import Any

from projects.core.models import Project
from projects.objective.enums import Act
from projects.objective.models import Objective
from projects.objective.surroundings.profile.acts import acts_of
from tests.projects.rows import change


def narrow(project: Project, *allowed: Act, **bounds: Any) -> None:
    """Nothing but ``allowed``."""
    objective = Objective.objects.get(project=project)
    said = {"allowed": [str(act) for act in allowed], **bounds}
    change(objective, factors=objective.factors | {"profile": said})


def everything_but(project: Project, *denied: Act) -> None:
    narrow(project, *(act for act in acts_of(project.sharing_type) if act not in denied))
