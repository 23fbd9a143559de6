"""Addresses and division codes to divisions (GB/T 37964 C.2.4)."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from techniques.catalogue.places import RegionGeneralizationSettings
from techniques.core.operations import Context, Outcome, StringArray, ValueOperation
from techniques.hierarchies.definitions import REGION_UNITS
from techniques.values.regions import region_codes, region_names
from techniques.values.unfit import NOT_A_DIVISION


class RegionGeneralization(ValueOperation):
    """C.2.4: the division that an address or code lies in."""

    unfit_text = NOT_A_DIVISION

    def __init__(self, settings: RegionGeneralizationSettings, context: Context) -> None:
        self.settings: RegionGeneralizationSettings = settings
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
