"""Measuring the result, and senior management's decision about it."""

from projects.verification.selectors import current_verification
from projects.workflow import State

from ..language import Table, acts, reads
from ..roles import INSIDE
from ..stands import at, since


def _decision(world, role):
    current = current_verification(world.project)
    return {
        "decision": "approved",
        "reason": "every measure is within its target",
        "content_hash": current.content_hash if current else "none",
    }


MEASURED = since("verification_review")
DECIDE = acts(("management", at(State.RELEASE_APPROVAL)), body=_decision)
MEASURE = acts(("executor", at(State.VERIFICATION)))
TABLE: Table = {
    "verification:page": {"GET": reads()},
    "verification:measure": {"POST": MEASURE},
    "verification:decide": {"GET": reads(), "POST": DECIDE},
    "verification:document_make": {"POST": acts((INSIDE, MEASURED))},
    "api:verification-list": {"GET": reads(), "POST": MEASURE},
    "api:verification-answer": {"GET": reads()},
    "api:verification-decision": {"POST": DECIDE},
    "api:verification-detail": {"GET": reads()},
}
