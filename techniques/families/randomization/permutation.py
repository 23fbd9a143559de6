"""A.6.3: values change places, so that each column's values stay exactly what they were."""

from __future__ import annotations

from typing import Any

import numpy as np

from techniques.catalogue.randomization import PermutationSettings
from techniques.core.messages import EngineError, _
from techniques.core.operations import Context, Whole, WholeOperation, WholeOutcome
from techniques.core.tuples import TupleKeys


class Permutation(WholeOperation):
    """One random permutation for all moving columns of the step; a missing value moves like any other."""

    def __init__(self, settings: PermutationSettings, context: Context) -> None:
        self.settings: PermutationSettings = settings
        self.context = context
        strangers = [name for name in settings.within if name not in context.columns]
        if strangers or len(set(settings.within)) >= len(context.columns):
            text = _(
                "Permutation: the columns within whose groups values change places must be columns of the "
                "step, and another one must be left to move."
            )
            raise EngineError("within_not_in_step", text)

    def treat(self, table: Whole, tick: Any) -> WholeOutcome:
        """Rows in one group get each other's values."""
        draws = self.context.secrets.uniform(f"step {self.context.step} order", table.rows)
        fixed = [i for i, name in enumerate(self.context.columns) if name in self.settings.within]
        shuffled = np.argsort(draws, kind="stable")
        groups = 1
        if fixed:
            keys = TupleKeys([len(table.dictionaries[i]) for i in fixed])
            _, group = np.unique(keys.encode([table.codes[i] for i in fixed]), return_inverse=True)
            # Both orders go through the groups one after the other: the first by row, the second by lot.
            places = np.argsort(group, kind="stable")
            sources = shuffled[np.argsort(group[shuffled], kind="stable")]
            groups = int(group.max(initial=-1)) + 1
        else:
            places, sources = np.arange(table.rows), shuffled
        codes = []
        for i, column in enumerate(table.codes):
            moved = column.copy()
            if i not in fixed:
                moved[places] = column[sources]
            codes.append(moved)
        return WholeOutcome(table.dictionaries, codes, np.zeros(table.rows, dtype=bool), {"groups": groups})
