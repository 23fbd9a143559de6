"""The register of organisations: planning managers and administrators keep it, senior management, supervisors and auditors read it."""

from ..language import Table, for_all
from ..roles import ADMINISTRATOR, AUDITORS, PLANNERS, SIGNED_IN

KEEPERS = PLANNERS | ADMINISTRATOR
READERS = KEEPERS | AUDITORS | {"management", "supervisor"}


def reads(**more):
    return for_all(READERS, refuses=SIGNED_IN, **more)


def keeps(**more):
    return for_all(KEEPERS, refuses=SIGNED_IN, **more)


PARTY = {"name": "A school", "kind": "partner", "country": "CN"}
CHANGED = {
    "name": "A hospital",
    "kind": "recipient",
    "country": "CN",
    "code": "",
    "contact": "Office of data",
}
ENDED = {"reason": "closed"}

TABLE: Table = {
    "organisation:parties": {"GET": reads()},
    "organisation:party_add": {"GET": keeps(), "POST": keeps(body=lambda world: PARTY)},
    "organisation:party": {"GET": reads()},
    "organisation:party_change": {"GET": keeps(), "POST": keeps(body=lambda world: CHANGED)},
    "organisation:party_end": {"POST": keeps(body=lambda world: ENDED)},
    "api:parties": {"GET": reads(), "POST": keeps(body=lambda world: PARTY)},
    "api:party": {"GET": reads()},
    "api:party-change": {"POST": keeps(body=lambda world: CHANGED)},
    "api:party-end": {"POST": keeps(body=lambda world: ENDED)},
}
