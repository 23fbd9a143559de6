"""Generalisation (GB/T 37964 A.5): rounding, top and bottom coding, intervals, periods, divisions, levels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.catalogue.generalization import (
    DateGeneralizationSettings,
    HierarchyGeneralizationSettings,
    IntervalSettings,
    MappingSettings,
    RoundingSettings,
    TopBottomCodingSettings,
)
from techniques.catalogue.places import RegionGeneralizationSettings
from techniques.core.messages import EngineError, gettext_noop
from techniques.core.operations import (
    Branches,
    Context,
    DrawOperation,
    Learned,
    Operation,
    Outcome,
    StringArray,
    UnfitText,
    ValueOperation,
)
from techniques.hierarchies.build import build_level, level_count
from techniques.hierarchies.definitions import REGION_UNITS
from techniques.hierarchies.intervals import cut_labels, interval_labels
from techniques.values.dates import parse_dates, period_labels
from techniques.values.numbers import format_numbers, parse_numbers, places, scaled
from techniques.values.regions import region_codes, region_names
from techniques.values.unfit import NOT_A_DATE, NOT_A_DIVISION, NOT_A_NUMBER, NOT_IN_LIST


def rounding(settings: RoundingSettings, context: Context) -> Operation:
    """A.5.2: the operation that the method asks for."""
    return StochasticRounding(settings) if settings.method == "stochastic" else Rounding(settings)


def _multiples(
    values: StringArray, base: float
) -> tuple[NDArray[np.int64], NDArray[np.int64], int, int, Any]:
    """Multiple below and remainder (0 … base-1), both in units of 10^-scale; base, scale; which fit."""
    numbers = parse_numbers(values, places(base))
    unit = scaled(base, numbers.scale)
    remainder = numbers.unscaled % unit
    return numbers.unscaled - remainder, remainder, unit, numbers.scale, numbers.valid


class Rounding(ValueOperation):
    """A.5.2, deterministic."""

    unfit_text = NOT_A_NUMBER

    def __init__(self, settings: RoundingSettings) -> None:
        self.settings = settings

    def apply(self, values: StringArray) -> Outcome:
        """The multiple of the base that the method chooses; ties go away from zero."""
        below, rest, unit, scale, valid = _multiples(values, self.settings.base)
        if self.settings.method == "down":
            up = np.zeros(len(rest), dtype=bool)
        elif self.settings.method == "up":
            up = rest > 0
        else:
            up = (2 * rest > unit) | ((2 * rest == unit) & (below >= 0))
        return Outcome(format_numbers(below + unit * up, scale), ~valid)


class StochasticRounding(DrawOperation):
    """A.5.2, unbiased: up with probability remainder / base, so that the expectation is the value itself."""

    unfit_text = NOT_A_NUMBER

    def __init__(self, settings: RoundingSettings) -> None:
        self.settings = settings

    def branches(self, values: StringArray) -> Branches:
        """The multiples below and above."""
        below, rest, unit, scale, valid = _multiples(values, self.settings.base)
        above = np.where(rest > 0, below + unit, below)
        return Branches(format_numbers(below, scale), format_numbers(above, scale), rest / unit, ~valid)


class TopBottomCoding(ValueOperation):
    """A.5.3: values at or beyond a threshold, fixed or chosen by number of rows, are coded together."""

    unfit_text = NOT_A_NUMBER

    def __init__(self, settings: TopBottomCodingSettings, context: Context) -> None:
        self.settings = settings
        self.column = context.columns[0]
        self.needs_counts = settings.top_rows is not None or settings.bottom_rows is not None
        given = [x for x in (settings.top, settings.bottom) if x is not None]
        self.scale = max(6, places(*given)) if given else 6
        self.top = None if settings.top is None else scaled(settings.top, self.scale)
        self.bottom = None if settings.bottom is None else scaled(settings.bottom, self.scale)

    def fit(self, values: StringArray, counts: NDArray[np.int64]) -> Learned:
        """The highest and lowest thresholds that enough rows reach; EngineError ``threshold_none``."""
        numbers = parse_numbers(values, self.scale)
        order = np.argsort(numbers.unscaled[numbers.valid], kind="stable")
        ordered = numbers.unscaled[numbers.valid][order]
        rows = counts[numbers.valid][order]
        top, bottom = self.top, self.bottom
        if self.settings.top_rows is not None:
            top = self._threshold(ordered[::-1], rows[::-1], self.settings.top_rows)
        if self.settings.bottom_rows is not None:
            bottom = self._threshold(ordered, rows, self.settings.bottom_rows)
        if top is not None and bottom is not None and bottom >= top:
            raise self._too_few(int(rows.sum()))
        report = {
            name: format_numbers(np.array([x]), self.scale)[0].as_py()
            for name, x in (("top", top), ("bottom", bottom))
            if x is not None
        }
        return Learned({}, {"top": top, "bottom": bottom, "report": report})

    def _threshold(self, numbers: NDArray[np.int64], rows: NDArray[np.int64], wanted: int) -> int:
        """First of ``numbers``, coming from outside, at which ``wanted`` rows have been passed."""
        reached = np.flatnonzero(np.cumsum(rows) >= wanted)
        if len(reached) == 0:
            raise self._too_few(int(rows.sum()))
        return int(numbers[reached[0]])

    def _too_few(self, rows: int) -> EngineError:
        return EngineError(
            "threshold_none",
            gettext_noop("Column %(column)s: its %(rows)d rows are too few for thresholds of this size."),
            column=self.column,
            rows=rows,
        )

    def restore(self, state: Learned) -> None:
        """The thresholds."""
        self.top, self.bottom = state.facts["top"], state.facts["bottom"]

    def apply(self, values: StringArray) -> Outcome:
        """Values beyond a threshold become its label; the others stay as they are written."""
        numbers = parse_numbers(values, self.scale)
        result = values
        for threshold, sign in ((self.top, ">="), (self.bottom, "<=")):
            if threshold is None:
                continue
            beyond = numbers.unscaled >= threshold if sign == ">=" else numbers.unscaled <= threshold
            label = format_numbers(np.array([threshold]), self.scale)[0].as_py()
            label = sign + label if self.settings.result == "label" else label
            result = pc.if_else(pa.array(beyond), pa.scalar(label), result)
        return Outcome(result, ~numbers.valid)


class IntervalGeneralization(ValueOperation):
    """A.5.1, C.2.6: the interval that a number lies in."""

    unfit_text = NOT_A_NUMBER

    def __init__(self, settings: IntervalSettings, context: Context) -> None:
        self.settings = settings

    def apply(self, values: StringArray) -> Outcome:
        """Labels of the intervals."""
        s = self.settings
        inclusive = s.notation == "inclusive"
        if s.cuts:
            labels, valid = cut_labels(values, s.cuts, inclusive)
        else:
            assert s.width is not None  # the parameters' own validation
            labels, valid = interval_labels(values, s.width, s.origin, inclusive)
        return Outcome(labels, ~valid)


class DateGeneralization(ValueOperation):
    """C.2.7: the period that a date falls in."""

    unfit_text = NOT_A_DATE

    def __init__(self, settings: DateGeneralizationSettings, context: Context) -> None:
        self.settings = settings

    def apply(self, values: StringArray) -> Outcome:
        """Labels of the periods."""
        dates = parse_dates(values)
        return Outcome(period_labels(dates, self.settings.unit), ~dates.valid)


class RegionGeneralization(ValueOperation):
    """C.2.4: the division that an address or code lies in."""

    unfit_text = NOT_A_DIVISION

    def __init__(self, settings: RegionGeneralizationSettings, context: Context) -> None:
        self.settings = settings
        wanted = settings.minimum_people
        self._large = pa.array([name for name, n in settings.populations.items() if n >= wanted], pa.string())

    def apply(self, values: StringArray) -> Outcome:
        """Names or codes of the divisions; with a fewest number of people the first that has so many."""
        read = region_codes if self.settings.form == "code" else region_names
        labels, valid = read(values, self.settings.unit)
        if self.settings.minimum_people:
            for unit in REGION_UNITS[REGION_UNITS.index(self.settings.unit) + 1 :]:
                coarser, _ = read(values, unit)
                labels = pc.if_else(pc.is_in(labels, self._large), labels, coarser)
        return Outcome(labels, ~valid)


class HierarchyGeneralization(ValueOperation):
    """A.5.1: the ancestor at one level of a hierarchy."""

    def __init__(self, settings: HierarchyGeneralizationSettings, context: Context) -> None:
        self.settings = settings
        self.column = context.columns[0]
        self.unfit_text: UnfitText | None = None

    def apply(self, values: StringArray) -> Outcome:
        """Labels at the level; EngineError ``level_unknown`` if the hierarchy is not that high."""
        highest = level_count(self.settings.hierarchy) - 1
        if self.settings.level > highest:
            raise EngineError(
                "level_unknown",
                gettext_noop("Column %(column)s: the hierarchy's highest level is %(highest)d."),
                column=self.column,
                highest=highest,
            )
        level = build_level(self.settings.hierarchy, values, self.settings.level)
        self.unfit_text = level.unfit_text
        return Outcome(level.labels, level.unfit)


class Mapping(ValueOperation):
    """A.5.1: what a list of the executor's own says."""

    unfit_text = NOT_IN_LIST

    def __init__(self, settings: MappingSettings, context: Context) -> None:
        self.settings = settings
        self.sources = pa.array(list(settings.mapping), pa.string())
        self.targets = pa.array(list(settings.mapping.values()), pa.string())

    def apply(self, values: StringArray) -> Outcome:
        """The listed replacement; unlisted values by the chosen policy."""
        position = pc.index_in(values, self.sources)
        replaced = self.targets.take(position)
        listed = pc.is_valid(position)
        if self.settings.others == "keep":
            return Outcome(pc.if_else(listed, replaced, values))
        return Outcome(replaced, ~np.asarray(listed).astype(bool))
