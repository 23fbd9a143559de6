"""What pages and papers say beside the gate: what kind of protection it is, what is left, and captions of charts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import Any, cast

from django.utils import translation

from projects.core.numbers import count, number, one_in, percent
from projects.processing.runs.services import notice_of
from projects.verification.models import Verification
from projects.verification.pages import _tally as tally
from projects.verification.pages import guarantee_of, rows_left_out
from projects.verification.presentation import charts, column_rows, statements
from tests.truth.statements import Statement, says
from tests.truth.statements.of_classes import _by_person, _groups, _starred, _visits
from tests.truth.statements.of_draws import judge as drawn
from tests.truth.statements.of_personal_levels import judge as requested
from tests.truth.statements.of_plans import judge as planned
from tests.truth.statements.of_runs import _DOMAINS, _HIERARCHIES, _model, _private, _private_visits
from tests.truth.tables import Judged, _parts, judged, matching, people, ran, step, written_of


class Shown:
    """A judged table and what is shown of it."""

    def __init__(self, judged_: Judged) -> None:
        self.j = judged_
        with translation.override("en"):
            texts = [*statements(judged_.found.report)]
            texts += [one["caption"] for one in charts(judged_.found).values() if one]
            self.tally = tally(cast(Verification, SimpleNamespace(results=judged_.found.checks)))
            texts += [one["unread"] for one in column_rows(judged_.found.report)]
            if judged_.report:
                texts += [guarantee_of({"": judged_.report})]
                texts += [
                    said for _label, said in rows_left_out(notice_of(dict(judged_.report)), judged_.steps)
                ]
            self.said = frozenset(part for one in texts for part in [one, *_parts(one)])

    def says(self, message: str) -> set[str]:
        # A figure of a list alone, which many sentences look like.
        return {self.tally} if message == "%(passed)s of %(all)s" else matching(self.said, message)


def _few(rows: int) -> Judged:
    return judged([{**row, "年龄": "80-99"} if n < rows else row for n, row in enumerate(people())])


def _in_words(rows: int) -> Judged:
    """So many ages of the result stand for values of the source of which nothing tells which they are."""
    return judged(
        written=[
            {**row, "年龄": "young" if n < rows else row["年龄"]}
            for n, row in enumerate(written_of(people()))
        ]
    )


TABLES: Mapping[str, Any] = {
    "safe": judged,
    "one alone": lambda: _few(1),
    "four alike": lambda: _few(4),
    "persons": lambda: _by_person(_visits()),
    "persons, one alone": lambda: _by_person(_visits(True)),
    "nobody": lambda: planned("nobody"),
    "all stars": lambda: judged(written=_starred(60)),
    "half the ages stars": lambda: judged(written=[
        {**row, "年龄": "*"} if n < 30 else row for n, row in enumerate(written_of(people()))
    ]),
    "an age in words": lambda: _in_words(1),
    "ages in words": lambda: _in_words(4),
    "strict": lambda: judged(overall_threshold=0.01),
    "no model": lambda: planned("no plan"),
    "k": lambda: _model(),
    "k of persons": lambda: _model(_visits(), key=("病历号",)),
    "k, varied": lambda: _model(sensitive={"诊断": {"distinct": 2, "alpha": 0.9}}),
    "k, starred": lambda: _model([*people(), {**people()[0], "性别": "未知"}], suppression_limit=0.1, suppressed_rows="star"),
    "k, sampled": lambda: ran(
        people(), step("model.k_anonymity", "性别", "年龄", k=5, hierarchies=_HIERARCHIES), step("statistical.sampling", "诊断", fraction=0.3)
    ),
    "varied, of before": lambda: _of_before(_model(sensitive={"诊断": {"distinct": 2, "alpha": 0.9}})),
    "as asked": lambda: requested("as asked"),
    "private": lambda: _private(1),
    "private twice": lambda: _private(1, 0.5),
    "private by person": lambda: _private_visits(),
    "private, of a sample": lambda: ran(
        people(400),
        step("statistical.sampling", "诊断", fraction=0.5),
        step("synthesis.private", "性别", "年龄", epsilon=1, domains=_DOMAINS),
    ),
    "trees": lambda: drawn("trees"),
    "sample": lambda: drawn("sample"),
    "groups": lambda: _groups(people()),
    "put together": lambda: _put_together(diagnosed=True),
    "one row each": lambda: _put_together(diagnosed=False),
}  # fmt: skip


def _of_before(found: Judged) -> Judged:
    """The same, where the run's report does not say what was asked."""
    steps = [
        {name: one for name, one in step.items() if name != "conditions"} for step in found.report["steps"]
    ]
    return replace(found, report={**found.report, "steps": steps})


