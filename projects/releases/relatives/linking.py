"""What rows that hang together tell (GB/T 37964 D.3): of one result, and of releases whose persons one pseudonym joins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from projects.processing.models import RunTable
from projects.verification.gate.case import Case, Table
from techniques.core.attributes import AttributeRole
from techniques.core.subjects import persons, persons_of_groups
from techniques.disclosure_risk.releases.covers import SUPPRESSED, Combinations
from techniques.disclosure_risk.releases.findings import DateInference, Linkage
from techniques.disclosure_risk.releases.keyed import Keyed, pseudonym_codes
from techniques.disclosure_risk.releases.linkage import Part, inferred_dates, linkage
from techniques.disclosure_risk.releases.linked import FIXED
from techniques.values.dates import parse_dates, parse_days

from .reading import Reader, subjects_of
from .report import OWN
from .selectors import pseudonyms_of

LOOKED_AT = 10_000
"""Rows of a column by which it is told whether it has dates."""
DRAWN = ("randomization.", "synthesis.", "pseudonymization.", "encryption.")
"""Techniques after which a value that reads like one of the source is another row's."""
IDENTIFIES = (
    AttributeRole.DIRECT_IDENTIFIER,
    AttributeRole.QUASI_IDENTIFIER,
    AttributeRole.SENSITIVE_ATTRIBUTE,
)


def linked_of(case: Case, own: RunTable, k: int, reader: Reader) -> Linkage:
    """Courses, keys that several persons share, and hidden dates of the result by itself."""
    subjects = subjects_of(case, own)
    rows = case.result.rows
    who = np.arange(rows) if subjects is None else persons(subjects)[0].astype(np.int64)
    part = _part(OWN, case, own, who, reader)
    inferred = dates_inferred(case, {OWN: case.result}, reader)
    return linkage([part], k=k, inferred=inferred)


def linked_by_key(
    cases: Mapping[str, tuple[RunTable, Case]], held: Sequence[Keyed], k: int, reader: Reader
) -> Linkage | None:
    """The same of releases that one pseudonym joins; None where it is no key of persons but one that several share."""
    codes = pseudonym_codes(held)
    units = [
        np.arange(one.table.num_rows) if one.subjects is None else persons(one.subjects)[0] for one in held
    ]
    for code, unit in zip(codes, units, strict=True):
        there = code >= 0
        pairs = np.unique(np.stack([code[there], unit[there]]), axis=1)
        if pairs.shape[1] > len(np.unique(code[there])):
            return None
    first = 1 + max(int(code.max(initial=-1)) for code in codes)
    parts = []
    for one, code in zip(held, codes, strict=True):
        who = code.copy()
        # Rows without a pseudonym are joined to none.
        alone = np.flatnonzero(who < 0)
        who[alone] = first + np.arange(len(alone))
        first += len(alone)
        table, case = cases[one.name]
        parts.append(_part(one.name, case, table, who, reader, known=one))
    return linkage(parts, k=k)


def _part(
    name: str, case: Case, table: RunTable, who: NDArray[np.int64], reader: Reader, known: Keyed | None = None
) -> Part:
    there = case.result.columns()
    key = known.key if known else case.person_key or ()
    quasi = known.quasi if known else tuple(case.quasi())
    of_persons = {*key, *(case.person_key or ()), *case.quasi()}
    shared = [one for one in pseudonyms_of(table) if one in there and one not in of_persons]
    dates = [one for one in date_columns(case.source, there) if one in there]
    rows = reader.table(case.result, list(dict.fromkeys([*quasi, *shared, *dates])))
    if known is not None:
        # As the pseudonyms of all releases were brought into one form.
        for one in quasi:
            rows = rows.set_column(rows.column_names.index(one), one, known.table.column(one))
    for one in shared:
        rows = rows.set_column(rows.column_names.index(one), one, _without_stars(rows.column(one)))
    return Part(
        name=name,
        table=rows,
        who=who,
        quasi=tuple(quasi),
        order=_order(rows, who, dates),
        groups=tuple(one for one in shared if _is_shared(rows, one, who)),
    )


def _without_stars(texts: pa.ChunkedArray) -> pa.Array:
    found = texts.combine_chunks().cast(pa.string())
    return pc.if_else(pc.equal(found, SUPPRESSED), pa.scalar(None, pa.string()), found)


def _is_shared(rows: pa.Table, column: str, who: NDArray[np.int64]) -> bool:
    found = Combinations.of(rows, [column])
    known = found.codes[0] >= 0
    return bool((persons_of_groups(found.of_row, found.number, who.astype(np.int32))[known] > 1).any())


def _order(rows: pa.Table, who: NDArray[np.int64], dates: Sequence[str]) -> str:
    """The column by which most rows of a person are told apart in time; empty where none does."""
    people, best, chosen = len(np.unique(who)), 0, ""
    for name in dates:
        found = Combinations.of(rows, [name])
        number = np.unique(np.stack([who, found.of_row]), axis=1).shape[1]
        if number > max(best, people):
            best, chosen = number, name
    return chosen


def date_columns(source: Table, columns: Sequence[str]) -> list[str]:
    """Those of ``columns`` that have dates in the source, by its first rows."""
    for batch in source.batches():
        looked_at = batch.slice(0, LOOKED_AT)
        found = []
        for name in columns:
            if name in looked_at.schema.names:
                texts = _filled(looked_at.column(name))
                if len(texts) and parse_dates(texts).valid.mean() >= FIXED:
                    found.append(name)
        return found
    return []


def _filled(texts: pa.Array) -> pa.Array:
    plain = texts.cast(pa.string()).fill_null("")
    return plain.filter(pc.not_equal(plain, ""))


def dates_inferred(case: Case, results: Mapping[str, Table], reader: Reader) -> list[DateInference]:
    """Dates of a person that none of these releases of one source tells to the day, and that lie a fixed time from one that is told."""
    dates = date_columns(case.source, case.source.columns())
    if len(dates) < 2:
        return []
    source = reader.table(case.source, dates)
    telling = [
        (release, name)
        for release, result in results.items()
        for name in dates
        if name in result.columns()
        and not (release == OWN and _is_drawn(case, name))
        and _is_readable(source.column(name), reader.table(result, [name]).column(name))
    ]
    readable = {name for _release, name in telling}
    hidden = [name for name in dates if name not in readable and case.roles.get(name) in IDENTIFIES]
    return inferred_dates(source, hidden, telling)


def _is_drawn(case: Case, column: str) -> bool:
    return any(
        step.technique.startswith(DRAWN) and (not step.columns or column in step.columns)
        for step in case.recipe.steps
    )


def _is_readable(source: pa.ChunkedArray, released: pa.ChunkedArray) -> bool:
    """Whether the cells are days that stand in the source."""
    texts = _filled(released.combine_chunks())
    if not len(texts):
        return False
    days, whole = parse_days(texts)
    known, valid = parse_days(_filled(source.combine_chunks()))
    return float((whole & np.isin(days, known[valid])).mean()) >= FIXED
