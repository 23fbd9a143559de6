"""What the gate has measured, as types: kept as JSON, hashed and signed, read by attribute.

Version 1 is the shape of every report so far and is not written out; a later shape says its number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, Self

from pydantic import Field

from .remedies import Remedies, ViewRemedies
from .stored import Number, Stored, Text


class CheckResult(Stored):
    """One row of the gate table. ``passed`` None: the check could not run, which is no pass.

    ``unit``: share, count, number or none. ``sense``: at_most, at_least, below or none. ``remedies`` are what would
    make it pass, the cheapest first. ``plain`` says the number in words, ``formula`` with its real values. ``measure``
    says by which of several formulas of its kind the number was found, ``table`` which of several tables it is about.
    """

    kind: str
    label: Text = Text()
    target: Number | None = None
    measured: Number | None = None
    passed: bool | None = None
    unit: str = "share"
    sense: str = "at_most"
    plain: Text | None = None
    formula: str = ""
    remedies: list[Text] = Field(default=[], validation_alias="fixes", serialization_alias="fixes")
    details: list[Text] = []
    table: str = ""
    measure: str = ""

    def about(self, table: str) -> Self:
        """The same about a table; no name stays unsaid."""
        return self.model_copy(update={"table": table} if table else {})


class Finding(Text):
    """What of identifiers was found in the result: where it is, never what it is."""

    column: str = ""
    name: str = ""
    kind: str
    where: str
    rows: int = 0
    rate: Number = 0
    first_rows: list[int] = []
    blocks: bool = True
    allowed: bool = False


class Residual(Stored):
    """What the search for direct identifiers found in ``rows`` rows; ``coverage`` is the share of rows read."""

    rows: int = 0
    coverage: Number = 0
    findings: list[Finding] = []


class Exempt(Stored):
    """A column that nearly tells records apart (``said`` how) and stays, with the ``reason`` that a person gave."""

    column: str
    reason: str
    said: Text = Text()


class ClassSizes(Stored):
    """A bar of the histogram: classes of ``size_from`` to ``size_to`` records (None: and more)."""

    size_from: int
    size_to: int | None = None
    classes: int
    records: int = 0


class RiskBefore(Stored):
    """The risk of the source by the same columns; ``at_risk``: threshold → share of records above it."""

    k: int
    at_risk: dict[str, Number] = {}


class WithoutColumn(Stored):
    """What would be left if one quasi-identifier were not there; ``records_below``: class size → records."""

    classes: int
    k: int
    records_below: dict[str, int] = {}


class Risk(Stored):
    """The risk of the written result by the quasi-identifiers ``columns``. Where ``persons`` are counted, classes are as
    large as the persons in them, a person has the risk of the smallest, and ``unique_persons`` is the share of persons whose
    rows are those of nobody else; else figures are of rows."""

    rows: int = 0
    persons: int | None = None
    unique_persons: Number | None = None
    classes: int = 0
    k: int = 0
    max_risk: Number = 0
    average_risk: Number = 0
    at_risk: dict[str, Number] = {}
    columns: list[str] = []
    suppressed_rows: int = 0
    histogram: list[ClassSizes] = []
    statements: list[Text] = []
    sample: dict[str, Any] | None = None
    before: RiskBefore | None = None
    drop_one: dict[str, WithoutColumn] = {}


class Severities(Stored):
    """Sensitive attributes of the result by the harm that they do, the most harmful first, and the threshold of the overall
    risk that the gate went by for it."""

    columns: dict[str, str]
    threshold: Number


class Population(Stored):
    """The result beside the population table with the SHA-256 ``sha256``, by the quasi-identifiers ``columns`` that both have;
    ``lacking`` are those that only the result has, ``unrepeated`` those of which the population was not treated as the source
    was, and ``made`` those by whose values nobody can be looked for. ``delta_min`` and ``delta_max`` bound the probability that a person of the
    population is in the result (δ-presence). With a ``problem`` there are no figures."""

    sha256: str
    rows: int = 0
    columns: list[str] = []
    lacking: list[str] = []
    unrepeated: list[str] = []
    made: list[str] = []
    max_risk: Number = 0
    average_risk: Number = 0
    marketer: Number = 0
    at_risk: dict[str, Number] = {}
    delta_min: Number = 0
    delta_max: Number = 0
    problem: Text | None = None


class SensitiveColumn(Stored):
    """Rows in which a sensitive attribute is ``missing``; ``changed``: the source tells nothing of its distribution."""

    missing: int = 0
    changed: bool = False


class Inference(Stored):
    """How well who knows a person's quasi-identifiers guesses a sensitive attribute, see
    :class:`techniques.disclosure_risk.diversity.Guesses`. ``alone``: how well who knows the whole table only guesses, all of the
    result being one class. ``counted``: all records or persons. ``unknown``: cells counted as guessed right, because they are missing or
    suppressed or because a person has several values in one class. ``persons``: persons are counted and not records. With a
    ``problem`` there are no figures."""

    average: Number = 0
    highest: Number = 0
    certain: Number = 0
    alone: Number = 0
    counted: int = 0
    unknown: int = 0
    quasi: list[str] = []
    persons: bool = False
    problem: Text | None = None


class Bar(Stored):
    """Rows of a part of a column in ``source`` and ``result``. On a line it goes ``low`` to below ``high``, None at an open end: a
    number scaled by 10^6, a month counted from year 0. Of texts ``rank`` is the place of the value among the commonest."""

    part: str
    low: int | None = None
    high: int | None = None
    rank: int | None = None
    source: int
    result: int


class Distribution(Stored):
    """A column's distribution in bars of ``minimum`` rows or more on each side, or of none; no value is in it."""

    sort: str
    minimum: int
    bars: list[Bar]


