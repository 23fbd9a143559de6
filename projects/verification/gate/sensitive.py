"""The gate's checks of l-diversity and t-closeness: what was promised against what the written file holds.

Every quasi-identifier of the result forms the classes, which is never laxer than the classes of one step. What cannot
be told is a check that could not run, which is no pass.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from techniques.core.messages import EngineError, gettext_noop

from ..enums import CheckKind
from ..remedies.search import untouched
from .case import Case, Check, Text, text
from .classes import Attribute, Classes, attribute_of, read, reference_columns, worst
from .conditions import CLOSENESS, Promise, promises_of

_ROUNDING = 1e-9
LABELS: dict[str, str] = {
    "distinct": gettext_noop("Different values in every class (l)"),
    "entropy": gettext_noop("Variety of every class by entropy (l)"),
    "recursive": gettext_noop("No value stands out in any class (recursive)"),
    "equal": gettext_noop("Distance of every class from the whole table (t)"),
    "ordered": gettext_noop("Distance of every class from the whole table, by order (t)"),
    "hierarchical": gettext_noop("Distance of every class from the whole table, by hierarchy (t)"),
}
_PLAIN: dict[str, str] = {
    "distinct": gettext_noop(
        "In the class with the least variety there are %(found)s different values of %(column)s; %(bound)s are needed."
    ),
    "entropy": gettext_noop(
        "The class with the least variety is as varied in %(column)s as if %(found)s values were equally frequent; "
        "%(bound)s are needed."
    ),
    "recursive": gettext_noop(
        "In the class where one value of %(column)s stands out most, it occurs %(found)s times as often as the values "
        "from number %(place)d on together; it has to be less than %(bound)s times."
    ),
    "infinite": gettext_noop(
        "A class has fewer than %(place)d different values of %(column)s, so nothing weighs up its most frequent one."
    ),
    "closeness": gettext_noop(
        "In the class that differs most from the whole table, the shares of the values of %(column)s are %(found)s away "
        "from it, on a scale from 0 to 1; %(bound)s is allowed."
    ),
}
_FIXES: dict[bool, str] = {
    False: gettext_noop(
        "Let the model keep this condition for %(column)s over all quasi-identifiers of the result: %(columns)s. It "
        "then generalises further or suppresses the classes that are too uniform."
    ),
    True: gettext_noop(
        "Let the model keep this distance for %(column)s over all quasi-identifiers of the result: %(columns)s. It then "
        "generalises further or suppresses the classes that differ most."
    ),
}


@dataclass(frozen=True)
class _Read:
    """What was read for one column: ``changed`` says that the source tells nothing of its distribution."""

    classes: Classes
    attribute: Attribute
    changed: bool


def sensitive_checks(
    case: Case, quasi: Sequence[str], report: dict[str, Any], tick: Callable[[float], None]
) -> list[Check]:
    """One check for every condition that the recipe or the targets promise; none where nothing is promised."""
    promises = promises_of(case)
    if not promises:
        return []
    there = set(case.result.columns())
    columns = list(dict.fromkeys(promise.column for promise, _who in promises if promise.column in there))
    try:
        found = _read(case, quasi, columns, tick) if columns else {}
    except EngineError as error:
        said = text(error.message, **{name: str(value) for name, value in error.params.items()})
        return unmeasured_checks(case, said)
    report["sensitive"] = {
        column: {"missing": one.attribute.unknown, "changed": one.changed} for column, one in found.items()
    }
    return [_check(case, quasi, promise, who, found.get(promise.column)) for promise, who in promises]


def unmeasured_checks(case: Case, why: Text) -> list[Check]:
    """The same checks where none of them can be measured, and ``why``; none of them is a pass."""
    return [_unknown(promise, who, why) for promise, who in promises_of(case)]


def _read(
    case: Case, quasi: Sequence[str], columns: Sequence[str], tick: Callable[[float], None]
) -> dict[str, _Read]:
    rows = max(case.result.rows, 1)
    classes, written = read(case.result, quasi, columns, lambda done: tick(0.5 * min(1.0, done / rows)))
    as_it_was = untouched(case)
    source = reference_columns(case.source, [column for column in columns if column in as_it_was])
    found = {}
    for column in columns:
        attribute = attribute_of(written[column], source.get(column))
        changed = column not in source or attribute.strange > 0
        if attribute.strange:
            attribute = attribute_of(written[column], None)
        found[column] = _Read(classes, attribute, changed)
    tick(1.0)
    return found


def _kind(promise: Promise) -> CheckKind:
    return CheckKind.CLOSENESS if promise.measure in CLOSENESS else CheckKind.DIVERSITY


def _label(promise: Promise) -> Text:
    return {**text(LABELS[promise.measure]), "columns": promise.column}


def _empty(promise: Promise, who: Sequence[Text]) -> Check:
    sense = "at_least" if promise.measure in ("distinct", "entropy") else "at_most"
    return Check(
        _kind(promise),
        _label(promise),
        target=promise.bound,
        unit="count" if promise.measure == "distinct" else "number",
        sense="below" if promise.measure == "recursive" else sense,
        details=list(who),
        measure=promise.measure,
    )


def _unknown(promise: Promise, who: Sequence[Text], why: Text, *fixes: Text) -> Check:
    return replace(_empty(promise, who), plain=why, fixes=list(fixes))


def _check(
    case: Case, quasi: Sequence[str], promise: Promise, who: Sequence[Text], found: _Read | None
) -> Check:
    if found is None:
        why = gettext_noop("%(column)s is not in the result, so the condition about it cannot be measured.")
        fix = gettext_noop(
            "Take the condition about %(column)s out of the model, or leave the column in the result."
        )
        return _unknown(promise, who, text(why, column=promise.column), text(fix, column=promise.column))
    measured = worst(promise, found.classes, found.attribute)
    details = [*who, *_notes(case, promise, found)]
    passed: bool | None = _holds(promise, measured)
    if promise.measure in CLOSENESS and found.changed:
        measured, passed = _bounded(case, promise, measured)
        if passed is None:
            why = gettext_noop(
                "%(column)s was changed, so the source does not tell how its values were distributed, and too many "
                "records are missing to tell from the result whether the distance is kept."
            )
            fix = gettext_noop("Suppress fewer records, or leave %(column)s as it is.")
            return _unknown(
                promise, details, text(why, column=promise.column), text(fix, column=promise.column)
            )
    endless = math.isinf(measured)
    return replace(
        _empty(promise, details),
        measured=None if endless else measured,
        passed=passed,
        plain=_plain(promise, measured),
        formula=_formula(promise, measured, holds=bool(passed)),
        fixes=[] if passed else _fixes(quasi, promise, found),
    )


def _holds(promise: Promise, measured: float) -> bool:
    if promise.measure in ("distinct", "entropy"):
        return measured >= promise.bound - _ROUNDING
    if promise.measure == "recursive":
        return measured < promise.bound - _ROUNDING
    return measured <= promise.bound + _ROUNDING


def _bounded(case: Case, promise: Promise, distance: float) -> tuple[float, bool | None]:
    """A distance from the result's own distribution, as one from that of all rows, and whether the promise is kept.

    With a share s of the rows gone, whatever they held, the distance is at most (1-s) times that from the result plus
    s, and at least that from the result less s. By order this holds only if nothing is gone: the number of values that
    the scale rests on is not known otherwise.
    """
    rows = case.rows_in - case.rows_not_drawn
    gone = max(0.0, 1 - case.result.rows / rows) if rows else 0.0
    most = (1 - gone) * distance + gone
    if gone == 0 or promise.measure != "ordered":
        if _holds(promise, most):
            return most, True
        if not _holds(promise, distance - gone):
            return distance - gone, False
    return most, None


def _notes(case: Case, promise: Promise, found: _Read) -> list[Text]:
    """What else a reader has to know of the number."""
    notes = []
    if found.attribute.unknown and promise.measure not in CLOSENESS:
        message = gettext_noop(
            "In %(rows)d rows %(column)s is missing or *; that adds no variety to their class."
        )
        notes.append(text(message, rows=found.attribute.unknown, column=promise.column))
    if promise.measure in CLOSENESS:
        message = (
            gettext_noop(
                "%(column)s was changed, so it is held against what is written in the result; the records that are "
                "missing count against it as far as they can."
            )
            if found.changed
            else gettext_noop(
                "Held against the shares of the values in the source, suppressed records included."
            )
        )
        notes.append(text(message, column=promise.column))
    later = _treated_later(case)
    if later:
        message = gettext_noop(
            "Other steps treat %(columns)s after the model: what was measured is the file as written."
        )
        notes.append(text(message, columns=", ".join(later)))
    return notes


def _treated_later(case: Case) -> list[str]:
    """Columns in the result that a step changes after the last model."""
    from techniques.anonymize.settings import model_step

    step = model_step(case.recipe)
    if step is None:
        return []
    place = next(i for i, one in enumerate(case.recipe.steps) if one is step)
    later = [one for one in case.recipe.steps[place + 1 :] if one.technique != "as_is"]
    there = set(case.result.columns())
    return sorted({column for one in later for column in one.columns} & set(step.columns) & there)


def _plain(promise: Promise, measured: float) -> Text:
    name: str = "closeness" if promise.measure in CLOSENESS else promise.measure
    if math.isinf(measured):
        name = "infinite"
    return text(
        _PLAIN[name],
        column=promise.column,
        found=_number(measured),
        bound=_number(promise.bound),
        place=promise.place,
    )


def _number(value: float) -> str:
    return f"{value:.4g}"


def _formula(promise: Promise, measured: float, *, holds: bool) -> str:
    found, bound = _number(measured).replace("inf", "∞"), _number(promise.bound)
    if promise.measure in ("distinct", "entropy"):
        return f"l = {found} {'≥' if holds else '<'} {bound}"
    if promise.measure == "recursive":
        return f"r₁ / (r_{promise.place} + … + r_m) = {found} {'<' if holds else '≥'} {bound}"
    return f"t = {found} {'≤' if holds else '>'} {bound}"


def _fixes(quasi: Sequence[str], promise: Promise, found: _Read) -> list[Text]:
    fixes = []
    if found.classes.starred.any() and not found.classes.starred.all():
        rows = ~found.classes.starred
        without = worst(promise, found.classes.without_starred(), found.attribute.of_rows(rows))
        if _holds(promise, without):
            message = gettext_noop(
                "Only the class of the suppressed records breaks it: remove these %(rows)d records instead of keeping "
                "them with *."
            )
            fixes.append(text(message, rows=int(found.classes.starred.sum())))
    message = _FIXES[promise.measure in CLOSENESS]
    return [*fixes, text(message, column=promise.column, columns=", ".join(quasi))]
