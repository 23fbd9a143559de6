"""What is kept of each candidate, as types: JSON that is hashed, read by attribute."""

from __future__ import annotations

from .gate import CheckResult
from .stored import Number, Stored


class TableFigures(Stored):
    """The figures of one table; None where one could not be measured. ``detail``: column → share of it that is kept."""

    k: int | None = None
    max_risk: Number | None = None
    average_risk: Number | None = None
    overall: Number | None = None
    threshold: Number | None = None
    suppressed: Number | None = None
    detail: dict[str, Number] = {}
    detail_mean: Number | None = None


class CandidateFigures(TableFigures):
    """The figures that candidates are compared by; the worst of all tables for each.

    ``tables`` has those of each table by itself, ``joined_k`` the persons of the smallest class of the joined view;
    ``view_in_overall``: that view has a part in the overall risk.
    """

    tables: dict[str, TableFigures] = {}
    joined_k: int | None = None
    view_in_overall: bool = False


class CandidateResult(Stored):
    """One candidate: its run, the checks of the gate without their texts, and its figures."""

    run: str = ""
    number: int = 0
    version: int = 0
    checks: list[CheckResult] = []
    figures: CandidateFigures = CandidateFigures()

    @property
    def passed(self) -> bool:
        """Whether every check ran and passed."""
        return all(result.passed is True for result in self.checks)