class Column(Stored):
    """A column in the source and in the result; None where a figure does not exist."""

    column: str
    missing: list[Number]
    suppressed: list[Number]
    distinct: list[int | None]
    mean: list[Number | None]
    standard_deviation: list[Number | None] = [None, None]
    total_variation: Number | None = None
    unresolved: int = 0
    wasserstein: Number | None = None
    distribution: Distribution | None = None


class NoisyPair(Stored):
    """Two numeric columns to which noise was added, in the source and in the result; None where a figure does not exist."""

    columns: list[str]
    covariance: list[Number | None]
    correlation: list[Number | None]


class Noisy(Stored):
    """The columns with noise two by two, and those that were ``left_out`` because they are too many."""

    pairs: list[NoisyPair] = []
    left_out: list[str] = []


class Targets(Stored):
    """The risk targets that the result was held against."""

    k: int
    measure: str = ""
    context_risk: Number | None = None


class Level(Stored):
    """Level of GB/T 42460, None where it was not determined, with the figures that it rests on."""

    level: int | None = None
    why: Text = Text()
    sharing_type: str = ""
    classes_at_risk: Number = 0
    maximum: Number = 0
    mean: Number = 0
    context: Number = 0
    overall: Number = 0
    acceptable: Number = 0


class Safeguards(Stored):
    """Points and grades by the items of T/ISC 0078 C.5."""

    technical_points: Number
    technical: str
    management_points: Number
    management: str
    capability: str


class Degree(Stored):
    """Degree of anonymisation of T/ISC 0078 with each of its factors."""

    k: int
    scenario_coefficient: Number
    environment_coefficient: Number
    degree: Number
    passed: bool
    scenario: str = ""
    scenario_name: str = ""
    required_k: int = 0
    capability: str = ""
    assessment: int | None = None
    motive: str | None = None
    coefficients: int | None = None
    """Version of the organisation's table that the environment's coefficient is from; 0 as shipped, None where no
    assessment counted or the table was not versioned yet."""
    scenario_version: int | None = None
    """The same of the scenario's coefficient, where it is another than the standard suggests."""
    safeguards: Safeguards | None = None


class DataRisk(Stored):
    """The data risk that counts for the sharing type; ``cap_kept`` is None where no cap applies."""

    measure: str
    value: Number
    smallest_class: int | None = None
    cap_kept: bool | None = None


class Context(Stored):
    """The probability of an attempt."""

    value: Number


class Overall(Stored):
    """Data risk × probability of an attempt against the project's threshold."""

    data: DataRisk
    environment: Context
    value: Number
    threshold: Number
    passed: bool


class Scales(Stored):
    """Whether degree, level and overall risk agree, and what to make of it where they do not."""

    agreed: bool
    statements: list[Text] = []


class EntropyStep(Stored):
    """A column on the path of greatest severity: the ``severity`` of it and those before it, what it adds, and the weights of
    likelihood and impact at this place."""

    column: str
    severity: Number
    gain: Number
    frequency: Number
    leakage: Number


class EntropyFigures(Stored):
    """Risk by information entropy of one file; ``average``: its mean over all sets of columns, None where they are too many."""

    path: list[EntropyStep] = []
    likelihood: Number = 0
    impact: Number = 0
    risk: Number = 0
    average: Number | None = None


class EntropyAttack(Stored):
    """The assumptions: each of up to ``most_known`` columns is known with the probability ``known``; what laying open an
    attribute weighs."""

    known: Number
    most_known: int
    sensitive: Number
    quasi: Number


