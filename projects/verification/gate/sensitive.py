"""What is promised about sensitive attributes against what the written file holds (B.1.2, B.1.3).

Every quasi-identifier of the result forms the classes, which is never laxer than the classes of one step. What cannot
be told is a check that could not run, which is no pass.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from projects.core.numbers import number
from techniques.core.messages import EngineError, gettext_noop

from ..reports.gate import CheckResult, SensitiveColumn, TableReport
from ..reports.stored import Text, text
from .check import TableCheck, TableSubject, Term, Tick, problem_text, unjudged_text
from .conditions import Condition, conditions_of

if TYPE_CHECKING:
    from techniques.disclosure_risk.diversity import ByClass

    from .case import Case
    from .classes import Attribute, Classes

Worst = Callable[[Condition, "ByClass", "Attribute"], float]
ROUNDING = 1e-9
_SIGNS = {"at_least": ("≥", "<"), "below": ("<", "≥"), "at_most": ("≤", ">")}


@dataclass(frozen=True)
class Measure:
    """One of the formulas of a kind: what it is called, how its number is said, and what the worst class holds.

    ``plain`` says the number: column, found, bound and place. ``signs`` are those of the expression with what they mean,
    the last one that of the bound. ``sign`` is the left side of the formula with values; ``{place}`` stands in it.
    """

    key: str
    label: str
    plain: str
    expression: str
    sense: str
    worst: Worst
    signs: Sequence[tuple[str, Any]]
    sign: str
    unit: str = "number"

    def holds(self, condition: Condition, measured: float) -> bool:
        """Whether ``measured`` keeps the bound."""
        if self.sense == "at_least":
            return measured >= condition.bound - ROUNDING
        if self.sense == "below":
            return measured < condition.bound - ROUNDING
        return measured <= condition.bound + ROUNDING


def figure(name: str) -> Worst:
    """What the worst class holds by one figure of :class:`techniques.disclosure_risk.diversity.Diversity`."""

    def worst(condition: Condition, classes: ByClass, attribute: Attribute) -> float:
        from techniques.disclosure_risk.diversity import measured

        return float(getattr(measured(classes), name))

    return worst


@dataclass(frozen=True)
class SensitiveColumnRead:
    """What was read of one column: ``changed`` says that the source tells nothing of its distribution."""

    classes: Classes
    attribute: Attribute
    changed: bool


@dataclass
class SensitiveAttributes:
    """The conditions of one table, each with who asked for it, and what was read once for all of them; ``problem``
    says why nothing could be read."""

    conditions: list[tuple[Condition, list[Text]]]
    read: dict[str, SensitiveColumnRead] = field(default_factory=dict)
    problem: Text | None = None


def attributes_of(of: TableSubject, tick: Tick) -> SensitiveAttributes:
    """What the conditions are and what the file holds, read by the first check that asks."""
    if of.sensitive is None:
        of.sensitive = _attributes(of, tick)
    return of.sensitive


def _attributes(of: TableSubject, tick: Tick) -> SensitiveAttributes:
    case = of.case
    made = SensitiveAttributes(conditions_of(case))
    if not made.conditions:
        return made
    unjudged = case.unjudged_in_result()
    if unjudged:
        made.problem = unjudged_text(unjudged)
        return made
    there = set(case.result.columns())
    columns = list(
        dict.fromkeys(condition.column for condition, _who in made.conditions if condition.column in there)
    )
    try:
        made.read = read_sensitive(of, columns, tick) if columns else {}
    except EngineError as error:
        made.problem = problem_text(error)
        return made
    of.report.sensitive = {
        column: SensitiveColumn(missing=one.attribute.unknown, changed=one.changed)
        for column, one in made.read.items()
    }
    return made


def read_sensitive(of: TableSubject, columns: Sequence[str], tick: Tick) -> dict[str, SensitiveColumnRead]:
    """The columns of the result with the classes of its quasi-identifiers, all rows being one class where none is left."""
    from .classes import attribute_of, read

    case, persons = of.case, of.persons
    rows = max(case.result.rows, 1)
    classes, written = read(
        case.result, case.quasi(), columns, lambda done: tick(0.5 * min(1.0, done / rows))
    )
    as_it_was = case.untouched()
    source = case.source.encoded([column for column in columns if column in as_it_was])
    found = {}
    for column in columns:
        attribute = attribute_of(written[column], source.get(column), persons.result, persons.source)
        changed = column not in source or attribute.strange > 0
        if attribute.strange:
            attribute = attribute_of(written[column], None, persons.result)
        found[column] = SensitiveColumnRead(classes, attribute, changed)
    tick(1.0)
    return found


class SensitiveCheck(TableCheck):
    """One row for every condition that the recipe or the targets promise; none where nothing is promised.

    ``remedy`` is what the model would have to keep, about column and columns.
    """

    measures: ClassVar[Sequence[Measure]]
    remedy: ClassVar[str]
    shows_details = True
    group = "sensitive"

    def measure(self, of: TableSubject, tick: Tick) -> list[CheckResult]:
        found = attributes_of(of, tick)
        return [
            self._row(of.case, condition, who, found)
            for condition, who in found.conditions
            if self.measure_of(condition.measure) is not None
        ]

    def measure_of(self, key: str) -> Measure | None:
        """The formula of this name; None where it is of another kind."""
        return next((one for one in self.measures if one.key == key), None)

    def position(self, result: CheckResult, of: TableSubject) -> int:
        """Its place among the conditions, whatever their kind."""
        about = (result.label.columns, result.measure, result.target)
        conditions = of.sensitive.conditions if of.sensitive else []
        places = [(one.column, one.measure, one.bound) for one, _who in conditions]
        return places.index(about) if about in places else len(places)

    def expression_of(self, result: CheckResult) -> str:
        measure = self.measure_of(result.measure)
        return measure.expression if measure else ""

    def terms(self, result: CheckResult, report: TableReport) -> list[Term]:
        measure = self.measure_of(result.measure)
        if measure is None or result.target is None:
            return []
        *others, (bound, meaning) = [(sign, str(meaning)) for sign, meaning in measure.signs]
        return [*((sign, said, "") for sign, said in others), (bound, meaning, number(result.target))]

    def judged(
        self, case: Case, condition: Condition, found: SensitiveColumnRead, measured: float
    ) -> tuple[float, bool | None]:
        """The number that counts, and whether it keeps the condition; None where that cannot be told."""
        measure = self.measure_of(condition.measure)
        assert measure is not None
        return measured, measure.holds(condition, measured)

    def undecided(self, condition: Condition) -> tuple[Text, Text]:
        """Why it cannot be told whether the condition is kept, and what would help."""
        raise NotImplementedError

    def notes(self, condition: Condition, found: SensitiveColumnRead) -> list[Text]:
        """What else a reader has to know of the number."""
        return []

    def _row(
        self, case: Case, condition: Condition, who: Sequence[Text], attributes: SensitiveAttributes
    ) -> CheckResult:
        measure = self.measure_of(condition.measure)
        assert measure is not None
        about: dict[str, Any] = {
            "label": Text(message=measure.label, params={}, columns=condition.column),
            "target": condition.bound,
            "unit": measure.unit,
            "sense": measure.sense,
            "measure": condition.measure,
        }
        if attributes.problem is not None:
            return self.row(**about, details=who, plain=attributes.problem)
        found = attributes.read.get(condition.column)
        if found is None:
            why = gettext_noop(
                "%(column)s is not in the result, so the condition about it cannot be measured."
            )
            remedy = gettext_noop(
                "Take the condition about %(column)s out of the model, or leave the column in the result."
            )
            column = condition.column
            return self.row(
                **about, details=who, plain=text(why, column=column), remedies=[text(remedy, column=column)]
            )
        details = [
            *who,
            *self.notes(condition, found),
            *_several_values(condition, found),
            *_treated_later(case),
        ]
        measured, passed = self.judged(case, condition, found, _worst(measure, condition, found))
        if passed is None:
            said, helps = self.undecided(condition)
            return self.row(**about, details=details, plain=said, remedies=[helps])
        return self.row(
            **about,
            details=details,
            measured=None if math.isinf(measured) else measured,
            passed=passed,
            plain=_plain(measure, condition, measured),
            formula=_formula(measure, condition, measured, passed),
            remedies=[] if passed else self._remedies(case, measure, condition, found),
        )

    def _remedies(
        self, case: Case, measure: Measure, condition: Condition, found: SensitiveColumnRead
    ) -> list[Text]:
        remedies = []
        starred = found.classes.starred
        if starred.any() and not starred.all():
            without = SensitiveColumnRead(
                found.classes.without_starred(), found.attribute.of_rows(~starred), found.changed
            )
            if measure.holds(condition, _worst(measure, condition, without)):
                message = gettext_noop(
                    "Only the class of the suppressed records breaks it: remove these %(rows)d records instead of keeping "
                    "them with *."
                )
                remedies.append(text(message, rows=int(starred.sum())))
        said = text(self.remedy, column=condition.column, columns=", ".join(case.quasi()))
        return [*remedies, said]


def _worst(measure: Measure, condition: Condition, found: SensitiveColumnRead) -> float:
    """What the worst class holds; missing and suppressed cells are read the stricter way."""
    attribute = found.attribute
    classes = attribute.by_class(found.classes.of_row)
    return measure.worst(condition, classes, attribute)


def _several_values(condition: Condition, found: SensitiveColumnRead) -> list[Text]:
    """A note where persons are counted: how many have several values in one class, and how those count."""
    pairs = found.attribute.by_person(found.classes.of_row)
    if pairs is None:
        return []
    message = gettext_noop("A person weighs one in each class, however many records it has there.")
    if not pairs.several:
        return [text(message)]
    message = gettext_noop(
        "A person weighs one in each class, however many records it has there. In %(several)d cases a person has several "
        "different values of %(column)s in one class: it counts there as one whose value is unknown, which is the stricter "
        "reading."
    )
    return [text(message, several=pairs.several, column=condition.column)]


def _treated_later(case: Case) -> list[Text]:
    """A note about columns in the result that a step changes after the last model."""
    from techniques.anonymization.settings import model_step

    step = model_step(case.recipe)
    if step is None:
        return []
    place = next(i for i, one in enumerate(case.recipe.steps) if one is step)
    later = [one for one in case.recipe.steps[place + 1 :] if one.technique != "as_is"]
    there = set(case.result.columns())
    columns = sorted({column for one in later for column in one.columns} & set(step.columns) & there)
    message = gettext_noop(
        "Other steps treat %(columns)s after the model: what was measured is the file as written."
    )
    return [text(message, columns=", ".join(columns))] if columns else []


_INFINITE = gettext_noop(
    "A class has fewer than %(place)d different values of %(column)s, so nothing weighs up its most frequent one."
)


def _plain(measure: Measure, condition: Condition, measured: float) -> Text:
    return text(
        _INFINITE if math.isinf(measured) else measure.plain,
        column=condition.column,
        found=number(measured),
        bound=number(condition.bound),
        place=condition.place,
    )


def _formula(measure: Measure, condition: Condition, measured: float, holds: bool) -> str:
    sign, broken = _SIGNS[measure.sense]
    left = measure.sign.format(place=condition.place)
    return f"{left} = {number(measured)} {sign if holds else broken} {number(condition.bound)}"
