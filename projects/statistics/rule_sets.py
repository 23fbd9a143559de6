"""The source of the secret rules for tables of statistics.

They belong to the organisation, which no stage package may import; the organisation hands in its sets when the portal starts.
Who chooses a set knows its name and version; what it says is opened by the job alone.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from approvals.governance.person import Person

if TYPE_CHECKING:
    from techniques.families.statistical.tables.sensitivity import SensitivityRules


@dataclass(frozen=True)
class RuleSet:
    """One version of a named set; ``counts``: for tables that count persons, otherwise for those that add up amounts."""

    id: uuid.UUID
    name: str
    version: int
    counts: bool

    def __str__(self) -> str:
        return f"{self.name} · {self.version}"


class RuleSource(Protocol):
    def sets(self) -> Sequence[RuleSet]:
        """The sets in force, by name."""

    def opened(self, set_id: uuid.UUID) -> SensitivityRules:
        """What a set says, in force or replaced: a secret, for the memory of a job only."""

    def may_know(self, user: Person) -> bool:
        """Whether ``user`` may know what the sets say."""


class _None:
    def sets(self) -> Sequence[RuleSet]:
        return ()

    def opened(self, set_id: uuid.UUID) -> SensitivityRules:
        raise LookupError("no source of rules was handed in")

    def may_know(self, user: Person) -> bool:
        return False


_source: RuleSource = _None()


def set_rule_source(source: RuleSource) -> None:
    global _source
    _source = source


def rule_source() -> RuleSource:
    """The sets as they stand now."""
    return _source
