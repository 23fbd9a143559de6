"""What reversal does when the project moves."""

from __future__ import annotations

from django.db.models import F
from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from projects.core.models import Project
from projects.core.services import on_move
from projects.datasets.store.holdings import HeldKind, Holder, holds_files
from projects.workflow import MoveRule

from .models import ReversalRequest
from .rules import is_reversible
from .services import reversals_lapse

holds_files(
    Holder(ReversalRequest, "asked", HeldKind.AUXILIARY, _("Question of a reversal"), F("number")),
    Holder(ReversalRequest, "answer", HeldKind.AUXILIARY, _("Answer of a reversal"), F("number")),
)


@on_move
def lapse(project: Project, rule: MoveRule, by: Person) -> None:
    """A result that is approved no longer is asked about no longer."""
    if not is_reversible(project):
        reversals_lapse(project)
