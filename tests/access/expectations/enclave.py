"""Queries in the enclave: the recipient runs them and sees what they find; the team and auditors read who ran how many."""

from ..checkpoints import at
from ..language import Table, reads
from .releases import receives

WALKED = at("approved", "monitoring", "closed")
NO_ENCLAVE = "the project of the walk is no enclave; tests/projects/enclave/test_queries.py asks in one"
ASK = receives(
    at=frozenset(),
    walked=WALKED,
    never=NO_ENCLAVE,
    body=lambda world: {"statement": "SELECT 1", "purpose": "p"},
)
# No query is there, and none could be: in a project of controlled sharing.
ONE = {"exists": frozenset(), "walked": WALKED, "never": NO_ENCLAVE}
OWN = reads("recipient", **ONE)
LIST = reads(walked=WALKED)
TABLE: Table = {
    "enclave:page": {"GET": LIST},
    "enclave_receive:page": {"GET": receives(walked=WALKED)},
    "enclave_receive:ask": {"POST": ASK},
    "enclave_receive:detail": {"GET": OWN},
    "enclave_receive:progress": {"GET": OWN},
    "enclave_receive:cancel": {"POST": OWN},
    "api:enclave-queries": {"GET": LIST},
    "api:receive-enclave-queries": {
        "GET": receives(at=frozenset(), walked=WALKED, never=NO_ENCLAVE),
        "POST": ASK,
    },
    "api:receive-enclave-query": {"GET": OWN},
    "api:receive-enclave-query-cancel": {"POST": OWN},
}
