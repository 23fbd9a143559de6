"""What a re-assessment has measured, as types: kept as JSON, read by attribute.

Before re-assessments ran the gate itself they kept less of each check: its kind, target, figure and whether it was met.
"""

from __future__ import annotations

from pydantic import Field

from projects.verification.reports.gate import CheckResult, Degree, Population
from projects.verification.reports.stored import Number, Stored, Text


class RemeasuredCheck(CheckResult):
    """A check of the gate on what was released. ``met``: it ran and passed; ``approved`` is what was measured when the
    release was approved, None where nothing alike was.

    Where its target was amended, ``targets_on`` is the day of that and ``former`` what it was, None where nothing was asked for;
    where it rests on surroundings that were, ``surroundings_on`` is, and ``attempt`` and ``former_attempt`` are the probabilities
    of an attempt."""

    met: bool = False
    approved: Number | None = None
    targets_on: str = ""
    former: Number | None = None
    surroundings_on: str = ""
    attempt: Number | None = None
    former_attempt: Number | None = None


class Relations(Stored):
    """What is known of the other releases that may tell of the same persons: how many ``releases``, how many of them live and held
    by ``persons`` who receive this one too. ``measurement`` is the name of that in which all were measured together, "" where
    there is none; of its ``sets`` of releases ``risky`` tell more together, of ``in_one_hand`` of these somebody can have all, and
    ``failed`` could not be measured. ``outside`` were made outside the portal, which has no file of them to measure."""

    releases: int = 0
    shared: int = 0
    persons: int = 0
    measurement: str = ""
    sets: int = 0
    risky: int = 0
    in_one_hand: int = 0
    failed: int = 0
    outside: int = Field(default=0, exclude_if=lambda outside: not outside)

    @property
    def is_settled(self) -> bool:
        """Whether there are none, or all were measured and none tells more together with this one."""
        if self.outside:
            return False
        return not self.releases or bool(self.measurement and not self.risky and not self.failed)


class Outside(Stored):
    """What others' data tell beside the released file of one table: the ``population`` figures of the gate, and how often somebody
    who looks for their persons in it is right: ``successes`` of ``attempts`` guesses, ``low`` to ``high`` (95 %). ``looked_for``
    persons were drawn, of whom ``known`` are in the source; of ``single`` one person alone is alike, ``single_right`` rightly.
    ``problem``: why nobody could be looked for."""

    population: Population
    columns: list[str] = []
    looked_for: int = 0
    known: int = 0
    attempts: int = 0
    successes: Number = 0
    low: Number = 0
    high: Number = 1
    single: int = 0
    single_right: int = 0
    problem: Text | None = None


class Remeasurement(Stored):
    """The checks of the gate on the released files by today's yardstick, and whether the seal is ``broken``. ``met``: every target
    is, also together with other releases that are in one hand, as far as that was measured.

    The figures are those of the table with the smallest class. ``without_verdict`` are columns without a verdict, so
    that no class is known. ``amendments`` are the numbers of those in force; ``degree`` is that of anonymisation, ``approved_degree``
    that at approval, both only where the surroundings were amended. ``outside``: table → what its population table tells.
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
    amendments: list[int] = []
    degree: Degree | None = None
    approved_degree: Degree | None = None
    relations: Relations | None = None
    outside: dict[str, Outside] = {}

    @property
    def met_alone(self) -> bool:
        """Whether every target is met by what was released, whatever other releases tell."""
        return all(check.met for check in self.checks) and not self.degree_fell

    @property
    def tells_more_together(self) -> bool:
        """Whether other releases that one recipient has, or everybody, were measured to tell more of somebody together with this
        one."""
        return self.relations is not None and self.relations.in_one_hand > 0

    @property
    def degree_fell(self) -> bool:
        """Whether the degree of anonymisation was reached at approval, and is not any more."""
        reached = self.approved_degree is not None and self.approved_degree.passed
        return reached and self.degree is not None and not self.degree.passed
