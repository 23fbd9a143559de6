"""What is still missing before target and plan can be submitted, each with the page where it is added."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from projects.core.enums import SharingType
from projects.core.models import Project
from projects.workflow import State

from .enums import Part
from .models import Objective
from .plan.need.content import is_relative
from .selectors import basis_hash, drafts_of, objective_of
from .targets.grounds import grounds_for
from .targets.reading import factors_read, plan_read, risk_read, scope_read, utility_read

STEP_URLS: dict[Part, str] = {
    Part.SHARING: "objective:sharing",
    Part.SCOPE: "objective:scope",
    Part.FACTORS: "objective:factors",
    Part.TARGETS: "objective:risk",
    Part.PLAN: "objective:plan_edit",
}


NEED_URL = "objective:need"
TOGETHER = "objective:together"
"""The page of steps 2 to 4, where none of them was saved yet."""


@dataclass(frozen=True)
class MissingItem:
    """One thing that is missing, in words, and the name of the page where it is entered."""

    part: Part
    text: Any
    page: str

    def url(self, project: Project) -> str:
        return reverse(self.page, kwargs={"project_id": project.pk})


PARTS_TOGETHER = (Part.SCOPE, Part.FACTORS, Part.TARGETS)


def is_blank(objective: Objective | None) -> bool:
    """Whether neither object, factors nor acceptable risk was saved yet."""
    return objective is None or (objective.scope, objective.factors, objective.risk) == (None, None, None)


def _invalid(read: Any, *args: Any) -> bool:
    try:
        read(*args)
    except ValidationError:
        return True
    return False


def _is_outdated(objective: Objective, project: Project) -> bool:
    """Whether the policy library has other versions than those noted with the scope. What is submitted rests on what it says: later
    stages go on, and a release that is outdated is re-assessed."""
    if project.state != State.OBJECTIVE_DRAFT:
        return False
    if not objective.rests_on and not getattr(objective, "grounds_exist", True):
        return False
    return (objective.rests_on or []) != grounds_for((objective.scope or {})["regulations"])


def _miss_need(objective: Objective | None, project: Project, miss: Callable[[Part, Any, str], None]) -> None:
    """What a need still waits for. A project for which none was raised goes on without one."""
    need = objective.need if objective else None
    if need is None:
        return
    if need.is_accepted is None:
        miss(Part.SHARING, _("The need that the executor raised has not been answered."), NEED_URL)
    elif not need.is_accepted:
        miss(Part.SHARING, _("The need was sent back and has not been raised anew."), NEED_URL)
    elif project.sharing_type == SharingType.PUBLIC and is_relative(need.content):
        text = _(
            "The accepted need says that the result is shared under control only, and completely public sharing gives it to "
            "everybody."
        )
        miss(Part.SHARING, text, "")


def missing_items(project: Project) -> list[MissingItem]:
    """The missing items in the order of the steps. Stored content is read again: what a newer version no longer
    accepts counts as missing."""
    objective = objective_of(project)
    found: list[MissingItem] = []

    first = is_blank(objective)

    def miss(part: Part, text: Any, page: str = "") -> None:
        own = TOGETHER if first and part in PARTS_TOGETHER else STEP_URLS[part]
        found.append(MissingItem(part, text, page or own))

    _miss_need(objective, project, miss)
    if not project.sharing_type:
        miss(Part.SHARING, _("No sharing type has been chosen."))
        return found
    current = objective or Objective(project=project)
    if current.scope is None or _invalid(scope_read, current.scope):
        miss(Part.SCOPE, _("The object of de-identification is not fully described (six factors)."))
    elif _is_outdated(current, project):
        text = _(
            "The policy library has changed since the object was described: read what applies now and save the object again."
        )
        miss(Part.SCOPE, text)
    if current.factors is None or _invalid(factors_read, current.factors):
        miss(Part.FACTORS, _("The factors of the target are not fully described (five factors)."))
    elif project.state == State.OBJECTIVE_DRAFT and _invalid(
        factors_read, current.factors, project.sharing_type
    ):
        # What was approved before this was asked stays approved.
        text = _("The protections, or the acts that are allowed, contradict the sharing type.")
        miss(Part.FACTORS, text)
    if current.risk is None or _invalid(risk_read, current.risk, project.sharing_type):
        miss(Part.TARGETS, _("The risk targets are not fully set for this sharing type."))
    if not current.utility or _invalid(utility_read, current.utility):
        text = _("No readable utility target states what the result must at least be good for.")
        miss(Part.TARGETS, text, "" if first else "objective:utility")
    if current.plan is None or _invalid(plan_read, current.plan):
        miss(Part.PLAN, _("The implementation plan is not complete (nine sections)."))
    elif current.plan_basis != basis_hash(project):
        miss(Part.PLAN, _("The target changed after the plan was written: read the plan again and save it."))
    for part in drafts_of(project):
        text = _("A draft of “%(step)s” is not finished: its entries count once the step is saved in full.")
        miss(Part(part), text % {"step": Part(part).label})
    return sorted(found, key=lambda item: list(Part).index(item.part))
