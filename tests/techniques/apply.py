"""Applying one technique to a list of values, as an engine would, for the tests of the families."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa

from techniques import catalogue
from techniques.core.draws import RunDraws
from techniques.core.operations import Cells, Context, DrawOperation, Learned, Whole, WholeOutcome
from techniques.core.secrets import Secrets

Column = list[str | None]
SECRETS = Secrets(key=b"a key of thirty-two bytes, or so", seed=7)


def operation(
    key: str, parameters: dict[str, Any], rows: int = 100, columns: tuple[str, ...] = ("c",)
) -> Any:
    """The technique ``key`` ready to run, its parameters read strictly."""
    read = catalogue.get(key).settings.model_validate(parameters, strict=True)
    return catalogue.implementation(key)(read, Context(0, columns, rows, SECRETS))


def apply(key: str, values: list[str], **parameters: Any) -> list[str | None]:
    """New values, None where suppressed and ``"!"`` where the technique cannot read the value."""
    made = operation(key, parameters, rows=len(values))
    if getattr(made, "needs_counts", False):
        counted = Counter(values)
        state = made.fit(pa.array(list(counted), pa.string()), np.array(list(counted.values())))
        made.restore(through_file(state))
    outcome = made.apply(pa.array(values, pa.string()))
    unfit = outcome.unfit if outcome.unfit is not None else np.zeros(len(values), bool)
    return ["!" if bad else value for value, bad in zip(outcome.values.to_pylist(), unfit, strict=True)]


def cells(values: list[str], codes: Any, label: str = "x", secrets: Secrets = SECRETS) -> Cells:
    """Cells of a column as an engine hands them to a technique that treats each by itself."""
    drawn = RunDraws(secrets, label, len(codes))
    return Cells(pa.array(values, pa.string()), np.asarray(codes, np.int32), 0, label, drawn)


def through_file(state: Learned) -> Learned:
    """A state as another process reads it."""
    sink = pa.BufferOutputStream()
    state.write(sink)
    return Learned.read(pa.BufferReader(sink.getvalue()))


def branches(key: str, values: list[str], **parameters: Any) -> list[tuple[str, str, float]]:
    """Both possible new values and the probability of the second."""
    made = operation(key, parameters)
    assert isinstance(made, DrawOperation)
    found = made.branches(pa.array(values, pa.string()))
    return list(
        zip(found.first.to_pylist(), found.second.to_pylist(), found.probability.tolist(), strict=True)
    )


def whole(columns: list[Column]) -> Whole:
    """A table of columns as an engine hands it to a technique that sees all rows."""
    encoded = [pa.array(column, pa.string()).dictionary_encode() for column in columns]
    codes = [np.array(column.indices.fill_null(-1)).astype(np.int32) for column in encoded]
    return Whole([column.dictionary for column in encoded], codes)


def run_whole(
    key: str, columns: list[Column], names: tuple[str, ...] = (), **parameters: Any
) -> WholeOutcome:
    """What a technique that sees all rows makes of a table; its columns are called c0, c1 … by default."""
    table = whole(columns)
    names = names or tuple(f"c{i}" for i in range(len(columns)))
    outcome: WholeOutcome = operation(key, parameters, table.rows, names).treat(table, lambda share: None)
    return outcome


def cells_of(outcome: WholeOutcome) -> list[Column]:
    """The columns of an outcome, rows marked as removed among them."""
    return [
        [None if code < 0 else dictionary[int(code)].as_py() for code in codes]
        for dictionary, codes in zip(outcome.dictionaries, outcome.codes, strict=True)
    ]
