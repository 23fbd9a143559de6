"""A.7: rows made up column by column, each value drawn from the real rows that are alike in the columns before it.

Classification trees (Reiter 2005) over binned columns. A number or date that few rows have is moved towards a neighbour
in the leaf, so that hardly any of them is a real one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from techniques.catalogue.synthesis import SequentialSynthesisSettings
from techniques.core.groups import chosen_columns
from techniques.core.messages import EngineError, _
from techniques.core.operations import Context, Whole, WholeOperation, WholeOutcome
from techniques.core.subjects import Subjects, persons, persons_of_groups
from techniques.core.tuples import Codes
from techniques.families.synthesis import kernels
from techniques.families.synthesis.closeness import closeness, split, verdict
from techniques.families.synthesis.columns import Binning, Bins, LearnedColumn, Reals, binning, learn
from techniques.families.synthesis.comparison import comparison
from techniques.families.synthesis.outliers import outliers_shown

FEATURE_BINS, TARGET_BINS = 63, 31
FARTHEST = 20
"""Neighbours in order among which the one is drawn towards which a rare number moves."""
Rows = NDArray[np.int64]


class SequentialSynthesis(WholeOperation):
    """As many rows as there were, none of which is anybody's. Missing is a value that is made up like the others."""

    def __init__(self, settings: SequentialSynthesisSettings, context: Context) -> None:
        self.settings: SequentialSynthesisSettings = settings
        self.context = context
        self.label = f"step {context.step}"
        chosen_columns("categories", settings.categories, context.columns, all_of_them=True)

    def treat(self, table: Whole, tick: Any) -> WholeOutcome:
        """Learn, make up and compare; EngineError ``rows_too_few``, ``persons_too_few``, ``values_all_rare``,
        ``synthesis_too_close``."""
        train, held = split(
            self.context.secrets, self.label, table.rows, self.settings.held_out, table.subjects
        )
        whose = None if table.subjects is None else table.subjects[train]
        learned = [
            learn(name, dictionary, codes, name in self.settings.categories)
            for name, dictionary, codes in zip(
                self.context.columns, table.dictionaries, table.codes, strict=True
            )
        ]
        features: list[Bins] = []
        made_features: list[Bins] = []
        binnings: list[Binning] = []
        made_codes: list[Codes] = []
        made_lines: list[Reals | None] = []
        report: dict[str, Any] = {}
        for i, column in enumerate(learned):
            source, rare = self._common(column, train, i, whose)
            codes, line, leaves = self._made(
                column, source, train, whose, features, made_features, binnings, i
            )
            made_codes.append(codes)
            made_lines.append(line)
            report[column.name] = {"kind": column.kind, "leaves": leaves, "rare_values": rare}
            if line is not None:
                real = np.append(column.places, np.nan)[source]
                alone = outliers_shown(real, line, self.settings.minimum_count, whose)
                report[column.name] |= {"outliers": alone} if alone else {}
            found = binning(column, train, FEATURE_BINS)
            binnings.append(found)
            features.append(found.of(column, column.codes[train], None))
            made_features.append(found.of(column, codes, line))
            tick((i + 1) / (len(learned) + 1))
        outcome = [
            (column.dictionary, codes) if line is None else column.written(line)
            for column, codes, line in zip(learned, made_codes, made_lines, strict=True)
        ]
        close = closeness(learned, (train, held), outcome, made_lines, self.context.secrets, self.label)
        return WholeOutcome(
            [dictionary for dictionary, _ in outcome],
            [codes for _, codes in outcome],
            np.zeros(table.rows, dtype=bool),
            {
                "rows_learned_from": len(train),
                "columns": report,
                "closeness": verdict(close, self.settings.too_close),
                "comparison": comparison(
                    [column.name for column in learned], features, made_features, [b.count for b in binnings]
                ),
            },
            subjects=np.full(table.rows, -1, dtype=np.int32),
        )

    def _common(
        self, column: LearnedColumn, train: Rows, i: int, whose: Subjects | None
    ) -> tuple[Codes, int]:
        """The codes to draw from: a value of too few rows, or persons, gives way to one drawn from all the others."""
        codes = column.codes[train].copy()
        if column.smooth:
            return codes, 0
        there = codes >= 0
        counts = persons_of_groups(
            codes[there], len(column.dictionary), None if whose is None else whose[there]
        )
        rare = (counts > 0) & (counts < self.settings.minimum_count)
        bad = np.flatnonzero(np.append(rare, False)[codes])
        good = np.flatnonzero(~np.append(rare, False)[codes])
        if not len(good):
            text = _(
                "Column %(column)s: no value occurs in %(count)d rows. Remove it, or generalise it in an earlier step."
            )
            if whose is not None:
                text = _(
                    "Column %(column)s: no value is that of %(count)d persons. Remove it, or generalise it in an earlier step."
                )
            raise EngineError("values_all_rare", text, column=column.name, count=self.settings.minimum_count)
        if len(bad):
            draws = self.context.secrets.uniform(f"{self.label} column {i} rare", len(bad))
            codes[bad] = codes[good[(draws * len(good)).astype(np.int64)]]
        return codes, int(rare.sum())

    def _made(
        self,
        column: LearnedColumn,
        source: Codes,
        train: Rows,
        whose: Subjects | None,
        features: list[Bins],
        made: list[Bins],
        binnings: list[Binning],
        i: int,
    ) -> tuple[Codes, Reals | None, int]:
        """Codes of the made-up rows, their places where values lie in between, and the leaves of the tree."""
        target = binning(column, train, TARGET_BINS)
        classes = target.of(column, source, None)
        real, synthetic = _ordered(features, made, binnings, classes, target.count)
        rows = np.arange(len(train), dtype=np.int64)
        nodes = np.full((2 * (len(train) // self.settings.leaf_rows) + 3, 6), -1, dtype=np.int64)
        most = max((b.count for b in binnings), default=1)
        used = kernels.grow(
            real, classes, _weights(whose), most, target.count, self.settings.leaf_rows, rows, nodes
        )
        count = len(column.codes)
        leaf = np.zeros(count, dtype=np.int64)
        kernels.leaves(synthetic, nodes, leaf)
        ends = nodes[:used][nodes[:used, kernels.FEATURE] < 0][:, kernels.FIRST :]
        draws = self.context.secrets.uniform(f"{self.label} column {i}", 3 * count)
        first, last = nodes[leaf, kernels.FIRST], nodes[leaf, kernels.END]
        picked = first + (draws[:count] * (last - first)).astype(np.int64)
        if not column.smooth:
            return source[rows[picked]], None, len(ends)
        line = np.append(column.places, np.nan)[source]
        # Rising within each leaf, missing ones at its end, so that neighbours lie side by side.
        belongs = np.repeat(np.arange(len(ends)), ends[np.argsort(ends[:, 0])][:, 1] - np.sort(ends[:, 0]))
        order = rows[np.lexsort((line[rows], belongs))]
        ordered = line[order]
        here = ordered[picked]
        # The neighbour is one of several, so that what is made up lies anywhere between real values, not only in
        # the gaps next to them.
        reach = 1 + (draws[2 * count :] * np.clip((last - first) // 10, 1, FARTHEST)).astype(np.int64)
        above = ordered[np.minimum(picked + reach, last - 1)]
        below = ordered[np.maximum(picked - reach, first)]
        other = np.where(np.isnan(above) | (picked + reach >= last), below, above)
        # What enough rows, or persons, have in common may stay; what few have gives way to something in between.
        known = ~np.isnan(line)
        places, number = np.unique(line[known], return_inverse=True)
        occurrences = persons_of_groups(
            number.reshape(-1), len(places), None if whose is None else whose[known]
        )
        common = np.isin(here, places[occurrences >= self.settings.minimum_count])
        placed = np.where(common, here, np.rint(here + draws[count : 2 * count] * (other - here)))
        return np.full(count, -1, dtype=np.int32), placed, len(ends)


def _weights(whose: Subjects | None) -> Reals:
    """Of each of n rows its part of its person, so that rows whose parts add up to p are of p persons at least; (0,) where
    rows count."""
    if whose is None:
        return np.zeros(0)
    who, number = persons(whose)
    return 1.0 / np.bincount(who, minlength=number)[who]


def _ordered(
    features: list[Bins], made: list[Bins], binnings: list[Binning], classes: Bins, class_count: int
) -> tuple[Bins, Bins]:
    """Features (m, n) with the bins of each category in an order that suits the target.

    The first principal component of the shares of the classes (Coppersmith, Hong and Hosking 1999).
    """
    real, synthetic = [], []
    for own, others, found in zip(features, made, binnings, strict=True):
        if len(found.of_code) > 1:
            table = np.bincount(
                own.astype(np.int64) * class_count + classes, minlength=found.count * class_count
            )
            order = _principal(table.reshape(found.count, class_count).astype(np.float64))
            own, others = order[own], order[others]
        real.append(own)
        synthetic.append(others)
    if not real:
        return np.zeros((0, len(classes)), np.uint8), np.zeros((0, 1), np.uint8)
    return np.ascontiguousarray(np.stack(real)), np.ascontiguousarray(np.stack(synthetic))


def _principal(table: Reals) -> Bins:
    """New number of each bin, by the component on which the bins' class shares differ most."""
    sizes = table.sum(axis=1)
    shares = table / np.maximum(sizes, 1)[:, None]
    mean = table.sum(axis=0) / max(sizes.sum(), 1)
    centred = (shares - mean) * np.sqrt(sizes)[:, None]
    _, vectors = np.linalg.eigh(centred.T @ centred)
    score = (shares - mean) @ vectors[:, -1]
    # The sign of a component means nothing: fixed, so that every machine orders alike.
    if score[np.argmax(np.abs(score))] < 0:
        score = -score
    order = np.empty(len(score), dtype=np.uint8)
    order[np.argsort(np.round(score, 9), kind="stable")] = np.arange(len(score), dtype=np.uint8)
    return order