def _put_together(*, diagnosed: bool) -> Judged:
    """One row of each patient, with all their diagnoses in it or with that of the row."""
    collected = {"诊断": "values"} if diagnosed else {}
    gone = step("suppression.remove_column", "病历号")
    return ran(
        _visits(), step("statistical.row_per_person", "诊断", collected=collected), gone, key=("病历号",)
    )


@cache
def judge(name: str) -> Shown:
    return Shown(TABLES[name]())


def _used(s: Shown, of: str) -> list[Mapping[str, Any]]:
    return [one for one in s.j.report.get("steps", ()) if one["technique"].startswith(of)]


def _formal(s: Shown) -> Any:
    for one in _used(s, "synthesis.private"):
        yield {"columns": ", ".join(one["columns"])}


def _alike(s: Shown) -> list[Mapping[str, Any]]:
    """The columns of each model's step with the k that its recipe asks for and its rows keep."""
    return [
        {"columns": ", ".join(one["columns"]), "k": one["parameters"]["k"]}
        for one in s.j.steps
        if one["technique"].startswith("model.")
    ]


def _all_starred(s: Shown) -> list[Mapping[str, Any]]:
    """Rows of the result that show no value of a model's columns."""
    found = []
    for one in s.j.steps:
        if one["technique"].startswith("model."):
            rows = sum(all(row[name] == "*" for name in one["columns"]) for row in s.j.written)
            found += [{"rows": rows, "columns": ", ".join(one["columns"])}] if rows else []
    return found


def _varied(s: Shown) -> Any:
    signs = {"distinct": "l ≥ ", "alpha": "α ≤ "}
    for one in s.j.steps:
        for column, asked in one["parameters"].get("sensitive", {}).items():
            bounds = ", ".join(f"{signs[name]}{limit}" for name, limit in asked.items() if name in signs)
            yield {"column": column, "bounds": bounds}


def _together(s: Shown) -> Any:
    spent = [one["result"] for one in _used(s, "synthesis.private")]
    epsilon, delta = sum(one["epsilon"] for one in spent), sum(one["delta"] for one in spent)
    return {"steps": len(spent), "epsilon": number(epsilon), "delta": number(delta)} if len(spent) > 1 else []


def _kind(s: Shown) -> str:
    if any(one["parameters"]["collected"] for one in s.j.steps if "row_per_person" in one["technique"]):
        return "persons"
    return (
        "groups" if _used(s, "statistical.aggregation") else "made up" if _used(s, "synthesis") else "records"
    )


def _left(s: Shown, kind: str) -> Any:
    if _kind(s) != kind:
        return []
    rows, kept = len(s.j.source), len(s.j.written)
    return {
        "out": count(kept),
        "all": count(rows),
        "removed": count(rows - kept),
        "share": percent((rows - kept) / rows),
    }


def _small(s: Shown, *, persons: bool) -> Any:
    few = _sizes(s) and min(_sizes(s)) < 5
    return {"k": 5} if few and (s.j.whose is not None) is persons else []


def _sizes(s: Shown) -> Sequence[int]:
    return [] if s is judge("nobody") else s.j.sizes


def _all_alike(s: Shown, *, persons: bool) -> Any:
    sizes = _sizes(s) if (s.j.whose is not None) is persons else []
    return {"n": count(min(sizes) - 1)} if sizes and min(sizes) >= 5 else []


def _before(s: Shown, *, persons: bool) -> Any:
    """The smallest class of the source by the same columns, and of the result."""
    if (s.j.whose is not None) is not persons or not _sizes(s):
        return []
    found: dict[Any, set[Any]] = {}
    for place, row in enumerate(s.j.source):
        found.setdefault(tuple(row[name] for name in s.j.quasi), set()).add(row.get("病历号", place))
    return {"before": count(min(map(len, found.values()))), "after": count(min(_sizes(s)))}


def _found(s: Shown, *, passes: bool) -> Any:
    if not _sizes(s):
        return []
    risk, allowed = 1 / min(_sizes(s)), s.j.risk.overall_threshold
    if (risk <= allowed) is not passes:
        return []
    with translation.override("en"):
        return {"measured": one_in(risk), "threshold": one_in(allowed), "times": number(risk / allowed)}


