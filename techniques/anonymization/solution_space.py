"""The solutions of a full-domain search around its best one: what each combination of levels would do to the table."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from techniques.anonymization.release import counted
from techniques.catalogue.models import KAnonymitySettings
from techniques.core.messages import EngineError
from techniques.core.operations import Context
from techniques.core.secrets import Secrets
from techniques.core.subjects import Subjects
from techniques.models.k_anonymity.loss import Loss, Objective
from techniques.models.k_anonymity.operation import NOTHING_FOUND, KAnonymity
from techniques.models.k_anonymity.problem import Problem
from techniques.models.k_anonymity.solution import keeps_persons
from techniques.tables.dictionary import EncodedColumn

Columns = Mapping[str, EncodedColumn]
MOST = 400
_BY_CLASSES = ("discernibility", "class_size")
_ROUNDING = 1e-9
Levels = tuple[int, ...]


@dataclass(frozen=True)
class Node:
    """One combination of ``levels``, one for each column in order. ``suppressed`` is a share of the rows, ``smallest`` has
    persons where those are counted; ``kept`` is the granularity, 1 where nothing is lost; ``satisfies``: the conditions hold with no more suppressed than allowed."""

    levels: Levels
    loss: float
    kept: float
    suppressed: float
    classes: int
    smallest: int
    satisfies: bool
    best: bool = False


@dataclass(frozen=True)
class SolutionSpace:
    """``nodes`` looked at, those that satisfy first, by loss; ``complete`` where these are all ``lattice_size``."""

    columns: list[str]
    lowest: list[int]
    highest: list[int]
    k: int
    limit: float
    loss: str
    lattice_size: int
    complete: bool
    proved_optimal: bool
    nodes: list[Node]

    def as_dict(self) -> dict[str, Any]:
        """JSON-ready values."""
        return asdict(self)


def solution_space(
    quasi: Columns,
    sensitive: Columns,
    settings: KAnonymitySettings,
    most: int = MOST,
    tick: Callable[[float], None] = lambda share: None,
    *,
    subjects: Subjects | None = None,
) -> SolutionSpace:
    """Search as the step with ``settings`` does, then look at the solutions around the best, the best first.

    Goes from a solution to its neighbours (one level of one column more or less), always on from the least loss among
    those that satisfy, until ``most`` have been looked at; a lattice that is no larger is shown whole. Where nothing
    satisfies, it starts from the highest levels. Raises what the search raises, but for :data:`NOTHING_FOUND`.
    """
    operation = KAnonymity(settings, Context(0, tuple(quasi), _rows(quasi), Secrets(b"", b"")))
    tally = counted([*quasi.values(), *sensitive.values()], subjects)
    best: Levels | None = None
    proved = False
    try:
        report = operation.fit(tally, lambda share: tick(0.5 * share)).facts["report"]
        best = tuple(int(report["levels"][name]) for name in quasi)
        proved = bool(report["proved_optimal"])
    except EngineError as error:
        if error.code not in NOTHING_FOUND:
            raise
    problem = operation.problem
    assert problem is not None
    # A loss by classes has no value for one node alone that could be compared here.
    objective = None if operation.objective.kind in _BY_CLASSES else operation.objective
    look = _Look(problem, objective, settings.suppression_limit)
    start = best or tuple(attribute.highest for attribute in problem.attributes)
    nodes: list[Node] = []
    for node in look.all() if problem.lattice_size <= most else look.around(start):
        nodes.append(node)
        tick(0.5 + 0.5 * len(nodes) / most)
        if len(nodes) >= most:
            break
    shown = [
        Node(**{**vars(node), "best": node.levels == best})
        for node in sorted(nodes, key=lambda n: (not n.satisfies, n.loss, n.suppressed, n.levels))
    ]
    return SolutionSpace(
        list(quasi),
        [attribute.lowest for attribute in problem.attributes],
        [attribute.highest for attribute in problem.attributes],
        problem.k,
        settings.suppression_limit,
        "geometric" if objective is None else objective.kind,
        problem.lattice_size,
        len(nodes) == problem.lattice_size,
        proved,
        shown,
    )


class _Look:
    def __init__(self, problem: Problem, objective: Objective | None, limit: float) -> None:
        self.problem = problem
        self.loss = Loss(problem, objective)
        self.own = Loss(problem)
        self.limit = limit
        self.most = int(limit * problem.rows + _ROUNDING)

    def node(self, levels: Levels) -> Node:
        found = self.problem.group(levels, self.loss.source)
        product, gone = self.loss.of(found)
        sizes = found.sizes[found.kept]
        smallest = int(sizes.min()) if len(sizes) else 0
        return Node(
            levels,
            self.loss.as_loss(product),
            self.own.granularity(found),
            gone / self.problem.rows,
            len(sizes),
            smallest if self.problem.persons is None else self.problem.smallest(levels),
            gone <= self.most and len(sizes) > 0 and keeps_persons(self.problem, levels, gone, self.limit),
        )

    def all(self) -> Iterator[Node]:
        spans = [range(a.lowest, a.highest + 1) for a in self.problem.attributes]
        for levels in itertools.product(*spans):
            yield self.node(levels)

    def around(self, start: Levels) -> Iterator[Node]:
        seen = {start}
        first = self.node(start)
        yield first
        heap = [(not first.satisfies, first.loss, start)]
        while heap:
            levels = heapq.heappop(heap)[2]
            for near in self._neighbours(levels):
                if near not in seen:
                    seen.add(near)
                    node = self.node(near)
                    yield node
                    heapq.heappush(heap, (not node.satisfies, node.loss, near))

    def _neighbours(self, levels: Levels) -> Iterator[Levels]:
        for i, attribute in enumerate(self.problem.attributes):
            for level in (levels[i] - 1, levels[i] + 1):
                if attribute.lowest <= level <= attribute.highest:
                    yield (*levels[:i], level, *levels[i + 1 :])


def _rows(quasi: Columns) -> int:
    return len(next(iter(quasi.values())))
