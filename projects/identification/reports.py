"""A round's report as objects: what look-up and rules found per column, and what they suggest.

The report is stored as JSON without a single value of the data; texts are chosen when it is shown,
so that it reads in the reader's language.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

from techniques.core.kinds import kind_of

from .enums import GUARD, ROLE_OF_ENGINE, ColumnRole
from .models import IdentificationRound

SURE = 0.8
"""From this confidence a suggestion counts as sure and can be accepted together with others."""

STRONG = 0.7
"""From this confidence a finding of a direct identifier is overruled only with a longer reason."""


@dataclass(frozen=True)
class LookupResult:
    """The row of the metadata table that the column's name matched."""

    kind: str
    role: ColumnRole
    alias: str
    how: str
    confidence: float


@dataclass(frozen=True)
class RuleFinding:
    """One kind that the rules found in a column; counts are rows, ``rate`` a share of the values present."""

    kind: str
    role: ColumnRole
    hits: int
    substring_hits: int
    checked_hits: int
    rate: float
    substring_rate: float
    confidence: float
    first_rows: tuple[int, ...]

    @property
    def rows(self) -> int:
        return self.hits + self.substring_hits

    @property
    def is_strong(self) -> bool:
        """Whether a verdict has to reckon with it: a direct identifier that is more than a likeness, or values that nearly
        tell the rows apart."""
        if self.role != ColumnRole.DIRECT:
            return kind_of(self.kind).column_sign is not None
        return self.confidence >= STRONG or (self.checked_hits > 0 and self.checked_hits == self.rows)


@dataclass(frozen=True)
class Suggestion:
    """What the two methods together suggest.

    ``contains`` are kinds of direct identifiers inside the column, ``why`` (message id, parameters)
    in order of weight.
    """

    role: ColumnRole
    kind: str
    confidence: float
    contains: tuple[str, ...] = ()
    why: tuple[tuple[str, Mapping[str, Any]], ...] = ()

    @property
    def is_sure(self) -> bool:
        return self.confidence >= SURE


@dataclass(frozen=True)
class ColumnReport:
    """Everything the automatic methods say about one column."""

    column: str
    position: int
    rows: int
    missing: int
    distinct: int
    distinct_exact: bool
    masked: int
    lookup: LookupResult | None
    findings: tuple[RuleFinding, ...]
    suggestion: Suggestion | None
    profile: Mapping[str, Any] | None = None
    """What the column holds, as ``techniques.identification.profiles`` tells it; None in a scan from before it was counted."""
    raw: Mapping[str, Any] = field(repr=False, default_factory=dict)

    @property
    def present(self) -> int:
        return self.rows - self.missing

    @cached_property
    def strong(self) -> tuple[RuleFinding, ...]:
        return tuple(finding for finding in self.findings if finding.is_strong)

    @property
    def provenance(self) -> dict[str, Any]:
        """What each method said, as a verdict keeps it."""
        return {"lookup": self.raw["lookup"], "rules": self.raw["scan"], "suggestion": self.raw["suggestion"]}

    def overruled_by(self, role: ColumnRole) -> tuple[RuleFinding, ...]:
        """The strong findings that the verdict ``role`` would set aside."""
        return tuple(finding for finding in self.strong if GUARD[finding.role] > GUARD[role])


def columns_of(round_: IdentificationRound) -> dict[str, ColumnReport]:
    """Column → report, in the order of the file; empty while the round has not finished."""
    return {raw["column"]: column_report(raw) for raw in round_.report.get("columns", [])}


def column_report(raw: Mapping[str, Any]) -> ColumnReport:
    scan, lookup, suggestion = raw["scan"], raw["lookup"], raw["suggestion"]
    return ColumnReport(
        column=raw["column"],
        position=raw["position"],
        **{name: scan[name] for name in ("rows", "missing", "distinct", "distinct_exact", "masked")},
        lookup=lookup and _read(LookupResult, lookup),
        findings=tuple(_read(RuleFinding, item) for item in scan["findings"]),
        suggestion=suggestion and _read(Suggestion, suggestion),
        profile=raw.get("profile"),
        raw=raw,
    )


def _read(kind: Any, item: Mapping[str, Any]) -> Any:
    """One part of the stored report; its lists are tuples here, and its role is a verdict's."""
    values = {one.name: item[one.name] for one in fields(kind)}
    lists = {name: tuple(value) for name, value in values.items() if isinstance(value, list)}
    return kind(**values | lists | {"role": ROLE_OF_ENGINE[item["role"]]})
