"""Pseudonyms that are assigned and not computed: each run keeps a table of them."""

from __future__ import annotations

import pyarrow.compute as pc

from techniques.core.operations import Learned, Outcome, StringArray, ValueOperation


class Assigned(ValueOperation):
    """Holds a table of values and what each became."""

    values: StringArray
    results: StringArray

    def restore(self, learned: Learned) -> None:
        """Take up the mapping table."""
        self.values, self.results = learned.arrays["values"], learned.arrays["results"]

    def apply(self, values: StringArray) -> Outcome:
        """What the table says; a value of a row removed earlier is in no table and becomes missing."""
        return Outcome(self.results.take(pc.index_in(values, self.values)))
