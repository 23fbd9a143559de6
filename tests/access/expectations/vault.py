"""Keys: the executor's runs use them, the planning manager destroys them, management has no part in them."""

from projects.workflow import State

from ..checkpoints import at
from ..language import Table, acts, reads
from ..roles import READERS

LIST = reads({"planner", "executor", "supervisor"} | READERS, refuses=frozenset({"management"}))
DESTROY = acts(
    ("planner", at(State.APPROVED, State.MONITORING, State.CLOSED, State.REJECTED, State.WITHDRAWN)),
    body=lambda world: {"reason": "no longer needed"},
)
TABLE: Table = {
    "vault:page": {"GET": LIST},
    "vault:destroy": {"POST": DESTROY},
    "api:secret-list": {"GET": LIST},
    "api:secret-destroy": {"POST": DESTROY},
}
