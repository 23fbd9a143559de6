"""Who sees the list of auxiliary information, and who destroys it.

Custody is divided (GB/T 37964 4.2 c): the executor's runs use the keys, the planning manager proposes their destruction, the
supervisor destroys or keeps them, the auditors look on. Nobody ever sees the bytes.
"""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny, first_denial
from projects.core.models import Project
from projects.core.rules import has_role, in_state, reads_without_role
from projects.workflow import SIGNED, Role, State

from .models import Secret


class VaultReason(Reason):
    DESTROYED = "secret_destroyed", _("This key has already been destroyed.")
    PROPOSED = (
        "secret_proposed",
        _("The destruction of this key has already been proposed; the supervisor carries it out."),
    )
    NOT_PROPOSED = "secret_not_proposed", _("Destruction of this key has not been proposed.")
    OWN_PROPOSAL = "own_proposal", _("You proposed this yourself; another person destroys the key.")


# A key is needed while its result may still have to be made again.
DESTROYABLE = (*SIGNED, State.REJECTED, State.WITHDRAWN)


def may_list(user: Person, project: Project) -> Verdict:
    if reads_without_role(user, project):
        return ALLOW
    return has_role(user, project, Role.PLANNER, Role.EXECUTOR, Role.SUPERVISOR)


def may_propose(user: Person, secret: Secret) -> Verdict:
    """The planning manager, once the key is not needed any more."""
    verdict = _destroyable(secret, has_role(user, secret.project, Role.PLANNER))
    return deny(VaultReason.PROPOSED) if verdict and secret.is_proposed else verdict


def may_destroy(user: Person, secret: Secret) -> Verdict:
    """The supervisor, of what the planning manager has proposed; never the same person under two accounts."""
    verdict = _proposed(secret, has_role(user, secret.project, Role.SUPERVISOR))
    if verdict and secret.proposed_by is not None and user.is_same_person(secret.proposed_by):
        return deny(VaultReason.OWN_PROPOSAL)
    return verdict


def may_keep(user: Person, secret: Secret) -> Verdict:
    """Who destroys may keep it as well, and who proposed may take that back."""
    return _proposed(secret, has_role(user, secret.project, Role.SUPERVISOR, Role.PLANNER))


def _proposed(secret: Secret, role: Verdict) -> Verdict:
    verdict = _destroyable(secret, role)
    return deny(VaultReason.NOT_PROPOSED) if verdict and not secret.is_proposed else verdict


def _destroyable(secret: Secret, role: Verdict) -> Verdict:
    verdict = first_denial(role, in_state(secret.project, *DESTROYABLE))
    return deny(VaultReason.DESTROYED) if verdict and secret.is_destroyed else verdict
