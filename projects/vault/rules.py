"""Who sees the list of auxiliary information, and who destroys it.

Custody is divided (GB/T 37964 4.2 c): the executor's runs use the keys, the planning manager destroys
them, the supervisor and the auditors look on. Nobody ever sees the bytes.
"""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny, first_denial
from projects.core.models import Project
from projects.core.rules import has_role, in_state
from projects.workflow import SIGNED, Role, State

from .models import Secret


class VaultReason(Reason):
    DESTROYED = "secret_destroyed", _("This key was destroyed already.")


# A key is needed while its result may still have to be made again.
DESTROYABLE = (*SIGNED, State.REJECTED, State.WITHDRAWN)


def may_list(user: Person, project: Project) -> Verdict:
    if user.is_active and user.reads_all_projects:
        return ALLOW
    return has_role(user, project, Role.PLANNER, Role.EXECUTOR, Role.SUPERVISOR)


def may_destroy(user: Person, secret: Secret) -> Verdict:
    project = secret.project
    verdict = first_denial(has_role(user, project, Role.PLANNER), in_state(project, *DESTROYABLE))
    if verdict and secret.is_destroyed:
        return deny(VaultReason.DESTROYED)
    return verdict
