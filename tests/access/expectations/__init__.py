"""Who may do what where, one table for each package; together they name every address of the portal."""

from __future__ import annotations

from ..language import Table
from . import (
    accounts,
    audit,
    core,
    datasets,
    disposal,
    documents,
    enclave,
    executing,
    findings,
    frame,
    identification,
    impact,
    incidents,
    intrusion,
    jobs,
    lessons,
    masking,
    messaging,
    monitoring,
    objective,
    organisation,
    parties,
    processing,
    queries,
    records,
    releases,
    reversal,
    search,
    statistics,
    talks,
    team,
    vault,
    verification,
)

_PACKAGES = (
    frame, core, accounts, organisation, talks, team, parties, records, messaging, masking, search, audit, documents, jobs, vault, objective, monitoring,
    datasets, identification, processing, reversal, verification, releases, enclave, queries, statistics, findings, impact, incidents, intrusion,
    lessons, disposal, executing,
)  # fmt: skip

TABLES: dict[str, Table] = {package.__name__.rpartition(".")[2]: package.TABLE for package in _PACKAGES}
EXPECTED: Table = {}
for table in TABLES.values():
    assert not EXPECTED.keys() & table.keys(), "an address is listed twice"
    EXPECTED |= table
