"""What would make a failing result pass, as the job worked it out: part of the report, kept as JSON."""

from __future__ import annotations

from pydantic import Field

from .stored import Number, Stored, Text


class Expected(Stored):
    """A utility target under a remedy; ``passes`` None: only a run can tell. ``breaks``: it was kept before."""

    measured: Number | None = None
    passes: bool | None = None
    breaks: bool = False


class NamedTarget(Stored):
    """A utility target as the tables of remedies name it; ``table`` where there are several."""

    label: Text
    bound: Number
    sense: str
    table: str = ""


class Outcome(Stored):
    """What a search found. ``kept``: the detail of the quasi-identifiers that is left, 0 to 1."""

    k: int
    max_risk: Number = 0
    average_risk: Number = 0
    suppressed: Number = 0
    kept: Number
    levels: dict[str, int] = {}
    emptied: list[str] = []
    passes: bool
    utility: list[Expected] = []


class Change(Stored):
    """A change of the recipe: ``column`` is the one dropped, or whose bounds are lifted."""

    code: str
    column: str = ""


class SearchSettings(Stored):
    """What every search has to keep."""

    k: int
    average_risk: Number | None = None
    suppression_limit: Number


class Remedy(Change):
    """A change, those that go ``further`` with it, and what they lead to; ``outcome`` None: to no solution."""

    settings: SearchSettings
    outcome: Outcome | None = None
    further: list[Change] = []

    @property
    def changes(self) -> list[Change]:
        """All changes, the first one first."""
        return [self, *self.further]


class Pairs(Stored):
    """How many pairs of changes were ``tried`` of those that are ``possible``."""

    tried: int
    possible: int


class Remedies(Stored):
    """What was searched for to make one table pass; ``problem`` says why nothing was found.

    ``now`` is the recipe as it is; ``known``: its model is about all ``columns`` already.
    """

    columns: list[str] = []
    known: bool = False
    now: Outcome | None = None
    found: list[Remedy] = Field(default=[], validation_alias="ways", serialization_alias="ways")
    problem: Text | None = None
    utility: list[NamedTarget] = []
    pairs: Pairs | None = None


class ViewOutcome(Stored):
    """The joined view under a remedy: persons of the smallest class, and persons in classes ``below`` what is needed."""

    k: int
    below: int
    kept: Number
    utility: list[Expected] = []
    passes: bool


class ViewRemedy(Stored):
    """``columns`` to remove as a last step, each a pair of table and column."""

    columns: list[list[str]]
    outcome: ViewOutcome


class ViewRemedies(Stored):
    """What was searched for to make the joined view pass. ``draws``: the recipe draws at random."""

    needed: int
    draws: bool = False
    utility: list[NamedTarget] = []
    now: ViewOutcome | None = None
    found: list[ViewRemedy] = Field(default=[], validation_alias="ways", serialization_alias="ways")
    pairs: Pairs | None = None
    problem: Text | None = None
