"""An attack by who holds a table of other people's data: each of its persons is looked for in the result (4.3.2 b)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import pyarrow as pa

from techniques.core.settings import Frozen
from techniques.core.subjects import Subjects, persons
from techniques.disclosure_risk.attacks.rates import Rate
from techniques.disclosure_risk.attacks.targets import ATTEMPTS

Act = Callable[[pa.Array], pa.Array]
_WHO = "\0who"
_PLACE = "\0place"


class OutsideLinkage(Frozen):
    """Of ``looked_for`` rows of the outside table those who have records of the result alike in ``columns`` were taken for one of
    them by chance: the ``attack``. ``known`` of all are in the source with these very values, so that a guess can be right;
    of ``single`` one person alone is alike, which is right for ``single_right``.
    """

    columns: tuple[str, ...]
    looked_for: int
    known: int
    attack: Rate
    single: int
    single_right: int


def outside_linkage(
    source: Iterable[pa.RecordBatch],
    result: Iterable[pa.RecordBatch],
    outside: Iterable[pa.RecordBatch],
    columns: Mapping[str, Act],
    subjects: Subjects | None = None,
    *,
    seed: int = 0,
    attempts: int = ATTEMPTS,
) -> OutsideLinkage:
    """Look for rows of ``outside``, drawn by ``seed``, by ``columns``, each with what brings its values to the detail of the result.

    A guess counts as right where the source has somebody with these very values: then it is one of the persons alike. So an
    attack looks rather too successful than not successful enough. ``subjects``: whose the records of the result are. Nobody is
    looked for by a row in which a value is missing.
    """
    names = list(columns)
    whole = _texts(outside, names).drop_null()
    drawn = np.random.default_rng(seed).permutation(whole.num_rows)[:attempts]
    raw = whole.take(pa.array(np.sort(drawn)))
    place = pa.array(np.arange(raw.num_rows))
    in_source = _counted(_texts(source, names), names)
    known = np.zeros(raw.num_rows, dtype=bool)
    known[_matched(raw, place, in_source, names)[0]] = True
    coarse = pa.table({name: _text(act(raw.column(name).combine_chunks())) for name, act in columns.items()})
    released = _texts(result, names)
    who = np.arange(released.num_rows) if subjects is None else persons(subjects)[0]
    alike = _counted(released.append_column(_WHO, pa.array(who)), names)
    where, counts = _matched(coarse, place, alike, names)
    right = known[where]
    single = counts == 1
    return OutsideLinkage(
        columns=tuple(names),
        looked_for=raw.num_rows,
        known=int(known.sum()),
        attack=Rate.of(float((right / counts).sum()), len(where)),
        single=int(single.sum()),
        single_right=int((single & right).sum()),
    )


def _texts(batches: Iterable[pa.RecordBatch], names: Sequence[str]) -> pa.Table:
    """These columns as texts."""
    parts = [
        pa.record_batch([_text(batch.column(name)) for name in names], names=list(names)) for batch in batches
    ]
    schema = pa.schema([(name, pa.string()) for name in names])
    return pa.Table.from_batches(parts, schema=schema)


def _text(values: pa.Array) -> pa.Array:
    plain = values.dictionary_decode() if isinstance(values, pa.DictionaryArray) else values
    return plain.cast(pa.string())


def _counted(table: pa.Table, names: Sequence[str]) -> pa.Table:
    """The different combinations of values, each with how many persons, where they are told, else how many rows have it."""
    who = (_WHO, "count_distinct") if _WHO in table.column_names else ([], "count_all")
    found = table.group_by(list(names)).aggregate([who])
    return found.rename_columns([*names, "number"])


def _matched(
    rows: pa.Table, place: pa.Array, among: pa.Table, names: Sequence[str]
) -> tuple[np.ndarray, np.ndarray]:
    """The places of the ``rows`` that have their like ``among`` the combinations, and how many these are."""
    found = rows.append_column(_PLACE, place).join(among, keys=list(names), join_type="inner")
    return found.column(_PLACE).to_numpy(), found.column("number").to_numpy()
