"""Replaying the steps of a recipe on one part, with what earlier items learned about the whole table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques import catalogue
from techniques.catalogue.technique import Scope
from techniques.core import operations
from techniques.core.canonical import canonical_json
from techniques.core.draws import CellDraws, LastingKey, Records, RunDraws
from techniques.core.messages import EngineError, _
from techniques.core.secrets import Secrets
from techniques.core.settings import FitSettings
from techniques.core.subjects import Persons, Subjects
from techniques.core.tuples import Codes, Counter, TupleKeys, positions
from techniques.engines import kernels
from techniques.engines.columns import (
    Column,
    Draws,
    Recoding,
    blank,
    draws,
    encode,
    lookup,
    recoding,
)
from techniques.engines.parts import Parts
from techniques.engines.workspace import Workspace
from techniques.recipe.recipe import Recipe, Step
from techniques.values.numbered import NumberedTexts

SHOWN_ROWS = 5
MAX_COUNTED = 1 << 21
"""Distinct values of one column that a tally holds."""
SUBJECTS = "subjects"
"""Workspace name of whose each row of the source is."""


@dataclass
class Replayed:
    """Some columns of a part after some steps; ``keep`` marks the rows not removed so far."""

    columns: dict[str, Column]
    keep: NDArray[np.bool_]
    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    """Per step (its number as text) what was done to the rows still there."""
    subjects: Subjects | None = None
    """Whose each row is (:mod:`techniques.core.subjects`), whatever became of the columns that told it."""


class Replay:
    """The steps of one run. What an item learned lies in the workspace under the step's number."""

    def __init__(self, recipe: Recipe, parts: Parts, workspace: Workspace, secrets: Secrets) -> None:
        self.recipe = recipe
        self.parts = parts
        self.workspace = workspace
        self.secrets = secrets
        self._operations: dict[tuple[int, int], operations.Operation] = {}
        self._states: dict[str, operations.Learned] = {}
        self._recodings: dict[tuple[int, int], Recoding | Draws | None] = {}
        self._records: tuple[int, Records] | None = None
        self._tables: dict[
            int, tuple[operations.TableOperation, list[operations.StringArray], list[operations.StringArray]]
        ] = {}

    # -- what the steps are -----------------------------------------------------------------

    def operation(self, number: int, column: int = 0) -> operations.Operation:
        """The technique of a step, made once; a column technique once for each of its columns."""
        step = self.recipe.steps[number]
        table = step.spec.scope is Scope.TABLE
        key = (number, 0 if table else column)
        if key not in self._operations:
            columns = tuple(step.columns) if table else (step.columns[column],)
            context = operations.Context(number, columns, self.parts.source.rows, self.secrets)
            self._operations[key] = catalogue.implementation(step.technique)(step.parameters, context)
        return self._operations[key]

    def state(self, name: str) -> operations.Learned:
        """What an earlier item wrote under ``name``."""
        if name not in self._states:
            with self.workspace.open_read(name) as stream:
                self._states[name] = operations.Learned.read(stream)
        return self._states[name]

    def save(self, name: str, state: operations.Learned) -> None:
        with self.workspace.open_write(name) as stream:
            state.write(stream)
        self._states.pop(name, None)

    def save_learned(self, number: int, state: operations.Learned) -> None:
        """Write what a table step learned, and let go of what it learned from: that may be as large as the table."""
        self.save(fit_name(number, 0), state)
        self._states.pop(tally_name(number, 0), None)
        self._operations.pop((number, 0), None)

    def subjects(self, part: int) -> Subjects | None:
        """Whose each row of a part of the source is; None where one row is one person or nobody said."""
        if not self.recipe.subject:
            return None
        first = self.parts.first_row(part)
        found: Subjects = self.state(SUBJECTS).arrays["subjects"][first : first + self.parts.rows_in(part)]
        return found

    def records(self, part: int) -> Records | None:
        """Which record each row of a part of the source is; None where the recipe names none."""
        named = self.recipe.records
        if named is None:
            return None
        if self._records is None or self._records[0] != part:
            columns = self.parts.read(part, list(named.columns))
            key = LastingKey.of_run(self.secrets, named.purpose)
            settled = [columns[name].settled() for name in named.columns]
            self._records = part, Records.of(key, [(one.dictionary, one.codes) for one in settled])
        return self._records[1]

    def dictionary(self, column: str, before: int) -> operations.StringArray | None:
        """Distinct values of a column of the whole table before a step; None where there are too many."""
        number = self._last_step(column, before)
        if number is None:
            return self.parts.dictionary(column)
        position = self.recipe.steps[number].columns.index(column)
        if self.recipe.steps[number].spec.scope is Scope.TABLE:
            return self.after(number)[position]
        known = self.recoding(number, position)
        return None if known is None else known.dictionary

    def values(self, column: str) -> operations.StringArray | None:
        """The values after all steps of a column that :meth:`run` gives as codes into one dictionary for all parts: like that
        dictionary, they may repeat and be null. None where each part has a dictionary of its own."""
        number = self._last_step(column, len(self.recipe.steps))
        if number is None or self.recipe.steps[number].spec.scope is Scope.TABLE:
            return self.dictionary(column, len(self.recipe.steps))
        known = self.recoding(number, self.recipe.steps[number].columns.index(column))
        return known.values if isinstance(known, Recoding) else None if known is None else known.dictionary

    def _last_step(self, column: str, before: int) -> int | None:
        """The last step before another that treats a column."""
        for number in range(before - 1, -1, -1):
            step = self.recipe.steps[number]
            if column in step.columns and step.spec.scope is not Scope.STRUCTURE:
                return number
        return None

    def recoding(self, number: int, column: int) -> Recoding | Draws | None:
        """What a column step does to the whole table's dictionary; None where there is none."""
        key = (number, column)
        if key not in self._recodings:
            self._restore(number, column)
            state = self.state(map_name(number, column))
            arrays = state.arrays
            if state.facts["kind"] == "parts":
                self._recodings[key] = None
            elif state.facts["kind"] == "draws":
                self._recodings[key] = Draws(**arrays)
            else:
                self._recodings[key] = Recoding(arrays["values"], arrays["change"])
        return self._recodings[key]

    def _restore(self, number: int, column: int) -> None:
        operation = self.operation(number, column)
        if isinstance(operation, operations.ColumnOperation) and operation.needs_counts:
            operation.restore(self.state(fit_name(number, column)))

    def table(
        self, number: int
    ) -> tuple[operations.TableOperation, list[operations.StringArray], list[NumberedTexts]]:
        """A table step ready to treat rows, its columns' dictionaries after it, and those before it."""
        if number not in self._tables:
            operation = self.operation(number)
            assert isinstance(operation, operations.TableOperation)
            after = operation.restore(self.state(fit_name(number, 0)))
            names = [f"dictionary{i}" for i in range(len(self._looked_at(number)))]
            with self.workspace.open_read(tally_name(number, 0)) as stream:
                tally = operations.Learned.read(stream, names).arrays
            before = [NumberedTexts(tally[name]) for name in names]
            self._tables[number] = (operation, after, before)
        return self._tables[number]

    def _looked_at(self, number: int) -> list[str]:
        """Columns whose values a table step needs to treat a row, its own first."""
        step = self.recipe.steps[number]
        reads = getattr(self.operation(number), "reads", False)
        return [*step.columns, *step.read_columns] if reads else step.columns

    def after(self, number: int) -> list[operations.StringArray]:
        """Dictionaries of a table step's columns after it."""
        if not isinstance(self.operation(number), operations.WholeOperation):
            return self.table(number)[1]
        arrays = self.state(fit_name(number, 0)).arrays
        return [arrays[f"dictionary{i}"] for i in range(len(self.recipe.steps[number].columns))]

    # -- replaying them ---------------------------------------------------------------------

    def run(self, part: int, upto: int, wanted: Sequence[str], count: bool = False) -> Replayed:
        """Replay steps 0 … upto-1 on the columns of ``wanted`` in one part.

        Columns of table steps are always replayed, because those steps may remove rows. With ``count``
        the result says per step how many cells and rows it touched.
        """
        steps = self.recipe.steps[:upto]
        tables = [number for number, step in enumerate(steps) if step.spec.scope is Scope.TABLE]
        needed = set(wanted).union(*(self._looked_at(number) for number in tables))
        here = Replayed(
            self.parts.read(part, sorted(needed)),
            np.ones(self.parts.rows_in(part), dtype=bool),
            subjects=self.subjects(part),
        )
        for number, step in enumerate(steps):
            if step.spec.scope is Scope.TABLE:
                if isinstance(self.operation(number), operations.WholeOperation):
                    self._whole_step(number, step, part, here, count)
                else:
                    self._table_step(number, step, here, count)
            elif step.spec.scope is Scope.COLUMN:
                for position, name in enumerate(step.columns):
                    if name in here.columns:
                        self._column_step(number, position, name, part, here, count)
        return here

    def _column_step(
        self, number: int, position: int, name: str, part: int, here: Replayed, count: bool
    ) -> None:
        column = here.columns[name].settled()
        whole = self.recoding(number, position)
        operation = self.operation(number, position)
        if isinstance(operation, operations.RowOperation):
            label = f"step {number} column {position} part {part}"
            cells = operations.Cells(
                column.dictionary,
                column.codes,
                self.parts.first_row(part),
                label,
                self._draws(number, position, part, column, label),
            )
            here.columns[name] = encode(operation.treat(cells))
            if count:
                changed = here.keep & (column.codes >= 0)
                self._count_cells(number, here, column.codes, here.columns[name].codes, changed)
            return
        known = whole if whole is not None else self.recode(number, position, column.dictionary)
        if isinstance(known, Draws):
            label = f"step {number} column {position} part {part}"
            draw = self._draws(number, position, part, column, label).uniform()
            second = draw < known.probability[column.codes]
            codes = np.where(second, known.second[column.codes], known.first[column.codes])
            here.columns[name] = Column(codes, known.dictionary, whole=whole is not None)
            if count:
                changed = here.keep & (column.codes >= 0)
                self._count_cells(number, here, column.codes, codes, changed)
            return
        # The rows keep their codes: all the work is on the distinct values.
        here.columns[name] = Column(column.codes, known.values, whole is not None, known)
        if count:
            counted = kernels.count_changes(column.codes, here.keep, known.change)
            self._count(number, here, *map(int, counted))

    def _draws(self, number: int, position: int, part: int, column: Column, label: str) -> CellDraws:
        """The numbers drawn for the cells of a part: by record and value where records keep them, else of the run."""
        step = self.recipe.steps[number]
        records = self.records(part) if step.parameters.keeps_draws else None
        if records is None:
            return RunDraws(self.secrets, label, len(column.codes))
        terms = canonical_json(
            [step.technique, step.columns[position], step.parameters.model_dump(mode="json")]
        )
        return records.cells(terms, column.dictionary, column.codes)

    def _count_cells(
        self, number: int, here: Replayed, before: Codes, after: Codes, changed: NDArray[np.bool_]
    ) -> None:
        gone = int((here.keep & (before >= 0) & (after < 0)).sum())
        self._count(number, here, int(changed.sum()) - gone, gone)

    def _count(self, number: int, here: Replayed, changed: int, gone: int) -> None:
        entry = here.counts.setdefault(str(number), {"cells_changed": 0, "cells_suppressed": 0})
        entry["cells_suppressed"] += gone
        entry["cells_changed"] += changed

    def _table_step(self, number: int, step: Step, here: Replayed, count: bool) -> None:
        operation, after, before = self.table(number)
        columns = [here.columns[name].settled() for name in self._looked_at(number)]
        codes = [
            column.codes if column.whole else lookup(dictionary, column)
            for column, dictionary in zip(columns, before, strict=True)
        ]
        outcome = operation.apply(codes)
        if count:
            here.counts[str(number)] = {
                "rows_suppressed": int((here.keep & outcome.suppressed).sum()),
                "rows_removed": int((here.keep & outcome.removed).sum()),
            }
        for name, new, dictionary in zip(step.columns, outcome.codes, after, strict=True):
            here.columns[name] = Column(new, dictionary, whole=True)
        here.keep &= ~outcome.removed

    def _whole_step(self, number: int, step: Step, part: int, here: Replayed, count: bool) -> None:
        """Put the rows that the step has worked out in place; rows removed earlier hold nothing any more."""
        arrays = self.state(fit_name(number, 0)).arrays
        rows = slice(int(arrays["starts"][part]), int(arrays["starts"][part + 1]))
        removed = np.zeros(len(here.keep), dtype=bool)
        removed[here.keep] = arrays["removed"][rows].astype(bool)
        if count:
            here.counts[str(number)] = {
                "rows_suppressed": int(arrays["suppressed"][rows].sum()),
                "rows_removed": int(removed.sum()),
            }
        for name, i in zip(step.columns, range(len(step.columns)), strict=True):
            codes = np.full(len(here.keep), -1, dtype=np.int32)
            codes[here.keep] = arrays[f"codes{i}"][rows]
            here.columns[name] = Column(codes, arrays[f"dictionary{i}"], whole=True)
        if here.subjects is not None and "subjects" in arrays:
            here.subjects = here.subjects.copy()
            here.subjects[here.keep] = arrays["subjects"][rows]
        here.keep &= ~removed

    # -- column techniques ------------------------------------------------------------------

    def recode(self, number: int, position: int, values: operations.StringArray) -> Recoding | Draws:
        """Apply a column step to distinct values; those that do not fit become missing."""
        operation = self.operation(number, position)
        if isinstance(operation, operations.DrawOperation):
            return draws(operation.branches(values))
        assert isinstance(operation, operations.ValueOperation)
        outcome = operation.apply_in_parts(values)
        new = outcome.values if outcome.unfit is None else blank(outcome.values, outcome.unfit)
        return recoding(values, new)

    def unfit(self, number: int, position: int, values: operations.StringArray) -> NDArray[np.bool_]:
        """Which of some distinct values a column step cannot read."""
        operation = self.operation(number, position)
        if isinstance(operation, operations.DrawOperation):
            unfit = operation.branches(values).unfit
        elif isinstance(operation, operations.RowOperation):
            unfit = operation.unfit(values)
        else:
            assert isinstance(operation, operations.ValueOperation)
            unfit = operation.apply_in_parts(values).unfit
        return unfit if unfit is not None else np.zeros(len(values), dtype=bool)

    def locate(
        self, number: int, position: int, name: str, bad: operations.StringArray | None, tick: Any
    ) -> tuple[int, list[int]]:
        """How many rows hold unfit values before a step, and the first row numbers (data rows from 1).

        ``bad`` are those values; None: the column's values are too many, each part asks the technique of its own.
        """
        total = 0
        rows: list[int] = []
        for part in range(self.parts.source.parts):
            count, first = self.located(part, number, position, name, bad)
            total += count
            rows += first[: SHOWN_ROWS - len(rows)]
            tick(part / self.parts.source.parts)
        return total, rows

    def located(
        self, part: int, number: int, position: int, name: str, bad: operations.StringArray | None
    ) -> tuple[int, list[int]]:
        """What :meth:`locate` says, of one part."""
        here = self.run(part, number, [name])
        column = here.columns[name].settled()
        if bad is None:
            marks = self.unfit(number, position, column.dictionary)
        else:
            marks = np.asarray(pc.is_in(column.dictionary, bad)).astype(bool)
        found = np.flatnonzero(np.append(marks, False)[column.codes] & here.keep)
        first = self.parts.first_row(part) + 1
        return len(found), [int(first + row) for row in found[:SHOWN_ROWS]]

    def refuse_unfit(
        self, number: int, position: int, values: operations.StringArray | None, tick: Any
    ) -> None:
        """Stop with the rows' numbers where a column step is to stop at values that it cannot read.

        ``values`` are the distinct ones of the whole table, None where there are too many of them.
        """
        step = self.recipe.steps[number]
        if not stops_at_unfit(step):
            return
        bad = None
        if values is not None:
            bad = values.filter(pa.array(self.unfit(number, position, values)))
            if not len(bad):
                return
        total, rows = self.locate(number, position, step.columns[position], bad, tick)
        text = self.operation(number, position).unfit_text
        if total and text is not None:
            raise text.located(step.columns[position], total, rows)

    # -- what all parts together hold -------------------------------------------------------

    def distinct(self, number: int, columns: Sequence[str], tick: Any) -> list[operations.StringArray]:
        """The distinct values of ``columns`` in all parts before a step, in the order in which they are met."""
        parts = self.parts.source.parts
        held = [NumberedTexts() for _column in columns]
        for part in range(parts):
            here = self.run(part, number, columns)
            for column, known in zip(columns, held, strict=True):
                values = here.columns[column].settled().dictionary
                known.append(values.filter(pa.array(known.numbers(values) < 0)))
                if len(known) > MAX_COUNTED:
                    raise too_many(column, MAX_COUNTED)
            tick(part / parts)
        return [known.values for known in held]

    def combinations(
        self, number: int, columns: Sequence[str], dictionaries: Sequence[operations.StringArray], tick: Any
    ) -> tuple[NDArray[Any], NDArray[np.int64], Persons | None]:
        """Distinct combinations of ``columns`` before a step as keys in rising order, the rows that have each, and whose these
        are where the recipe names a subject; rows removed earlier are left out."""
        parts = self.parts.source.parts
        keys = TupleKeys([len(dictionary) for dictionary in dictionaries])
        counter = Counter()
        none = keys.encode([np.empty(0, np.int32) for _ in columns])  # there may be no part at all
        counter.add(none)
        held, whose = [none], [np.empty(0, np.int32)]
        known = [NumberedTexts(dictionary) for dictionary in dictionaries]
        for part in range(parts):
            here = self.run(part, number, columns)
            found = keys.encode(codes_left(here, columns, known))
            counter.add(found)
            if here.subjects is not None:
                held.append(found)
                whose.append(here.subjects[here.keep])
            tick(part / parts)
        found, counts = counter.counted()
        if not self.recipe.subject:
            return found, counts, None
        place = positions(found, np.concatenate(held))
        return found, counts, Persons.of(place, np.concatenate(whose), len(found))


