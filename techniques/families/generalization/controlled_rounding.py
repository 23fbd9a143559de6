"""A.5.2: every number to a multiple of the base next to it, at random, so that sums survive."""

from __future__ import annotations

from typing import Any

import numpy as np

from techniques.catalogue.generalization import ControlledRoundingSettings
from techniques.core.groups import chosen_columns, group_of_rows
from techniques.core.operations import Context, Unfit, Whole, WholeOperation, WholeOutcome
from techniques.families.randomization.columns import encoded
from techniques.families.statistical import kernels
from techniques.values.numbers import format_numbers, parse_numbers, places, scaled
from techniques.values.unfit import NOT_A_NUMBER


class ControlledRounding(WholeOperation):
    """Systematic sampling of who is rounded up: each number with the chance of its remainder over the base.

    The expectation of every result is its value, and the sum of each group differs from the true one by less
    than one base; where the true sum is a multiple of the base, not at all.
    """

    unfit_text = NOT_A_NUMBER

    def __init__(self, settings: ControlledRoundingSettings, context: Context) -> None:
        self.settings: ControlledRoundingSettings = settings
        self.context = context
        self.by = chosen_columns("within", settings.within, context.columns)

    def treat(self, table: Whole, tick: Any) -> WholeOutcome:
        """Each column that is not one of the groups', by itself."""
        groups, count = group_of_rows(table, self.by)
        dictionaries, codes = list(table.dictionaries), list(table.codes)
        for i in range(len(codes)):
            if i in self.by:
                continue
            numbers = parse_numbers(table.dictionaries[i], places(self.settings.base))
            used = np.unique(codes[i][codes[i] >= 0])
            bad = used[~numbers.valid[used]]
            if len(bad) and self.settings.unfit == "error":
                raise Unfit(i, bad.astype(np.int64), NOT_A_NUMBER)
            base = scaled(self.settings.base, numbers.scale)
            known = np.append(numbers.valid, False)[codes[i]]
            cells = np.append(numbers.unscaled, 0)[codes[i]]
            rest = np.where(known, cells % base, 0)
            up = self._up(rest, base, groups, i)
            made = np.where(known, cells - rest + base * up, 0)
            dictionaries[i], codes[i] = encoded(format_numbers(made, numbers.scale), known)
        return WholeOutcome(dictionaries, codes, np.zeros(table.rows, dtype=bool), {"groups": count})

    def _up(self, rest: Any, base: int, groups: Any, column: int) -> Any:
        """0 or 1 per row: walk the rows of each group in random order and round up whenever a base is full."""
        label = f"step {self.context.step} column {column}"
        order = np.lexsort((self.context.secrets.uniform(f"{label} order", len(rest)), groups))
        count = int(groups.max(initial=-1)) + 1
        starts = (self.context.secrets.uniform(f"{label} starts", count) * base).astype(np.int64)
        up = np.empty(len(rest), dtype=np.int64)
        up[order] = kernels.rounded_up(rest[order], groups[order], np.minimum(starts, base - 1), base)
        return up
