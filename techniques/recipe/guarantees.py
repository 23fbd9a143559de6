"""What kind of protection a run gives (GB/T 37964 5.5.2): formal or heuristic, of which columns and by how much, from its report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from techniques import catalogue
from techniques.catalogue.family import Family
from techniques.catalogue.models import K_ANONYMITY, KAnonymitySettings
from techniques.catalogue.technique import Scope
from techniques.core.messages import _
from techniques.core.settings import Statement

HEURISTIC = _(
    "Heuristic: K-anonymity over %(columns)s hides each row of a person among those of at least %(k)s people who look the same. It holds "
    "against the quasi-identifiers that were named; it is not a mathematical proof against all background knowledge."
)
HEURISTIC_OF_RECORDS = _(
    "Heuristic: K-anonymity over %(columns)s hides each record among at least %(k)s records that look the same, and a person only "
    "if they have one record. It holds against the quasi-identifiers that were named; it is not a mathematical proof "
    "against all background knowledge."
)
FORMAL = _(
    "Formal, whatever anyone knows: the values of %(columns)s are made up from noisy counts; this does not cover other columns."
)
OF_ROWS = _("Differentially private: ε = %(epsilon)s, δ = %(delta)s, for the exchange of one row.")
OF_PERSONS = _(
    "Differentially private: ε = %(epsilon)s, δ = %(delta)s, for the exchange of all rows of one person. How many these are is not "
    "protected: at most %(rows)s of one person were learned from, which the noise and this sentence tell."
)
OF_WHAT_WAS_LEFT = _(
    "That holds for rows as earlier steps left them: those (%(steps)s) looked at several rows at once, and what they changed or left out "
    "is not covered by ε."
)
MADE_UP = _(
    "None beyond a test: the values of %(columns)s are made up; how close they come to real values was tested, but a test is not a "
    "proof."
)
TOGETHER = _(
    "These budgets add up: where all %(steps)s of these steps learned from the same person, in one table or in several, it is "
    "ε = %(epsilon)s and δ = %(delta)s in all."
)
VARIED = _(
    "In each class the values of %(column)s keep %(bounds)s: that bounds what a class tells of them, and not what somebody knows of "
    "a person beforehand."
)
VARIED_UNSAID = _(
    "In each class the values of %(column)s meet the conditions of the recipe: that bounds what a class tells of them, and not what "
    "somebody knows of a person beforehand."
)
"""Of a report that does not say what was asked."""
AS_REQUESTED = _(
    "Values of %(columns)s are as coarse as their persons asked for: that hides the value, and not whose record it is."
)
STARRED = _(
    "Suppressed: %(rows)s rows stand in the result with * in place of all values of %(columns)s, in no class and without any of these values."
)
CHANGED_LATER = _(
    "Later steps (%(steps)s) treated columns or rows that the model over %(columns)s had left: what is said of it held before them."
)
NO_MODEL = _(
    "None: no privacy model was applied. Whoever knows some of a person's values may find their record by them; how easily, a "
    "measure of risk says."
)


def private(step: Mapping[str, Any]) -> list[Statement]:
    """The guarantee of a ``step`` whose result has an ε: of whom it is, and whether earlier steps stand beside it."""
    result = step["result"]
    spent = {"epsilon": result["epsilon"], "delta": result["delta"]}
    found = [Statement.of("formal_of_rows", OF_ROWS, **spent)]
    if "rows_of_person" in result:
        found = [Statement.of("formal_of_persons", OF_PERSONS, **spent, rows=result["rows_of_person"])]
    if before := step.get("after"):
        found.append(
            Statement.of("formal_of_what_was_left", OF_WHAT_WAS_LEFT, steps=", ".join(map(str, before)))
        )
    return found


def guarantees(reports: Mapping[str, Mapping[str, Any]]) -> list[Statement]:
    """What the reports of a run's tables, by name, let be said of its result: what is formal first, then what is heuristic, then what
    is kept of sensitive values. Columns of a table with a name are called ``table.column``."""
    made: list[Statement] = []
    modelled: list[Statement] = []
    kept: list[Statement] = []
    budgets: list[Mapping[str, Any]] = []
    for name, report in reports.items():
        steps = report.get("steps", ())
        for number, step in enumerate(steps, start=1):
            result = step.get("result") or {}
            columns = _listed(name, step["columns"])
            if catalogue.get(step["technique"]).family is Family.MODEL:
                modelled += _model(step, result, columns, steps[number:])
            kept += _varied(step, result, name)
            if "levels_requested" in result:
                kept.append(Statement.of("as_requested", AS_REQUESTED, columns=columns))
            if "epsilon" in result:
                budgets.append(result)
                made += [Statement.of("formal", FORMAL, columns=columns), *private(step)]
            elif catalogue.get(step["technique"]).makes_up_rows:
                made.append(Statement.of("made_up", MADE_UP, columns=columns))
    if len(budgets) > 1:
        # In decimals, for 1.1 and 2.2 are 3.3.
        epsilon, delta = (
            float(sum(Decimal(str(one[name])) for one in budgets)) for name in ("epsilon", "delta")
        )
        made.append(
            Statement.of("formal_together", TOGETHER, steps=len(budgets), epsilon=epsilon, delta=delta)
        )
    return [*(made + modelled or [Statement.of("none", NO_MODEL)]), *kept]


def for_programs(reports: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The same JSON-ready: each sentence in English, and what it is made of, so that it can be said in another language."""
    return [said.for_programs() for said in guarantees(reports)]


