"""A.7 c and B.2: rows made up from noisy counts of single columns and of pairs along a tree.

Differential privacy for the exchange of one row (the number of rows is public), or of all rows of one person where it is known
whose they are (how many each has is public). As in MST (McKenna, Miklau and
Sheldon 2021): noisy counts of each column; a spanning tree chosen by the exponential mechanism, pair by pair, by how
far the pair's counts are from independence; noisy counts of the pairs of the tree. All else is made from these.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from techniques.catalogue.synthesis import PrivateSynthesisSettings
from techniques.core.groups import chosen_columns
from techniques.core.operations import Context, Whole, WholeOperation, WholeOutcome
from techniques.core.subjects import most_rows
from techniques.families.synthesis.budget import Budget
from techniques.families.synthesis.closeness import closeness, split, verdict
from techniques.families.synthesis.columns import DATE, NUMBER, LearnedColumn, learn
from techniques.families.synthesis.comparison import comparison
from techniques.families.synthesis.domains import Domain, MadeUp, known_domain, open_domain
from techniques.families.synthesis.noise import Noise, choose

Reals = NDArray[np.float64]
Codes = NDArray[np.int64]


class PrivateSynthesis(WholeOperation):
    """As many rows as there were, made of noisy counts alone."""

    def __init__(self, settings: PrivateSynthesisSettings, context: Context) -> None:
        self.settings: PrivateSynthesisSettings = settings
        self.context = context
        self.label = f"step {context.step}"
        chosen_columns("domains", settings.domains, context.columns, all_of_them=True)

    def treat(self, table: Whole, tick: Any) -> WholeOutcome:
        """Measure, choose, measure, make up; EngineError ``rows_too_few``, ``persons_too_few``, ``domain_empty``,
        ``synthesis_too_close``."""
        train, held = split(
            self.context.secrets, self.label, table.rows, self.settings.held_out, table.subjects
        )
        columns = len(table.codes)
        found = sum(name not in self.settings.domains for name in self.context.columns)
        most = None if table.subjects is None else most_rows(table.subjects[train])
        budget = Budget(self.settings.epsilon, self.settings.delta, columns, found, most)
        domains, ones = self._singles(table, train, budget)
        rows = [domain.of_code[table.codes[i][train]] for i, domain in enumerate(domains)]
        tick(0.3)
        edges = self._tree(rows, domains, ones, budget)
        tables = {}
        for parent, child in edges:
            tables[parent, child] = self._pair(rows, domains, parent, child, budget, len(train))
        if edges:
            budget.spend("pairs", len(edges))
        tick(0.6)
        made = self._rows(domains, ones, edges, tables, table.rows)
        cells = [
            domain.written(codes, self.context.secrets, f"{self.label} column {i} values")
            for i, (domain, codes) in enumerate(zip(domains, made, strict=True))
        ]
        tick(0.8)
        report = self._report(table, (train, held), domains, rows, made, cells, budget, edges)
        return WholeOutcome(
            [cell.dictionary for cell in cells],
            [cell.codes for cell in cells],
            np.zeros(table.rows, dtype=bool),
            report,
            subjects=np.full(table.rows, -1, dtype=np.int32),
        )

    # -- measurements: the only places where counts of real rows are looked at ----------------

    def _noisy(self, counts: NDArray[np.int64], what: str, source: Noise) -> NDArray[np.int64]:
        return counts + source.draw(self.context.secrets, f"{self.label} {what}", counts.size).reshape(
            counts.shape
        )

    def _singles(
        self, table: Whole, train: NDArray[np.int64], budget: Budget
    ) -> tuple[list[Domain], list[Reals]]:
        domains, ones = [], []
        for i, name in enumerate(self.context.columns):
            dictionary, codes = table.dictionaries[i], table.codes[i][train]
            counts = np.bincount(codes + 1, minlength=len(dictionary) + 1)
            if name in self.settings.domains:
                domain = known_domain(name, dictionary, self.settings)
                cells = np.bincount(domain.of_code[:-1], weights=counts[1:], minlength=domain.size).astype(
                    np.int64
                )
                cells[0] += counts[0]
                noisy = self._noisy(cells, f"column {i}", budget.single)
            else:
                there = np.flatnonzero(counts[1:])
                measured = self._noisy(counts[1:][there], f"column {i}", budget.single)
                domain, kept = open_domain(
                    name, dictionary, there, measured, budget.threshold(), self.settings.maximum_categories
                )
                # The number of rows is public: what is not in the domain is what is left.
                noisy = np.append(len(train) - kept.sum(), kept)
            domains.append(domain)
            ones.append(project(noisy.astype(np.float64), len(train)))
        budget.spend("columns", len(domains))
        return domains, ones

    def _tree(
        self, rows: list[Codes], domains: list[Domain], ones: list[Reals], budget: Budget
    ) -> list[tuple[int, int]]:
        """Edges (parent, child) of a spanning tree, each parent reached before its children."""
        count = len(domains)
        if count < 3:
            return [(0, 1)] if count == 2 else []
        scores = {}
        for i, j in combinations(range(count), 2):
            real = _cells(rows[i], rows[j], domains[i].size, domains[j].size)
            # Whole numbers that the noisy counts alone determine: the score moves by 2 a row at most.
            independent = np.rint(np.outer(ones[i], ones[j]) / max(ones[i].sum(), 1.0)).astype(np.int64)
            scores[i, j] = int(np.abs(real - independent).sum())
        group = list(range(count))
        chosen: list[tuple[int, int]] = []
        for step in range(count - 1):
            open_pairs = [pair for pair in scores if group[pair[0]] != group[pair[1]]]
            place = choose(
                self.context.secrets,
                f"{self.label} edge {step}",
                [scores[pair] for pair in open_pairs],
                budget.choice_rate,
            )
            first, second = open_pairs[place]
            chosen.append((first, second))
            old, new = group[second], group[first]
            group = [new if one == old else one for one in group]
        budget.spend("choices", count - 1, cells=len(scores))
        return _directed(chosen, count)

    def _pair(
        self, rows: list[Codes], domains: list[Domain], parent: int, child: int, budget: Budget, total: int
    ) -> Reals:
        real = _cells(rows[parent], rows[child], domains[parent].size, domains[child].size)
        noisy = self._noisy(real, f"pair {parent} {child}", budget.pair)
        return project(noisy.astype(np.float64).reshape(-1), total).reshape(real.shape)

    # -- from here on nothing but noisy counts -------------------------------------------------

    def _rows(
        self,
        domains: list[Domain],
        ones: list[Reals],
        edges: list[tuple[int, int]],
        tables: dict[tuple[int, int], Reals],
        count: int,
    ) -> list[Codes]:
        made: list[Codes] = [np.zeros(0, np.int64)] * len(domains)
        made[0] = self._drawn(ones[0][None, :], np.zeros(count, np.int64), "column 0 made up")
        for parent, child in edges:
            table = tables[parent, child]
            empty = table.sum(axis=1) <= 0
            table = np.where(empty[:, None], ones[child][None, :], table)
            made[child] = self._drawn(table, made[parent], f"column {child} made up")
        return made

    def _drawn(self, table: Reals, given: Codes, label: str) -> Codes:
        """A column of each row's line of ``table``, with the chance that the line gives it."""
        edges = np.cumsum(table, axis=1)
        edges /= edges[:, -1:]
        draws = self.context.secrets.uniform(f"{self.label} {label}", len(given))
        # One sorted line for all: line number plus cumulated share.
        flat = (edges + np.arange(len(table))[:, None]).reshape(-1)
        found = np.searchsorted(flat, given + draws, side="right") - given * table.shape[1]
        codes: Codes = np.clip(found, 0, table.shape[1] - 1)
        return codes

    def _report(
        self,
        table: Whole,
        parts: tuple[NDArray[np.int64], NDArray[np.int64]],
        domains: list[Domain],
        rows: list[Codes],
        made: list[Codes],
        cells: list[Any],
        budget: Budget,
        edges: list[tuple[int, int]],
    ) -> dict[str, Any]:
        names = self.context.columns
        learned = [
            learn(name, dictionary, codes, domain.kind == "values")
            for name, dictionary, codes, domain in zip(
                names, table.dictionaries, table.codes, domains, strict=True
            )
        ]
        lines = [
            _line(column, domain, cell) for column, domain, cell in zip(learned, domains, cells, strict=True)
        ]
        close = closeness(
            learned,
            parts,
            [(cell.dictionary, cell.codes) for cell in cells],
            lines,
            self.context.secrets,
            self.label,
        )
        counts = [domain.size for domain in domains]
        small = [np.minimum(codes, 255).astype(np.uint8) for codes in rows]
        small_made = [np.minimum(codes, 255).astype(np.uint8) for codes in made]
        return {
            **budget.as_dict(),
            "rows_learned_from": len(parts[0]),
            "domains": {domain.name: domain.size for domain in domains},
            "pairs": [[names[parent], names[child]] for parent, child in edges],
            # These two look at real rows and are for whoever holds them: the budget does not cover them.
            "not_covered_by_epsilon": ["closeness", "comparison"],
            "closeness": verdict(close, self.settings.too_close),
            "comparison": comparison(list(names), small, small_made, [min(c, 256) for c in counts]),
        }


