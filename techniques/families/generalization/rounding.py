"""Rounding (GB/T 37964 A.5.2), by a rule or at random without bias."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from techniques.catalogue.generalization import RoundingSettings
from techniques.core import operations
from techniques.values.numbers import format_numbers, parse_numbers, places, scaled
from techniques.values.unfit import NOT_A_NUMBER


def rounding(settings: RoundingSettings, context: operations.Context) -> operations.Operation:
    """A.5.2: the operation that the method asks for."""
    return (StochasticRounding if settings.method == "stochastic" else Rounding)(settings, context)


def _multiples(
    values: operations.StringArray, base: float
) -> tuple[NDArray[np.int64], NDArray[np.int64], int, int, Any]:
    """Multiple below and remainder (0 … base-1), both in units of 10^-scale; base, scale; which fit."""
    numbers = parse_numbers(values, places(base))
    unit = scaled(base, numbers.scale)
    remainder = numbers.unscaled % unit
    return numbers.unscaled - remainder, remainder, unit, numbers.scale, numbers.valid


class Rounding(operations.ValueOperation):
    """A.5.2, deterministic."""

    unfit_text = NOT_A_NUMBER
    settings: RoundingSettings

    def apply(self, values: operations.StringArray) -> operations.Outcome:
        """The multiple of the base that the method chooses; ties go away from zero."""
        below, rest, unit, scale, valid = _multiples(values, self.settings.base)
        if self.settings.method == "down":
            up = np.zeros(len(rest), dtype=bool)
        elif self.settings.method == "up":
            up = rest > 0
        else:
            up = (2 * rest > unit) | ((2 * rest == unit) & (below >= 0))
        return operations.Outcome(format_numbers(below + unit * up, scale), ~valid)


class StochasticRounding(operations.DrawOperation):
    """A.5.2, unbiased: up with probability remainder / base, so that the expectation is the value itself."""

    unfit_text = NOT_A_NUMBER
    settings: RoundingSettings

    def branches(self, values: operations.StringArray) -> operations.Branches:
        """The multiples below and above."""
        below, rest, unit, scale, valid = _multiples(values, self.settings.base)
        above = np.where(rest > 0, below + unit, below)
        return operations.Branches(
            format_numbers(below, scale), format_numbers(above, scale), rest / unit, ~valid
        )
