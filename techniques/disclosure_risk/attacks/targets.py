"""Whom an attack is on: persons of the source, what is known of them, and which records of the result are their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from techniques.core.messages import EngineError, _
from techniques.core.settings import Frozen
from techniques.core.subjects import persons
from techniques.data_utility.covering import Hierarchy
from techniques.disclosure_risk.attacks.cells import Column, Integers, Pairs, Records
from techniques.tables.dictionary import EncodedColumn

Tick = Callable[[float], None]
ATTEMPTS = 2000


class Knowledge(Frozen):
    """What the attacker knows of a target: the ``columns``, of each a number with an error of up to ``noise`` either way, and a
    share ``wrong`` of the other cells that is taken for the value of somebody else. ``attempts`` targets are drawn by ``seed``."""

    columns: tuple[str, ...]
    noise: dict[str, float] = {}
    wrong: float = 0.0
    attempts: int = ATTEMPTS
    seed: int = 0


@dataclass(frozen=True)
class Tables:
    """Source and result: ``columns`` that both have; ``who`` (n,) the person of each row of the source and ``whose`` (m,) of
    each record of the result, numbered alike, -1 for nobody of the source.

    ``whose`` is None where nobody wrote down whose the records are. ``made_up``: the records are nobody's.
    """

    columns: Mapping[str, Column]
    who: NDArray[np.int64]
    whose: NDArray[np.int64] | None = None
    made_up: bool = False

    @classmethod
    def of_columns(
        cls,
        source: Mapping[str, EncodedColumn],
        result: Mapping[str, EncodedColumn],
        who: NDArray[np.int64],
        whose: NDArray[np.int64] | None = None,
        *,
        made_up: bool = False,
        hierarchies: Mapping[str, Hierarchy] | None = None,
    ) -> Tables:
        """The columns that both have, beside each other. A control group is a source whose persons are not in the result.
        EngineError ``too_many_values``."""
        above = hierarchies or {}
        columns = {
            name: Column.of(name, source[name], released, above.get(name))
            for name, released in result.items()
            if name in source
        }
        return cls(columns, who, whose, made_up)

    @property
    def rows(self) -> int:
        """Records of the result."""
        return len(next(iter(self.columns.values())).released) if self.columns else 0

    def of(self, names: Sequence[str]) -> list[Column]:
        """Those columns; EngineError ``column_untold`` where the result says nothing of one that could be compared."""
        for name in names:
            if name not in self.columns or not self.columns[name].tells:
                text = _(
                    "The result says nothing of column %(column)s that could be compared with the source."
                )
                raise EngineError("column_untold", text, column=name)
        return [self.columns[name] for name in names]

    @property
    def comparable(self) -> list[str]:
        """The columns of which the result says something."""
        return [name for name, one in self.columns.items() if one.tells]


def numbered(subjects: NDArray[np.integer] | None, rows: int) -> NDArray[np.int64]:
    """A number for the person of each row, rows themselves where one row is one person."""
    return np.arange(rows, dtype=np.int64) if subjects is None else persons(subjects)[0].astype(np.int64)


def alongside(
    source: NDArray[np.integer], result: NDArray[np.integer]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The persons of both by the codes of one key: rows of -1 are persons of their own, records of -1 nobody's."""
    above = int(source.max(initial=-1)) + 1
    unknown = source < 0
    who = np.where(unknown, above + np.cumsum(unknown) - 1, source).astype(np.int64)
    return who, np.where(result < 0, -1, result).astype(np.int64)


@dataclass(frozen=True)
class Own:
    """The records that are the targets' own: pairs of a target, in their order, and a row of the result, with the chance that it
    is."""

    target: Integers
    row: Integers
    chance: NDArray[np.float64] = field(repr=False)


@dataclass(frozen=True)
class Targets:
    """The persons of one table who are attacked: ``rows`` (t,), one of each, and ``known``, what the attacker takes for the values
    of each column that they know."""

    tables: Tables
    knowledge: Knowledge
    rows: Integers
    known: Mapping[str, Integers]

    @classmethod
    def of(cls, tables: Tables, knowledge: Knowledge) -> Targets:
        """Persons by the same chance, of each one of the rows, with the errors that ``knowledge`` has. EngineError
        ``column_untold``."""
        generator = np.random.default_rng(knowledge.seed)
        order = generator.permutation(len(tables.who))
        _people, first = np.unique(tables.who[order], return_index=True)
        rows = generator.permutation(order[first])[: knowledge.attempts]
        known = {}
        for column in tables.of(knowledge.columns):
            values = column.source.codes[rows].astype(np.int64)
            if (by := knowledge.noise.get(column.name)) and column.is_numeric:
                values = column.noisy(values, by, generator)
            elif knowledge.wrong:
                mistaken = generator.random(len(values)) < knowledge.wrong
                others = generator.integers(0, len(column.source), len(values))
                values = np.where(mistaken, column.source.codes[others], values)
            known[column.name] = values
        return cls(tables, knowledge, rows, known)

    def __len__(self) -> int:
        return len(self.rows)

    def nearest(self, names: Sequence[str], without: Pairs | None = None) -> tuple[Records, Pairs]:
        """The records of the result by these columns, and those nearest to each target; ``without`` are not looked at."""
        records = Records.of(self.tables.of(names))
        return records, records.nearest([self.known[name] for name in names], without)

    @cached_property
    def own(self) -> Own:
        """Whose the records are by what the run wrote down. Where nobody did, those count as a target's own that read most like
        its row in all columns: then an attack looks rather too successful than not successful enough."""
        if self.tables.whose is not None:
            order = np.argsort(self.tables.whose, kind="stable")
            ordered, who = self.tables.whose[order], self.tables.who[self.rows]
            first = np.searchsorted(ordered, who, side="left")
            counts = np.searchsorted(ordered, who, side="right") - first
            target = np.repeat(np.arange(len(self.rows)), counts)
            return Own(target, order[runs(first, counts)], np.ones(len(target)))
        columns = self.tables.of(self.tables.comparable)
        records = Records.of(columns)
        near = records.nearest([one.source.codes[self.rows].astype(np.int64) for one in columns])
        at_row = np.argsort(records.of_row, kind="stable")
        begins = np.concatenate([[0], np.cumsum(records.rows)])
        counts = records.rows[near.record]
        chance = 1 / np.bincount(near.target, weights=counts, minlength=len(self.rows))[near.target]
        return Own(
            np.repeat(near.target, counts),
            at_row[runs(begins[near.record], counts)],
            np.repeat(chance, counts),
        )


def runs(first: Integers, counts: Integers) -> Integers:
    """The numbers from each ``first`` on, ``counts`` of them, one run after another."""
    ends = np.cumsum(counts)
    return np.arange(int(ends[-1]) if len(ends) else 0) + np.repeat(first - ends + counts, counts)
