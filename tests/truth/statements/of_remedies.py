"""What would mend a result that fails: what a search is asked, what was tried, and what a remedy costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any
from unittest.mock import patch

from django.utils import translation

from projects.core.numbers import count, percent
from projects.verification.presentation import gate_rows
from projects.verification.remedies.presentation import remedy_tables
from projects.verification.remedies.search import work_out
from techniques.anonymization.remedies import remedies
from techniques.data_utility.targets import parse
from tests.truth.statements import Statement, says
from tests.truth.tables import Judged, Row, Step, matching, people, ran, step

_STAR = {"kind": "star"}
_AGES_KEPT = {"kind": "categories_kept", "bound": 1.0, "column": "年龄"}
_FEW_STARS = {"kind": "suppressed_cells", "bound": 0.1, "columns": ["年龄"]}


@dataclass(frozen=True)
class Failing:
    """A judged result with what was searched for it. ``leads``: columns that lead to another table."""

    j: Judged
    leads: Sequence[str] = ()
    seconds: float = 60.0

    def says(self, message: str) -> set[str]:
        return matching(self.said, message)

    @cached_property
    def said(self) -> frozenset[str]:
        report, checks = self.j.found.report, self.j.found.checks
        with patch.dict(remedies.__kwdefaults__, {"pair_seconds": self.seconds}):
            report.remedies = work_out(self.j.case, checks, report, lambda share: None, keys=self.leads)
        with translation.override("en"):
            (shown,) = remedy_tables(report)
            asked = shown.requirements
            texts = [shown.problem, asked, asked[asked.index(", an ") :] if ", an " in asked else ""]
            texts += _sentences(shown.pairs)
            texts += [line for row in shown.rows for line in (*row.missed, row.text)]
            lines = [line.cost for row in gate_rows(checks, report) for line in row.remedies]
            texts += [cost.split(" (")[0].split(" ·")[0] for cost in lines]
        return frozenset(filter(None, texts))

    @property
    def quasi(self) -> list[str]:
        return self.model["columns"] if self.model else self.j.quasi

    @property
    def model(self) -> Step | None:
        return next((one for one in self.j.steps if one["technique"].startswith("model.")), None)

    @property
    def searched(self) -> bool:
        """Whether anything was searched: nothing stands in the way."""
        return not self.leads and not self.before and not self.lacking

    @property
    def before(self) -> list[str]:
        """Quasi-identifiers that another step treats as well."""
        named = [
            name
            for one in self.j.steps
            if one is not self.model and one["technique"] != "as_is"
            for name in one["columns"]
        ]
        return sorted({*named} & {*self.j.quasi})

    @property
    def lacking(self) -> bool:
        """Whether variety is asked for that the model knows nothing of."""
        return (
            self.j.risk.l is not None and self.model is not None and not self.model["parameters"]["sensitive"]
        )

    @property
    def bound(self) -> list[str]:
        return [*self.model["parameters"]["maximum_levels"]] if self.model else []

    @property
    def local(self) -> bool:
        return self.model is not None and self.model["parameters"]["recoding"] == "local"

    @property
    def singles(self) -> list[tuple[str, str]]:
        """Every change of the search: recoding locally, lifting the bounds of a column, removing it."""
        found = [] if self.local else [("local", "")]
        return (
            found
            + [("unbind", name) for name in self.bound]
            + [("drop", name) for name in self.quasi if len(self.quasi) > 1]
        )

    @property
    def pairs(self) -> int:
        """Two changes of different columns that leave a column."""
        changes = self.singles
        fit = [
            (one, two)
            for place, one in enumerate(changes)
            for two in changes[place + 1 :]
            if not (one[1] and one[1] == two[1]) and len(self.quasi) > (one[0] == "drop") + (two[0] == "drop")
        ]
        return len(fit)

    @property
    def enough(self) -> bool:
        """Whether one change is enough: after it every class has k records, and every age is still told apart where that is asked."""
        if self.j.case.utility:
            return False
        return any(self._helps(kind, name) for kind, name in self.singles)

    def _helps(self, kind: str, name: str) -> bool:
        """Columns that may not be generalised stay as they are; the others can always become ``*``."""
        fixed = [one for one in self.bound if (kind, one) != ("unbind", one) or one != name]
        stay = [one for one in fixed if not (kind == "drop" and one == name)]
        sizes = Counter(tuple(row[one] for one in stay) for row in self.j.source)
        return not stay or min(sizes.values()) >= self.j.risk.k


def _sentences(text: str) -> list[str]:
    first, _dot, rest = text.partition(". ")
    return [f"{first}.", rest]


def _rows(*alone: tuple[str, str]) -> list[Row]:
    """People of whom some are the only ones with a value of a column."""
    found = [dict(row) for row in people()]
    for place, (column, value) in enumerate(alone):
        found[7 + place][column] = value
    return found


def _of(
    rows: Sequence[Row],
    *bound: str,
    columns: Sequence[str] = ("性别", "年龄"),
    more: Sequence[Step] = (),
    **settings: Any,
) -> Judged:
    """A model that may suppress nothing and generalise none of ``bound``; it asks for 2 alike where 5 are wanted."""
    targets = {
        name: settings.pop(name)
        for name in ("l", "measure", "average_risk", "overall_threshold")
        if name in settings
    }
    utility = parse(settings.pop("utility", []))
    model = step(
        "model.k_anonymity", *columns, **{
            "k": 2, "suppression_limit": 1.0, "hierarchies": dict.fromkeys(columns, _STAR),
            "maximum_levels": dict.fromkeys(bound, 0), **settings,
        },
    )  # fmt: skip
    left = [step("suppression.remove_column", "性别")] if "性别" not in columns else []
    return ran(rows, *more, model, *left, case={"utility": utility}, suppression_limit=0.0, **targets)


_ONE, _TWO = [("年龄", "80-99")], [("年龄", "80-99"), ("性别", "其他")]
_BOTH = ("性别", "年龄")
TABLES: Mapping[str, Any] = {
    "one alone": lambda: Failing(_of(_rows(*_ONE), *_BOTH)),
    "one alone, average asked": lambda: Failing(
        _of(_rows(*_ONE), *_BOTH, measure="strict_average", average_risk=0.1, overall_threshold=0.1)
    ),
    "two alone": lambda: Failing(_of(_rows(*_TWO), *_BOTH)),
    "two alone, no time": lambda: Failing(_of(_rows(*_TWO), *_BOTH), seconds=-1),
    "ages wanted": lambda: Failing(_of(_rows(*_ONE), "年龄", columns=["年龄"], utility=[_AGES_KEPT])),
    "ages of both wanted": lambda: Failing(_of(_rows(*_ONE), *_BOTH, utility=[_AGES_KEPT])),
    "few stars wanted": lambda: Failing(_of(_rows(*_ONE), *_BOTH, utility=[_FEW_STARS])),
    "leads elsewhere": lambda: Failing(_of(_rows(*_ONE), *_BOTH), leads=["年龄"]),
    "treated before": lambda: Failing(
        _of(_rows(*_ONE), *_BOTH, more=[step("suppression.rare_values", "性别", minimum_count=2)])
    ),
    "variety asked": lambda: Failing(_of(_rows(*_ONE), *_BOTH, l=2)),
}  # fmt: skip


@cache
def judge(name: str) -> Failing:
    return TABLES[name]()


def _tried(m: Failing) -> int:
    """Of each column one change, and local recoding, two by two; ten at the most."""
    kinds = len({name for _kind, name in m.singles})
    return min(10, kinds * (kinds - 1) // 2)


def _paired(m: Failing) -> bool:
    return m.searched and not m.enough and m.pairs > 0


def _kept(m: Failing) -> Iterator[Mapping[str, Any]]:
    """Without the ages the detail of the sexes is left, of what both could lose; where both go, nothing is."""
    if _paired(m) and not m.j.case.utility and m.seconds > 0:
        yield {"kept": percent(0)}
    if m.searched and m.enough:
        room = {name: 1 - 1 / len({row[name] for row in m.j.source}) for name in m.quasi}
        yield {"kept": percent(room["性别"] / sum(room.values()))}


def _missed(m: Failing, kind: str, label: str, measured: float) -> Any:
    """Every change that hides who is alone makes ``*`` of all ages."""
    wanted = [one for one in m.j.case.utility if one.kind == kind]
    return [{"target": label, "measured": percent(measured), "bound": percent(one.bound)} for one in wanted]


def _unmeasured(m: Failing) -> Any:
    """Without the column that a target is about."""
    return [{"target": _LABELS[one.kind]} for one in m.j.case.utility if ("drop", "年龄") in m.singles]


_ALL = " | ".join(TABLES)
_LABELS = {
    "categories_kept": "Share of categories kept: 年龄",
    "suppressed_cells": "Share of suppressed cells: 年龄",
}
STATEMENTS: list[Statement] = [
    says("%(columns)s leads to another table", _ALL, lambda m: {"columns": ", ".join(m.leads)} if m.leads else []),
    says("Another step treats", _ALL, lambda m: {"columns": ", ".join(m.before)} if m.before and not m.leads else []),
    says("The model does not keep every condition", _ALL, lambda m: {"columns": "诊断"} if m.lacking else []),
    says(", an average risk of at most", _ALL, lambda m: [
        {"average": percent(m.j.risk.average_risk)}] if m.searched and m.j.risk.average_risk is not None else []),
    says("No single change is enough", _ALL, _paired),
    says("No combinations of two changes were tried", _ALL, lambda m: _paired(m) and m.seconds < 0),
    says("Two changes at once: there is", _ALL, lambda m: [
        {"possible": "1", "tried": "1"}] if _paired(m) and m.pairs == 1 and m.seconds > 0 else []),
    says("Two changes at once: of", _ALL, lambda m: [
        {"possible": count(m.pairs), "tried": count(_tried(m))}] if _paired(m) and m.pairs > 1 and m.seconds > 0 else []),
    says("keeps %(kept)s of", _ALL, lambda m: list(_kept(m))),
    says("%(target)s: can no longer", _ALL, _unmeasured),
    says("%(target)s: %(measured)s, at least", _ALL, lambda m: _missed(m, "categories_kept", _LABELS["categories_kept"], 0)),
    says("%(target)s: %(measured)s, at most", _ALL, lambda m: _missed(m, "suppressed_cells", _LABELS["suppressed_cells"], 1)),
]  # fmt: skip
