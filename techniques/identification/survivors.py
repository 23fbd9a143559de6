"""Whether any original value of a column is still in the result, where the result looks like the original.

A technique that keeps the format makes valid-looking identifiers out of identifiers (A.2.4), and so does one that makes
others up (A.7), so the rules find them in the result as they would find raw ones. They are no residue if the run itself made every one of them. The
proof, column by column, compares all values of the result with all values of the source. It fails closed. A value
that came out equal to somebody's original by chance counts as a survivor too: it
names a real person.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.catalogue.family import Family
from techniques.catalogue.table_c1 import Effect
from techniques.catalogue.technique import Technique
from techniques.core import faults
from techniques.core.kinds import ColumnSign, kind_of
from techniques.core.messages import _
from techniques.identification.check_blocks import byte_matrix
from techniques.identification.made_up import Hits
from techniques.identification.residual import ResidualFinding, ResidualReport
from techniques.recipe.recipe import Recipe


@dataclass(frozen=True)
class Survival:
    """Distinct values of the source, and how many distinct values of the result are among them."""

    originals: int
    survivors: int


def format_keepers(recipe: Recipe) -> dict[str, Technique]:
    """Column → technique, where one single step has treated the column and declares that it keeps the format or makes up
    values of the same kind."""
    found: dict[str, Technique] = {}
    times: dict[str, int] = {}
    for step in recipe.steps:
        claims = step.spec.claims
        if step.spec.family is Family.PREPARATION:
            continue
        for column in step.columns:
            times[column] = times.get(column, 0) + 1
            keeps = step.technique != "as_is" and claims is not None and claims.format is Effect.YES
            if keeps or step.spec.replaces_by_made_up:
                found[column] = step.spec
    return {column: spec for column, spec in found.items() if times[column] == 1}


def survivors(
    source: Iterable[pa.RecordBatch], result: Iterable[pa.RecordBatch], columns: Collection[str]
) -> dict[str, Survival]:
    """Compare all values of some columns (N rows each) by a keyed hash that exists in this call only.

    Values are compared without regard to case and outer blanks; missing and starred ones are left out. Two
    different values share a hash with a probability below 2^-56, which at worst makes one survivor too many.
    Raises EngineError ``unknown_column``.
    """
    hasher = _Hasher()
    before = _hashes(source, columns, hasher)
    after = _hashes(result, columns, hasher)
    return {
        column: Survival(
            len(before[column]), int(np.isin(after[column], before[column], assume_unique=True).sum())
        )
        for column in columns
    }


def account_for(
    report: ResidualReport,
    keepers: Mapping[str, Technique],
    proven: Mapping[str, Survival],
    hits: Mapping[str, Hits] | None = None,
) -> ResidualReport:
    """The report in which values that the run provably made itself no longer block.

    A column of ``keepers`` without a proof, and one with survivors, blocks as before and says so. Names of a dictionary may
    be somebody's in the source by chance: ``hits`` has their figures.
    """
    findings: list[ResidualFinding] = []
    for item in report.findings:
        keeper = keepers.get(item.column)
        if keeper is None or not item.blocks or not _is_form(item, keeper):
            findings.append(item)
            continue
        if hits and item.column in hits:
            findings.append(_of_dictionary(item, keeper.name, hits[item.column]))
            continue
        about, survival = keeper.name, proven.get(item.column)
        if survival is None or not survival.originals:
            message = _(
                "“%(column)s” holds %(rows)d values of the form of an identifier. The run may have made them by "
                "%(technique)s, but that could not be proven, so they count as residue."
            )
            findings.append(item.model_copy(update=_said(item, message, about, survival)))
        elif survival.survivors:
            message = _(
                "“%(column)s” holds %(rows)d values of the form of an identifier, and %(survivors)d of its "
                "values are original values of this column, left over or met by chance by %(technique)s."
            )
            findings.append(item.model_copy(update=_said(item, message, about, survival)))
        else:
            message = (
                _(
                    "“%(column)s” holds %(rows)d values of the form of an identifier. The run made them up by "
                    "%(technique)s; none of the %(originals)d original values is among them."
                )
                if keeper.replaces_by_made_up
                else _(
                    "“%(column)s” holds %(rows)d values of the form of an identifier. The run made them by "
                    "%(technique)s, which keeps the format; none of the %(originals)d original values is among them."
                )
            )
            update = _said(item, message, about, survival) | {"blocks": False}
            findings.append(item.model_copy(update=update))
    ordered = sorted(findings, key=lambda item: (not item.blocks, -item.confidence))
    return report.model_copy(update={"findings": tuple(ordered)})


def _is_form(item: ResidualFinding, keeper: Technique) -> bool:
    """Whether whole values look like identifiers; identifiers inside of texts are another matter, but for texts that are
    made up as a whole."""
    if kind_of(item.kind).column_sign is ColumnSign.COUNTS or item.kind == "untreated":
        return False
    if keeper.replaces_by_made_up:
        # Of pseudonyms, those that look alike; a value that has not their form was left over.
        return item.where in {"values", "free_text"} or (
            item.where == "pseudonyms" and kind_of(item.kind).column_sign is None
        )
    return item.where == "values" and item.kind != "person_name"


def _of_dictionary(item: ResidualFinding, technique: str, hits: Hits) -> ResidualFinding:
    """The finding with what the names of a dictionary have in common with those of the source."""
    params: dict[str, str | int | float] = {
        **item.params, "technique": technique, "rows": item.rows, "names": hits.names, "foreign": hits.foreign,
        "hits": 100 * hits.share, "chance": 100 * hits.chance,
    }  # fmt: skip
    if hits.accepted:
        message = _(
            "“%(column)s” holds made-up names: every one is of the %(names)d of the dictionary. %(hits).1f %% of the rows "
            "have one that occurs in the source too; chance gives %(chance).1f %%."
        )
    elif hits.foreign:
        message = _(
            "“%(column)s” holds names in %(rows)d rows, and in %(foreign)d rows a value that the dictionary of the step does "
            "not have."
        )
    else:
        message = _(
            "“%(column)s” holds names in %(rows)d rows, and %(hits).1f %% of the rows have one that occurs in the source too; "
            "%(chance).1f %% of the dictionary does. A dictionary must not be made of the source's own names."
        )
    return item.model_copy(update={"message": message, "params": params, "blocks": not hits.accepted})


def _said(item: ResidualFinding, message: str, technique: str, survival: Survival | None) -> dict[str, Any]:
    params: dict[str, str | int | float] = {**item.params, "technique": technique, "rows": item.rows}
    if survival is not None:
        params |= {"originals": survival.originals, "survivors": survival.survivors}
    return {"message": message, "params": params}


class _Hasher:
    """Multilinear hashing modulo 2^64 under random multipliers, one for each place of a text and its length."""

    def __init__(self) -> None:
        self._multipliers = np.empty(0, dtype=np.uint64)
        self._by_length: dict[int, int] = {}

    def hashes(self, values: Any) -> NDArray[np.uint64]:
        """One number for each of n texts, in no order that matters."""
        lengths = np.asarray(pc.binary_length(values))
        parts = [np.empty(0, dtype=np.uint64)]
        for length in np.unique(lengths).tolist():
            same = values.filter(pa.array(lengths == length))
            parts.append(self._group(same, int(length)))
        return np.concatenate(parts)

    def _group(self, values: Any, length: int) -> NDArray[np.uint64]:
        start = np.uint64(self._by_length.setdefault(length, secrets.randbits(64)))
        if not length:
            return np.full(len(values), start, dtype=np.uint64)
        if len(self._multipliers) < length:
            more = secrets.token_bytes(8 * (length - len(self._multipliers)))
            self._multipliers = np.concatenate([self._multipliers, np.frombuffer(more, dtype=np.uint64)])
        result = np.full(len(values), start, dtype=np.uint64)
        matrix = byte_matrix(values, length)
        for place in range(length):
            result += self._multipliers[place] * (matrix[:, place].astype(np.uint64) + np.uint64(1))
        return result


def _hashes(
    batches: Iterable[pa.RecordBatch], columns: Collection[str], hasher: _Hasher
) -> dict[str, NDArray[np.uint64]]:
    """The distinct hashes of each column, sorted."""
    found: dict[str, list[NDArray[np.uint64]]] = {column: [] for column in columns}
    for batch in batches:
        for column in columns:
            if column not in batch.schema.names:
                raise faults.unknown_column(column)
            values = pc.unique(batch.column(column))
            if pa.types.is_dictionary(values.type):
                values = values.cast(values.type.value_type)
            values = pc.utf8_upper(pc.utf8_trim_whitespace(values.drop_null()))
            values = values.filter(pc.invert(pc.match_substring_regex(values, r"^\**$")))
            found[column].append(np.unique(hasher.hashes(values)))
            if len(found[column]) >= 64:
                found[column] = [np.unique(np.concatenate(found[column]))]
    nothing = np.empty(0, dtype=np.uint64)
    return {column: np.unique(np.concatenate([nothing, *parts])) for column, parts in found.items()}
