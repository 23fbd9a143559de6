"""k-anonymity as a step of a recipe: search on the distinct combinations, then treat the rows."""

from __future__ import annotations

from time import thread_time
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from techniques.catalogue.models import KAnonymitySettings
from techniques.core.messages import _
from techniques.core.operations import Context, Learned, StringArray, TableOperation, TableOutcome, Tally
from techniques.core.tuples import Codes, TupleKeys, contains
from techniques.hierarchies import ROOT
from techniques.hierarchies.build import Hierarchy, build
from techniques.models.k_anonymity.loss import Objective
from techniques.models.k_anonymity.problem import Attribute, Problem
from techniques.models.k_anonymity.reading import judged, levels_of, refuse_unfit, split
from techniques.models.k_anonymity.search import search
from techniques.models.k_anonymity.solution import Solution, no_solution, require_enough

NOTHING_FOUND = frozenset({"no_solution", "effort_used_up"})
"""Codes of the errors of a search that ends without a solution."""


class KAnonymity(TableOperation):
    """B.1.1 to B.1.3 by full-domain generalisation with suppression: k-anonymity, and with sensitive
    attributes l-diversity and t-closeness, in any mix.

    A missing value is a value of its own and stays missing, except at a hierarchy's last level, where it
    becomes ``*`` like all others. Suppressed rows are removed, or kept with ``*`` in every
    quasi-identifier; they do not count as an equivalence class.
    """

    def __init__(self, settings: KAnonymitySettings, context: Context) -> None:
        self.settings: KAnonymitySettings = settings
        self.columns = context.columns
        weights = tuple(float(settings.weights.get(column, 1.0)) for column in self.columns)
        self.objective = Objective(settings.loss, weights if settings.weights else ())
        self.problem: Problem | None = None
        """What the last search chose from."""
        self.search_seconds = 0.0
        """Processor time of the last search; no part of the report, which must be repeatable."""

    def fit(self, tally: Tally, tick: Any) -> Learned:
        """Search the lattice. Raises EngineError ``k_too_large``, :data:`NOTHING_FOUND`, ``level_unknown``; Unfit."""
        if self.settings.suppression_limit < 1 or not tally.rows:
            require_enough(self.settings.least, tally.rows, tally.persons)
        whole, order, start = tally, np.empty(0, np.int64), np.empty(0, np.int64)
        if self.settings.sensitive:
            tally, order, start = split(whole, len(self.columns))
        hierarchies = [
            build(self.settings.hierarchies[column], dictionary)
            for column, dictionary in zip(self.columns, tally.dictionaries, strict=True)
        ]
        if self.settings.unfit != "suppress":
            for number, (hierarchy, codes) in enumerate(zip(hierarchies, tally.codes, strict=True)):
                refuse_unfit(hierarchy, codes, number)
        attributes = [
            Attribute.from_hierarchy(
                hierarchy,
                bool((codes < 0).any()) or bool(hierarchy.unfit.any()),
                *levels_of(self.settings, column, hierarchy),
            )
            for column, hierarchy, codes in zip(self.columns, hierarchies, tally.codes, strict=True)
        ]
        sensitive = judged(
            self.settings,
            whole.dictionaries[len(self.columns) :],
            [codes[order] for codes in whole.codes[len(self.columns) :]],
            whole.counts[order],
            start,
            len(self.columns),
            None if whole.persons is None or not self.settings.sensitive else whole.persons.taken(order),
        )
        started = thread_time()
        problem = Problem(
            attributes, tally.codes, tally.counts, self.settings.least, sensitive, self.settings.average_risk,
            tally.persons,
        )  # fmt: skip
        self.problem = problem
        solution = search(
            problem, self.settings.suppression_limit, self.settings.effort, tick, self.objective
        )
        self.search_seconds = thread_time() - started
        if solution is None:
            alone = _(
                "No allowed generalisation reaches k = %(k)d with at most %(limit)s %% of the rows "
                "suppressed. Allow higher levels or more suppression."
            )
            more = sensitive or self.settings.average_risk is not None
            whose = tally.persons is not None
            raise no_solution(
                self.settings.least,
                self.settings.suppression_limit,
                "" if more or whose else alone,
                of_persons=whose,
            )
        return self._state(problem, hierarchies, solution)

    def _state(self, problem: Problem, hierarchies: list[Hierarchy], solution: Solution) -> Learned:
        arrays: dict[str, Any] = {}
        suppressed = solution.check.suppressed
        for i, (hierarchy, level) in enumerate(zip(hierarchies, solution.levels, strict=True)):
            attribute = problem.attributes[i]
            dictionary, renumber = _without_null(hierarchy.labels[level], attribute.sizes[level])
            codes = renumber[attribute.maps[level]]
            arrays[f"map{i}"] = codes
            arrays[f"dictionary{i}"] = dictionary
            arrays[f"suppressed{i}"] = codes[problem.codes(i)[suppressed]]
        report: dict[str, Any] = {
            "mode": "full_domain",
            "objective": self.settings.loss,
            "k": self.settings.least,
            "levels": dict(zip(self.columns, solution.levels, strict=True)),
            "highest_levels": {c: h.levels - 1 for c, h in zip(self.columns, hierarchies, strict=True)},
            "suppressed": solution.check.suppressed_rows,
            "suppression_limit": self.settings.suppression_limit,
            "suppressed_rows": self.settings.suppressed_rows,
            "classes": solution.check.classes,
            "min_class": solution.check.smallest,
            "loss": solution.loss,
            "granularity": solution.granularity,
            "ncp": _ncp(problem, solution),
            "lower_bound": solution.lower_bound,
            "proved_optimal": solution.proved_optimal,
            "checks": solution.checks,
            "lattice_size": problem.lattice_size,
        }
        if solution.check.persons is not None:
            report["persons"] = solution.check.persons
            report["suppressed_persons"] = solution.check.persons_gone
            report["touched_persons"] = solution.check.persons_touched
        if self.settings.average_risk is not None:
            report["average_risk"] = solution.check.average_risk
        if problem.base.sensitive:
            found = problem.group(solution.levels, problem.base)
            report["sensitive"] = {
                column: one.by_class(found.class_of, found.kept).as_dict()
                for column, one in zip(self.settings.sensitive, problem.base.sensitive, strict=True)
            }
        return Learned(arrays, {"report": report})

    def restore(self, learned: Learned) -> list[StringArray]:
        """The maps; dictionaries gain ``*`` where suppressed rows stay."""
        count = len(self.columns)
        dictionaries = [learned.arrays[f"dictionary{i}"] for i in range(count)]
        self.maps: list[Codes] = [learned.arrays[f"map{i}"] for i in range(count)]
        self.keys = TupleKeys([len(dictionary) for dictionary in dictionaries])
        self.suppressed = np.unique(
            self.keys.encode([learned.arrays[f"suppressed{i}"] for i in range(count)])
        )
        self.stars: list[int] = []
        if self.settings.suppressed_rows == "star":
            for i, dictionary in enumerate(dictionaries):
                star = pc.index(dictionary, ROOT).as_py()
                if star < 0:
                    star = len(dictionary)
                    dictionaries[i] = pa.concat_arrays([dictionary, pa.array([ROOT], pa.string())])
                self.stars.append(star)
        return dictionaries

    def apply(self, codes: list[Codes]) -> TableOutcome:
        """Generalise n rows; rows whose class is too small are removed or starred."""
        general = [table[column + 1] for table, column in zip(self.maps, codes, strict=True)]
        suppressed = contains(self.suppressed, self.keys.encode(general))
        if not self.stars:
            return TableOutcome(general, suppressed, suppressed)
        starred = [
            np.where(suppressed, np.int32(star), column)
            for star, column in zip(self.stars, general, strict=True)
        ]
        return TableOutcome(starred, np.zeros(len(suppressed), dtype=bool), suppressed)