class Entropy(Stored):
    """Source and result by information entropy; ``survival``: the share of a column's values that survived at most,
    ``persons``: a person is singled out and not a record. With a ``problem`` there are no figures."""

    source: EntropyFigures = EntropyFigures()
    result: EntropyFigures = EntropyFigures()
    survival: dict[str, Number] = {}
    attack: EntropyAttack | None = None
    persons: bool = False
    problem: Text | None = None


class TableReport(Stored):
    """What was measured of one table. ``risk`` None: no quasi-identifier is left, see :attr:`has_no_quasi`; ``population``
    None: no population table was named; ``severities`` None: nobody said how much harm a sensitive attribute of it does;
    ``entropy`` None: no record could be singled out by it; ``noisy`` None: noise was added to less than two numeric columns; ``inference``: by sensitive attribute of the result."""

    residual: Residual | None = None
    exempt: list[Exempt] = []
    risk: Risk | None = None
    severities: Severities | None = None
    population: Population | None = None
    sensitive: dict[str, SensitiveColumn] = {}
    columns: list[Column] = []
    noisy: Noisy | None = None
    targets: Targets | None = None
    level: Level | None = None
    degree: Degree | None = None
    overall: Overall | None = None
    scales: Scales | None = None
    entropy: Entropy | None = None
    inference: dict[str, Inference] = {}
    remedies: Remedies | None = None

    @property
    def has_no_quasi(self) -> bool:
        """Whether the result was found to hold no quasi-identifier; a risk that was not measured is something else."""
        return self.risk is None and "risk" in self.model_fields_set


class KeyCounts(Stored):
    """What was counted of the two columns of a link, see :class:`techniques.tables.joins.JoinCounts`."""

    rows: int = 0
    orphans: int = 0
    keys: int = 0
    target_keys: int = 0
    repeated: int = 0


class JoinReport(Stored):
    """What joins by ``link`` in the sources and in the results."""

    link: str
    before: KeyCounts = KeyCounts()
    after: KeyCounts = KeyCounts()


class JoinedView(Stored):
    """The view that joins ``tables``: its rows, its persons, and the persons of its smallest class."""

    tables: list[str]
    rows: int
    persons: int
    k: int


class Report(TableReport):
    """The report of a measurement. Where there are several tables, the report is that of the ``main`` one with the scales
    of the whole, and has the reports of the others in ``tables``."""

    version: Literal[1] = 1
    main: str = ""
    tables: dict[str, TableReport] = {}
    joins: list[JoinReport] = []
    joined: list[JoinedView] = []
    view_remedies: ViewRemedies | None = Field(
        default=None, validation_alias="joined_remedies", serialization_alias="joined_remedies"
    )

    @classmethod
    def of_tables(cls, reports: Mapping[str, TableReport]) -> Self:
        """The report of these tables, in their order; a name and further tables that are not there stay unsaid."""
        (main, first), *others = ((name, report.as_json()) for name, report in reports.items())
        named = {"main": main, "tables": dict(others)}
        return cls.model_validate(first | {key: value for key, value in named.items() if value})

    def by_table(self) -> Iterator[tuple[str, TableReport]]:
        """Every table with its report, in their order; a table that nobody tells apart has no name."""
        yield self.main, self
        yield from self.tables.items()

    def of(self, table: str) -> TableReport:
        """The report of a table; of what lies between tables the report itself."""
        return dict(self.by_table()).get(table, self)


class Measurement(Stored):
    """Everything that was measured of one result: the gate table, and the report behind it."""

    checks: list[CheckResult] = []
    report: Report = Report()

    def of(self, table: str) -> tuple[list[CheckResult], TableReport]:
        return [check for check in self.checks if not table or check.table == table], self.report.of(table)


def checks_of(stored: list[Mapping[str, Any]]) -> list[CheckResult]:
    """The rows of a gate table as they are kept."""
    return [CheckResult.model_validate(check) for check in stored]


def greatest_risk(results: list[CheckResult]) -> tuple[float | None, CheckResult | None]:
    """The greatest risk in any table and in the view that joins them; None where one of them is not known, and the row that
    says why, if any does.

    A table in which nobody can be found has a row about k that passes without a number, and no risk.
    """
    shares = [one.measured for one in results if one.kind == "max_risk" and one.measured is not None]
    shares += [1 / one.measured for one in results if one.kind == "joined" and one.measured]
    unknown = [
        one
        for one in results
        if (one.kind == "k" and one.passed is None)
        or (one.kind == "max_risk" and one.measured is None)
        or (one.kind == "joined" and not one.measured)
    ]
    if shares and not unknown:
        return max(shares), None
    return None, next(iter(unknown or [one for one in results if one.kind == "k"]), None)
