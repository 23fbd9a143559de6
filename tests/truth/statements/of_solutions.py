"""What the page of solutions and the comparison of candidates say: worked out by going through every solution."""

from __future__ import annotations

import io
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from types import SimpleNamespace
from typing import Any, cast

from django.utils import translation

from projects.core.numbers import count, percent
from projects.processing.models import Exploration
from projects.processing.solutions import pages
from projects.processing.solutions.exploration import space_of, what_if_of
from projects.verification.comparison.measurement import measure_candidate
from projects.verification.comparison.pages import shown as compared
from projects.verification.models import Comparison
from projects.verification.reports.comparison import CandidateResult
from techniques.recipe.recipe import Recipe
from tests.truth.statements import Statement, says
from tests.truth.tables import CSV, Judged, Row, _bytes, judged, kept, matching, people, ran, step, written_of

_AGES = ["20-39", "40-59", "60-79", "80-99"]
_COLUMNS = ("性别", "年龄")
_HIERARCHIES = {
    "性别": {"kind": "star"},
    "年龄": {"kind": "table", "rows": [[age, "<60" if age < "6" else "≥60"] for age in _AGES]},
}
_ABOVE = {
    "性别": [lambda value: value, lambda value: "*"],
    "年龄": [lambda value: value, lambda value: "<60" if value < "6" else "≥60", lambda value: "*"],
}
Levels = tuple[int, ...]


@dataclass(frozen=True)
class Solved:
    """Rows, what a search for a generalisation of sex and age may do, and what its page says."""

    rows: Sequence[Row]
    k: int = 5
    lowest: Mapping[str, int] | None = None
    highest: Mapping[str, int] | None = None
    fine: int = 0
    """So many levels more of each column, which change nothing."""

    def says(self, message: str) -> set[str]:
        return matching(self.said, message)

    @cached_property
    def shown(self) -> Mapping[str, Any]:
        hierarchies: dict[str, Any] = _HIERARCHIES
        if self.fine:
            values = {"性别": ["男", "女"], "年龄": _AGES}
            hierarchies = {
                name: {"kind": "table", "rows": [[one] * (self.fine + 1) for one in values[name]]}
                for name in _COLUMNS
            }
        search = step(
            "model.k_anonymity", *_COLUMNS, k=self.k, hierarchies=hierarchies, suppression_limit=0.0,
            minimum_levels=dict(self.lowest or {}), maximum_levels=dict(self.highest or {}),
        )  # fmt: skip
        rows = [{name: row[name] for name in (*_COLUMNS, "诊断")} for row in self.rows]
        content = {"recipe": 1, "steps": [search, kept("诊断")]}
        recipe, file = Recipe.from_data(content), _bytes(rows)
        result = {
            "space": space_of(recipe, io.BytesIO(file), CSV, lambda share: None),
            "what_if": what_if_of(recipe, io.BytesIO(file), CSV, lambda share: None),
            "frontier": [],
        }
        table = SimpleNamespace()
        version = SimpleNamespace(part_of=lambda of: content)
        about = SimpleNamespace(
            result=result, chosen_levels=None, recipe_version=version, dataset=SimpleNamespace(table=table)
        )
        with translation.override("en"):
            return pages.shown(cast(Exploration, about), every=False)

    @cached_property
    def said(self) -> frozenset[str]:
        texts = [self.shown["count"], *(one["plain"] for one in self.shown["what_if"])]
        return frozenset(part for text in texts for part in re.split(r"(?<=\.) ", text))

    def heights(
        self, columns: Sequence[str] = _COLUMNS, lowest: Mapping[str, int] | None = None
    ) -> Iterator[Levels]:
        """Every combination of levels that is allowed."""
        low = {**(self.lowest or {}), **(lowest or {})}
        return itertools.product(*(range(low.get(name, 0), self.top(name) + 1) for name in columns))

    def top(self, name: str) -> int:
        """The highest level that the column may have."""
        return (self.highest or {}).get(name, self.fine + 1 if self.fine else len(_ABOVE[name]) - 1)

    def words(self, name: str, level: int) -> str:
        """What a level is called."""
        if level == 0:
            return "as it was"
        whole = self.fine + 1 if self.fine else len(_ABOVE[name]) - 1
        if level == whole:
            return "suppressed: every value is *"
        values = {"性别": ["男", "女"], "年龄": _AGES}[name]
        groups = list(dict.fromkeys(values if self.fine else map(_ABOVE[name][level], values)))
        named = ", ".join(groups[:3])
        return f"{len(groups)} groups, such as {named}" if len(groups) > 3 else f"the groups {named}"

    def keeps(self, levels: Levels, columns: Sequence[str] = _COLUMNS) -> bool:
        """Whether every class has k records."""
        if self.fine:
            values = [
                ["*" if level > self.fine else row[name] for name, level in zip(columns, levels, strict=True)]
                for row in self.rows
            ]
        else:
            values = [
                [_ABOVE[name][level](row[name]) for name, level in zip(columns, levels, strict=True)]
                for row in self.rows
            ]
        return min(Counter(map(tuple, values)).values()) >= self.k

    def lowest_of(
        self, columns: Sequence[str] = _COLUMNS, lowest: Mapping[str, int] | None = None
    ) -> Levels | None:
        """The one solution that is nowhere coarser than any other; None where nothing keeps the conditions."""
        good = [one for one in self.heights(columns, lowest) if self.keeps(one, columns)]
        if not good:
            return None
        least = tuple(map(min, zip(*good, strict=True)))
        assert least in good, "these tables have one solution that all others are coarser than"
        return least

    def changes(self) -> Iterator[tuple[Mapping[str, int] | None, str]]:
        """What each change leads to (column → level), and the column that it is about."""
        now = self.lowest_of()
        for name in _COLUMNS:
            (other,) = {*_COLUMNS} - {name}
            found = self.lowest_of([other])
            yield (None if found is None else {other: found[0]}), name
            if now is None:
                continue
            at = now[_COLUMNS.index(name)] + 1
            if at <= self.top(name):
                found = self.lowest_of(lowest={name: at})
                yield (None if found is None else dict(zip(_COLUMNS, found, strict=True))), name