def codes_left(here: Replayed, columns: Sequence[str], dictionaries: Sequence[NumberedTexts]) -> list[Codes]:
    """The rows still there, as codes into whole dictionaries."""
    found = []
    for column, dictionary in zip(columns, dictionaries, strict=True):
        cells = here.columns[column].settled()
        found.append((cells.codes if cells.whole else lookup(dictionary, cells))[here.keep])
    return found


def stops_at_unfit(step: Step) -> bool:
    """Whether values that the technique cannot read stop the run."""
    parameters = step.parameters
    if isinstance(parameters, FitSettings):
        return parameters.unfit == "error"
    return getattr(parameters, "others", "") == "error"


def map_name(number: int, column: int) -> str:
    """Workspace name of what a column step does to a whole dictionary."""
    return f"map-{number:04}-{column:04}"


def fit_name(number: int, column: int) -> str:
    """Workspace name of what a technique learned."""
    return f"fit-{number:04}-{column:04}"


def tally_name(number: int, column: int) -> str:
    """Workspace name of the counted values or combinations before a step."""
    return f"tally-{number:04}-{column:04}"


def too_many(column: str, limit: int) -> EngineError:
    """A step needs all distinct values of a column that has too many of them."""
    text = _(
        "Column %(column)s has more than %(limit)d distinct values here. Generalise it in an earlier step."
    )
    return EngineError("too_many_distinct", text, column=column, limit=limit)
