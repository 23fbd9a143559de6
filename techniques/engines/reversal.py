"""Getting values back: only techniques that say so, only with the secrets of the run (GB/T 37964 A.2, A.4.1).

Who may do it, why, and with whose consent is the portal's to decide and to record.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Protocol, cast, runtime_checkable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques import catalogue
from techniques.catalogue.encryption import SecretSharingSettings
from techniques.core.messages import EngineError, _
from techniques.core.operations import Context, Outcome, StringArray, ValueOperation
from techniques.core.secrets import Secrets
from techniques.engines.columns import Column, encode
from techniques.engines.parts import PART_ROWS
from techniques.engines.replay import SHOWN_ROWS
from techniques.recipe.recipe import Recipe
from techniques.tables.formats import FileFormat
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
        text = _("Column %(column)s cannot be got back: it needs one single, reversible step.")
        raise EngineError("not_reversible", text, column=column)
    return steps[0]


def reverse(recipe: Recipe, column: str, values: StringArray, secrets: Secrets, rows: int) -> Outcome:
    """The values behind n distinct results in ``column``; ``rows`` is the number of rows of that run."""
    number = reversible_step(recipe, column)
    step = recipe.steps[number]
    context = Context(number, (column,), rows, secrets)
    made = catalogue.implementation(step.technique)(step.parameters, context)
    return cast(Reversible, made).reverse(values)


def reverse_some(
    recipe: Recipe, column: str, wanted: list[str], secrets: Secrets, rows: int
) -> list[str | None]:
    """What each of ``wanted`` was encrypted from; None where it is no ciphertext of this run."""
    outcome = reverse(recipe, column, pa.array(wanted, pa.string()), secrets, rows)
    values: list[str | None] = outcome.values.to_pylist()
    unfit = outcome.unfit if outcome.unfit is not None else np.zeros(len(wanted), dtype=bool)
    return [None if bad else value for value, bad in zip(values, unfit.tolist(), strict=True)]


def recompute_some(
    recipe: Recipe,
    column: str,
    wanted: list[str],
    source: Iterable[pa.RecordBatch],
    secrets: Secrets,
    rows: int,
) -> list[str | None]:
    """The original of each derived pseudonym of ``wanted``, found by deriving the values of ``source`` anew.

    ``rows`` is the number of rows of that run. None where no value of the source gives it.
    """
    number = next(n for n, step in enumerate(recipe.steps) if column in step.columns)
    step = recipe.steps[number]
    context = Context(number, (column,), rows, secrets)
    made = cast(ValueOperation, catalogue.implementation(step.technique)(step.parameters, context))
    targets = pa.array(wanted, pa.string())
    found = np.full(len(wanted), None, dtype=object)
    open_places = np.ones(len(wanted), dtype=bool)
    for batch in source:
        values = encode(batch.column(column)).dictionary
        place = pc.index_in(targets, made.apply(values).values)
        here = np.asarray(place.is_valid()) & open_places
        if here.any():
            found[here] = values.take(place.filter(pa.array(here))).to_pylist()
            open_places &= ~here
            if not open_places.any():
                break
    return cast("list[str | None]", found.tolist())


def occurring(column: str, wanted: list[str], result: Iterable[pa.RecordBatch]) -> NDArray[np.bool_]:
    """Which of ``wanted`` (n) occur in ``column`` of a result."""
    targets = pa.array(wanted, pa.string())
    there = np.zeros(len(wanted), dtype=bool)
    for batch in result:
        there |= np.asarray(pc.is_in(targets, encode(batch.column(column)).dictionary))
        if there.all():
            break
    return there


def cells_at(column: str, rows: list[int], table: Iterable[pa.RecordBatch]) -> list[str | None]:
    """The cells of ``column`` in the rows of these numbers, from 1; None where missing or beyond the end."""
    wanted = np.array(rows, dtype=np.int64) - 1
    found = np.full(len(rows), None, dtype=object)
    first = 0
    for batch in table:
        here = (wanted >= first) & (wanted < first + batch.num_rows)
        if here.any():
            found[here] = batch.column(column).take(pa.array(wanted[here] - first)).to_pylist()
        first += batch.num_rows
    return cast("list[str | None]", found.tolist())


def combine_some(recipe: Recipe, column: str, shares: Mapping[int, Sequence[str | None]]) -> list[str | None]:
    """The numbers behind the shares of at least the threshold's holders (holder → n texts); None where missing.

    Raises EngineError ``shares_too_few``.
    """
    from techniques.families.encryption.secret_sharing import combine_shares

    step = next(step for step in recipe.steps if column in step.columns)
    settings = cast(SecretSharingSettings, step.parameters)
    if len(shares) < settings.threshold:
        message = _("%(needed)d holders' files are needed, and there are %(found)d.")
        raise EngineError("shares_too_few", message, needed=settings.threshold, found=len(shares))
    there = [all(text is not None for text in row) for row in zip(*shares.values(), strict=True)]
    texts = {
        holder: [text for text, whole in zip(column, there, strict=True) if whole and text is not None]
        for holder, column in shares.items()
    }
    numbers = iter(combine_shares(texts, settings.decimals) if any(there) else [])
    return [next(numbers) if whole else None for whole in there]


def reverse_table(
    recipe: Recipe, column: str, result: Path, found: FileFormat, output: Path, secrets: Secrets
) -> int:
    """Write the table ``result`` of a run, whose form is ``found``, anew with the values of ``column`` got back; the number of
    rows.

    Missing cells stay missing. Raises EngineError ``not_reversible``, ``values_not_decryptable``.
    """
    from techniques.tables import TableWriter, open_table

    reversible_step(recipe, column)
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