def _alike(*groups: tuple[str, str, int]) -> list[Row]:
    """So many people of each sex and age."""
    wanted = [(sex, age) for sex, age, number in groups for _ in range(number)]
    found = people(len(wanted))
    return [{**row, "性别": sex, "年龄": age} for row, (sex, age) in zip(found, wanted, strict=True)]


_YOUNG = [("男", "20-39", 9), ("女", "20-39", 9)]


@dataclass(frozen=True)
class Compared:
    """Runs of which one may go forward, by numbers."""

    judged: Mapping[int, Judged]

    @cached_property
    def results(self) -> Mapping[int, CandidateResult]:
        return {
            number: measure_candidate({"": one.case}, [], lambda share: None)
            for number, one in self.judged.items()
        }

    def says(self, message: str) -> set[str]:
        candidates = [found.model_copy(update={"number": number}) for number, found in self.results.items()]
        about = SimpleNamespace(candidates=candidates, chosen_run_id=None)
        with translation.override("en"):
            return matching({compared(cast(Comparison, about))["caption"]}, message)

    @property
    def good(self) -> list[int]:
        """The runs of which every check passed."""
        return [
            number
            for number, one in self.judged.items()
            if all(row.passed is True for row in one.found.checks)
        ]


def _without_ages() -> Judged:
    return judged(written=[{**row, "年龄": "20-59"} for row in written_of(people())])


def _alone() -> Judged:
    return judged([{**row, "年龄": "80-99"} if n == 7 else row for n, row in enumerate(people())])


def _names_only() -> Judged:
    """Nothing is in it but a direct identifier, which became something else."""
    rows = [{"姓名": row["姓名"]} for row in people()]
    return ran(rows, step("pseudonymization.keyed_hash", "姓名"))


