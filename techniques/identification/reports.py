"""What a scan found: counts, shares and row numbers, never a value."""

from __future__ import annotations

from pydantic import BaseModel, Field

from techniques.core.attributes import AttributeRole
from techniques.core.kinds import role_of


class Finding(BaseModel, frozen=True):
    """One kind of identifier in one column. Rates are shares of the cells that are not missing.

    ``hits`` counts rows whose whole value is the identifier, ``substring_hits`` rows where it
    stands inside a longer text, ``checked_hits`` those of both whose check digit or form proves
    them. ``first_rows`` are the first such rows, counted from 1 below the header.
    ``confidence`` (0 to 1) says how sure it is that the hits are what they look like. ``own_role`` is that of a kind which an
    organisation added to the vocabulary.
    """

    kind: str
    hits: int
    substring_hits: int
    rate: float
    substring_rate: float
    checked_hits: int
    strength: int
    confidence: float
    first_rows: tuple[int, ...]
    own_role: AttributeRole | None = Field(default=None, exclude_if=lambda role: role is None)

    @property
    def role(self) -> AttributeRole:
        """The usual role of the kind."""
        return self.own_role or role_of(self.kind)

    @property
    def rows(self) -> int:
        """Rows with a hit of either sort."""
        return self.hits + self.substring_hits


class ColumnScan(BaseModel, frozen=True):
    """What was found in one column; ``masked`` counts cells with a masking character."""

    column: str
    rows: int
    missing: int
    distinct: int
    distinct_exact: bool
    masked: int
    findings: tuple[Finding, ...]

    def finding(self, kind: str) -> Finding | None:
        return next((item for item in self.findings if item.kind == kind), None)


class ScanReport(BaseModel, frozen=True):
    """A scan of every row (GB/T 37964 5.3.3 b).

    ``coverage`` is the share of the rows that was read: 1.0, or less when fewer rows came than
    the caller knew of, and then the scan proves nothing.
    """

    rows: int
    coverage: float
    columns: dict[str, ColumnScan]

    @property
    def complete(self) -> bool:
        """Whether every row was read."""
        return self.coverage == 1.0
