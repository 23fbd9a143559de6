"""Whether each fetch of the file needs an approval of its own, as it was agreed (T/ISC 0078 11.2 c)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from projects.core.models import Project
from projects.objective.enums import Classification
from projects.objective.selectors import objective_of

if TYPE_CHECKING:
    from ..models import Agreement

_GRADES = (Classification.IMPORTANT.value, Classification.CORE.value)


def is_proposed(project: Project, held: Agreement | None = None) -> bool:
    """Whether the portal proposes that an agreement asks for it: as the one ``held`` until now does, else of data that are graded as
    important or core data."""
    if held is not None and held.fetch_approval is not None:
        return held.fetch_approval
    objective = objective_of(project)
    scope = (objective.scope if objective else None) or {}
    return scope.get("classification", "") in _GRADES


def approval_text(agreed: bool | None) -> str:
    """In words; of what was agreed before it was asked, that nothing was."""
    if agreed is None:
        return _("Not needed, as nothing was agreed about it")
    return _("Needed: the supervisor decides on each fetch") if agreed else _("Not needed")


def approval_fact(agreed: bool | None) -> dict[str, bool]:
    """What the log says of it; nothing where nothing was agreed."""
    return {} if agreed is None else {"fetch_approval": agreed}
