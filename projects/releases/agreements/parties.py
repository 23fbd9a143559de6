"""Organisations that agreements are signed with, as the register of the organisation has them (:func:`set_register`; T/ISC 0078 8.1 b)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import UUIDField, Value

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Verdict

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

    def link(self, agreement: Agreement) -> str:
        """Note an agreement that was just recorded with the organisation that it names; its name there, empty where it is unknown."""
        return ""

    def column(self) -> Any:
        """Of a row of agreements: the organisation that it is noted with."""
        return Value(None, UUIDField())

    def may_read(self, user: Person) -> bool:
        """Whether ``user`` reads the register."""
        return False


_register = Register()


def set_register(register: Register) -> None:
    """Let the organisation say who is in its register."""
    global _register
    _register = register


def register_kept() -> Register:
    return _register