def _ncp(problem: Problem, solution: Solution) -> float:
    """Mean normalised certainty penalty of a cell: a leaf kept 0, any other value the share of leaves under it,
    a suppressed cell 1."""
    kept = problem.counts.astype(np.float64)
    kept[solution.check.suppressed] = 0.0
    lost = float(solution.check.suppressed_rows * len(problem.attributes))
    for i, (attribute, level) in enumerate(zip(problem.attributes, solution.levels, strict=True)):
        rows = np.bincount(problem.codes(i), weights=kept, minlength=len(attribute.maps[level]))
        share = np.where(attribute.unfit, 1.0, attribute.shares[level][attribute.maps[level]])
        lost += float((rows * np.where(share * attribute.leaves > 1 + 1e-9, share, 0.0)).sum())
    return lost / (problem.rows * len(problem.attributes))


def _without_null(labels: Any, size: int) -> tuple[StringArray, Codes]:
    """Labels without the null of values that do not fit, and new numbers for ``size`` codes (-1 for none)."""
    valid = np.asarray(pc.is_valid(labels)).astype(bool)
    numbers = np.full(size, -1, dtype=np.int32)
    numbers[: len(valid)][valid] = np.arange(int(valid.sum()), dtype=np.int32)
    return labels.drop_null(), numbers
