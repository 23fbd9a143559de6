"""The audit log: for auditors alone, whatever is in it."""

from ..language import Table, for_all, reads
from ..roles import AUDITORS, SIGNED_IN


def log(**more):
    return for_all(AUDITORS, refuses=SIGNED_IN, **more)


TABLE: Table = {
    "audit:log": {"GET": reads(AUDITORS, refuses=SIGNED_IN, names=AUDITORS)},
    "audit:event": {"GET": log()},
    "audit:export_csv": {"POST": reads(AUDITORS, refuses=SIGNED_IN)},
    "audit:export_chain": {"POST": reads(AUDITORS, refuses=SIGNED_IN)},
    "audit:verify": {"GET": log(), "POST": log()},
    "audit:check": {"GET": log(), "POST": log()},
    "api:audit-event-list": {"GET": reads(AUDITORS, refuses=SIGNED_IN, names=AUDITORS)},
    "api:audit-chain": {"POST": log()},
    "api:audit-check-list": {"POST": log()},
    "api:audit-check-detail": {"GET": log(), "POST": log()},
}
