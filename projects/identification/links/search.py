"""The search of a scan for links among columns: which columns are searched, and what is kept, counts and names alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from projects.jobs.registry import Tick
from techniques.core.attributes import AttributeRole

if TYPE_CHECKING:
    from techniques.identification.reports import ScanReport
    from techniques.identification.verdict import Suggestion
    from techniques.tables.dictionary import EncodedColumn

MOST_COLUMNS = 12
"""Columns that are put together: 298 sets of at most three."""
MOST_COMPARED = 16
"""Columns that are compared in pairs, direct identifiers among them."""
MOST_CELLS = 24_000_000
"""Cells that are held at once: of a longer table fewer columns are searched."""
_SINGLING = 0.8
_ORDER = {
    AttributeRole.QUASI_IDENTIFIER: 0,
    AttributeRole.SENSITIVE_ATTRIBUTE: 1,
    AttributeRole.OTHER: 2,
}


def chosen(scanned: ScanReport, suggested: Mapping[str, Suggestion]) -> tuple[list[str], list[str]]:
    """The columns to be put together, quasi-identifiers first, and the direct identifiers that others may follow from.

    A column of one value says nothing of anybody.
    """
    names = [name for name, one in scanned.columns.items() if one.distinct > 1]
    direct = [name for name in names if _is_direct(suggested[name])]
    others = [name for name in names if not _is_direct(suggested[name])]
    others.sort(key=lambda name: _ORDER[suggested[name].role])
    room = MOST_CELLS // max(scanned.rows, 1)
    together = others[: min(MOST_COLUMNS, room)]
    return together, direct[: min(MOST_COMPARED, room) - len(together)]


def _is_direct(suggestion: Suggestion) -> bool:
    return suggestion.role == AttributeRole.DIRECT_IDENTIFIER


def links_search(
    columns: Mapping[str, EncodedColumn],
    together: Sequence[str],
    direct: Sequence[str],
    key: Sequence[str],
    tick: Tick,
) -> dict[str, Any]:
    """What is kept of the links among columns, whose rows are of one person where they agree in the ``key``."""
    from techniques.core.subjects import subject_codes
    from techniques.disclosure_risk.links.counting import Cells
    from techniques.disclosure_risk.links.following import following
    from techniques.disclosure_risk.links.singling import NEARLY_ALL, singling

    of_key = [columns[name] for name in key]
    subjects = (
        subject_codes([one.codes for one in of_key], [len(one.values) for one in of_key]) if key else None
    )
    found: dict[str, Any] = {
        "key": list(key),
        "together": list(together),
        "compared": [*together, *direct],
        "enough": NEARLY_ALL,
        "persons": 0,
        "searched": 0,
        "alone": 0,
        "sets": [],
        "following": [],
    }
    if together:
        cells = Cells.of({name: columns[name] for name in together}, subjects)
        singled = singling(cells, lambda share: tick(_SINGLING * share))
        found |= {
            "persons": singled.persons,
            "searched": singled.searched,
            "alone": singled.alone,
            "sets": [{"columns": list(one.columns), "persons": one.persons} for one in singled.sets],
        }
    if len(found["compared"]) > 1:
        cells = Cells.of({name: columns[name] for name in found["compared"]}, subjects)
        follows = following(cells, lambda share: tick(_SINGLING + (1 - _SINGLING) * share))
        found["following"] = [asdict(one) for one in follows]
    return found
