"""What a re-assessment has measured, as types: kept as JSON, read by attribute.

Before re-assessments ran the gate itself they kept less of each check: its kind, target, figure and whether it was met.
"""

from __future__ import annotations

from projects.verification.reports.gate import CheckResult
from projects.verification.reports.stored import Number, Stored


class RemeasuredCheck(CheckResult):
    """A check of the gate on what was released. ``met``: it ran and passed; ``approved`` is what was measured when the
    release was approved, None where nothing alike was."""

    met: bool = False
    approved: Number | None = None


class Remeasurement(Stored):
    """The checks of the gate on the released files by today's targets, and whether the seal is ``broken``.

    The figures are those of the table with the smallest class. ``without_verdict`` are columns without a verdict, so
    that no class is known.
    """

    checks: list[RemeasuredCheck] = []
    columns: list[str] = []
    without_verdict: list[str] = []
    rows: int | None = None
    classes: int | None = None
    k: int | None = None
    max_risk: Number | None = None
    average_risk: Number | None = None
    at_risk: dict[str, Number] | None = None
    target_k: int | None = None
    met: bool = False
    broken: bool = False
    sha256: str = ""
