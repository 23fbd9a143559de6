"""A.1.2: a random part of the rows, drawn so that nobody without the seed knows who is in it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from techniques.catalogue.statistical import SamplingSettings
from techniques.core.draws import Records
from techniques.core.groups import group_of_rows
from techniques.core.operations import Whole, WholeOperation, WholeOutcome
from techniques.core.subjects import Subjects, persons


class Sampling(WholeOperation):
    """Rows that are not drawn are removed. The report has the fraction that risk measures need, and, where that is not everybody's
    chance of being drawn, the chances of those who were."""

    settings: SamplingSettings

    def treat(self, table: Whole, tick: Any) -> WholeOutcome:
        """All rows, most of them marked as removed. Where it is known whose they are, persons are drawn with all their rows, in
        a stratified sample each from the stratum of its first row."""
        if table.subjects is not None and self.settings.method != "cluster":
            return self._of_persons(table, table.subjects)
        alone = np.arange(table.rows, dtype=np.int32)
        who, number = (alone, table.rows) if table.subjects is None else persons(table.subjects)
        kept, chances, report = self._rows(table, who)
        drawn = np.zeros(number, dtype=bool)
        drawn[who[kept]] = True
        report["rows"] = int(kept.sum())
        if table.subjects is not None:
            report["persons"] = int(drawn.sum())
        return self._outcome(table, kept, drawn, chances, report)

    def _of_persons(self, table: Whole, subjects: Subjects) -> WholeOutcome:
        who, number = persons(subjects)
        first = np.unique(who, return_index=True)[1]
        drawn, chances, report = self._rows(
            Whole(
                table.dictionaries,
                [codes[first] for codes in table.codes],
                records=None if table.records is None else table.records.of_rows(first),
            ),
            np.arange(number),
        )
        kept = drawn[who]
        report |= {"rows": int(kept.sum()), "persons": int(drawn.sum())}
        return self._outcome(table, kept, drawn, chances, report)

    def _outcome(
        self,
        table: Whole,
        kept: NDArray[np.bool_],
        drawn: NDArray[np.bool_],
        chances: NDArray[np.float64],
        report: dict[str, Any],
    ) -> WholeOutcome:
        """With the share of the rows or persons who are ``drawn``, and the chances (n,) that they had."""
        report["sampling_fraction"] = float(drawn.mean()) if len(drawn) else 0.0
        # Of clusters, which differ in size, the share says nothing of the chance.
        if self.settings.method == "cluster" or len(np.unique(chances)) > 1:
            had, number = np.unique(chances[drawn], return_counts=True)
            report["chances"] = [[float(had[i]), int(number[i])] for i in range(len(had) - 1, -1, -1)]
        return WholeOutcome(table.dictionaries, table.codes, ~kept, report)

    def _rows(
        self, table: Whole, who: NDArray[np.integer]
    ) -> tuple[NDArray[np.bool_], NDArray[np.float64], dict[str, Any]]:
        """Which rows are drawn, the chance that each of those had ``who`` they are of, and what the report says of the method."""
        groups, count = group_of_rows(table, range(len(table.codes)))
        report: dict[str, Any] = {"method": self.settings.method}
        chances = np.full(int(who.max(initial=-1)) + 1, self.settings.fraction)
        if self.settings.method == "cluster":
            kept = self._drawn(count, "clusters")[groups]
            chances = _of_clusters(groups, who, count, self._size(count))
            report |= {"clusters": count}
        elif self.settings.method == "stratified":
            kept = self._stratified(groups, count)
            sizes = np.bincount(groups, minlength=count)
            chances = np.maximum(self.settings.fraction, 1 / sizes)[groups]
            report |= {"strata": count}
        else:
            kept = self._drawn(table.rows, "rows", table.records)
        return kept, np.round(chances, 9), report

    def _draws(self, count: int, what: str) -> NDArray[np.float64]:
        return self.context.secrets.uniform(f"step {self.context.step} {what}", count)

    def _drawn(self, count: int, what: str, records: Records | None = None) -> NDArray[np.bool_]:
        """Which of ``count`` things are in the sample: a fixed number, every choice alike. Records keep their numbers from sample
        to sample, of whatever size (permanent random numbers)."""
        draws = self._draws(count, what) if records is None else records.rows("sample").uniform()
        kept = np.zeros(count, dtype=bool)
        kept[np.argsort(draws, kind="stable")[: self._size(count)]] = True
        return kept

    def _size(self, count: int) -> int:
        """How many of ``count`` things are drawn."""
        return min(count, max(1, round(self.settings.fraction * count)))

    def _stratified(self, groups: NDArray[np.int64], count: int) -> NDArray[np.bool_]:
        """The share of each stratum, at least one row; fractions of rows are settled by lot."""
        sizes = np.bincount(groups, minlength=count)
        exact = self.settings.fraction * sizes
        up = self._draws(count, "strata") < exact - np.floor(exact)
        wanted = np.minimum(sizes, np.maximum(1, np.floor(exact) + up)).astype(np.int64)
        order = np.lexsort((self._draws(len(groups), "rows"), groups))
        first = np.cumsum(sizes) - sizes
        place = np.arange(len(groups)) - first[groups[order]]
        kept = np.zeros(len(groups), dtype=bool)
        kept[order] = place < wanted[groups[order]]
        return kept


def _of_clusters(
    groups: NDArray[np.int64], who: NDArray[np.integer], count: int, drawn: int
) -> NDArray[np.float64]:
    """The chance that one of the clusters in which each has rows is among those ``drawn`` of ``count``."""
    pairs = np.unique(who.astype(np.int64) * count + groups)
    number = np.bincount(pairs // count)
    # Nobody is drawn where all of a person's clusters are among those left out.
    places = np.arange(int(number.max(initial=0)))
    missed = np.append(1.0, np.cumprod(np.maximum(count - drawn - places, 0) / np.maximum(count - places, 1)))
    found: NDArray[np.float64] = 1 - missed[number]
    return found
