"""What a check of the gate is: one row with its kind, clause, meaning and formula, and the measurement itself.

A check is one file in :mod:`.checks`. Its row is light, for pages show it; what measures loads the engine only then, in
the worker. Texts are untranslated messages with parameters, because the gate table is kept and read in two languages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from projects.datasets.tables.names import titled
from techniques.core.messages import EngineError, gettext_noop

from ..reports.gate import CheckResult, Report, Risk, TableReport, Targets
from ..reports.stored import Number, Text, text
from ..wording import translated

if TYPE_CHECKING:
    from techniques.disclosure_risk.joined import Link
    from techniques.disclosure_risk.report import RiskReport

    from .both import BothFiles
    from .case import Case
    from .persons import RowsOfPersons
    from .sensitive import SensitiveAttributes

Tick = Callable[[float], None]
OF_TARGETS = gettext_noop("Required of every sensitive attribute by the risk targets of step 1.")
"""Where a condition comes from that the plan's targets ask for."""
BY_PERSONS = "persons"
"""The measure of a result that counts persons, not rows."""
Term = tuple[str, str, str]
"""A sign of a formula, what it means, and its value or nothing."""
Sign = tuple[str, Any, Callable[[Risk, Targets], str] | None]
"""A sign, what it means, and how its value is read from what was measured and asked for; None where it has none."""


@dataclass(frozen=True)
class Formula:
    """A formula, the same with its values, and what each sign means."""

    label: str
    expression: str
    substituted: str
    terms: Sequence[Term]
    source: str
    meaning: str = ""

    @property
    def explained(self) -> str:
        """What is computed, and what that means."""
        return _("%(what)s: %(columns)s") % {"what": self.label, "columns": self.meaning}


@dataclass
class TableSubject:
    """One table under measurement: what it is judged by, its report so far, and what earlier checks have read."""

    case: Case
    report: TableReport = field(default_factory=TableReport)
    risk: RiskReport | None = None
    sensitive: SensitiveAttributes | None = None
    _nobody_knows: EngineError | None = field(default=None, init=False, repr=False)

    @cached_property
    def both(self) -> BothFiles:
        """Source and result beside each other; EngineError where one cannot be read."""
        from .both import BothFiles

        return BothFiles.read(self.case)

    @cached_property
    def persons(self) -> RowsOfPersons:
        """Whose the rows are; EngineError where that is not known, without reading anything again for who asks once more."""
        from .persons import rows_of_persons

        if self._nobody_knows is not None:
            raise self._nobody_knows from None
        try:
            return rows_of_persons(self.case)
        except EngineError as error:
            self._nobody_knows = error
            raise

    def let_go(self) -> None:
        """Hold no column any more but quasi-identifiers, sensitive attributes and the key of persons: what scales read."""
        from techniques.core.attributes import AttributeRole

        counted = {AttributeRole.QUASI_IDENTIFIER, AttributeRole.SENSITIVE_ATTRIBUTE}
        kept = {name for name, role in self.case.roles.items() if role in counted}
        self.__dict__.pop("both", None)
        for table in (self.case.source, self.case.result):
            table.let_go(kept | {*(self.case.person_key or ())})


@dataclass
class WholeSubject:
    """All tables under measurement in their order, with the links between them."""

    cases: Mapping[str, Case]
    links: Sequence[Link]
    report: Report


@dataclass(frozen=True)
class OfPersons:
    """What a check says otherwise where it counts persons and not rows."""

    label: Any
    meaning: Any
    expression: Any
    signs: Sequence[Sign]


