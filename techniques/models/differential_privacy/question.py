"""What may be asked, and with which bounds: all of it said by who asks, nothing taken from the data."""

from __future__ import annotations

import math
from typing import Annotated, Literal, Self

from pydantic import Field, field_validator, model_validator

from techniques.core.canonical import canonical_hash
from techniques.core.messages import EngineError, _
from techniques.core.settings import ClosedModel

Kind = Literal["count", "sum", "mean", "quantile", "mode", "histogram", "contingency"]
Mechanism = Literal["laplace", "gaussian", "exponential"]
MOST_CELLS = 20_000
MOST_STEPS = 10_000
"""Candidates of a quantile at most."""
LEAST_STEP = 1e-9
LEAST_DELTA = 1e-18
"""Of losses, a delta is counted in multiples of it."""
MOST_AMOUNT = 2**31
"""A person's part of a cell, in steps, at most: sums of two thousand million rows stay whole numbers of 64 bits."""

Text = Annotated[str, Field(max_length=200)]
Number = Annotated[float, Field(allow_inf_nan=False, ge=-1e15, le=1e15)]
_OF_A_COLUMN = ("sum", "mean", "quantile", "mode")
_BOUNDED = ("sum", "mean", "quantile")


def _refused(code: str, message: str, **params: object) -> EngineError:
    return EngineError(code, message, **params)


class Dimension(ClosedModel):
    """A column by which there are groups: by stated ``values``, by classes of numbers between stated ``edges``, or by those of its
    values that enough persons share."""

    column: Text
    values: list[Text] | None = Field(default=None, min_length=1, max_length=MOST_CELLS)
    edges: list[Number] | None = Field(default=None, min_length=2, max_length=1001)

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if self.values is not None and self.edges is not None:
            raise _refused(
                "keys_twice", _("The groups of a column are stated by values or by edges, not by both.")
            )
        if self.values is not None and len(set(self.values)) < len(self.values):
            raise _refused(
                "keys_repeat",
                _("A value of the groups of column %(column)s is stated twice."),
                column=self.column,
            )
        if self.edges is not None and any(a >= b for a, b in zip(self.edges, self.edges[1:], strict=False)):
            raise _refused(
                "edges_unordered", _("The edges of column %(column)s must grow."), column=self.column
            )
        return self

    @property
    def labels(self) -> list[str] | None:
        """The names of the groups; None where they come from the data by the threshold."""
        if self.edges is None:
            return self.values
        pairs = list(zip(self.edges, self.edges[1:], strict=False))
        return [
            f"[{low:.12g},{high:.12g}{']' if i == len(pairs) - 1 else ')'}"
            for i, (low, high) in enumerate(pairs)
        ]


