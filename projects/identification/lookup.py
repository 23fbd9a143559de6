"""The source of the look-up method's metadata table (5.3.2).

The table belongs to the organisation, which no stage package may import; the organisation hands in
a callable when the portal starts. Without one, the table that the product ships is used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from techniques.identification.metadata.lookup import DEFAULT_METADATA_TABLE, MetadataRow


@dataclass(frozen=True)
class MetadataTable:
    """A version of the metadata table: its rows in order of precedence, and the version's number and hash.

    ``names`` gives the names of identifiers of the organisation's own, which the vocabulary lacks.
    """

    version: str
    rows: Sequence[MetadataRow]
    names: Mapping[str, str] = field(default_factory=dict)


def _shipped() -> MetadataTable:
    return MetadataTable("shipped", DEFAULT_METADATA_TABLE)


_source: Callable[[], MetadataTable] = _shipped


def set_metadata_source(source: Callable[[], MetadataTable]) -> None:
    """Let every later look-up use the table that ``source`` returns at that moment."""
    global _source
    _source = source


def metadata_table() -> MetadataTable:
    """The table as it stands now."""
    return _source()
