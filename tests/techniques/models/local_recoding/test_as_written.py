"""What local recoding promises holds of the file as it is written: measured anew there, by rows and by persons."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from techniques.anonymization.release import Release, anonymize, written
from techniques.catalogue.models import Conditions
from techniques.core.messages import EngineError
from techniques.disclosure_risk.measure import measure
from techniques.disclosure_risk.variety import variety
from techniques.models.k_anonymity.operation import NOTHING_FOUND
from tests.techniques.models.k_anonymity.test_persons import HIERARCHIES, Row, columns_of
from tests.techniques.searches import search

CONDITIONS: list[dict[str, Any]] = [
    {}, {"distinct": 2}, {"distinct": 3}, {"entropy": 1.8}, {"t": 0.4}, {"t": 0.3, "distinct": 2},
    {"recursive_l": 2, "recursive_c": 2.0}, {"beta": 1.0}, {"t": 0.5, "entropy": 1.5, "distinct": 2},
]  # fmt: skip
FAILED_ONCE = [20, 245, 435, 491, 505, 529, 536, 572, 612, 638, 699, 787, 802, 829, 920]
"""Tables in which suppressed rows and a class that is ``*`` throughout were one class that held nothing."""


def asked(seed: int) -> tuple[list[Row], dict[str, Any], int, float, float | None]:
    """A table of up to 36 rows, a condition, k, the limit and the average."""
    draw = random.Random(seed)
    rows = [
        (
            draw.choice([*"abcd", None]), draw.choice([*"0123456", None]), draw.choice("mf"),
            draw.choice(["1", "2", "3", "9", None]), draw.randint(0, 11),
        )
        for _row in range(draw.randint(3, 36))
    ]  # fmt: skip
    return (
        rows, draw.choice(CONDITIONS), draw.randint(2, 4), draw.choice([0, 0.1, 0.2, 0.5, 1.0]),
        draw.choice([None, None, 0.25, 0.35]),
    )  # fmt: skip


@pytest.mark.parametrize("by_person", [False, True])
@pytest.mark.parametrize("seed", [*FAILED_ONCE, *range(1000, 1015)])
def test_the_file_keeps_what_was_promised(seed: int, by_person: bool) -> None:
    rows, condition, k, limit, average = asked(seed)
    quasi, sensitive, whose = columns_of(rows)
    subjects = whose if by_person else None
    more: dict[str, Any] = {} if average is None else {"average_risk": average}
    request = search(k, {"s": Conditions(**condition)} if condition else {}, limit, HIERARCHIES, True, **more)
    try:
        made = anonymize(quasi, sensitive if condition else {}, request, subjects=subjects)
    except EngineError as error:
        if error.code not in {*NOTHING_FOUND, "k_too_large"}:
            raise
        return
    suppressed, file, starred = made.suppressed, *_file(made, rows)
    everybody, left = set(whose.tolist()), set(whose[~suppressed].tolist())
    assert suppressed.sum() <= limit * len(rows) + 1e-9
    assert not by_person or len(everybody - left) <= limit * len(everybody) + 1e-9
    # Nobody who reads the file can tell a suppressed row from one of a class that is * throughout.
    assert not suppressed.any() or (starred == suppressed).all()
    if suppressed.all():
        return
    left_out = bool(suppressed.any())
    risk = measure([file], list("abc"), suppressed="left_out" if left_out else "own_class", subjects=subjects)
    assert risk.k >= k
    assert average is None or risk.average_risk <= average + 1e-9
    found = variety([file], list("abc"), ["s"], left_out=left_out, subjects=subjects)["s"]
    assert found["distinct"] >= condition.get("distinct", 1)
    assert found["entropy"] >= condition.get("entropy", 0) - 1e-6
    assert found["t"] <= condition.get("t", 1) + 1e-6
    assert "beta" not in condition or found["beta"] <= condition["beta"] + 1e-6


def _file(made: Release, rows: list[Row]) -> tuple[pa.RecordBatch, np.ndarray]:
    """The columns as they are written with the sensitive one, and which rows are ``*`` in all of the others."""
    texts = {name: written(column, 0, len(rows)) for name, column in made.columns.items()}
    starred = np.logical_and.reduce([np.array(cells.to_pylist()) == "*" for cells in texts.values()])
    return pa.record_batch({**texts, "s": pa.array([row[3] for row in rows], pa.string())}), starred


def test_where_all_may_go_fewer_rows_than_k_are_an_answer() -> None:
    rows: list[Row] = [("a", "1", "m", "1", number) for number in range(5)]
    quasi, _sensitive, whose = columns_of(rows)
    for subjects in (None, whose):
        for local in (False, True):
            made = anonymize(quasi, {}, search(10, {}, 1.0, HIERARCHIES, local), subjects=subjects)
            assert made.suppressed.all()
            assert (made.report["suppressed"], made.report["classes"], made.report["granularity"]) == (
                5,
                0,
                0,
            )
            with pytest.raises(EngineError) as error:
                anonymize(quasi, {}, search(10, {}, 0.99, HIERARCHIES, local), subjects=subjects)
            assert error.value.code == "k_too_large"


def test_where_too_many_persons_would_have_no_row_fewer_rows_are_suppressed() -> None:
    """The share of the rows allows what that of the persons forbids: asked for as few rows as leave few enough persons without one,
    classes are found in which nobody loses a row."""
    rows, condition, k, limit, average = asked(2045)
    quasi, sensitive, whose = columns_of(rows)
    request = search(k, {"s": Conditions(**condition)}, limit, HIERARCHIES, True, average_risk=average)
    made = anonymize(quasi, sensitive, request, subjects=whose)
    assert made.report["suppressed"] == 0
    assert made.report["ncp"] < 0.6
