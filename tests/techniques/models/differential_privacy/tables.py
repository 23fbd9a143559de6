"""Small tables of visits, and how a question to one is answered."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from techniques.core.secrets import Secrets
from techniques.models.differential_privacy.answer import answer
from techniques.models.differential_privacy.outcome import Answer
from techniques.models.differential_privacy.planning import plan
from techniques.models.differential_privacy.question import Question

SURE = {"epsilon": 100.0}
"""So much that noise other than 0 does not come about in these tests: its chance is e^-50 at most where a person moves an answer by 2."""
DRAWS = Secrets(key=b"", seed=b"which rows of a person count")


def table(**columns: list[Any]) -> pa.Table:
    return pa.table(
        {
            name: pa.array([None if v is None else str(v) for v in given], pa.string())
            for name, given in columns.items()
        }
    )


def asked(
    of: pa.Table, persons: list[int] | None = None, /, neighbours: Any = "add_remove", **question: Any
) -> Answer:
    whose = None if persons is None else np.array(persons, np.int32)
    return answer(plan(Question(**question), neighbours), of, whose, DRAWS)


def values(found: Answer) -> list[Any]:
    return [cell.value for cell in found.cells]
