"""A sensitive attribute over the combinations of a table, and which classes hold its conditions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from techniques.disclosure_risk.diversity import Diversity, diversity
from techniques.models.conditions.entries import Entries, Members, merged
from techniques.models.conditions.judging import judge
from techniques.models.conditions.persons import PersonValues, judge_persons, shares
from techniques.models.conditions.together import MOST_ROWS, TOGETHER, ByValue, judge_together, most_cells
from techniques.models.conditions.values import Condition, Requirements, Tree
from techniques.models.k_anonymity.grouping import by_class


@dataclass
class Formed:
    """The classes of a node: that of each of C combinations, and the rows of each."""

    class_of: NDArray[np.int32]
    sizes: NDArray[np.int64]

    @cached_property
    def members(self) -> Members:
        """The combinations by class, for who looks at one class after the other."""
        return Members(*by_class(self.class_of, len(self.sizes)))


class Sensitive:
    """One sensitive attribute with V values over T combinations, as (combination, value, count) entries.

    Values are numbered so that the ordered distance finds them in order. With ``missing`` the value 0 is a missing one.
    """

    def __init__(
        self,
        entries: Entries,
        size: int,
        conditions: Sequence[Condition],
        tree: Tree | None = None,
        missing: bool = False,
        levels: NDArray[np.int64] | None = None,
    ) -> None:
        self.entries, self.size = entries, size
        self.missing = missing
        self.conditions = list(conditions)
        self.tree = tree or Tree.flat(size)
        self.levels = np.zeros(size, dtype=np.int64) if levels is None else levels
        total = np.bincount(entries.values, weights=entries.counts, minlength=size)
        self.rows = float(max(total.sum(), 1))
        """Rows of the whole table, suppressed ones included."""
        self.reference: NDArray[np.float64] = total / self.rows
        """Shares of the values in the whole table."""
        self.requirements = Requirements.of([self])
        self.together = (
            bool(self.conditions) and self.requirements.kinds <= TOGETHER and self.rows < MOST_ROWS
        )
        """Whether all classes may be judged together."""
        self.combination = entries.combination()

    @cached_property
    def by_value(self) -> ByValue:
        """The entries value by value."""
        return ByValue.of(self.entries, self.size)

    @property
    def unknown(self) -> int:
        """The number of the missing value, or -1."""
        return 0 if self.missing else -1

    def judge(
        self,
        formed: Formed,
        k: int,
        kept: NDArray[np.bool_],
        least: NDArray[np.int64],
    ) -> None:
        """Unset ``kept`` for classes that break a condition and raise ``least``, the rows of the class that
        any finer table must suppress, accordingly."""
        sizes, requirements = formed.sizes, self.requirements
        if self.together:
            trees = requirements.trees
            if judge_together(
                formed.class_of, sizes, *self.by_value, requirements.conditions, requirements.shares, trees.parent,
                trees.fall, trees.shares, self.missing, k, most_cells(self.length), kept, least,
            ):  # fmt: skip
                return
        judge(formed.members, sizes, self.entries, requirements, self.missing, k, kept, least)

    @property
    def length(self) -> int:
        """Numbers that it holds, for who keeps it."""
        return len(self.entries.values)

    def merged(self, members: Members) -> Sensitive:
        """The same attribute over the classes instead of the combinations."""
        made = object.__new__(Sensitive)
        made.__dict__.update(self.__dict__)
        made.__dict__.pop("by_value", None)
        made.entries = Entries(*merged(members, self.entries, self.size))
        made.combination = made.entries.combination()
        return made

    def by_class(self, class_of: NDArray[np.integer], kept: NDArray[np.bool_]) -> Diversity:
        """What the worst class that is kept holds, measured against the whole table; ``class_of`` each combination."""
        place = class_of[self.combination]
        left = kept[place]
        return diversity(
            place[left],
            self.entries.values[left],
            self.entries.counts[left],
            self.reference,
            self.unknown,
            self.rows,
        )


class SensitiveOfPersons(Sensitive):
    """The same by persons: their values take the place of the entries; 0 is the unknown one.

    In the whole table a person weighs one, in equal parts for each of its different values. Where somebody has several,
    nothing says that those unknown in a class are those of the table (``rows`` is then infinite).
    """

    persons: PersonValues

    def __init__(
        self,
        single: PersonValues,
        begin: NDArray[np.int64],
        number: int,
        size: int,
        conditions: Sequence[Condition],
        tree: Tree | None = None,
        levels: NDArray[np.int64] | None = None,
    ) -> None:
        """``single``: of combinations with a value each; T of them are formed by putting those together that lie from
        ``begin[i]`` to before ``begin[i + 1]``."""
        self.size, self.number, self.missing = size, number, True
        self.conditions = list(conditions)
        self.tree = tree or Tree.flat(size)
        self.levels = np.zeros(size, dtype=np.int64) if levels is None else levels
        self.reference, several = shares(single.persons, single.values, size, number)
        self.rows = np.inf if several else float(max(number, 1))
        self.requirements = Requirements.of([self])
        order = np.arange(len(single.start) - 1, dtype=np.int32)
        self.persons = single.merged(Members(order, begin), number)

    @property
    def length(self) -> int:
        """Numbers that it holds, for who keeps it."""
        return 2 * len(self.persons.values)

    def judge(
        self,
        formed: Formed,
        k: int,
        kept: NDArray[np.bool_],
        least: NDArray[np.int64],
    ) -> None:
        """As by rows; classes that are not ``kept`` are left alone, whatever ``k``."""
        judge_persons(formed.members, formed.sizes, self.persons, self.requirements, self.number, kept, least)

    def merged(self, members: Members) -> SensitiveOfPersons:
        """The same attribute over the classes instead of the combinations."""
        made = object.__new__(SensitiveOfPersons)
        made.__dict__.update(self.__dict__)
        made.persons = self.persons.merged(members, self.number)
        return made

    def by_class(self, class_of: NDArray[np.integer], kept: NDArray[np.bool_]) -> Diversity:
        """What the worst class that is kept holds, by persons."""
        members = Members(*by_class(class_of.astype(np.int32, copy=False), len(kept)))
        found = self.persons.merged(members, self.number)
        each = np.diff(found.start)
        left = np.repeat(kept, each)
        place = np.repeat(np.arange(len(kept)), each)[left]
        return diversity(place, found.values[left], None, self.reference, self.unknown, self.rows)
