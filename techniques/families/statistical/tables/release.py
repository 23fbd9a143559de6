"""A table of statistics as it may go out: which cells are hidden or how they are rounded, what that promises, and what not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from techniques.catalogue import bases
from techniques.core.messages import EngineError, _
from techniques.core.settings import Statement
from techniques.families.statistical.tables.attack import Attack
from techniques.families.statistical.tables.joint import Joint, Published
from techniques.families.statistical.tables.rounding import audit_rounding, deviations, round_table
from techniques.families.statistical.tables.sensitivity import Sensitive, SensitivityRules, sensitive_cells
from techniques.families.statistical.tables.suppression import (
    Need,
    Tick,
    audit,
    needs_left,
    needs_of,
    part,
    silent,
    suppress,
)
from techniques.families.statistical.tables.table import Floats, StatisticalTable

ALONE = _(
    "Not covered: other tables of the same data, several contributors who put together what they know, what is known from elsewhere, and, in tables of three dimensions or more, what only whole numbers can be."
)
"""What the promise leaves out where no other table was read together with this one."""


@dataclass(frozen=True)
class ReleasedTable:
    """The ``values`` (cells,) that go out where ``hidden`` (cells,) is false. ``primary`` cells (cells,) break a rule by themselves;
    ``open_cells`` are the places of those that can still be bounded more closely than the rules allow, none if it may go out.
    ``joint`` has the cells of this table and, after them, those of the tables that readers have already; ``needs`` and
    ``open_cells`` speak of all of these. ``sensitive`` and ``needs`` are why, ``moved`` (lower, upper) between which deviations readers know rounded values to lie,
    None where cells are hidden. ``secret`` is for those alone who know the rules."""

    table: StatisticalTable
    joint: Joint
    values: Floats
    hidden: NDArray[np.bool_]
    sensitive: Sensitive
    needs: tuple[Need, ...]
    moved: tuple[Floats, Floats] | None
    nonnegative: bool
    open_cells: tuple[int, ...]
    statements: tuple[Statement, ...]
    secret: dict[str, Any]

    @property
    def primary(self) -> NDArray[np.bool_]:
        return self.sensitive.cells


def release(
    table: StatisticalTable,
    rules: SensitivityRules,
    *,
    counts: bool,
    base: float | None = None,
    nonnegative: bool = True,
    loss: Literal["cells", "values"] = "cells",
    published: Sequence[Published] = (),
    seconds: float = 60.0,
    tick: Tick = silent,
) -> ReleasedTable:
    """Hide cells, or round all of them to multiples of ``base``, and work out what readers still can.

    ``counts``: the table counts contributors; ``published`` are the tables of the same records that readers have: neither their
    sensitive cells nor those of this one are told by all of them together; ``loss`` is what hiding others than sensitive cells is to cost least of; ``seconds``
    are those of the search for the least, ``tick`` hears how much is done. Raises
    EngineError ``cannot_be_hidden``, ``cannot_be_rounded``, ``rules_of_amounts``, ``values_below_zero``.
    """
    if counts and (rules.minimum_contributors is None or rules.of_amounts):
        text = _(
            "Counts go by the fewest contributors alone: give --minimum, and neither --dominance nor --p nor --pq."
        )
        raise EngineError("rules_of_amounts", text)
    if nonnegative and (table.values < 0).any():
        text = _("Some values lie below zero, so readers cannot know that none does: say --negative.")
        raise EngineError("values_below_zero", text)
    tick(0.0)
    sensitive = sensitive_cells(table, rules, counts=counts)
    joint = Joint(table, published)
    needs, early = needs_of(joint, joint.sensitive(sensitive), nonnegative=nonnegative), list[Need]()
    if published:
        attack = Attack(joint, nonnegative=nonnegative)
        needs, early = needs_left(
            joint, attack, sensitive, nonnegative=nonnegative, tick=part(tick, 0.0, 0.2)
        )
    own = [one for one in early if one.cell < table.cells and sensitive.cells[one.cell]]
    secret: dict[str, Any] = {
        "clause": bases.TABLES,
        "rules": rules.model_dump(mode="json"),
        "cells": table.cells,
        "primary": int(sensitive.cells.sum()),
    }
    if base is None:
        weights = np.abs(table.values) + 1.0 if loss == "values" else None
        found = suppress(
            table,
            sensitive,
            nonnegative=nonnegative,
            weights=weights,
            published=published,
            seconds=seconds,
            tick=part(tick, 0.2, 0.8),
        )
        hidden, values, moved = found.hidden, table.values, None
        unmet = audit(
            table, needs, hidden, nonnegative=nonnegative, published=published, tick=part(tick, 0.8, 1.0)
        )
        secret |= {"secondary": int(found.secondary.sum()), "loss": found.loss, "least_loss": found.bound}
        said = [_hidden(int(hidden.sum()), table.cells), _how_good(found.loss, found.bound)]
    else:
        rounded = round_table(table, base, seconds=seconds, tick=part(tick, 0.2, 0.5))
        hidden, values = np.zeros(table.cells, dtype=np.bool_), rounded.values
        moved = deviations(table, rounded)
        tick(0.5)
        unmet = audit_rounding(
            table,
            needs + own,
            rounded,
            nonnegative=nonnegative,
            published=published,
            tick=part(tick, 0.5, 1.0),
        )
        secret |= {"base": base, "steps": rounded.steps}
        text = _(
            "Every cell is a multiple of %(base)s less than %(width)s from its value, and totals are the sums of their parts."
        )
        said = [Statement.of("rounded", text, base=f"{base:g}", width=f"{base * rounded.steps:g}")]
    open_cells = tuple(sorted({need.cell for need, _reach in unmet}))
    return ReleasedTable(
        table,
        joint,
        values,
        hidden,
        sensitive,
        tuple(needs),
        moved,
        nonnegative,
        open_cells,
        (
            *said,
            *_promise(len(open_cells), nonnegative, _jointly(early) if published else None),
            *_sums(joint, open_cells),
        ),
        secret,
    )


def _hidden(hidden: int, cells: int) -> Statement:
    text = _("%(hidden)d of %(cells)d cells are hidden: those that tell too much of a contributor, and others from which these could be worked out.")  # fmt: skip
    return Statement.of("hidden", text, hidden=hidden, cells=cells)


def _how_good(loss: float, bound: float) -> Statement:
    if loss <= bound * (1 + 1e-6) + 1e-9:
        return Statement.of("optimal", _("No other choice of cells loses less."))
    if bound <= 0:
        return Statement.of("not_known", _("How much less another choice of cells could lose is not known."))
    text = _("Another choice of cells could lose less, yet at least %(share)s of what this one loses.")
    return Statement.of("bounded", text, share=round(bound / loss, 4))


def _jointly(early: Sequence[Need]) -> Statement:
    """What holds with the tables that are out, of which some tell too much by themselves."""
    before = len({need.cell for need in early})
    if before:
        text = _("The same holds of all cells of this table and of the tables of the same data that were read together with it, but for what those tell without it: sensitive cells that they bound too closely by themselves are %(before)d in number.")  # fmt: skip
        return Statement.of("jointly_but", text, before=before)
    text = _("The same holds of all cells of this table and of the tables of the same data that were read together with it; their sensitive cells are protected too.")  # fmt: skip
    return Statement.of("jointly", text)


def _sums(joint: Joint, open_cells: Sequence[int]) -> list[Statement]:
    """That cells are protected one by one, where the same contributor has parts in several; of a table that may not go out nothing."""
    if open_cells or not joint.overlaps:
        return []
    text = _("Not covered either: what somebody contributes to several cells together. Each cell is protected by itself, and the sum of several is not.")  # fmt: skip
    return [Statement.of("sums", text)]


def _promise(unmet: int, nonnegative: bool, jointly: Statement | None) -> list[Statement]:
    if unmet and jointly:
        text = _(
            "Read with the tables of the same data that are out already, sensitive cells can be bounded more closely than the rules allow, %(number)d here or there: this table must not go out."
        )
        return [Statement.of("open_jointly", text, number=unmet)]
    if unmet:
        text = _(
            "%(number)d sensitive cells can be bounded more closely than the rules allow: this table must not go out."
        )
        return [Statement.of("open", text, number=unmet)]
    known = (
        _("Readers are taken to know that no value lies below zero.")
        if nonnegative
        else _("Readers are taken not to know whether values lie below zero.")
    )
    beyond = (
        _(
            "Not covered: tables of the same data that were not read together with this one, such as those that count or add up something else, several contributors who put together what they know, what is known from elsewhere, and, in tables of three dimensions or more, what only whole numbers can be."
        )
        if jointly
        else ALONE
    )
    return [
        Statement.of(
            "closed",
            _(
                "Worked out from all that is published and the totals, no sensitive cell is bounded more closely than the rules allow, neither by an outsider nor by somebody who contributes alone to a cell."
            ),
        ),
        *([jointly] if jointly else []),
        Statement.of("known", known),
        Statement.of("beyond", beyond),
        Statement.of(
            "groups",
            _(
                "Not covered either: what empty cells tell. Where all contributors of a group are in one cell, the other cells of the "
                "group are empty, and readers know of each of them in which cell they are."
            ),
        ),
    ]
