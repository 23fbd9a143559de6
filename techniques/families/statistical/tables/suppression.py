"""Hiding cells of a table so that none of the sensitive ones can be worked out: the fewest others, or the least amount.

A program over which cells to hide is solved with the conditions found so far; whichever sensitive cell can then be bounded too
tightly gives a condition more (its reader's linear program by duality), until there is none: the optimum, by the way of
Fischetti and Salazar. Where time runs out, what stands is a pattern made cell by cell with the cheapest deviations, thinned
out, and the bound that the conditions give says how far from the optimum it is at most.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from techniques.core.messages import EngineError, _
from techniques.families.statistical.tables.attack import FAR, Attack, Reach
from techniques.families.statistical.tables.joint import Joint, Published
from techniques.families.statistical.tables.sensitivity import Sensitive
from techniques.families.statistical.tables.solver import program, solve
from techniques.families.statistical.tables.table import Floats, StatisticalTable

Cells = NDArray[np.bool_]


NOTHING = 1e-3
"""The share of what is asked at which a cell counts as told: there is nothing left of it to protect."""
Tick = Callable[[float], None]
"""Hears how much is done, from 0 to 1, at every program that is solved."""


def silent(_share: float) -> None:
    """Nobody listens."""


def part(tick: Tick, low: float, high: float) -> Tick:
    """The tick of what is done between two shares of the whole."""
    return lambda share: tick(low + share * (high - low))


@dataclass(frozen=True)
class Need:
    """A sensitive cell has to be able to lie ``distance`` away in a ``direction`` (1 up, -1 down) for a reader who knows the
    cells ``known``: none, or those in which that reader contributes alone."""

    cell: int
    direction: int
    distance: float
    known: tuple[int, ...] = ()


@dataclass(frozen=True)
class Suppression:
    """Which cells (cells,) are ``primary`` and which ``secondary``; the ``loss`` of the secondary ones and the least that any
    pattern loses, as far as it is known; equal where the pattern is an optimum."""

    primary: Cells
    secondary: Cells
    loss: float
    bound: float

    @property
    def hidden(self) -> Cells:
        return self.primary | self.secondary

    @property
    def optimal(self) -> bool:
        """No pattern loses less."""
        return self.loss <= self.bound * (1 + 1e-6) + 1e-9


def needs_of(table: StatisticalTable | Joint, sensitive: Sensitive, *, nonnegative: bool) -> list[Need]:
    """What has to stay open of each sensitive cell: for everybody, and for each who alone contributes to a sensitive cell.

    Where nothing lies below zero a cell can be no less than what a reader contributes to it: that is known without any table, and
    how far the value lies above it is all that there is to keep open downwards.
    """
    joint = table if isinstance(table, Joint) else Joint(table)
    cells = np.flatnonzero(sensitive.cells)
    owned: dict[int, list[int]] = {}
    for cell in np.flatnonzero(table.alone >= 0).tolist():
        owned.setdefault(int(table.alone[cell]), []).append(cell)
    inside = {tuple(own) for own in owned.values() if sensitive.cells[own].any()}
    found = []
    for cell in cells.tolist():
        leaves = joint.leaves(cell)
        distance, value = float(sensitive.distance[cell]), float(joint.values[cell])
        below = min(distance, value) if nonnegative else distance
        for direction, far in ((1, distance), (-1, below)):
            if far <= 0:
                continue
            found.append(Need(cell, direction, far))
            for own in sorted(inside):
                if cell in own:
                    continue
                left = far
                if nonnegative and direction < 0:
                    left = min(far, value - float(joint.values[[*leaves.intersection(own)]].sum()))
                # What remains of a difference of decimals is nothing.
                if left > NOTHING * far:
                    found.append(Need(cell, direction, left, own))
    return found


def audit(
    table: StatisticalTable,
    needs: Sequence[Need],
    hidden: Cells,
    *,
    nonnegative: bool,
    published: Sequence[Published] = (),
    tick: Tick = silent,
) -> list[tuple[Need, float]]:
    """Each need that ``hidden`` (cells,) does not meet for who has the ``published`` tables too, and how far the cell can lie away;
    none where every one is met."""
    joint = Joint(table, published)
    attack = Attack(joint, nonnegative=nonnegative)
    movable = joint.spread(hidden) | joint.elsewhere
    return [(need, reach) for need, reach, _by_cell in _broken(attack, needs, movable, tick)]


def suppress(
    table: StatisticalTable,
    sensitive: Sensitive,
    *,
    nonnegative: bool = True,
    weights: Floats | None = None,
    published: Sequence[Published] = (),
    seconds: float = 60.0,
    tick: Tick = silent,
) -> Suppression:
    """The pattern of the least ``weights`` (cells,) of secondary cells, one each where none are given.

    ``nonnegative``: readers know that no value lies below zero; they have the ``published`` tables too, whose sensitive cells are
    protected like those of ``table`` as far as they are without it. ``seconds`` are those in which a first pattern, which meets
    every need, is made better. Raises EngineError ``cannot_be_hidden`` where even all cells hidden leave one open.
    """
    joint = Joint(table, published)
    attack = Attack(joint, nonnegative=nonnegative)
    # Of what only other tables have nothing is left to choose.
    always = joint.spread(sensitive.cells) | joint.elsewhere
    candidates = joint.spread(table.contributors > 0) & ~always
    needs, open_ones = needs_left(
        joint, attack, sensitive, nonnegative=nonnegative, tick=part(tick, 0.0, 0.3)
    )
    if own := [one for one in open_ones if one.cell < table.cells and sensitive.cells[one.cell]]:
        labels = ", ".join(table.labels(own[0].cell))
        text = _(
            "Cell %(labels)s can be worked out even if every other cell is hidden: make the table coarser, or round it."
        )
        raise EngineError("cannot_be_hidden", text, labels=labels)
    cost = np.zeros(joint.cells)
    cost[: table.cells] = 1.0 if weights is None else np.maximum(weights, 1e-9)
    found = _by_cheapest(attack, needs, always, cost, part(tick, 0.3, 0.6))
    left = TimeLeft(seconds, part(tick, 0.6, 1.0))
    found = _thinned(attack, needs, always, found, cost, left)
    found, bound = _optimum(attack, needs, always, candidates, found, cost, left)
    return Suppression(sensitive.cells, found[: table.cells], float(cost[found].sum()), bound)


def needs_left(
    joint: Joint, attack: Attack, sensitive: Sensitive, *, nonnegative: bool, tick: Tick = silent
) -> tuple[list[Need], list[Need]]:
    """(the needs that hiding every cell of the own table meets, those that even this does not: what is told already).

    What other tables tell too closely of their cells asks, among the first, that these are not bounded more closely still.
    """
    needs = needs_of(joint, joint.sensitive(sensitive), nonnegative=nonnegative)
    everything = joint.contributors > 0
    early = {id(need): reach for need, reach, _by_cell in _broken(attack, needs, everything, tick)}
    own = joint.spread(sensitive.cells)
    left = []
    for one in needs:
        if id(one) not in early:
            left.append(one)
        elif not own[one.cell] and (reach := early[id(one)]) > NOTHING * one.distance:
            left.append(replace(one, distance=reach))
    return left, [one for one in needs if id(one) in early]


class TimeUpError(Exception):
    """The seconds are over that a search has."""


class TimeLeft:
    """The time that is left to a search; as its tick it ends one that would outlast it, with :class:`TimeUpError`."""

    def __init__(self, seconds: float, tick: Tick) -> None:
        self._until, self._seconds, self._tick = time.monotonic() + seconds, max(seconds, 1e-9), tick

    @property
    def seconds(self) -> float:
        return self._until - time.monotonic()

    def __call__(self, _share: float = 0.0) -> None:
        if self.seconds <= 0:
            raise TimeUpError
        self.heard()

    def heard(self, _share: float = 0.0) -> None:
        """Tell how much of the time is over; who listens may end the search, the time does not."""
        self._tick(min(1.0, 1 - self.seconds / self._seconds))


def reached(
    attack: Attack,
    needs: Sequence[Need],
    publish: Callable[[tuple[int, ...]], None],
    tick: Tick = silent,
    *,
    exact: bool = True,
) -> Iterator[tuple[Need, Reach]]:
    """How far each need's cell can lie away, when ``publish`` has laid open what a reader of these cells sees.

    Whoever knows cells that stay still where the cell lies farthest for somebody who knows less can bound it no closer: no
    program is solved anew. Not ``exact``: nor where the cell stays as far away as is asked while those cells stay still.
    """
    by_aim: dict[tuple[int, int, float], list[Need]] = {}
    for need in needs:
        by_aim.setdefault((need.cell, need.direction, need.distance), []).append(need)
    done = 0
    for aim, of_cell in by_aim.items():
        found: list[Reach] = []
        for need in sorted(of_cell, key=lambda one: len(one.known)):
            tick(done / len(needs))
            done += 1
            known = list(need.known)
            enough = found[0].distance if found and not of_cell[0].known else np.inf
            for reach in found:
                if (reach.distance >= enough or (reach.met and not exact)) and not reach.moved[known].any():
                    break
            else:
                publish(need.known)
                reach = attack.reach(*aim)
                found.append(reach)
            yield need, reach


def unmet(
    attack: Attack,
    needs: Sequence[Need],
    publish: Callable[[tuple[int, ...]], None],
    tick: Tick = silent,
) -> Iterator[tuple[Need, float, Floats]]:
    """(need, how far the cell can lie away, what hiding each cell adds to that as a multiple of what is asked) of each need
    that is not met; ``publish`` as for :func:`reached`."""
    for need, reach in reached(attack, needs, publish, tick, exact=False):
        if not reach.met:
            reach.by_cell[list(need.known)] = 0.0
            yield need, reach.distance * need.distance, reach.by_cell


def _broken(
    attack: Attack, needs: Sequence[Need], hidden: Cells, tick: Tick
) -> Iterator[tuple[Need, float, Floats]]:
    """What a pattern does not meet."""
    return unmet(attack, needs, lambda known: hide(attack, hidden, known), tick)


def hide(attack: Attack, hidden: Cells, known: tuple[int, ...] = ()) -> None:
    """Let the cells move that are hidden."""
    attack.publish(np.where(hidden, -attack.down, 0.0), np.where(hidden, attack.up, 0.0), known)


def _by_cheapest(attack: Attack, needs: Sequence[Need], primary: Cells, cost: Floats, tick: Tick) -> Cells:
    """Secondary cells such that each need has deviations that meet it, the cheapest after those hidden already."""
    hidden = primary.copy()
    program = _Deviations(attack)
    aim: tuple[int, int] | None = None
    deviations: list[Cells] = []
    for done, need in enumerate(sorted(needs, key=lambda one: -one.distance)):
        tick(done / len(needs))
        if aim != (need.cell, need.direction):
            aim, deviations = (need.cell, need.direction), []
        known = list(need.known)
        # What moves the cell far enough for one reader does so for who knows only cells that stay still.
        if any(not moved[known].any() for moved in deviations):
            continue
        hide(attack, hidden, need.known)
        reach = attack.reach(need.cell, need.direction, need.distance)
        if not reach.met:
            away = program.cheapest(need, np.where(hidden, 0.0, cost))
            hidden |= away
            deviations.append(away)
        else:
            deviations.append(reach.moved)
    return hidden & ~primary


def _thinned(
    attack: Attack, needs: Sequence[Need], primary: Cells, secondary: Cells, cost: Floats, left: TimeLeft
) -> Cells:
    """Without the cells that no need asks for, those of the greatest cost first, as many as there is time for."""
    kept = secondary.copy()
    cells = np.flatnonzero(kept)
    for cell in cells[np.argsort(-cost[cells], kind="stable")].tolist():
        kept[cell] = False
        try:
            kept[cell] = any(True for _one in _broken(attack, needs, primary | kept, left))
        except TimeUpError:
            kept[cell] = True
            break
    return kept


def _optimum(
    attack: Attack,
    needs: Sequence[Need],
    primary: Cells,
    candidates: Cells,
    found: Cells,
    cost: Floats,
    left: TimeLeft,
) -> tuple[Cells, float]:
    """The best pattern until the time is up, and what no pattern loses less than."""
    program = _Choice(candidates, cost)
    best, bound = found, 0.0
    while left.seconds > 0:
        chosen, least = program.solve(left)
        bound = max(bound, least)
        if cost[best].sum() <= bound * (1 + 1e-6) + 1e-9 or chosen is None:
            break
        try:
            broken = list(_broken(attack, needs, primary | chosen, left))
        except TimeUpError:
            break
        if not broken:
            # Where its time ran out the solver's choice need not be the best.
            best = chosen if cost[chosen].sum() < cost[best].sum() else best
            break
        for _need, _reach, by_cell in broken:
            program.ask(by_cell, primary)
    return best, min(bound, float(cost[best].sum()))


class _Deviations:
    """The cheapest deviations, up and down, that move one cell by a distance."""

    def __init__(self, attack: Attack) -> None:
        self.attack = attack
        self._cells = cells = attack.cells
        solver = program()
        solver.addVars(2 * cells, np.zeros(2 * cells), np.zeros(2 * cells))
        for one in attack.relations:
            places = np.array([one.total, *one.parts])
            signs = np.array([-1.0, *[1.0] * len(one.parts)])
            solver.addRow(
                0.0, 0.0, 2 * len(places), np.concatenate([places, places + cells]).astype(np.int32),
                np.concatenate([signs, -signs]),
            )  # fmt: skip
        self._every = np.arange(2 * cells, dtype=np.int32)
        self._solver = solver

    def cheapest(self, need: Need, cost: Floats) -> Cells:
        attack, cells = self.attack, self._cells
        upper = np.minimum(np.concatenate([attack.up, attack.down]) / need.distance, FAR)
        lower = np.zeros(2 * cells)
        known = list(need.known)
        upper[known] = 0.0
        upper[[one + cells for one in known]] = 0.0
        moved, still = (need.cell, need.cell + cells)[:: need.direction]
        lower[moved] = 1.0
        upper[moved] = max(upper[moved], 1.0)
        upper[still] = 0.0
        self._solver.changeColsBounds(2 * cells, self._every, lower, upper)
        # What is hidden already costs nearly nothing, yet no cell moves without need.
        self._solver.changeColsCost(2 * cells, self._every, np.tile(cost + 1e-6, 2))
        self._solver.run()
        found = np.asarray(self._solver.getSolution().col_value)
        away: Cells = (found[:cells] + found[cells:]) > 1e-9
        return away


class _Choice:
    """Which cells to hide at the least cost, so that the conditions hold that were asked for."""

    def __init__(self, candidates: Cells, cost: Floats) -> None:
        self._places = np.flatnonzero(candidates)
        self._cells = len(candidates)
        count = len(self._places)
        solver = program()
        solver.addVars(count, np.zeros(count), np.ones(count))
        every = np.arange(count, dtype=np.int32)
        solver.changeColsCost(count, every, cost[self._places])
        solver.changeColsIntegrality(count, every, np.full(count, 1, dtype=np.uint8))
        solver.setOptionValue("mip_rel_gap", 0.0)
        self._solver = solver

    def ask(self, by_cell: Floats, primary: Cells) -> None:
        """What the hidden cells add up to reaches what is asked."""
        wanted = 1.0 - float(by_cell[primary].sum())
        share = np.minimum(by_cell[self._places], wanted) / wanted
        places = np.flatnonzero(share > 1e-9).astype(np.int32)
        self._solver.addRow(1.0, np.inf, len(places), places, share[places])

    def solve(self, left: TimeLeft) -> tuple[Cells | None, float]:
        """(the cells, None where time ran out before any were found; the least cost that is possible)."""
        self._solver.setOptionValue("time_limit", self._solver.getRunTime() + max(left.seconds, 0.01))
        solve(self._solver, left.heard)
        information = self._solver.getInfo()
        least = float(information.mip_dual_bound)
        values = np.asarray(self._solver.getSolution().col_value)
        if len(values) != len(self._places) or not np.isfinite(least):
            return None, 0.0
        chosen = np.zeros(self._cells, dtype=np.bool_)
        chosen[self._places[values > 0.5]] = True
        return chosen, least