def _line(column: LearnedColumn, domain: Domain, cell: MadeUp) -> Reals | None:
    """The places of made-up values in the unit of what was learned for the comparison."""
    if column.kind == NUMBER and domain.kind == "numbers":
        return np.asarray(cell.line * 10.0**column.scale)
    return cell.line if column.kind == DATE and domain.kind == "dates" else None


def _cells(first: Codes, second: Codes, rows: int, columns: int) -> NDArray[np.int64]:
    found: NDArray[np.int64] = np.bincount(first * columns + second, minlength=rows * columns).reshape(
        rows, columns
    )
    return found


def _directed(edges: list[tuple[int, int]], count: int) -> list[tuple[int, int]]:
    """The tree from column 0 outwards."""
    reached, ordered = {0}, []
    while len(reached) < count:
        for first, second in edges:
            if (first in reached) != (second in reached):
                parent, child = (first, second) if first in reached else (second, first)
                ordered.append((parent, child))
                reached.add(child)
    return ordered


def project(noisy: Reals, total: float) -> Reals:
    """The nearest counts that are not negative and add up to ``total``: the same taken from each, cut off at 0."""
    ordered = np.sort(noisy)[::-1]
    excess = (np.cumsum(ordered) - total) / np.arange(1, len(noisy) + 1)
    kept = int(np.flatnonzero(ordered > excess)[-1])
    found: Reals = np.maximum(noisy - excess[kept], 0.0)
    return found
