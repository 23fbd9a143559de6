"""A.1.2: a random part of the rows, drawn so that nobody without the seed knows who is in it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from techniques.catalogue.statistical import SamplingSettings
from techniques.core.groups import group_of_rows
from techniques.core.operations import Whole, WholeOperation, WholeOutcome
from techniques.core.subjects import Subjects, persons


class Sampling(WholeOperation):
    """Rows that are not drawn are removed. The report has the fraction that risk measures need."""

    settings: SamplingSettings

    def treat(self, table: Whole, tick: Any) -> WholeOutcome:
        """All rows, most of them marked as removed. Where it is known whose they are, persons are drawn with all their rows, in
        a stratified sample each from the stratum of its first row."""
        if table.subjects is not None and self.settings.method != "cluster":
            return self._of_persons(table, table.subjects)
        kept, report = self._rows(table)
        report["rows"] = int(kept.sum())
        report["sampling_fraction"] = float(kept.mean()) if table.rows else 0.0
        if table.subjects is not None:
            who, number = persons(table.subjects)
            report["persons"] = len(np.unique(who[kept]))
            report["sampling_fraction"] = report["persons"] / max(number, 1)
        return WholeOutcome(table.dictionaries, table.codes, ~kept, report)

    def _of_persons(self, table: Whole, subjects: Subjects) -> WholeOutcome:
        who, number = persons(subjects)
        first = np.unique(who, return_index=True)[1]
        drawn, report = self._rows(Whole(table.dictionaries, [codes[first] for codes in table.codes]))
        kept = drawn[who]
        report |= {"rows": int(kept.sum()), "persons": int(drawn.sum())}
        report["sampling_fraction"] = int(drawn.sum()) / max(number, 1)
        return WholeOutcome(table.dictionaries, table.codes, ~kept, report)

    def _rows(self, table: Whole) -> tuple[NDArray[np.bool_], dict[str, Any]]:
        """Which rows are drawn, and what the report says of the method."""
        groups, count = group_of_rows(table, range(len(table.codes)))
        report: dict[str, Any] = {"method": self.settings.method}
        if self.settings.method == "cluster":
            kept = self._drawn(count, "clusters")[groups]
            report |= {"clusters": count}
        elif self.settings.method == "stratified":
            kept = self._stratified(groups, count)
            report |= {"strata": count}
        else:
            kept = self._drawn(table.rows, "rows")
        return kept, report

    def _draws(self, count: int, what: str) -> NDArray[np.float64]:
        return self.context.secrets.uniform(f"step {self.context.step} {what}", count)

    def _drawn(self, count: int, what: str) -> NDArray[np.bool_]:
        """Which of ``count`` things are in the sample: a fixed number, every choice alike."""
        size = min(count, max(1, round(self.settings.fraction * count)))
        kept = np.zeros(count, dtype=bool)
        kept[np.argsort(self._draws(count, what), kind="stable")[:size]] = True
        return kept

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
