"""How many members of senior management sign a result, by how it is shared: the organisation says so; until it does, one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from approvals.decisions.models import Signature, SignOff
from approvals.decisions.selectors import open_signoff, signatures_of, signed_for
from approvals.governance.person import Person
from approvals.passages import passage
from projects.core.models import Project
from projects.core.selectors import members_by_role
from projects.workflow import STATES, Role, State

RELEASE = STATES[State.RELEASE_APPROVAL].signs
"""The kind of the sign-off about a result."""


def _nothing() -> Mapping[str, int]:
    return {}


_source: Callable[[], Mapping[str, int]] = _nothing


def set_signers_source(source: Callable[[], Mapping[str, int]]) -> None:
    """Let the organisation say how many sign, by sharing type."""
    global _source
    _source = source


def signers_needed(project: Project) -> int:
    """How many would have to sign what is submitted now: a result, or a change of its recipients."""
    return _source().get(project.sharing_type, 1) if project.sharing_type else 1


class Given(Protocol):
    """One signature, of a result or of what comes after it."""

    signed_at: datetime
    reason: str

    @property
    def signer_text(self) -> str: ...


@dataclass(frozen=True)
class Signing:
    """How far the signatures on one content have come: ``given`` before the last, and ``missing``, who may still sign."""

    needed: int
    given: Sequence[Given]
    missing: list[Person]

    @property
    def is_short(self) -> bool:
        """Whether fewer may still sign than have to."""
        return len(self.given) + len(self.missing) < self.needed

    @property
    def text(self) -> str:
        said = _("%(given)s of %(needed)s have signed.") % {
            "given": len(self.given),
            "needed": self.needed,
        }
        names = _(", ").join(str(person) for person in self.missing)
        return passage((said, _("Missing: %(names)s.") % {"names": names})) if names else said

    @property
    def short_text(self) -> str:
        """What is to be done where the project has too few who may sign; empty where it has enough."""
        if not self.is_short:
            return ""
        lacking = self.needed - len(self.given) - len(self.missing)
        return ngettext(
            "The project lacks %(n)s member of senior management who can sign; the planning manager adds them to the team.",
            "The project lacks %(n)s members of senior management who can sign; the planning manager adds them to the team.",
            lacking,
        ) % {"n": lacking}


def signing_of(project: Project) -> Signing | None:
    """Of the result that waits for signatures; None where none waits, or where one person signs."""
    signoff = open_signoff(project.pk, RELEASE)
    if signoff is None or signoff.needed == 1:
        return None
    given = signatures_of(signoff)
    people = members_by_role(project).get(Role.MANAGEMENT, [])
    missing = [person for person in people if _may_still_sign(person, signoff, given)]
    return Signing(signoff.needed, given, missing)


def _may_still_sign(person: Person, signoff: SignOff, given: list[Signature]) -> bool:
    done = any(person.is_same_person(one) for one in signed_for(given))
    return person.is_active and not done and not person.is_same_person(signoff.submitted_by)


def is_last(signoff: SignOff) -> bool:
    """Whether the next signature is the last that is needed."""
    return len(signatures_of(signoff)) + 1 >= signoff.needed
