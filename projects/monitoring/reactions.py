"""What monitoring does when a project moves: plan the first look back, end a release that is re-opened."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_noop

from projects.core.models import Project
from projects.core.services import on_move
from projects.releases.selectors import current_release
from projects.releases.services import release_end
from projects.workflow import Move, MoveRule

from .services import reassessment_plan

_ENDS_THE_RELEASE = (Move.REOPEN_VERIFICATION, Move.REOPEN_PROCESSING)


@on_move
def react(project: Project, rule: MoveRule, by: Any) -> None:
    release = current_release(project)
    if release is None:
        return
    if rule.move == Move.RELEASE:
        reassessment_plan(release)
    elif rule.move in _ENDS_THE_RELEASE:
        release_end(release, why=gettext_noop("The project was taken back for another look"), by=None)
