"""What would make the view that joins all tables pass: columns whose removal from the written results is enough.

Works in the worker, on plain data, like :mod:`.search`. A model works on one table, so nothing coarser is searched for
over several; but a result without one of its columns is known to the last row before anything is run.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from projects.processing.recipes.suggestion import SAMPLING
from techniques.catalogue.family import Family
from techniques.core.messages import EngineError
from techniques.data_utility.detail import detail_kept
from techniques.data_utility.targets import RowsRetained, SuppressedCells
from techniques.disclosure_risk.joined import JoinedRisk, joined_risks

from ..gate.case import Case, own_cases
from ..gate.check import Tick, problem_text
from ..gate.checks.joined import Joined, joined_k, joined_tables
from ..gate.checks.losses.utility import Utility
from ..reports.gate import CheckResult, Measurement
from ..reports.remedies import Expected, NamedTarget, Pairs, ViewOutcome, ViewRemedies, ViewRemedy
from ..reports.stored import Number
from .search import target_named

if TYPE_CHECKING:
    from techniques.disclosure_risk.joined import Link
    from techniques.recipe.recipe_set import Place

_PROMISING = 5
"""Columns that are put together two by two where none is enough; ten pairs at the most."""
_PAIR_SECONDS = 60.0
_DRAWS = frozenset({Family.RANDOMISATION, Family.SYNTHESIS})
Measured = Callable[[Sequence["Place"], Sequence[JoinedRisk]], ViewRemedy]


def joined_needed(results: Sequence[CheckResult]) -> bool:
    """Whether the joined view was measured and failed."""
    return any(result.passed is False and result.kind == Joined.kind for result in results)


def work_out_joined(
    cases: Mapping[str, Case], links: Sequence[Link], measured: Measurement, tick: Tick
) -> ViewRemedies:
    """Remedies by what they keep: columns to remove as a last step, and what the joined view then is.

    ``now`` is the view as it is. Every column by itself is among the remedies, also those that are not enough, for they
    say which columns carry the risk; where none is enough, of the most promising pairs those that are. ``draws``: the
    recipe draws at random, so that the next run writes other values. ``problem`` says why there are none.
    """
    needed = joined_k(cases)
    own = own_cases(cases)
    made = ViewRemedies(
        needed=needed,
        draws=any(_draws(case) for case in own.values()),
        utility=[_named(target, name) for name, case in own.items() for target in case.utility],
        now=None,
        found=[],
        pairs=None,
        problem=None,
    )
    tables = joined_tables(cases, links)
    keys = {place for link in links for place in (link.source, link.target)}
    places = [
        (name, column)
        for name, one in tables.items()
        for column in one.quasi
        if any(table == name for table, _column in keys) and (name, column) not in keys
    ]

    def measure(gone: Sequence[Collection[Place]], ticked: Tick) -> list[list[JoinedRisk]]:
        return joined_risks(tables, links, target_k=needed, without=gone, tick=ticked)

    try:
        detail = _detail(own, places)
        tick(0.2)
        sets: list[tuple[Place, ...]] = [(), *((place,) for place in places)]
        risks = measure(sets, lambda share: tick(0.2 + 0.4 * share))
        remedy = _remedies(own, measured, detail, needed)
        now, *single = (remedy(gone, one) for gone, one in zip(sets, risks, strict=True))
        found = single
        if not any(one.outcome.passes for one in single):
            pairs, made.pairs = _pairs(single, measure, remedy, lambda share: tick(0.6 + 0.4 * share))
            found = [*pairs, *single]
    except EngineError as error:
        made.problem = problem_text(error)
        return made
    tick(1.0)
    made.now, made.found = now.outcome, sorted(found, key=_cheapest)
    return made


def _named(target: object, table: str) -> NamedTarget:
    named = target_named(target)
    named.table = table
    return named


def _cheapest(remedy: ViewRemedy) -> tuple[bool, Number, int]:
    """What passes first, by what it keeps; then what leaves fewest persons in small classes."""
    one = remedy.outcome
    return not one.passes, -one.kept if one.passes else float(one.below), -one.k


def _draws(case: Case) -> bool:
    return any(step.technique == SAMPLING or step.spec.family in _DRAWS for step in case.recipe.steps)


def _detail(own: Mapping[str, Case], places: Sequence[Place]) -> dict[Place, float]:
    """How much of the detail of each quasi-identifier the result still has, 0 to 1."""
    kept: dict[Place, float] = {}
    for name, case in own.items():
        columns = [column for table, column in places if table == name]
        if columns:
            found = detail_kept(case.source.batches(), case.result.batches(), columns)
            kept |= {(name, column): share for column, share in found.items()}
    return kept


def _remedies(
    own: Mapping[str, Case], measured: Measurement, detail: Mapping[Place, float], needed: int
) -> Measured:
    def remedy(gone: Sequence[Place], risks: Sequence[JoinedRisk]) -> ViewRemedy:
        utility = [one for name, case in own.items() for one in _utility(name, case, measured, gone)]
        k = min((one.k for one in risks), default=0)
        outcome = ViewOutcome(
            k=k,
            below=max((one.below for one in risks), default=0),
            kept=sum(share for place, share in detail.items() if place not in gone) / max(len(detail), 1),
            utility=utility,
            passes=bool(risks) and k >= needed and not any(one.breaks for one in utility),
        )
        return ViewRemedy(columns=[list(place) for place in gone], outcome=outcome)

    return remedy


def _utility(name: str, case: Case, measured: Measurement, gone: Sequence[Place]) -> list[Expected]:
    """What each utility target of one table measures once the columns are gone; the others stay as they are.

    ``breaks``: the target is missed then, and was not before; the remedy does not answer for what is missed anyway.
    """
    columns = {column for table, column in gone if table == name}
    results, report = measured.of(name)
    was = [result for result in results if result.kind == Utility.kind]
    if len(was) != len(case.utility):
        return [Expected(measured=None, passes=None, breaks=False) for _target in case.utility]
    found = []
    for target, result in zip(case.utility, was, strict=True):
        expected: tuple[Number | None, bool | None] = result.measured, result.passed
        if columns and not isinstance(target, RowsRetained):
            if columns & {*target.needed_columns()}:
                expected = None, False
            elif isinstance(target, SuppressedCells) and not target.columns:
                stars = {one.column: one.suppressed[1] for one in report.columns}
                left = [stars.get(column) for column in case.result.columns() if column not in columns]
                expected = None, None
                if left and None not in left:
                    share = sum(one for one in left if one) / len(left)
                    expected = share, target.passes(share)
        value, passes = expected
        found.append(
            Expected(measured=value, passes=passes, breaks=passes is False and result.passed is not False)
        )
    return found


def _pairs(
    single: Sequence[ViewRemedy],
    measure: Callable[[Sequence[Collection[Place]], Tick], list[list[JoinedRisk]]],
    remedy: Measured,
    tick: Tick,
) -> tuple[list[ViewRemedy], Pairs]:
    """The pairs of the most promising columns that are enough, and how many were tried of how many there are."""
    end = time.monotonic() + _PAIR_SECONDS
    promising = sorted(single, key=_cheapest)[:_PROMISING]
    pairs = [
        tuple((table, column) for one in pair for table, column in one.columns)
        for pair in combinations(promising, 2)
    ]
    possible = len(single) * (len(single) - 1) // 2
    found: list[ViewRemedy] = []
    tried = 0
    for pair in pairs:
        if time.monotonic() > end:
            break
        found += [remedy(pair, risks) for risks in measure([pair], lambda share: None)]
        tried += 1
        tick(tried / len(pairs))
    return [one for one in found if one.outcome.passes], Pairs(tried=tried, possible=possible)
