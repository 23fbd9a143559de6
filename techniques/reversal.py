"""Getting values back: only techniques that say so, only with the secrets of the run (GB/T 37964 A.2, A.4.1).

Who may do it, why, and with whose consent is the portal's to decide and to record.
"""

from __future__ import annotations

from pathlib import Path
from typing import Protocol, cast, runtime_checkable

import numpy as np

from techniques import catalogue
from techniques.engines.columns import Column, encode
from techniques.engines.parts import PART_ROWS
from techniques.engines.replay import SHOWN_ROWS
from techniques.messages import EngineError, gettext_noop
from techniques.operations import Context, Outcome, StringArray
from techniques.recipe import Recipe
from techniques.secrets import Secrets
from techniques.values.unfit import NOT_DECRYPTABLE


@runtime_checkable
class Reversible(Protocol):
    """An operation that knows the way back."""

    def reverse(self, values: StringArray) -> Outcome:
        """What n results stand for; ``unfit`` where they are no results of this operation."""


def reversible_step(recipe: Recipe, column: str) -> int:
    """Number of the step whose results stand in ``column``; EngineError ``not_reversible``."""
    steps = [number for number, step in enumerate(recipe.steps) if column in step.columns]
    if len(steps) != 1 or not recipe.steps[steps[0]].spec.reversible:
        raise EngineError(
            "not_reversible",
            gettext_noop("Column %(column)s cannot be got back: it needs one single, reversible step."),
            column=column,
        )
    return steps[0]


def reverse(recipe: Recipe, column: str, values: StringArray, secrets: Secrets, rows: int) -> Outcome:
    """The values behind n distinct results in ``column``; ``rows`` is the number of rows of that run."""
    number = reversible_step(recipe, column)
    step = recipe.steps[number]
    context = Context(number, (column,), rows, secrets)
    made = catalogue.implementation(step.technique)(step.parameters, context)
    return cast(Reversible, made).reverse(values)


def reverse_table(recipe: Recipe, column: str, result: Path, output: Path, secrets: Secrets) -> int:
    """Write the table ``result`` of a run anew with the values of ``column`` got back; the number of rows.

    Missing cells stay missing. Raises EngineError ``not_reversible``, ``values_not_decryptable``.
    """
    from techniques.tables import TableWriter, detect, open_table

    reversible_step(recipe, column)
    with result.open("rb") as stream:
        found = detect(stream, result.name)
    rows = 0
    partial = output.with_name(f".{output.name}.partial")
    try:
        with result.open("rb") as stream, open_table(stream, found) as reader, partial.open("wb") as target:
            place = list(reader.columns).index(column)
            with TableWriter(target, found, list(reader.columns)) as writer:
                for batch in reader.batches(PART_ROWS):
                    cells = encode(batch.column(place))
                    outcome = reverse(recipe, column, cells.dictionary, secrets, rows)
                    if outcome.unfit is not None and outcome.unfit.any():
                        bad = np.flatnonzero(np.append(outcome.unfit, False)[cells.codes])
                        shown = [int(rows + 1 + row) for row in bad[:SHOWN_ROWS]]
                        raise NOT_DECRYPTABLE.located(column, len(bad), shown)
                    new = Column(cells.codes, outcome.values, whole=False).texts()
                    writer.write(batch.set_column(place, column, new))
                    rows += batch.num_rows
        partial.replace(output)
    finally:
        partial.unlink(missing_ok=True)
    return rows
