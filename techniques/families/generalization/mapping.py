"""Values by a list (GB/T 37964 A.5.1)."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from techniques.catalogue.generalization import MappingSettings
from techniques.core.operations import Context, Outcome, StringArray, ValueOperation
from techniques.values.unfit import NOT_IN_LIST


class Mapping(ValueOperation):
    """A.5.1: what a list of the executor's own says."""

    unfit_text = NOT_IN_LIST

    def __init__(self, settings: MappingSettings, context: Context) -> None:
        self.settings: MappingSettings = settings
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