class Check:
    """A check of the gate. ``kind`` is what is stored, ``clause`` the standard's; ``meaning`` says what it is for.

    ``has_remedy``: another generalisation or suppression can change it. ``is_chance``: the number is said as “one in …”
    too. ``shows_details``: the bound and its origin are shown with the number. ``is_suppression``: it holds what is lost
    against the limit of suppression. ``is_for_everybody``: its sentence speaks of the data alone, so that it may stand beside data
    that everybody reads.
    """

    kind: ClassVar[str]
    label: ClassVar[Any]
    clause: ClassVar[str]
    meaning: ClassVar[Any]
    expression: ClassVar[Any] = gettext_lazy("removed / all")
    has_remedy: ClassVar[bool] = False
    is_chance: ClassVar[bool] = False
    is_suppression: ClassVar[bool] = False
    shows_details: ClassVar[bool] = False
    is_for_everybody: ClassVar[bool] = False
    unit: ClassVar[str] = "share"
    sense: ClassVar[str] = "at_most"
    effort: ClassVar[float] = 0.0
    """How much of the work of one table it is."""
    group: ClassVar[str] = ""
    """Rows of checks of one group stand in the gate table by what they are about, not check by check."""
    signs: ClassVar[Sequence[Sign]] = ()
    """What stands in the formula."""
    of_surroundings: ClassVar[bool] = False
    """Whether the probability of an attempt is part of the number."""
    of_persons: ClassVar[OfPersons | None] = None
    """What is said otherwise where persons are counted."""

    def row(
        self,
        *,
        label: Text | None = None,
        target: Number | None = None,
        measured: Number | None = None,
        passed: bool | None = None,
        unit: str = "",
        sense: str = "",
        plain: Text | None = None,
        formula: str = "",
        remedies: Sequence[Text] = (),
        details: Sequence[Text] = (),
        measure: str = "",
    ) -> CheckResult:
        """A row of the gate table; everything is said, but ``measure`` only where a kind has several."""
        said = CheckResult(
            kind=self.kind,
            label=label or text(source_text(self.label)),
            target=target,
            measured=measured,
            passed=passed,
            unit=unit or self.unit,
            sense=sense or self.sense,
            plain=plain,
            formula=formula,
            remedies=list(remedies),
            details=list(details),
        )
        if measure:
            said.measure = measure
        return said

    def not_run(self, why: Text | None, **more: Any) -> CheckResult:
        """The row of a check that could not run, and why; it is no pass."""
        return self.row(**{"unit": "none", "sense": "none", **more}, plain=why)

    def said_of_persons(self, result: CheckResult) -> OfPersons | None:
        """What is said otherwise of this result; None where it is about rows."""
        return self.of_persons if result.measure == BY_PERSONS else None

    def meaning_of(self, result: CheckResult) -> str:
        """What the check is for."""
        persons = self.said_of_persons(result)
        return str(persons.meaning if persons else self.meaning)

    def expression_of(self, result: CheckResult) -> str:
        """The formula in signs."""
        persons = self.said_of_persons(result)
        return str(persons.expression if persons else self.expression)

    def terms(self, result: CheckResult, report: TableReport) -> list[Term]:
        """The signs of the formula with their values, as far as a risk was measured."""
        risk, targets = report.risk, report.targets or Targets(k=0)
        persons = self.said_of_persons(result)
        return [
            (sign, str(meaning), value(risk, targets) if value and risk else "")
            for sign, meaning, value in (persons.signs if persons else self.signs)
        ]

    def formula(self, result: CheckResult, report: TableReport) -> Formula | None:
        """The formula with its values; None where nothing was computed."""
        if not result.formula:
            return None
        return Formula(
            label=label_of(result),
            expression=self.expression_of(result),
            substituted=result.formula,
            terms=self.terms(result, report),
            source=f"GB/T 37964-2019 {self.clause}",
        )


class TableCheck(Check):
    """A check of one written table by itself."""

    def measure(self, of: TableSubject, tick: Tick) -> list[CheckResult]:
        """Its rows; EngineError where it cannot run."""
        raise NotImplementedError

    def position(self, result: CheckResult, of: TableSubject) -> int:
        """A row's place within its group."""
        return 0


class WholeCheck(Check):
    """A check of what lies between several tables; ``of_links``: only where links lie between them."""

    of_links: ClassVar[bool] = True

    def measure(self, of: WholeSubject, tick: Tick) -> list[CheckResult]:
        """Its rows; EngineError where it cannot run."""
        raise NotImplementedError


def label_of(result: CheckResult) -> str:
    """What is checked, with the table's name where there are several."""
    return titled(result.table, translated(result.label))


def source_text(label: Any) -> str:
    """The untranslated message behind a lazy label."""
    with translation.override(None):
        return str(label)


def problem_text(error: EngineError) -> Text:
    """Why something could not be measured; figures stay figures, for a message may say with how many digits."""
    params = {name: one if isinstance(one, int | float) else str(one) for name, one in error.params.items()}
    return text(error.message, **params)


def unjudged_text(columns: Sequence[str]) -> Text:
    """Why no class is known: any of these columns may be a quasi-identifier."""
    message = gettext_noop(
        "No verdict stands about %(names)s, so it is not known which records form a class together."
    )
    return text(message, names=", ".join(columns))
