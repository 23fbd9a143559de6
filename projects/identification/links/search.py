"""What a scan searches in columns together, and in their values: which columns, and what is kept, counts and names alone."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from projects.jobs.registry import Tick
from techniques.core.attributes import AttributeRole
from techniques.tables.limits import MIB

if TYPE_CHECKING:
    import pyarrow as pa

    from techniques.core.subjects import Subjects
    from techniques.identification.reports import ScanReport
    from techniques.identification.verdict import Suggestion
    from techniques.tables.dictionary import ColumnEncoder, EncodedColumn

MOST_COLUMNS = 12
"""Columns that are put together: 298 sets of at most three."""
MOST_COMPARED = 16
"""Columns that are compared in pairs, direct identifiers among them."""
MOST_LISTED = 60
"""Columns whose values are searched for what catches the eye."""
MOST_CELLS = 24_000_000
"""Cells that are held at once: of a longer table fewer columns are searched."""
MOST_BYTES = 256 * MIB
"""Bytes of the values that are held at once for the search: what is longest, such as free text, is left out."""
_VALUES = 0.4
"""Share of the time that the values take; the links take the rest."""
_SINGLING = 0.8
_ORDER = {
    AttributeRole.QUASI_IDENTIFIER: 0,
    AttributeRole.SENSITIVE_ATTRIBUTE: 1,
    AttributeRole.OTHER: 2,
}


@dataclass(frozen=True)
class Chosen:
    """Columns to be put ``together``, quasi-identifiers first; ``direct`` identifiers that others may follow from; and those
    ``listed`` with the values that catch the eye."""

    together: Sequence[str]
    direct: Sequence[str]
    listed: Sequence[str]

    @property
    def columns(self) -> list[str]:
        return list(dict.fromkeys([*self.together, *self.direct, *self.listed]))

    def held(self, columns: Collection[str]) -> Chosen:
        """Those of them that are among the ``columns`` which are held."""
        parts = (self.together, self.direct, self.listed)
        return Chosen(*([name for name in part if name in columns] for part in parts))


def chosen(
    scanned: ScanReport, suggested: Mapping[str, Suggestion], key: Collection[str] = (), spare: int = 0
) -> Chosen:
    """What is searched of a table. A column of one value says nothing of anybody, and the ``key`` of persons is the person.

    As long as the key is not known, so many columns as it may have are chosen as well (``spare``).
    """
    names = [name for name, one in scanned.columns.items() if one.distinct > 1 and name not in key]
    direct = [name for name in names if _is_direct(suggested[name])]
    others = [name for name in names if not _is_direct(suggested[name])]
    others.sort(key=lambda name: _ORDER[suggested[name].role])
    room = MOST_CELLS // max(scanned.rows, 1)
    places = min(MOST_COLUMNS, room)
    free = min(MOST_COMPARED, room) - min(len(others), places)
    return Chosen(others[: places + spare], direct[: free + spare], others[: min(MOST_LISTED, room) + spare])


def _is_direct(suggestion: Suggestion) -> bool:
    return suggestion.role == AttributeRole.DIRECT_IDENTIFIER


def encoded(
    batches: Iterable[pa.RecordBatch], needed: Iterable[str], searched: Iterable[str]
) -> dict[str, EncodedColumn]:
    """The columns that are ``needed``, and of those to be ``searched`` as many as the bound of bytes holds: what is longest is
    let go first."""
    from techniques.tables.dictionary import ColumnEncoder

    columns = {name: ColumnEncoder() for name in needed}
    bounded = {name: ColumnEncoder() for name in searched if name not in columns}
    for batch in batches:
        for name, encoder in (columns | bounded).items():
            encoder.add(batch.column(name))
        while sum(one.held for one in bounded.values()) > MOST_BYTES:
            del bounded[max(bounded, key=lambda name: bounded[name].held)]
    encoders = columns | bounded
    columns.clear()
    bounded.clear()
    return _finished(encoders)


class HeldColumns:
    """Encodes the columns of a table of so many ``rows`` on their way to who reads them, where a search may hold all of them: then
    the file needs not be read again."""

    def __init__(self, names: Collection[str], rows: int | None) -> None:
        from techniques.tables.dictionary import ColumnEncoder

        fits = rows is not None and rows * len(names) <= MOST_CELLS
        self._encoders = {name: ColumnEncoder() for name in names} if fits else {}

    def watched(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The batches as they come, each encoded before it is handed on."""
        for batch in batches:
            for name, encoder in self._encoders.items():
                encoder.add(batch.column(name))
            if sum(one.held for one in self._encoders.values()) > MOST_BYTES:
                self._encoders.clear()
            yield batch

    def taken(self, names: Collection[str]) -> dict[str, EncodedColumn] | None:
        """These columns, all others being let go of; None where not all of the table could be held."""
        encoders = {name: self._encoders[name] for name in names if name in self._encoders}
        self._encoders.clear()
        return _finished(encoders) if len(encoders) == len(names) else None


def _finished(encoders: dict[str, ColumnEncoder]) -> dict[str, EncodedColumn]:
    # What one column was read in is let go of before the next one is put together.
    return {name: encoders.pop(name).finish() for name in [*encoders]}


def links_search(
    columns: Mapping[str, EncodedColumn],
    names: Chosen,
    subjects: Subjects | None,
    tick: Tick,
) -> dict[str, Any]:
    """What is kept of the links among columns; ``subjects`` say whose the rows are, None where each is a person."""
    from techniques.disclosure_risk.links.counting import Cells
    from techniques.disclosure_risk.links.following import following
    from techniques.disclosure_risk.links.singling import NEARLY_ALL, singling

    together = names.together
    found: dict[str, Any] = {
        "together": list(together),
        "compared": [*together, *names.direct],
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


def values_search(
    columns: Mapping[str, EncodedColumn], names: Sequence[str], subjects: Subjects | None, tick: Tick
) -> dict[str, Any]:
    """What is kept of the values that catch the eye in each column of ``names``."""
    from techniques.identification.profiles.outlying import outlying
    from techniques.identification.profiles.profile import FEW

    found = {}
    for done, name in enumerate(names):
        found[name] = asdict(outlying(columns[name], subjects))
        tick((done + 1) / len(names))
    return {"few": FEW, "columns": found}


def searched(
    columns: Mapping[str, EncodedColumn], names: Chosen, key: Sequence[str], tick: Tick
) -> dict[str, Any]:
    """Both, as the report of a scan keeps them; rows are of one person where they agree in the ``key``.

    Of the ``names`` those are searched that are among the ``columns``; the others were too long, and are kept as that.
    """
    from techniques.core.subjects import subject_codes

    subjects = None
    if key:
        of_key = [columns[name] for name in key]
        subjects = subject_codes([one.codes for one in of_key], [len(one.values) for one in of_key])
        tick(0.0)
    held = names.held(columns)
    values = values_search(columns, held.listed, subjects, lambda share: tick(_VALUES * share))
    links = links_search(columns, held, subjects, lambda share: tick(_VALUES + (1 - _VALUES) * share))
    long = [name for name in names.columns if name not in columns]
    return {
        "links": {"key": list(key), **({"long": long} if long else {}), **links},
        "striking": values,
    }