def of_model(
    settings: KAnonymitySettings, columns: Sequence[str], result: Mapping[str, Any]
) -> dict[str, Any]:
    """What a model that treated a table by itself rests on, was asked, and guarantees of the ``columns``: as a step of a run says it."""
    clauses, papers = K_ANONYMITY.basis(settings)
    said = {"clauses": clauses, **({"papers": papers} if papers else {}), "conditions": settings.conditions}
    step = {
        "technique": K_ANONYMITY.key,
        "columns": list(columns),
        "conditions": settings.conditions,
        "counts": {"rows_suppressed": result["suppressed"]},
        "result": result,
    }
    return said | {"guarantee": for_programs({"": {"steps": [step]}})}


def _listed(table: str, columns: Sequence[str]) -> str:
    return ", ".join(f"{table}.{column}" if table else column for column in columns)


def _model(
    step: Mapping[str, Any], result: Mapping[str, Any], columns: str, later: Sequence[Mapping[str, Any]]
) -> Iterator[Statement]:
    # Reports of earlier versions do not say what was asked.
    k = step.get("conditions", {}).get("k", "K")
    if "persons" in result:
        yield Statement.of("heuristic", HEURISTIC, columns=columns, k=k)
    else:
        yield Statement.of("heuristic_of_records", HEURISTIC_OF_RECORDS, columns=columns, k=k)
    counts = step.get("counts", {})
    starred = counts.get("rows_suppressed", 0) - counts.get("rows_removed", 0)
    if starred > 0:
        yield Statement.of("starred", STARRED, rows=starred, columns=columns)
    looked_at = {*step["columns"], *result.get("sensitive", ())}
    changed = [str(one["step"]) for one in later if _changes(one, looked_at)]
    if changed:
        yield Statement.of("changed_later", CHANGED_LATER, steps=", ".join(changed), columns=columns)


def _changes(step: Mapping[str, Any], columns: set[str]) -> bool:
    """Whether the step treated ``columns`` or took rows away. A column that goes makes no class smaller."""
    if catalogue.get(step["technique"]).scope is Scope.STRUCTURE:
        return False
    return step.get("counts", {}).get("rows_removed", 0) > 0 or not columns.isdisjoint(step["columns"])


def _varied(step: Mapping[str, Any], result: Mapping[str, Any], table: str) -> Iterator[Statement]:
    asked = step.get("conditions", {}).get("sensitive", {})
    for column in result.get("sensitive", ()):
        named = _listed(table, [column])
        if column in asked:
            bounds = bounds_in_symbols(asked[column])
            yield Statement.of("varied", VARIED, column=named, bounds=bounds)
        else:
            yield Statement.of("varied_unsaid", VARIED_UNSAID, column=named)


def bounds_in_symbols(asked: Mapping[str, Any]) -> str:
    """The bounds of one sensitive attribute as a run's report has them, in the symbols of their formulas."""
    recursive = (asked.get("recursive_c"), asked.get("recursive_l"))
    bounds = {
        "distinct": "l ≥ %s",
        "entropy": "H ≥ ln %s",
        "recursive": "r₁ < %s·(r_%s + … + r_m)",
        "t": "t ≤ %s",
        "beta": "β ≤ %s",
        "alpha": "α ≤ %s",
    }
    given = {**asked, **({"recursive": recursive} if None not in recursive else {})}
    return ", ".join(text % given[name] for name, text in bounds.items() if name in given)
