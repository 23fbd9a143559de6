"""Source and result as columns in codes, read once for all checks that lay them beside each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from techniques.catalogue.family import FAMILIES
from techniques.core.attributes import AttributeRole
from techniques.identification.made_up import dictionaries
from techniques.identification.traces.values import Shares
from techniques.tables.dictionary import EncodedColumn

if TYPE_CHECKING:
    from .case import Case


@dataclass(frozen=True)
class BothFiles:
    """The columns of the source that stand in the result or name somebody, and those of the result."""

    case: Case
    source: Mapping[str, EncodedColumn]
    result: Mapping[str, EncodedColumn]

    @classmethod
    def read(cls, case: Case, alive: Callable[[], None] = lambda: None) -> BothFiles:
        """Both files from their first to their last row; ``alive`` is called with each batch that was not read before."""
        written, held = case.result.columns(), case.source.columns()
        needed = [name for name in held if name in written or name in _direct(case)]
        return cls(case, case.source.hold(needed, alive), case.result.hold(written, alive))

    @property
    def direct(self) -> list[str]:
        """The direct identifiers of the source."""
        return [name for name in self.source if name in _direct(self.case)]

    @cached_property
    def shares(self) -> Shares:
        """How much of the source each column has kept."""
        return Shares(self.source, self.result)

    @cached_property
    def made(self) -> frozenset[str]:
        """Columns whose values a step makes up, by a key or by drawing them."""
        return frozenset(
            column
            for step in self.case.recipe.steps
            if FAMILIES[step.spec.family].makes_values
            for column in step.columns
        )

    @cached_property
    def made_up(self) -> frozenset[str]:
        """Those of them in which names of a dictionary or rows are made up: by chance many are real ones."""
        rows = {
            column for step in self.case.recipe.steps if step.spec.makes_up_rows for column in step.columns
        }
        return frozenset(rows | {*dictionaries(self.case.recipe)})

    def outside_quasi(self) -> dict[str, EncodedColumn]:
        """The columns of the result that no measure of risk counts, but for those judged to name somebody."""
        counted = {AttributeRole.QUASI_IDENTIFIER, AttributeRole.DIRECT_IDENTIFIER}
        return {
            name: cells for name, cells in self.result.items() if self.case.roles.get(name) not in counted
        }


def _direct(case: Case) -> set[str]:
    return {name for name, role in case.roles.items() if role == AttributeRole.DIRECT_IDENTIFIER}
