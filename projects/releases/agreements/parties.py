"""Organisations that agreements are signed with, as the register of the organisation has them (:func:`set_register`; T/ISC 0078 8.1 b)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import UUIDField, Value
from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny
from projects.core.models import Project
from projects.objective.enums import Circulation
from projects.objective.selectors import risk_targets
from projects.objective.targets.risk import RiskTargets

if TYPE_CHECKING:
    from ..models import Agreement


class Register:
    """A register in which nobody is."""

    def names(self) -> list[str]:
        """What is offered where an agreement names its organisation."""
        return []

    def may_agree(self, organisation: str) -> Verdict:
        """Whether a new agreement may name it; one that the register does not know may be named."""
        return ALLOW

    def is_own(self, organisation: str) -> bool:
        """Whether it is our own organisation, or a unit of it."""
        return False

    def link(self, agreement: Agreement) -> str:
        """Note an agreement that was just recorded with the organisation that it names; its name there, empty where it is unknown."""
        return ""

    def column(self) -> Any:
        """Of a row of agreements: the organisation that it is noted with."""
        return Value(None, UUIDField())

    def may_read(self, user: Person) -> bool:
        """Whether ``user`` reads the register."""
        return False


class PartyReason(Reason):
    NOT_OUR_OWN = (
        "organisation_not_our_own",
        _(
            "By the target the data stay within the organisation, and the register of organisations does not have “%(organisation)s” as our own. "
            "Enter it there as our own organisation, or determine a target by which the data go to other organisations."
        ),
    )


_register = Register()


def set_register(register: Register) -> None:
    """Let the organisation say who is in its register."""
    global _register
    _register = register


def register_kept() -> Register:
    return _register


def may_agree(project: Project, organisation: str) -> Verdict:
    """Whether an agreement about the data of ``project`` may name ``organisation``: it has not ended in the register, and is our own where
    the data stay within the organisation (T/ISC 0078 7.1)."""
    known = _register.may_agree(organisation)
    return stays_within(risk_targets(project), organisation) if known else known


def stays_within(risk: RiskTargets, organisation: str) -> Verdict:
    """Whether data with these targets may go to ``organisation``."""
    if risk.circulation == Circulation.INTERNAL and not _register.is_own(organisation):
        return deny(PartyReason.NOT_OUR_OWN, organisation=organisation)
    return ALLOW
