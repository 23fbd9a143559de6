"""How far the signatures of several members of senior management have come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from approvals.decisions.models import Signature, SignOff
from approvals.decisions.selectors import open_signoff, signatures_of, signed_for
from approvals.governance.person import Person
from approvals.passages import passage
from projects.core.models import Project
from projects.core.selectors import members_by_role
from projects.workflow import STATES, Role, State

from .quorum import signatures_text

RELEASE = STATES[State.RELEASE_APPROVAL].signs
"""The kind of the sign-off about a result."""


class Given(Protocol):
    """One signature, of a result or of what comes after it."""

    signed_at: datetime
    reason: str

    @property
    def signer_text(self) -> str: ...


@dataclass(frozen=True)
class Signing:
    """How far the signatures on one content have come: ``given`` before the last, and ``missing``, who may still sign;
    ``by`` is what asks for as many (:class:`.quorum.Quorum`)."""

    needed: int
    by: list[dict[str, Any]] | None
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
    def why(self) -> str:
        """Why several have to sign; empty of what was submitted before that was kept."""
        return signatures_text(self.needed, self.by)

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
    return Signing(signoff.needed, signoff.needed_by, given, missing)


def _may_still_sign(person: Person, signoff: SignOff, given: list[Signature]) -> bool:
    done = any(person.is_same_person(one) for one in signed_for(given))
    return person.is_active and not done and not person.is_same_person(signoff.submitted_by)


def is_last(signoff: SignOff) -> bool:
    """Whether the next signature is the last that is needed."""
    return len(signatures_of(signoff)) + 1 >= signoff.needed
