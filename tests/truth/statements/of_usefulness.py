"""What a utility target asks, and how values are prepared, in words: of each what it is, and of no other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from django.utils import translation

from projects.core.numbers import percent
from projects.objective.targets.utility import parse_utility, utility_rows
from projects.processing.recipes.pages import departure, preparation_of
from projects.verification.wording import translated
from tests.truth.statements import Statement, says
from tests.truth.tables import Judged, judged, matching, people, written_of


@dataclass(frozen=True)
class Wanted:
    """A utility target, or a recipe."""

    target: Mapping[str, Any] | None = None
    recipe: Mapping[str, Any] | None = None
    planned: tuple[str, ...] | None = None
    """The techniques that the plan prepares with, in its order; None: the plan does not say."""
    gate: Judged | None = None
    """What the gate says of a result by the target, and whether the result was made to miss it."""
    missed: bool = False

    def says(self, message: str) -> set[str]:
        with translation.override("en"):
            said = {row["plain"] for row in utility_rows([dict(self.target)])} if self.target else set()
            if self.gate is not None:
                said = {translated(one.plain) for one in self.gate.found.checks if one.kind == "utility"}
            said |= (
                {part for text in [preparation_of(self.recipe)[1]] for part in [text, *text.split("; ")]}
                if self.recipe
                else set()
            )
            if self.recipe and self.planned is not None:
                said |= {departure({"steps": [*self.planned], "explanation": "As agreed."}, self.recipe)} - {
                    ""
                }
        return matching(said, message)


def _target(kind: str, bound: float = 0.1, **more: Any) -> Wanted:
    return Wanted({"kind": kind, "bound": bound, **more})


def _recipe(*steps: tuple[str, str], planned: tuple[str, ...] | None = None, **more: Any) -> Wanted:
    content = {"steps": [{"technique": name, "columns": [column]} for name, column in steps], **more}
    return Wanted(recipe=content, planned=planned)


def _result(wanted: Wanted, **put: Any) -> Wanted:
    """A result as useful as its source, but for what is put into a column of every second row."""
    source = [{**row, "费用": str(100 + number)} for number, row in enumerate(people())]
    written = [
        {name: str(put[name]) if name in put and number % 2 else row[name] for name in row}
        for number, row in enumerate(written_of(source))
        if "rows" not in put or number % 2
    ]
    target = parse_utility([dict(wanted.target or {})])
    return replace(wanted, gate=judged(source, written, case={"utility": target}), missed=bool(put))


_REMOVED = ("suppression.remove_column", "姓名")
TABLES: Mapping[str, Any] = {
    "rows": lambda: _target("rows_retained", 0.9),
    "more rows": lambda: _target("rows_retained", 0.95),
    "stars": lambda: _target("suppressed_cells"),
    "stars of ages": lambda: _target("suppressed_cells", columns=["年龄"]),
    "missing": lambda: _target("missing_change", column="年龄"),
    "mean": lambda: _target("mean_change", column="费用"),
    "distribution": lambda: _target("total_variation", column="诊断"),
    "association": lambda: _target("association_change", columns=["性别", "诊断"]),
    "categories": lambda: _target("categories_kept", 0.8, column="诊断"),
    "nothing said": lambda: _recipe(_REMOVED),
    "nothing, by choice": lambda: _recipe(_REMOVED, unprepared="One form by the data dictionary."),
    "normalised": lambda: _recipe(("preparation.normalise", "就诊日期"), _REMOVED),
    "normalised later, and sampled": lambda: _recipe(_REMOVED, ("preparation.normalise", "诊断"), ("statistical.sampling", "诊断")),
    "as planned": lambda: _recipe(("preparation.normalise", "就诊日期"), _REMOVED, planned=("preparation.normalise",)),
    "in another order": lambda: _recipe(
        ("preparation.normalise", "诊断"), ("statistical.sampling", "诊断"), planned=("statistical.sampling", "preparation.normalise")),
    "against a plan of nothing": lambda: _recipe(("statistical.sampling", "诊断"), _REMOVED, planned=()),
    "nothing, against the plan": lambda: _recipe(_REMOVED, unprepared="One form everywhere.", planned=("preparation.normalise",)),
    "nothing, as planned": lambda: _recipe(_REMOVED, unprepared="One form everywhere.", planned=()),
}  # fmt: skip


TABLES = {
    **TABLES,
    "half the rows": lambda: _result(judge("rows"), rows=0),
    "all rows": lambda: _result(judge("rows")),
    "half the ages stars": lambda: _result(judge("stars of ages"), 年龄="*"),
    "half of all cells stars": lambda: _result(judge("stars"), 年龄="*", 诊断="*", 性别="*", 费用="*"),
    "no stars": lambda: _result(judge("stars of ages")),
    "half the ages empty": lambda: _result(judge("missing"), 年龄=""),
    "all ages": lambda: _result(judge("missing")),
    "half of it costs more": lambda: _result(judge("mean"), 费用=900),
    "it costs as much": lambda: _result(judge("mean")),
    "half have influenza": lambda: _result(judge("distribution"), 诊断="流感"),
    "illnesses as they were": lambda: _result(judge("distribution")),
    "illnesses gone": lambda: replace(_result(judge("categories"), rows=0), **_one_illness("categories")),
    "all illnesses": lambda: _result(judge("categories")),
    "illness by sex": lambda: replace(_result(judge("association"), rows=0), **_one_illness("association")),
    "illness whatever the sex": lambda: _result(judge("association")),
}  # fmt: skip


def _one_illness(kind: str) -> dict[str, Any]:
    """A result in which men have one illness and women another."""
    source = people()
    written = [{**row, "诊断": {"男": "流感"}.get(row["性别"], "肺炎")} for row in written_of(source)]
    return {
        "gate": judged(source, written, case={"utility": parse_utility([dict(judge(kind).target or {})])})
    }


@cache
def judge(name: str) -> Wanted:
    return TABLES[name]()


def _of(kind: str, *, missed: bool = False) -> Any:
    def asked(w: Wanted) -> Any:
        if w.target is None or w.target["kind"] != kind or w.missed is not missed:
            return []
        columns = w.target.get("columns") or [w.target[name] for name in ("column",) if name in w.target]
        return {"bound": percent(w.target["bound"]), "columns": ", ".join(columns) or "all columns"}

    return asked


def _prepared(w: Wanted) -> Any:
    names = {"preparation.normalise": "Normalisation", "statistical.sampling": "Sampling"}
    for number, step in enumerate((w.recipe or {}).get("steps", ()), start=1):
        if step["technique"] in names:
            yield {"number": number, "technique": names[step["technique"]], "columns": step["columns"][0]}


def _departs(w: Wanted) -> Any:
    if w.recipe is None or w.planned is None:
        return []
    names = {"preparation.normalise": "Normalisation", "statistical.sampling": "Sampling"}
    found = tuple(step["technique"] for step in w.recipe["steps"] if step["technique"] in names)
    plan = " → ".join(names[name] for name in w.planned) or "Nothing is prepared"
    return [] if found == w.planned else {"plan": plan}


_ALL = " | ".join(TABLES)
STATEMENTS: list[Statement] = [
    says("At least %(bound)s of the rows are still", _ALL, _of("rows_retained")),
    says("At most %(bound)s of the cells", _ALL, _of("suppressed_cells")),
    says("The share of empty cells in %(columns)s changes by at most %(bound)s.", _ALL, _of("missing_change")),
    says("The mean of %(columns)s moves by at most %(bound)s of its value.", _ALL, _of("mean_change")),
    says("At most %(bound)s of the distribution", _ALL, _of("total_variation")),
    says("The association of %(columns)s changes by at most %(bound)s.", _ALL, _of("association_change")),
    says("At least %(bound)s of the different values", _ALL, _of("categories_kept")),
    says("Fewer than %(bound)s of the rows are still", _ALL, _of("rows_retained", missed=True)),
    says("More than %(bound)s of the cells", _ALL, _of("suppressed_cells", missed=True)),
    says("The share of empty cells in %(columns)s changes by more than %(bound)s.", _ALL, _of("missing_change", missed=True)),
    says("The mean of %(columns)s moves by more than %(bound)s of its value.", _ALL, _of("mean_change", missed=True)),
    says("More than %(bound)s of the distribution", _ALL, _of("total_variation", missed=True)),
    says("The association of %(columns)s changes by more than %(bound)s.", _ALL, _of("association_change", missed=True)),
    says("Fewer than %(bound)s of the different values", _ALL, _of("categories_kept", missed=True)),
    says("None, by choice: ", _ALL, lambda w: [
        {"reason": w.recipe["unprepared"].rstrip(".")}] if w.recipe and "unprepared" in w.recipe else []),
    says("Not stated: the recipe prepares nothing", _ALL, lambda w: bool(w.recipe) and "unprepared" not in w.recipe and not [*_prepared(w)]),
    says("The approved plan says: ", _ALL, _departs),
    says("step %(number)s, %(technique)s", "nothing said | normalised", lambda w: list(_prepared(w))),
]  # fmt: skip