class Question(ClosedModel):
    """A question to the data.

    ``lower`` and ``upper`` clamp the values of ``column``; they are whole multiples of ``step`` after rounding, and so is every value.
    A person counts with ``rows_per_group`` rows in each of ``groups_per_person`` groups at most. What it may cost is ``epsilon``, or
    follows from an accepted ``error`` that the answer is off by at most with ``confidence``; ``delta`` is the chance that Gaussian noise
    or released keys may fail with.
    """

    kind: Kind
    column: Text | None = None
    lower: Number | None = None
    upper: Number | None = None
    step: float | None = Field(default=None, ge=LEAST_STEP, le=1e15, allow_inf_nan=False)
    quantile: float | None = Field(default=None, gt=0, lt=1)
    candidates: list[Text] | None = Field(default=None, min_length=2, max_length=MOST_STEPS)
    by: list[Dimension] = Field(default_factory=list, max_length=4)
    where: dict[Text, list[Text]] = Field(default_factory=dict, max_length=8)
    mechanism: Mechanism | None = None
    rows_per_group: int = Field(default=1, ge=1, le=10_000)
    groups_per_person: int = Field(default=1, ge=1, le=MOST_CELLS)
    epsilon: float | None = Field(default=None, ge=1e-6, le=100, allow_inf_nan=False)
    delta: float = Field(default=0.0, ge=0, le=0.01)
    error: float | None = Field(default=None, gt=0, le=1e15, allow_inf_nan=False)
    confidence: float = Field(default=0.95, ge=0.5, le=0.999999)
    least_count: int | None = Field(default=None, ge=1, le=10**12)
    """How many rows a group has for whose mean ``error`` is to hold."""

    @field_validator("where")
    @classmethod
    def _some_values(cls, where: dict[str, list[str]]) -> dict[str, list[str]]:
        for column, values in where.items():
            if not values:
                raise _refused(
                    "filter_empty", _("Say which values of column %(column)s are looked at."), column=column
                )
        return {column: sorted(set(values)) for column, values in sorted(where.items())}

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        self._shape()
        self._bounds()
        self._noise()
        return self

    def _shape(self) -> None:
        if (self.column is not None) != (self.kind in _OF_A_COLUMN):
            raise _refused(
                "column_unclear",
                _(
                    "A sum, mean, quantile or most frequent value is of one column; the others count and have groups only."
                ),
            )
        if self.kind == "histogram" and len(self.by) != 1:
            raise _refused("histogram_of_one", _("A histogram has the groups of one column."))
        if self.kind == "contingency" and len(self.by) < 2:
            raise _refused(
                "contingency_of_two", _("A contingency table has the groups of two columns or more.")
            )
        names = [one.column for one in self.by]
        if len(set(names)) < len(names):
            raise _refused("dimension_twice", _("The groups of a column are stated twice."))
        if self.stated_cells is not None and self.stated_cells > MOST_CELLS:
            raise _refused(
                "too_many_cells",
                _("These are %(cells)d groups; %(most)d are the most."),
                cells=self.stated_cells,
                most=MOST_CELLS,
            )

    def _bounds(self) -> None:
        if (self.lower is None or self.upper is None) == (self.kind in _BOUNDED) or (
            self.kind in _BOUNDED and self.lower >= self.upper  # type: ignore[operator]
        ):
            raise _refused(
                "bounds_unclear",
                _(
                    "Say the least and the greatest value that counts of a sum, mean or quantile, the least below the greatest, and of those alone."
                ),
            )
        if self.kind in _BOUNDED:
            low, high = self.steps
            if not low < high or max(abs(low), abs(high)) * self.rows_per_group > MOST_AMOUNT:
                raise _refused(
                    "step_unfit",
                    _("The step does not fit the bounds: there are too few or too many steps between them."),
                )
            if self.kind == "quantile" and high - low >= MOST_STEPS:
                raise _refused(
                    "too_many_candidates",
                    _("A quantile has %(most)d candidates at most: give a greater step."),
                    most=MOST_STEPS,
                )
        elif self.step is not None:
            raise _refused("bounds_unclear", _("A step is of a sum, mean or quantile alone."))
        if (self.quantile is not None) != (self.kind == "quantile"):
            raise _refused("quantile_unclear", _("Say which quantile, and of a quantile alone."))
        if (self.candidates is not None) != (self.kind == "mode"):
            raise _refused(
                "candidates_unclear",
                _("Say among which values the most frequent is sought, and of that alone."),
            )

    def _noise(self) -> None:
        if (self.mechanism == "exponential") != (
            self.kind in ("quantile", "mode")
        ) and self.mechanism is not None:
            raise _refused(
                "mechanism_unfit",
                _(
                    "Quantiles and most frequent values are chosen by the exponential mechanism, all others have Laplace or Gaussian noise."
                ),
            )
        if (self.epsilon is None) == (self.error is None):
            raise _refused("cost_unclear", _("Say either the epsilon or the error that you accept."))
        if self.uses_delta and self.delta < LEAST_DELTA:
            raise _refused(
                "delta_missing", _("Gaussian noise, and groups that are not stated, need a delta above 0.")
            )
        if not self.uses_delta and self.delta:
            raise _refused(
                "delta_needless",
                _("A delta is of Gaussian noise and of groups that are not stated: nothing here uses one."),
            )
        if (self.least_count is not None) != (self.kind == "mean" and self.error is not None):
            raise _refused(
                "least_count_unclear",
                _(
                    "For the error of a mean say how many rows the smallest group has for which it is to hold, and for that alone."
                ),
            )

    @property
    def noise(self) -> Mechanism:
        """The mechanism: the one that is asked for, else what the kind has by default."""
        return self.mechanism or ("exponential" if self.kind in ("quantile", "mode") else "laplace")

    @property
    def finds_keys(self) -> bool:
        """Whether groups are not all stated, so that the threshold releases them."""
        return any(one.labels is None for one in self.by)

    @property
    def uses_delta(self) -> bool:
        """Whether something may fail with a small chance."""
        return self.noise == "gaussian" or self.finds_keys

    @property
    def stated_cells(self) -> int | None:
        """How many groups there are where all are stated; 1 without groups."""
        return None if self.finds_keys else math.prod(len(one.labels or ()) for one in self.by)

    @property
    def width(self) -> float:
        """The step: the one that is given, else the power of ten that makes a thousand to ten thousand steps."""
        if self.step is not None:
            return self.step
        assert self.lower is not None
        assert self.upper is not None
        power = (
            math.ceil(math.log10(max(self.upper - self.lower, LEAST_STEP))) - 4 + (self.kind == "quantile")
        )
        return max(10.0**power, LEAST_STEP)

    @property
    def steps(self) -> tuple[int, int]:
        """(lower, upper) in steps."""
        assert self.lower is not None
        assert self.upper is not None
        return round(self.lower / self.width), round(self.upper / self.width)

    @property
    def columns(self) -> list[str]:
        """The columns that are read."""
        return list(
            dict.fromkeys(
                [*([self.column] if self.column else []), *(one.column for one in self.by), *self.where]
            )
        )

    @property
    def hash(self) -> str:
        """Equal for equal questions, however they were written down."""
        asked = self.model_dump(mode="json")
        by = [one | {"values": one["values"] and sorted(one["values"])} for one in asked["by"]]
        step = self.width if self.kind in _BOUNDED else None
        return canonical_hash(asked | {"by": by, "mechanism": self.noise, "step": step})
