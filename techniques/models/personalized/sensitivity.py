"""How sensitive the values of an attribute are, how they are generalised, and what each person asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from techniques.models.conditions.entries import Entries
from techniques.models.conditions.judging import DISTINCT, SHARE
from techniques.models.conditions.persons import PersonValues
from techniques.models.conditions.values import Condition
from techniques.models.k_anonymity.sensitive import Sensitive, SensitiveOfPersons

Numbers = NDArray[np.int64]


class Sensitivity:
    """Sensitivity levels (Sid) and generalisation tree (GHT) of a sensitive attribute of V values, its leaves.

    ``tree``: a row per value, the value itself (level 1) and what stands above it at levels 2 … H; ``levels`` the sensitivity of
    each value, 1 (least) … H.
    """

    def __init__(self, tree: Sequence[Sequence[str]], levels: Mapping[str, int]) -> None:
        self.values = [row[0] for row in tree]
        self.height = len(tree[0])
        self.levels: Numbers = np.array([levels[value] for value in self.values], dtype=np.int64)
        if len(set(self.values)) < len(tree) or {len(row) for row in tree} != {self.height}:
            raise ValueError("a tree has a row of the same length for each value")
        if not ((self.levels >= 1) & (self.levels <= self.height)).all():
            raise ValueError("a sensitivity level is one of the tree's")
        places: dict[str, int] = {}
        nodes = [
            [places.setdefault(label, len(places)) for label in column] for column in zip(*tree, strict=True)
        ]
        self.above: Numbers = np.array(nodes, dtype=np.int64)
        """(H, V) the node of each value at each level; the values themselves are the first V nodes."""
        self.labels = list(places)

    @cached_property
    def under(self) -> Numbers:
        """Leaves under each node."""
        leaves = np.ones(len(self.labels), dtype=np.int64)
        for row in self.above:
            np.maximum.at(leaves, row, np.bincount(row, minlength=len(leaves))[row])
        return leaves

    def coded(self, texts: Sequence[str]) -> Numbers:
        """The number of each value; KeyError for one that is not in the tree."""
        place = {value: number for number, value in enumerate(self.values)}
        return np.array([place[text] for text in texts], dtype=np.int64)

    def written(self, values: Numbers, wanted: Numbers) -> Numbers:
        """The node that takes the place of each of n values under the level (Ppl) ``wanted`` for it, 0 for none: the ancestor at
        that level where it is above the value's sensitivity, else the value itself (section 3.3.3)."""
        above = wanted > self.levels[values]
        return np.where(above, self.above[np.maximum(wanted, 1) - 1, values], values)

    def conditions(self, values: Numbers, distinct: int, alpha: float) -> tuple[Sensitive, NDArray[np.int32]]:
        """What l (``distinct``) and α ask of the ``values`` of n rows; with the number of each row's value."""
        numbers = values.astype(np.int32)
        entries = Entries(np.arange(len(values) + 1), numbers, np.ones(len(values), dtype=np.int64))
        return Sensitive(
            entries, len(self.values), self._bounds(distinct, alpha), levels=self.levels - 1
        ), numbers

    def conditions_of_persons(
        self, values: Numbers, distinct: int, alpha: float, person: NDArray[np.int32], number: int
    ) -> SensitiveOfPersons:
        """The same of ``number`` persons, ``person`` (n,) whose each row is; one whose values in a class differ is unknown."""
        start = np.arange(len(values) + 1)
        single = PersonValues(start, (values + 1).astype(np.int32), person)
        return SensitiveOfPersons(
            single, start, number, len(self.values) + 1, self._bounds(distinct, alpha),
            levels=np.append(0, self.levels - 1),
        )  # fmt: skip

    def _bounds(self, distinct: int, alpha: float) -> list[Condition]:
        return [Condition(DISTINCT, distinct, 0.0), Condition(SHARE, alpha, self.height)]
