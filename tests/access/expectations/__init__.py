"""Who may do what where, one table for each package; together they name every address of the portal."""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType

from ..language import Table
from . import (
    accounts,
    audit,
    core,
    datasets,
    documents,
    frame,
    identification,
    jobs,
    masking,
    monitoring,
    objective,
    organisation,
    processing,
    releases,
    reversal,
    vault,
    verification,
)

# The packages of a stage, and what holds them together: each half is walked by a test file of its own.
FRAME = (frame, core, accounts, organisation, masking, audit, documents, jobs, vault, objective, monitoring)
STAGES = (datasets, identification, processing, reversal, verification, releases)

TABLES: dict[str, Table] = {
    package.__name__.rpartition(".")[2]: package.TABLE for package in (*FRAME, *STAGES)
}
EXPECTED: Table = {}
for table in TABLES.values():
    assert not EXPECTED.keys() & table.keys(), "an address is listed twice"
    EXPECTED |= table


def names(packages: Iterable[ModuleType]) -> list[str]:
    return [package.__name__.rpartition(".")[2] for package in packages]
