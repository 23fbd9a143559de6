"""Earlier releases and projects that a new one may be linked with (5.2.2 f).

The packages that know releases come later in the process; they hand in their register with
:func:`set_history_source`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from approvals.governance.person import Person
from projects.core.models import Project
from projects.core.selectors import visible_projects

from ..targets.content import RelatedRelease

Source = Callable[[Project, Any], list[RelatedRelease]]
LIMIT = 100


def _other_projects(project: Project, user: Person) -> list[RelatedRelease]:
    """Every other project that ``user`` may see, newest first; drafts too, because they may be released first."""
    others = visible_projects(user).exclude(pk=project.pk)[:LIMIT]
    return [
        RelatedRelease(
            number=other.number, title=other.title, sharing_type=other.sharing_type, state=other.state
        )
        for other in others
    ]


_source: Source = _other_projects


def set_history_source(source: Source) -> None:
    global _source
    _source = source


def history_of(project: Project, user: Person) -> list[RelatedRelease]:
    """What ``user`` may know about earlier disclosures of the organisation."""
    return _source(project, user)
