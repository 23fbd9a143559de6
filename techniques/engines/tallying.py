"""Counting the values or combinations that a step must know before it can treat a row."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from techniques.catalogue.family import Family
from techniques.core import operations
from techniques.core.draws import BLOCK, LastingKey, Records
from techniques.core.messages import EngineError
from techniques.core.subjects import Persons
from techniques.core.tuples import Codes, TupleKeys
from techniques.engines.columns import Draws
from techniques.engines.parts import Tick
from techniques.engines.replay import Replay, codes_left, fit_name, map_name, tally_name
from techniques.values.numbered import NumberedTexts


def tally_step(replay: Replay, number: int, tick: Tick) -> None:
    """Count for a step: combinations for a table technique, values per column for a column technique."""
    step = replay.recipe.steps[number]
    operation = replay.operation(number)
    if isinstance(operation, operations.TableOperation):
        replay.save(tally_name(number, 0), _count(replay, number, [*step.columns, *step.read_columns], tick))
        return
    if isinstance(operation, operations.WholeOperation):
        replay.save(tally_name(number, 0), _gather(replay, number, [*step.columns, *step.read_columns], tick))
        return
    for position, column in enumerate(step.columns):
        state = _count(replay, number, [column], tick)
        replay.save(tally_name(number, position), state)


def _count(replay: Replay, number: int, columns: list[str], tick: Tick) -> operations.Learned:
    """Distinct combinations of ``columns`` before a step, rows removed earlier left out."""
    dictionaries, opened = _dictionaries(replay, number, columns, tick)
    keys = TupleKeys([len(dictionary) for dictionary in dictionaries])
    later: Tick = (lambda share: tick(0.5 + 0.5 * share)) if opened else tick
    found, counts, persons = replay.combinations(number, columns, dictionaries, later)
    arrays: dict[str, Any] = {f"dictionary{i}": values for i, values in enumerate(dictionaries)}
    arrays["counts"] = counts
    arrays |= {f"codes{i}": codes for i, codes in enumerate(keys.decode(found))}
    if persons is not None:
        arrays |= {
            "person_start": persons.start,
            "person": persons.person,
            "persons": np.array([persons.number]),
        }
    return operations.Learned(arrays)


def _dictionaries(
    replay: Replay, number: int, columns: list[str], tick: Tick
) -> tuple[list[operations.StringArray], bool]:
    """Distinct values of the whole table per column, and whether parts had to be read for them."""
    known = {column: replay.dictionary(column, number) for column in columns}
    opened = [column for column in known if known[column] is None]
    if opened:
        found = replay.distinct(number, opened, lambda share: tick(0.5 * share))
        known |= dict(zip(opened, found, strict=True))
    return [known[column] for column in columns], bool(opened)


def _gather(replay: Replay, number: int, columns: list[str], tick: Tick) -> operations.Learned:
    """All rows still there before a step; ``starts`` says where those of each part begin."""
    parts = replay.parts.source.parts
    dictionaries, opened = _dictionaries(replay, number, columns, tick)
    pieces: list[list[Codes]] = [[np.empty(0, np.int32)] for _ in columns]
    whose = [np.empty(0, np.int32)]
    keeps = replay.recipe.records is not None and replay.recipe.steps[number].parameters.keeps_draws
    records = [np.empty((0, BLOCK), np.uint8)]
    starts = [0]
    known = [NumberedTexts(dictionary) for dictionary in dictionaries]
    for part in range(parts):
        here = replay.run(part, number, columns)
        for piece, codes in zip(pieces, codes_left(here, columns, known), strict=True):
            piece.append(codes)
        if here.subjects is not None:
            whose.append(here.subjects[here.keep])
        if keeps and (named := replay.records(part)) is not None:
            records.append(named.blocks[here.keep])
        starts.append(starts[-1] + int(here.keep.sum()))
        tick(0.5 + 0.5 * part / parts if opened else part / parts)
    arrays: dict[str, Any] = {f"dictionary{i}": values for i, values in enumerate(dictionaries)}
    arrays |= {f"codes{i}": np.concatenate(piece) for i, piece in enumerate(pieces)}
    arrays["starts"] = np.array(starts, dtype=np.int64)
    if replay.recipe.subject:
        arrays["subjects"] = np.concatenate(whose)
    if keeps:
        arrays["records"] = np.concatenate(records).reshape(-1)
    return operations.Learned(arrays)


def fit_step(replay: Replay, number: int, tick: Tick) -> None:
    """Let a step learn from its tally, and work out what it does to whole dictionaries."""
    step = replay.recipe.steps[number]
    operation = replay.operation(number)
    if isinstance(operation, operations.TableOperation):
        _fit_table(replay, number, operation, tick)
        return
    if isinstance(operation, operations.WholeOperation):
        _fit_whole(replay, number, operation, tick)
        return
    for position, column in enumerate(step.columns):
        _fit_column(replay, number, position, column, tick)


def _fit_table(replay: Replay, number: int, operation: operations.TableOperation, tick: Tick) -> None:
    arrays = replay.state(tally_name(number, 0)).arrays
    step = replay.recipe.steps[number]
    columns = [*step.columns, *step.read_columns]
    tally = operations.Tally(
        [arrays[f"dictionary{i}"] for i in range(len(columns))],
        [arrays[f"codes{i}"] for i in range(len(columns))],
        arrays["counts"],
        Persons(arrays["person_start"], arrays["person"], int(arrays["persons"][0]))
        if "persons" in arrays
        else None,
    )
    try:
        state = operation.fit(tally, tick)
    except operations.Unfit as unfit:
        raise _located(replay, number, tally.dictionaries, unfit, tick) from None
    replay.save_learned(number, state)


def _fit_whole(replay: Replay, number: int, operation: operations.WholeOperation, tick: Tick) -> None:
    arrays = replay.state(tally_name(number, 0)).arrays
    step = replay.recipe.steps[number]
    count = len(step.columns) + len(step.read_columns)
    table = operations.Whole(
        [arrays[f"dictionary{i}"] for i in range(count)],
        [arrays[f"codes{i}"] for i in range(count)],
        arrays.get("subjects"),
        _records(replay, arrays),
    )
    try:
        outcome = operation.treat(table, tick)
    except operations.Unfit as unfit:
        raise _located(replay, number, table.dictionaries, unfit, tick) from None
    learned: dict[str, Any] = {f"dictionary{i}": values for i, values in enumerate(outcome.dictionaries)}
    learned |= {f"codes{i}": codes.astype(np.int32, copy=False) for i, codes in enumerate(outcome.codes)}
    learned["removed"] = outcome.removed.astype(np.uint8)
    suppressed = outcome.suppressed if outcome.suppressed is not None else np.zeros(table.rows, dtype=bool)
    learned["suppressed"] = suppressed.astype(np.uint8)
    learned["starts"] = arrays["starts"]
    if table.subjects is not None and outcome.subjects is not None:
        learned["subjects"] = outcome.subjects.astype(np.int32, copy=False)
    replay.save_learned(number, operations.Learned(learned, {"report": outcome.report}))


def _records(replay: Replay, arrays: dict[str, Any]) -> Records | None:
    """Which record each gathered row is, where that was gathered."""
    named = replay.recipe.records
    if named is None or "records" not in arrays:
        return None
    key = LastingKey.of_run(replay.secrets, named.purpose)
    return Records(key, arrays["records"].reshape(-1, BLOCK))


def _located(
    replay: Replay,
    number: int,
    dictionaries: list[operations.StringArray],
    unfit: operations.Unfit,
    tick: Tick,
) -> EngineError:
    """The rows that hold the values which a table technique cannot read."""
    step = replay.recipe.steps[number]
    column = [*step.columns, *step.read_columns][unfit.column]
    bad = dictionaries[unfit.column].take(pa.array(unfit.positions))
    total, rows = replay.locate(number, 0, column, bad, tick)
    return unfit.error.located(column, total, rows)


def _fit_column(replay: Replay, number: int, position: int, column: str, tick: Tick) -> None:
    operation = replay.operation(number, position)
    if isinstance(operation, operations.ColumnOperation) and operation.needs_counts:
        arrays = replay.state(tally_name(number, position)).arrays
        present = arrays["codes0"] >= 0
        values = arrays["dictionary0"].take(pa.array(arrays["codes0"][present]))
        if "persons" in arrays:
            operation.sharing = np.diff(arrays["person_start"])[present]
        state = operation.fit(values, arrays["counts"][present])
        replay.save(fit_name(number, position), state)
        operation.restore(replay.state(fit_name(number, position)))
    elif isinstance(operation, operations.ColumnOperation) and (facts := operation.facts()):
        replay.save(fit_name(number, position), operations.Learned({}, {"report": facts}))
    dictionary = replay.dictionary(column, number)
    replay.refuse_unfit(number, position, dictionary, tick)
    if dictionary is None or isinstance(operation, operations.RowOperation):
        replay.save(map_name(number, position), operations.Learned({}, {"kind": "parts"}))
        return
    known = replay.recode(number, position, dictionary)
    if isinstance(known, Draws):
        assert isinstance(operation, operations.DrawOperation)
        replay.save(map_name(number, position), operations.Learned(dict(vars(known)), {"kind": "draws"}))
        return
    if replay.recipe.steps[number].spec.family is Family.PREPARATION:
        report = {"values": len(dictionary), "values_after": len(known.dictionary)}
        replay.save(fit_name(number, position), operations.Learned({}, {"report": report}))
    arrays = {"values": known.values, "change": known.change}
    replay.save(map_name(number, position), operations.Learned(arrays, {"kind": "recoding"}))
