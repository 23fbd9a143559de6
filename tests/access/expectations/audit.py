"""The audit log: for auditors and external assessors alone, whatever is in it."""

from ..language import Table, for_all, reads
from ..roles import READERS, SIGNED_IN


def log(**more):
    return for_all(READERS, refuses=SIGNED_IN, **more)


TABLE: Table = {
    "audit:log": {"GET": reads(READERS, refuses=SIGNED_IN, names=READERS)},
    "audit:event": {"GET": log()},
    "audit:export_csv": {"POST": reads(READERS, refuses=SIGNED_IN)},
    "audit:export_chain": {"POST": reads(READERS, refuses=SIGNED_IN)},
    "audit:verify": {"GET": log(), "POST": log()},
    "audit:check": {"GET": log(), "POST": log()},
    "api:audit-event-list": {"GET": reads(READERS, refuses=SIGNED_IN, names=READERS)},
    "api:audit-chain": {"POST": log()},
    "api:audit-check-list": {"POST": log()},
    "api:audit-check-detail": {"GET": log(), "POST": log()},
}
