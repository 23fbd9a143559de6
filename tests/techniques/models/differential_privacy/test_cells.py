"""Where a row counts, how far an answer is said to be off, and that no cost is more than is charged."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from techniques.models.differential_privacy import noise, scales
from techniques.models.differential_privacy.planning import plan
from techniques.models.differential_privacy.question import Question
from tests.techniques.models.differential_privacy.tables import SURE, asked, table, values


@pytest.mark.parametrize(
    ("cell", "place"),
    [(-0.5, None), (0, 0), (49.9, 0), (50, 1), (99, 1), (100, 1), (100.5, None), ("", None), ("x", None)],
)
@pytest.mark.parametrize("groups", [1, 2])
def test_a_class_has_its_lower_edge_and_the_last_one_both(
    cell: object, place: int | None, groups: int
) -> None:
    """Of one class alone the upper edge is its own too."""
    edges = {1: [50, 100], 2: [0, 50, 100]}[groups]
    wanted = [0] * groups
    if place is not None and place >= 2 - groups:
        wanted[place - (2 - groups)] = 1
    assert (
        values(asked(table(x=[cell]), kind="count", by=[{"column": "x", "edges": edges}], **SURE)) == wanted
    )


def test_cells_of_two_columns_stand_in_the_order_of_their_names() -> None:
    by = [{"column": "a", "values": ["x", "y"]}, {"column": "b", "edges": [0, 1, 2, 3]}]
    of = table(a=["x", "x", "y", "y", "y", "y", "z"], b=[0, 2, 1, 1, 3, None, 1])
    found = asked(of, kind="contingency", by=by, **SURE)
    assert values(found) == [1, 0, 1, 0, 2, 1]
    assert [cell.labels for cell in found.cells][:4] == [
        ("x", "[0,1)"),
        ("x", "[1,2)"),
        ("x", "[2,3]"),
        ("y", "[0,1)"),
    ]


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
@pytest.mark.parametrize("confidence", [0.5, 0.95])
def test_an_answer_is_off_by_as_much_as_is_said_on_either_side(mechanism: str, confidence: float) -> None:
    noisy = {
        "mechanism": mechanism,
        "delta": 1e-6 if mechanism == "gaussian" else 0.0,
        "confidence": confidence,
    }
    error = scales.gaussian_error if mechanism == "gaussian" else scales.laplace_error
    of = table(pay=["40"] * 300)
    total = asked(of, kind="sum", column="pay", lower=0, upper=50, step=0.5, epsilon=1, **noisy)
    (cell,) = total.cells
    off = error(total.scales["sums"], confidence) * 0.5
    assert off > 0
    assert (cell.value - cell.low, cell.high - cell.value) == pytest.approx((off, off))
    count = asked(of, kind="count", epsilon=0.2, **noisy)
    (cell,) = count.cells
    off = error(count.scales["counts"], confidence)
    assert (cell.value - cell.low, cell.high - cell.value) == (off, off)
    (cell,) = asked(of.slice(0, 0), kind="count", epsilon=0.2, **noisy).cells
    assert (cell.low, cell.high) == (max(0, cell.value - off), max(0, cell.value + off)), (
        "nobody is counted below none"
    )


COSTLY = [
    ({"kind": "count", "rows_per_group": 3}, "epsilon rho"),
    ({"kind": "quantile", "column": "x", "lower": 0, "upper": 9, "step": 1, "quantile": 0.25, "rows_per_group": 3}, "epsilon rho"),
    ({"kind": "mode", "column": "x", "candidates": ["a", "b"], "rows_per_group": 5}, "epsilon rho"),
    ({"kind": "count", "by": [{"column": "x"}], "delta": 1e-6, "rows_per_group": 2}, "epsilon rho"),
    # Of Gaussian noise OpenDP says the zero-concentrated loss alone.
    ({"kind": "sum", "column": "x", "lower": 0, "upper": 9, "mechanism": "gaussian", "delta": 1e-6}, "rho"),
]  # fmt: skip


@pytest.mark.parametrize("neighbours", ["add_remove", "change"])
@pytest.mark.parametrize(
    ("question", "parts"), COSTLY, ids=lambda one: one if isinstance(one, str) else one["kind"]
)
def test_each_part_of_a_cost_is_held_against_what_opendp_says(
    question: dict[str, object], parts: str, neighbours: str
) -> None:
    """A charge that is lower in one part alone is refused."""
    planned = plan(Question.model_validate({**question, "epsilon": 0.3}), neighbours)  # type: ignore[arg-type]
    noise.verify(planned)
    for name in parts.split():
        whole = getattr(planned.loss, name)
        cheap = planned.loss._replace(**{name: whole * Decimal("0.95")})
        with pytest.raises(RuntimeError):
            noise.verify(replace(planned, loss=cheap))
