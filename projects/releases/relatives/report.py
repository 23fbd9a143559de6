"""What was found of each set of releases, as it is stored: figures of persons and groups, never a value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from techniques.core.settings import Frozen
from techniques.disclosure_risk.releases.findings import (
    Composed,
    DateInference,
    Dimensions,
    Increment,
    Joined,
    Linkage,
)

OWN = "own"
"""How the result itself is called among the releases of a set; the others by their ids."""


class Changed(Frozen):
    """Groups of both versions by ``columns``: of ``compared`` ones ``unchanged`` have as many persons as before, and ``found`` are
    [before, after] of those that differ by fewer than ``least`` persons, the fewest first; at most 50 are kept of ``number``."""

    columns: tuple[str, ...]
    least: int
    compared: int
    unchanged: int
    number: int
    found: tuple[tuple[int, int], ...]


class Finding(Frozen):
    """Of one set: ``kind`` composition has ``composed`` with the ``dimensions`` of its releases, kind versions ``increment`` and
    ``changed`` where the groups can be compared, kind keyed ``joined``, kind linked, which is of the result alone, ``linkage``;
    kind keyed has that too where the key is one of persons, and a composition the dates that another release tells (``inferred``). ``problem`` with its ``params``: why nothing could be measured. ``left_out``: release → quasi-identifiers that stand
    for no value of the source there, so that nobody is looked for by them. ``attributes``: release → the sensitive columns that rows
    joined by pseudonyms have from it; who may not know the release reads no name of them."""

    kind: Literal["composition", "versions", "keyed", "linked"]
    table: str = ""
    releases: tuple[str, ...]
    earlier: str = ""
    composed: Composed | None = None
    dimensions: Dimensions | None = None
    joined: Joined | None = None
    linkage: Linkage | None = None
    inferred: tuple[DateInference, ...] = ()
    increment: Increment | None = None
    changed: Changed | None = None
    quasi: tuple[str, ...] = ()
    left_out: dict[str, tuple[str, ...]] = {}
    attributes: dict[str, tuple[str, ...]] = {}
    problem: str = ""
    params: dict[str, str | int | float] = {}

    @property
    def clause(self) -> str:
        """Of annex D of GB/T 37964-2019, which says what may come together."""
        measured = {
            "D.1": self.changed,
            "D.2": self.dimensions or self.joined,
            "D.3": self.linkage or self.joined or self.inferred,
            "D.4": self.composed or self.joined,
            "D.5": self.increment,
        }
        return ", ".join(clause for clause, found in measured.items() if found) or "D"

    def releases_of(self, column: str) -> tuple[str, ...]:
        """Those that have the sensitive ``column``; all where that was not written down."""
        found = tuple(one for one, names in self.attributes.items() if column in names)
        return found or self.releases

    @property
    def is_risky(self) -> bool:
        """Whether the releases, or the rows of one, tell more of somebody together than one of them alone."""
        return self._harmed > 0

    @property
    def is_open(self) -> bool:
        """Whether nothing was measured: for a reason that is told, or because nothing puts the rows of a person in order."""
        alone = self.kind == "linked" and self.linkage is not None and self.linkage.is_open
        return bool(self.problem) or alone

    @property
    def rank(self) -> tuple[float, ...]:
        """Orders findings, the worst first: what was not measured stands before what is harmless."""
        if self.is_open:
            return (1, 0, 0)
        return (0 if self.is_risky else 2, -float(self._harmed), -float(len(self.releases)))

    @property
    def _harmed(self) -> int:
        found = [0]
        for together in (self.composed, self.joined):
            if together is not None:
                found += [together.new, *(one.new for one in together.sensitive.values())]
        if self.linkage is not None:
            found.append(self.linkage.harmed)
        found += [one.rows for one in self.inferred]
        if self.changed is not None:
            found.append(self.changed.number)
        if self.increment is not None:
            found.append(self.increment.below_new)
        return max(found)


def findings_of(stored: Sequence[dict[str, Any]]) -> list[Finding]:
    return [Finding.model_validate(one) for one in stored]
