"""What the organisation's policy library does when a project moves."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from projects.core.models import Project
from projects.core.services import on_move
from projects.datasets.store.holdings import HeldKind, Holder, holds_files
from projects.workflow import Move, MoveRule

from .models import PolicyVersion
from .policies.grounds import stale_report

holds_files(
    Holder(
        PolicyVersion,
        "stored",
        HeldKind.EVIDENCE,
        _("Document of the policy library"),
        "document_name",
        path="",
    )
)


@on_move
def react(project: Project, rule: MoveRule, by: Person) -> None:
    """What became outdated while the release was made is looked at as soon as it is live."""
    if rule.move == Move.RELEASE:
        stale_report(project)