TABLES: Mapping[str, Any] = {
    "all alike": lambda: Solved(people()),
    "few old women": lambda: Solved(_alike(*_YOUNG, ("男", "80-99", 3), ("女", "80-99", 3)), highest={"性别": 0}),
    "men by age": lambda: Solved(_alike(*_YOUNG, ("男", "40-59", 9), ("女", "40-59", 2)), highest={"性别": 0}),
    "one alone, nothing may be coarser": lambda: Solved(_alike(*_YOUNG, ("男", "80-99", 1)), highest={"性别": 0, "年龄": 0}),
    "sexes may not be coarser, one alone": lambda: Solved(_alike(*_YOUNG, ("其他", "40-59", 1)), highest={"性别": 0}),
    "one choice": lambda: Solved(people(), highest={"性别": 0, "年龄": 0}),
    "many levels": lambda: Solved(people(), fine=20),
    "candidates": lambda: Compared({1: _without_ages(), 2: judged(), 3: _alone()}),
    "candidates, the other way": lambda: Compared({4: judged(), 5: _without_ages()}),
    "none good": lambda: Compared({1: _alone(), 2: _alone()}),
    "nothing to measure": lambda: Compared({1: _names_only()}),
}  # fmt: skip


@cache
def judge(name: str) -> Any:
    return TABLES[name]()


_SOLVED = (
    "all alike | few old women | men by age | one alone, nothing may be coarser | one choice | "
    "sexes may not be coarser, one alone | many levels"
)


def _moved(s: Solved) -> Iterator[tuple[bool, str]]:
    """Of each change that leads to a solution: whether there is one now, and which other columns change, in words."""
    now = s.lowest_of()
    for found, about in s.changes():
        if found is None:
            continue
        before = dict(zip(_COLUMNS, now, strict=True)) if now else {}
        moved = [name for name in found if name != about and before.get(name) != found[name]]
        yield now is not None, "; ".join(f"{name}: {s.words(name, found[name])}" for name in moved)


def _looked_at(s: Solved) -> int:
    """All solutions where these are few, else 400 of them."""
    return min(len([*s.heights()]), 400)


def _complete(s: Solved) -> bool:
    return len([*s.heights()]) <= 400


def _good(s: Solved) -> int:
    """Where not all are looked at, all of them keep the conditions."""
    return sum(map(s.keeps, s.heights())) if _complete(s) else _looked_at(s)


def _most(c: Compared) -> Any:
    """Of the good runs the one whose result tells most ages apart; none of the good ones has more."""
    if not c.good or not any("年龄" in one.written[0] for one in c.judged.values()):
        return []
    run = max(c.good, key=lambda number: len({*c.judged[number].column("年龄")}))
    return {"run": run, "detail": percent(c.results[run].figures.detail_mean or 0.0)}


_RUNS = "candidates | candidates, the other way | none good | nothing to measure"
STATEMENTS: list[Statement] = [
    says("The search has %(n)s solution to choose", _SOLVED, lambda s: [{"n": "1"}] if _looked_at(s) == 1 else []),
    says("The search has %(n)s solutions to choose", _SOLVED, lambda s: [
        {"n": count(n)} for n in [_looked_at(s)] if n > 1 and _complete(s)]),
    says("The search has %(all)s solutions to choose", _SOLVED, lambda s: [
        {"all": count(len([*s.heights()])), "n": count(_looked_at(s))}] if not _complete(s) else []),
    says("%(good)s of these keep the conditions", _SOLVED, lambda s: {"good": count(_good(s))}),
    says("Even then the search finds no solution", _SOLVED, lambda s: any(found is None for found, _about in s.changes())),
    says("A solution keeps the conditions", _SOLVED, lambda s: [
        {"levels": said} for has_one, said in _moved(s) if not has_one]),
    says("Then %(levels)s.", _SOLVED, lambda s: [{"levels": said} for has_one, said in _moved(s) if has_one and said]),
    says("The other columns stay as they are", _SOLVED, lambda s: any(has_one and not said for has_one, said in _moved(s))),
    says("None of the candidates meets every target", _RUNS, lambda c: not c.good),
    says("Of the candidates that meet every target", _RUNS, _most),
    says("It was not measured how much detail", _RUNS, lambda c: c is judge("nothing to measure")),
]  # fmt: skip
