"""Pseudonyms that are assigned and not computed: each run keeps a table of them."""

from __future__ import annotations

from collections.abc import Callable

import pyarrow.compute as pc

from techniques.core.operations import Learned, Outcome, StringArray, ValueOperation


def drawn_anew(values: StringArray, drawn: Callable[[int], StringArray]) -> tuple[StringArray, int]:
    """As many of a sequence as there are ``values`` (n,), and how many were passed over; ``drawn(count)`` is its beginning.

    What stands in the column already is somebody's: it is passed over.
    """
    made = drawn(len(values))
    while True:
        free = made.filter(pc.invert(pc.is_in(made, values)))
        if len(free) >= len(values):
            return free.slice(0, len(values)), len(made) - len(free)
        made = drawn(len(made) + 2 * (len(values) - len(free)) + 16)


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
