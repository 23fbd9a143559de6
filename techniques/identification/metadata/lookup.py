"""The look-up method (GB/T 37964 5.3.2): column names against the identifier metadata table.

A name is compared three ways, the surest first: exactly; normalised (case, spaces, punctuation,
full-width letters and bracketed remarks do not count); and by containing a known field name, where
Latin field names must fill whole words so that ``age`` is not found in ``language``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from techniques.core.attributes import AttributeRole
from techniques.identification.metadata.row import MetadataRow
from techniques.identification.metadata.table import DEFAULT_METADATA_TABLE

__all__ = ["DEFAULT_METADATA_TABLE", "MatchedHow", "MetadataMatch", "MetadataRow", "lookup"]


class MatchedHow(StrEnum):
    """How a column name was found in the table, from the surest to the least sure."""

    EXACT = "exact"
    NORMALISED = "normalised"
    CONTAINS = "contains"


CONFIDENCE: dict[MatchedHow, float] = {
    MatchedHow.EXACT: 0.9,
    MatchedHow.NORMALISED: 0.85,
    MatchedHow.CONTAINS: 0.6,
}
"""What a match by name alone is worth; a name never proves what the column holds."""


@dataclass(frozen=True)
class MetadataMatch:
    """The row of the table that a column name matched."""

    kind: str
    role: AttributeRole
    matched_alias: str
    how: MatchedHow

    @property
    def confidence(self) -> float:
        """Between 0 and 1."""
        return CONFIDENCE[self.how]


_BRACKETED = re.compile(r"[((\[【{][^))\]】}]*[))\]】}]")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD = re.compile(r"[a-z]+|[0-9]+|[^\W\d_a-z]+")


def _words(name: str) -> list[str]:
    """``name`` as lower-case words: a run of Latin letters, of digits, or of other letters."""
    plain = unicodedata.normalize("NFKC", name).strip()
    without_remark = _BRACKETED.sub(" ", plain).strip() or plain
    return _WORD.findall(_CAMEL.sub(" ", without_remark).lower())


class _Index:
    """The field names of a table, ready to be compared; later rows never displace earlier ones."""

    def __init__(self, table: Iterable[MetadataRow]) -> None:
        self.exact: dict[str, tuple[MetadataRow, str]] = {}
        self.normalised: dict[str, tuple[MetadataRow, str]] = {}
        self.by_length: list[tuple[str, list[str], MetadataRow, str]] = []
        for row in table:
            for alias in row.field_names:
                words = _words(alias)
                joined = "".join(words)
                if not joined:
                    continue
                self.exact.setdefault(alias, (row, alias))
                self.normalised.setdefault(joined, (row, alias))
                # A short field name inside a longer name says too little (县 in 县长电话, id in bid).
                if len(joined) >= (4 if joined.isascii() else 2):
                    self.by_length.append((joined, words, row, alias))
        self.by_length.sort(key=lambda item: -len(item[0]))

    def contained_in(self, words: list[str]) -> tuple[MetadataRow, str] | None:
        """The field name that ends last inside ``words``, the longest if several do. The head of a compound name is
        its end, in Chinese as in English (紧急联系人电话 is a telephone)."""
        joined = "".join(words)
        best: tuple[int, MetadataRow, str] | None = None
        for plain, alias_words, row, alias in self.by_length:
            if plain.isascii():
                end = _end_of_run(words, alias_words)
            else:
                at = joined.rfind(plain)
                end = at + len(plain) if at >= 0 else -1
            if end >= 0 and (best is None or end > best[0]):
                best = (end, row, alias)
        return (best[1], best[2]) if best else None


def _end_of_run(words: list[str], wanted: list[str]) -> int:
    """Where the words ``wanted`` end as a run inside ``words``, in characters, or -1."""
    for start in range(len(words) - len(wanted), -1, -1):
        if words[start : start + len(wanted)] == wanted:
            return sum(map(len, words[: start + len(wanted)]))
    return -1


def lookup(
    columns: Sequence[str], table: Iterable[MetadataRow] = DEFAULT_METADATA_TABLE
) -> dict[str, MetadataMatch]:
    """Match each name of ``columns`` against ``table``; a column without a match is left out.

    GB/T 37964 5.3.2. Only names are read, never values.
    """
    index = _Index(table)
    found: dict[str, MetadataMatch] = {}
    for column in columns:
        words = _words(column)
        if hit := index.exact.get(column.strip()):
            how = MatchedHow.EXACT
        elif hit := index.normalised.get("".join(words)):
            how = MatchedHow.NORMALISED
        elif hit := index.contained_in(words):
            how = MatchedHow.CONTAINS
        else:
            continue
        row, alias = hit
        found[column] = MetadataMatch(row.kind, row.role, alias, how)
    return found
