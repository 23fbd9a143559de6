"""Who names the organisation that carries a project out, and which one can be named."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny
from projects.core.models import Project
from projects.core.rules import may_manage_members

from ..models import Party


class ExecutingReason(Reason):
    ENDED = (
        "executing_party_ended",
        _("“%(party)s” has ended in the register of organisations and can carry no project out any more."),
    )
    NAMED_ALREADY = "executing_party_named", _("This organisation is named already.")


def may_name(user: Person, project: Project) -> Verdict:
    """Who puts the team together: the planning manager, until the project has ended."""
    return may_manage_members(user, project)


def may_carry_out(party: Party) -> Verdict:
    return ALLOW if party.in_force else deny(ExecutingReason.ENDED, party=party.name)
