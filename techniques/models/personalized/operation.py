"""Algorithm 1 of Cao et al. 2018 as a step of a recipe: rows are put into classes one by one, with draws of the run's seed."""

from __future__ import annotations

from typing import Any

import numpy as np

from techniques.catalogue.models import KAnonymitySettings
from techniques.core.operations import Context, Whole, WholeOperation, WholeOutcome
from techniques.core.subjects import Persons
from techniques.models.k_anonymity.reading import judged
from techniques.models.local_recoding.operation import demanded, given_up, local_report, shape_of
from techniques.models.personalized.forming import recoded_by_algorithm_1


class TopDown(WholeOperation):
    """B.1.1 to B.1.3 class by class, as :class:`LocalRecoding`, but by the paper's own algorithm; no row is suppressed.

    Behind the step's columns the table holds the sensitive attributes, which stay as they are.
    """

    def __init__(self, settings: KAnonymitySettings, context: Context) -> None:
        self.settings: KAnonymitySettings = settings
        self.context = context

    def treat(self, table: Whole, tick: Any) -> WholeOutcome:
        """Raises EngineError ``k_too_large``, ``no_solution``, ``level_unknown``, ``hierarchy_no_tree``; Unfit."""
        columns = self.context.columns
        count, n = len(columns), table.rows
        codes, read = table.codes[:count], (table.dictionaries[count:], table.codes[count:])
        shapes = [
            shape_of(self.settings, number, column, table.dictionaries[number], codes[number])
            for number, column in enumerate(columns)
        ]
        ones = np.ones(n, dtype=np.int64)
        sensitive = judged(self.settings, *read, ones, np.arange(n + 1), count)
        of_rows = None
        if table.subjects is not None:
            of_rows = Persons.of(np.arange(n), table.subjects, n)
        demand = demanded(self.settings, *read, of_rows, count)
        found = recoded_by_algorithm_1(
            shapes,
            codes,
            [(one, one.entries.values) for one in sensitive],
            self.settings.least,
            self._random(),
            demand,
            weights=[float(self.settings.weights.get(column, 1.0)) for column in columns],
        )
        if self.settings.unfit == "suppress":
            found = given_up(found, shapes, codes, None)
        report = local_report(self.settings, columns, shapes, found, sensitive, None, demand)
        return WholeOutcome(
            found.dictionaries, found.codes, np.zeros(n, dtype=bool), report | {"algorithm": "top_down"}
        )

    def _random(self) -> np.random.Generator:
        """The same draws for the same seed of the run."""
        drawn = self.context.secrets.uniform(f"step {self.context.step} classes", 1)[0]
        return np.random.default_rng(int(drawn * (1 << 53)))
