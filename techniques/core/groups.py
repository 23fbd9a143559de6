"""Rows that agree in some columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from techniques.core.messages import EngineError, _
from techniques.core.operations import Whole
from techniques.core.tuples import TupleKeys

Groups = NDArray[np.int64]


def group_of_rows(table: Whole, columns: Sequence[int]) -> tuple[Groups, int]:
    """The group of each row, numbered from 0 in a fixed order, and how many there are; missing is a value."""
    if not columns:
        return np.zeros(table.rows, dtype=np.int64), int(table.rows > 0)
    keys = TupleKeys([len(table.dictionaries[i]) for i in columns])
    found, groups = np.unique(keys.encode([table.codes[i] for i in columns]), return_inverse=True)
    return groups.astype(np.int64), len(found)


def chosen_columns(
    path: str, names: Iterable[str], columns: Sequence[str], *, all_of_them: bool = False
) -> list[int]:
    """Places of ``names`` among the step's columns, one of which must be left but with ``all_of_them``.

    Raises EngineError ``not_in_step``.
    """
    named = set(names)
    if not named <= set(columns) or (len(named) >= len(columns) and not all_of_them):
        text = _("%(setting)s: must name columns of the step, and leave at least one of them to be treated.")
        raise EngineError("not_in_step", text, setting=path)
    return [place for place, name in enumerate(columns) if name in named]
