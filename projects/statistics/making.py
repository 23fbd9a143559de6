"""What a worker does: the table from data or cells, its protection, and the report about every cell. Loads the engine."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO, TextIOWrapper
from typing import Any

from projects.datasets.store.store import store_open
from techniques.core.messages import EngineError, gettext_noop

from .comparing import beside
from .counting import tabulated
from .joining import Joined, joined_with
from .models import Tabulation
from .rule_sets import rule_source

MOST_CELLS = 5000
"""Cells of a table that a page shows and explains, totals among them."""
SECONDS = 15.0
"""For a search; less than the time in which a job that says nothing counts as lost."""
UNHIDABLE = gettext_noop(
    "A sensitive cell can be worked out even if every other cell is hidden: make the table coarser, or round it."
)
OPEN_ELSEWHERE = gettext_noop(
    "Read with the tables of the same data that were signed, a sensitive cell can be worked out even if every other cell is hidden: make the table coarser."
)


def made(row: Tabulation, tick: Callable[[float], None]) -> tuple[dict[str, Any], bytes | None]:
    """(the report, the table as it goes out: None where a sensitive cell stays open).

    Raises EngineError with nothing of the data in it.
    """
    from techniques.families.statistical.tables.explanation import intervals, loss_of, protected_by, room_of
    from techniques.families.statistical.tables.files import shown, table_write
    from techniques.families.statistical.tables.release import release
    from techniques.families.statistical.tables.suppression import part
    from techniques.families.statistical.tables.table import decimals_of

    defined, rules = row.defined, rule_source().opened(row.rules_id)
    table, decimals = _imported(row, rules.ranks) if row.imported else tabulated(row, rules.ranks, tick)
    if table.cells > MOST_CELLS:
        text = gettext_noop("The table would have %(cells)d cells with its totals; %(most)d are possible.")
        raise EngineError("table_too_large", text, cells=table.cells, most=MOST_CELLS)
    tick(0.2)
    together = joined_with(row, table, tick) if row.dataset else Joined.nothing()
    tick(0.3)
    nonnegative = together.nonnegative(not defined.negative and not bool((table.values < 0).any()))
    try:
        found = release(
            table,
            rules,
            counts=defined.counts,
            base=defined.base,
            nonnegative=nonnegative,
            loss=defined.least,
            published=together.published,
            seconds=SECONDS,
            tick=part(tick, 0.3, 0.7),
        )
    except EngineError as error:
        # Labels of cells are data; the reason of a failed job is kept as it is.
        if error.code != "cannot_be_hidden":
            raise
        raise EngineError("cannot_be_hidden", OPEN_ELSEWHERE if together.tables else UNHIDABLE) from None
    tick(0.7)
    if defined.base is not None:
        decimals = decimals_of(defined.base)
    asked = protected_by(found, seconds=SECONDS, tick=part(tick, 0.7, 0.8))
    between = intervals(found, part(tick, 0.8, 0.85))
    room = room_of(found, part(tick, 0.85, 0.95))
    cells = []
    for cell in range(table.cells):
        hidden, primary = bool(found.hidden[cell]), bool(found.primary[cell])
        one: dict[str, Any] = {
            "labels": table.labels(cell),
            "shown": shown(float(found.values[cell]), hidden, decimals),
            "value": float(table.values[cell]),
            "contributors": int(table.contributors[cell]),
            "rules": found.sensitive.broken(cell),
            "hidden": hidden,
        }
        if hidden or primary:
            one |= {"low": between[cell].low, "high": between[cell].high}
        if primary:
            one |= {"room": room.get(cell), "closed": cell not in found.open_cells}
        elif hidden:
            asking = asked[cell]
            one["protects"] = asking and [place for place in asking if place < table.cells]
            if others := together.protected(found.joint, asking or ()):
                one["protects_in"] = others
        cells.append(one)
    report = {
        "dimensions": [
            {"name": one.name, "labels": one.labels, "parent": one.parent} for one in table.dimensions
        ],
        "decimals": decimals,
        "rounded": defined.base is not None,
        "nonnegative": nonnegative,
        "cells": cells,
        "loss": vars(loss_of(found)),
        "statements": [one.model_dump(mode="json") for one in found.statements],
        "alone_unknown": row.imported is not None and not defined.counts,
    }
    report["together"] = together.as_dict()
    report["beside"] = beside(row, report, without=together.tables)
    if found.open_cells:
        return report, None
    out = StringIO()
    table_write(out, found, decimals)
    return report, out.getvalue().encode()


def _imported(row: Tabulation, ranks: int) -> tuple[Any, int]:
    from techniques.families.statistical.tables.files import table_read

    assert row.imported is not None
    defined = row.defined
    with (
        store_open(row.imported, whole=True) as stream,
        TextIOWrapper(stream, "utf-8-sig", newline="") as text,
    ):
        try:
            return table_read(
                text, counts=defined.counts, trees=defined.trees, total=defined.total, ranks=ranks
            )
        except UnicodeDecodeError:
            message = gettext_noop("The file is not written in UTF-8.")
            raise EngineError("cells_encoding", message) from None
