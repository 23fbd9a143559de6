"""Columns that a release leaves as they are and that may single out its rows by themselves.

Like the gate of the portal, a row number and a key stop a release; a measurement that differs in nearly every row is
like one, so it is only named.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np

from techniques.core.attributes import AttributeRole
from techniques.core.kinds import ColumnSign, kind_of
from techniques.core.messages import EngineError, _
from techniques.core.operations import StringArray
from techniques.identification.keys import KeyWatch
from techniques.tables.dictionary import MISSING, EncodedColumn
from techniques.values.characters import Characters
from techniques.values.dates import parse_dates


def telling(columns: Mapping[str, EncodedColumn], keep: Collection[str] = ()) -> dict[str, str]:
    """Columns that are different in nearly every row, or look like the key of a person, with what they seem to be.

    Raises EngineError ``key_untreated`` for a row number or a key that ``keep`` does not name.
    """
    kinds = {name: _kind(column) for name, column in columns.items()}
    stopping = [name for name, kind in kinds.items() if _stops(kind) and name not in keep]
    if stopping:
        text = _(
            "These columns number the rows or differ in nearly every row, so they lead back to each "
            "row: %(columns)s. Leave them out (--drop-unlisted), treat them as quasi-identifiers "
            "(--qi), or let them stay with --keep and their names."
        )
        raise EngineError("key_untreated", text, columns=", ".join(stopping))
    return {name: kind for name, kind in kinds.items() if kind}


def _stops(kind: str) -> bool:
    """Whether a column of this kind leads back to each row, and not only to some."""
    known = kind_of(kind)
    return known.role is AttributeRole.DIRECT_IDENTIFIER and known.column_sign in (
        ColumnSign.COUNTS,
        ColumnSign.UNIQUE,
    )


def _kind(column: EncodedColumn) -> str:
    counts = column.counts()
    used = np.flatnonzero(counts)
    if not len(used):
        return ""
    texts: StringArray = column.values.cast("string")
    watch = KeyWatch()
    characters = Characters.of(texts)
    watch.add(characters, counts)
    watch.follow(texts, characters, column.codes.astype(np.int64))
    present = len(column) - int(np.count_nonzero(column.codes == MISSING))
    judged = watch.judge(len(column), present, len(used), True, 0.0)
    if judged and judged[0][0] == "unique_key":
        # A moment in time is no key, however many there are.
        dates = float(counts[parse_dates(texts).valid].sum()) / present
        judged = watch.judge(len(column), present, len(used), True, dates)
    return judged[0][0] if judged else ""