def _unread(s: Shown) -> int:
    return s.j.column("年龄").count("young")


def _starred_columns(s: Shown) -> Any:
    gone = [name for name in s.j.written[0] if {*s.j.column(name)} == {"*"}] if _sizes(s) else []
    return {"columns": ", ".join(gone)} if gone else []


_MADE = (
    "no model | k | k, varied | as asked | k of persons | private | private twice | private by person | trees"
)
_ROWS = "no model | sample | groups | put together | one row each | trees"
_SEEN = "safe | one alone | four alike | persons | persons, one alone | nobody"
STATEMENTS: list[Statement] = [
    says("Heuristic: K-anonymity over %(columns)s hides each row of a person", _MADE, lambda s: _alike(s) if s.j.whose is not None else []),
    says("Heuristic: K-anonymity over %(columns)s hides each record", _MADE, lambda s: _alike(s) if s.j.whose is None else []),
    says("Suppressed: %(rows)s rows stand in the result with * in place of", f"{_MADE} | k, starred", lambda s: _all_starred(s)),
    says("Later steps (%(steps)s) treated", f"{_MADE} | k, sampled", lambda s: [
        {"steps": "2", "columns": ", ".join(s.j.steps[0]["columns"])} for one in s.j.steps[1:] if _used(s, "model.") and one["technique"] == "statistical.sampling" and s.j.k < 5]),
    says("In each class the values of %(column)s keep", _MADE, lambda s: list(_varied(s))),
    says("In each class the values of %(column)s meet", f"{_MADE} | varied, of before", lambda s: [
        {"column": column} for one in s.j.report.get("steps", ()) if "conditions" not in one
        for column in one.get("result", {}).get("sensitive", ())]),
    says("Values of %(columns)s are as coarse as their persons asked", _MADE, lambda s: [
        {"columns": ", ".join(one["columns"])} for one in _used(s, "generalization.personal_levels")]),
    says("Formal, whatever anyone knows", _MADE, lambda s: list(_formal(s))),
    says("That holds for rows as earlier steps left them", f"{_MADE} | private, of a sample", lambda s: [
        {"steps": "1"} for _one in _used(s, "synthesis.private") if s.j.steps[0]["technique"] == "statistical.sampling"]),
    says("None beyond a test", _MADE, lambda s: [{"columns": ", ".join(one["columns"])} for one in _used(s, "synthesis.sequential")]),
    says("These budgets add up", _MADE, _together),
    says("None: no privacy model", _MADE, lambda s: not _used(s, "model.") and not _used(s, "synthesis")),
    says("%(out)s of %(all)s are in the result", _ROWS, lambda s: _left(s, "records")),
    says("%(out)s groups stand for records", _ROWS, lambda s: _left(s, "groups")),
    says("%(out)s records, each combined", _ROWS, lambda s: _left(s, "persons")),
    says("%(out)s rows with made-up values", _ROWS, lambda s: _left(s, "made up")),
    says("Some classes hold fewer than %(k)s records", _SEEN, lambda s: _small(s, persons=False)),
    says("Some classes hold fewer than %(k)s persons", _SEEN, lambda s: _small(s, persons=True)),
    says("Everyone shares their values with", _SEEN, lambda s: _all_alike(s, persons=True)),
    says("Every record shares its values with", _SEEN, lambda s: _all_alike(s, persons=False)),
    says("%(passed)s of %(all)s", f"{_SEEN} | strict", lambda s: {
        "passed": sum(one.passed is True for one in s.j.found.checks), "all": len(s.j.found.checks)}),
    says("%(n)s cell not understood", "safe | an age in words | ages in words", lambda s: [{"n": n} for n in [_unread(s)] if n == 1]),
    says("%(n)s cells not understood", "safe | an age in words | ages in words", lambda s: [{"n": n} for n in [_unread(s)] if n > 1]),
    says("Found %(measured)s; allowed is", f"{_SEEN} | strict", lambda s: _found(s, passes=True)),
    says("times as often as the threshold allows", f"{_SEEN} | strict", lambda s: _found(s, passes=False)),
    says("Records whose risk is above each threshold", "safe | one alone | persons", lambda s: _before(s, persons=False)),
    says("Persons whose risk is above each threshold", "safe | persons | persons, one alone", lambda s: _before(s, persons=True)),
    says("Every cell of %(columns)s became *", "safe | all stars | half the ages stars", _starred_columns),
]  # fmt: skip
