"""Keys: the executor's runs use them, the planning manager proposes their destruction, the supervisor destroys or keeps them."""

from projects.vault.models import Secret
from projects.workflow import State

from ..checkpoints import at, since
from ..language import Table, acts, reads
from ..roles import READERS

LIST = reads({"planner", "executor", "supervisor"} | READERS, refuses=frozenset({"management"}))
OVER = at(State.APPROVED, State.MONITORING, State.CLOSED, State.REJECTED, State.WITHDRAWN)
# One key waits for its second person since the release.
THERE = since("monitoring")


def _secret(proposed):
    def find(world, role, project):
        found = Secret.objects.filter(project=project, destroyed_at=None, proposed_at__isnull=not proposed)
        return found.values_list("pk", flat=True).first()

    return {"secret_id": find}


def _act(who, where, proposed, **more):
    return acts(
        (who, where), body=lambda world: {"reason": "no longer needed"}, arguments=_secret(proposed), **more
    )


PROPOSE = _act("planner", OVER, proposed=False)
DESTROY = _act("supervisor", OVER & THERE, proposed=True, exists=THERE, walked=THERE)
KEEP = _act(frozenset({"supervisor", "planner"}), OVER & THERE, proposed=True, exists=THERE, walked=THERE)
TABLE: Table = {
    "vault:page": {"GET": LIST},
    "vault:propose": {"POST": PROPOSE},
    "vault:keep": {"POST": KEEP},
    "vault:destroy": {"POST": DESTROY},
    "api:secret-list": {"GET": LIST},
    "api:secret-propose": {"POST": PROPOSE},
    "api:secret-keep": {"POST": KEEP},
    "api:secret-destroy": {"POST": DESTROY},
}
