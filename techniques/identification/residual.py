"""The residual scan (GB/T 37964 5.5.2 a): are identifiers still in the written result?

It runs the rules over the result file as if it had never been processed, over the column names and
over the file's metadata. It fails closed: whatever is found blocks, unless the recipe accounts for
it or somebody has allowed it by column and kind.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pydantic import BaseModel

from techniques.core import faults
from techniques.core.attributes import AttributeRole
from techniques.core.kinds import NEARLY_EVERY_ROW, ColumnSign, kind_of, role_of
from techniques.core.messages import _
from techniques.identification.keys import UNIQUE
from techniques.identification.metadata.forms import ValueForm
from techniques.identification.patterns import Strength
from techniques.identification.reports import ColumnScan, Finding, ScanReport
from techniques.identification.rules import can_be_found_in, coverage, find_in_text
from techniques.identification.scanner import ColumnScanner
from techniques.tables.coding import compact
from techniques.tables.dictionary import MISSING, codes_of

Where = Literal["values", "free_text", "pseudonyms", "column_name", "metadata", "column"]

_NAMES_IN_COLUMN = 0.3
"""Confidence from which words that look like names are taken for names."""
_LIKE_RAW = 0.5
"""Share of pseudonyms that may look like a kind by chance is below this; raw values reach nearly 1."""


class ResidualFinding(BaseModel, frozen=True):
    """Something in the result that should not be there; never its value.

    ``column`` is empty for metadata; ``name`` is then its entry. ``allowed`` findings stay in the
    report but do not block; ``blocks`` false otherwise means a hint that proves nothing by itself.
    """

    column: str
    kind: str
    where: Where
    rows: int
    rate: float
    confidence: float
    first_rows: tuple[int, ...] = ()
    name: str = ""
    blocks: bool = True
    allowed: bool = False
    message: str
    params: dict[str, str | int | float] = {}


class ResidualReport(BaseModel, frozen=True):
    """What the residual scan found. ``passed`` only when every row was read and nothing blocks."""

    rows: int
    coverage: float
    findings: tuple[ResidualFinding, ...]
    scan: ScanReport

    @property
    def blocking(self) -> tuple[ResidualFinding, ...]:
        """The findings that make it fail."""
        return tuple(item for item in self.findings if item.blocks and not item.allowed)

    @property
    def passed(self) -> bool:
        """Whether the result may go on."""
        return self.coverage == 1.0 and self.rows > 0 and not self.blocking


def residual_scan(
    batches: Iterable[pa.RecordBatch],
    columns: Collection[str],
    roles: Mapping[str, AttributeRole | str],
    allowed: Collection[tuple[str, str]] = (),
    *,
    pseudonymised: Mapping[str, str] | None = None,
    treated: Collection[str] | None = None,
    metadata: Mapping[str, str] | None = None,
    forms: Sequence[ValueForm] = (),
    total_rows: int | None = None,
    tick: Callable[[int], None] | None = None,
) -> ResidualReport:
    """Scan a result.

    ``columns``: all columns of the result. ``roles``: the verdict, by column. ``allowed``: (column,
    kind) pairs that a person has allowed with a reason. ``pseudonymised``: columns of pseudonyms with
    the RE2 expression that every pseudonym fits as a whole; such a column may be unique, but values
    that do not fit are scanned as raw, and those that fit still must not look like one kind throughout.
    ``treated``: columns that any step of the recipe changed; given, a column judged a direct identifier
    and not among them blocks by itself. ``metadata``: what else the file carries, by entry (file name,
    sheet name, author, comment). ``forms``: the rules on values that an organisation added. Raises :class:`EngineError` when the table lacks a column.
    """
    pseudonymised = dict(pseudonymised or {})
    scanners: dict[tuple[str, bool], ColumnScanner] = {}
    for column in columns:
        scanners[column, False] = ColumnScanner(column, forms)
        if column in pseudonymised:
            scanners[column, True] = ColumnScanner(column, forms)
    rows = 0
    for batch in batches:
        for column in columns:
            if column not in batch.schema.names:
                raise faults.unknown_column(column)
            values = batch.column(column)
            if column in pseudonymised:
                fitting, others = _split(values, pseudonymised[column])
                scanners[column, True].feed(fitting)
                scanners[column, False].feed(others)
            else:
                scanners[column, False].feed(values)
        rows += batch.num_rows
        if tick is not None:
            tick(rows)
    return residual_of(
        scanners, rows, columns, roles, allowed, pseudonymised=pseudonymised, treated=treated, metadata=metadata,
        total_rows=total_rows,
    )  # fmt: skip


def residual_of(
    scanners: Mapping[tuple[str, bool], ColumnScanner],
    rows: int,
    columns: Collection[str],
    roles: Mapping[str, AttributeRole | str],
    allowed: Collection[tuple[str, str]] = (),
    *,
    pseudonymised: Mapping[str, str] | None = None,
    treated: Collection[str] | None = None,
    metadata: Mapping[str, str] | None = None,
    total_rows: int | None = None,
) -> ResidualReport:
    """The report of :func:`residual_scan`, from the scanner of each column that has been fed ``rows`` rows; with True behind its name
    that of pseudonyms."""
    pseudonymised = pseudonymised or {}
    findings: list[ResidualFinding] = []
    scans: dict[str, ColumnScan] = {}
    for column in columns:
        raw = scanners[column, False].result()
        scans[column] = raw
        if column in pseudonymised:
            fitting_scan = scanners[column, True].result()
            scans[column] = fitting_scan if fitting_scan.rows - fitting_scan.missing else raw
            findings += _pseudonym_findings(column, fitting_scan, raw)
        else:
            role = roles.get(column, AttributeRole.OTHER)
            findings += [
                _finding(column, item, raw, role) for item in raw.findings if _is_residual(item, raw)
            ]
        findings += _name_findings(column, "column_name", column)
        if (
            treated is not None
            and roles.get(column) == AttributeRole.DIRECT_IDENTIFIER
            and column not in treated
        ):
            findings.append(_untreated(column, raw))
    for entry, text in (metadata or {}).items():
        findings += _name_findings("", "metadata", text, entry)
    permitted = set(allowed)
    marked = [
        item.model_copy(update={"allowed": (item.column or item.name, item.kind) in permitted})
        for item in findings
    ]
    return ResidualReport(
        rows=rows,
        coverage=coverage(rows, total_rows),
        findings=tuple(sorted(marked, key=lambda item: (not item.blocks, -item.confidence))),
        scan=ScanReport(rows=rows, coverage=coverage(rows, total_rows), columns=scans),
    )


def _split(values: pa.Array, shape: str) -> tuple[pa.Array, pa.Array]:
    """(values of the shape, the others), each as long as ``values`` with null in the gaps."""
    # A suppressed cell stands among pseudonyms as it does anywhere.
    expression = rf"^(?:{shape}|\*+)$"
    if pa.types.is_dictionary(values.type):
        codes, texts = codes_of(values), values.dictionary
        fitting = pc.fill_null(pc.match_substring_regex(texts, expression), False)
        of_shape = np.append(fitting.to_numpy(zero_copy_only=False), False)[
            codes
        ]  # a missing cell has the code -1
        alone = (np.where(chosen, codes, np.int32(MISSING)) for chosen in (of_shape, ~of_shape))
        inside, outside = (compact(one, texts) for one in alone)
        return inside, outside
    fits = pc.fill_null(pc.match_substring_regex(values, expression), False)
    nothing = pa.scalar(None, values.type)
    return pc.if_else(fits, values, nothing), pc.if_else(fits, nothing, values)


def _is_residual(item: Finding, scan: ColumnScan) -> bool:
    """Whether a finding concerns a direct identifier, or a hint at one."""
    if item.kind == "unique_value":
        return item.confidence >= UNIQUE  # one that is only nearly so is no hint here
    if item.role != AttributeRole.DIRECT_IDENTIFIER:
        return False
    if item.kind == "person_name" and not item.substring_hits:
        return item.confidence >= _NAMES_IN_COLUMN or _left_among_masked(item, scan)
    return True


def _left_among_masked(item: Finding, scan: ColumnScan) -> bool:
    """Names that a masking left over: nearly all other values carry the mask."""
    present = scan.rows - scan.missing
    return scan.masked > 0 and scan.masked + item.hits >= 0.9 * present


def _finding(
    column: str, item: Finding, scan: ColumnScan, role: AttributeRole | str = AttributeRole.OTHER
) -> ResidualFinding:
    where: Where = "free_text" if item.substring_hits > item.hits else "values"
    sign = kind_of(item.kind).column_sign
    if sign is ColumnSign.COUNTS:
        message = _("“%(column)s” numbers the rows.")
    elif sign is ColumnSign.UNIQUE and scan.distinct < NEARLY_EVERY_ROW * scan.rows:
        message = _("Nearly all values of “%(column)s” are different, where it has one.")
    elif sign is ColumnSign.UNIQUE:
        message = _("“%(column)s” is different in nearly every row.")
    elif sign is ColumnSign.CODES:
        message = _("“%(column)s” looks like the key of a person or record.")
    elif where == "free_text":
        message = _("The texts of “%(column)s” hold an identifier in %(rows)d rows.")
    else:
        message = _("“%(column)s” holds an identifier in %(rows)d rows.")
    return ResidualFinding(
        column=column,
        kind=item.kind,
        where=where,
        rows=item.rows,
        rate=item.rate + item.substring_rate,
        confidence=item.confidence,
        first_rows=item.first_rows,
        # A measurement with many digits is different in every row too, and a postal code looks like a
        # key: worth a look, no identifier.
        blocks=item.kind != "unique_value"
        and not (
            item.kind == "record_key"
            and role in {AttributeRole.QUASI_IDENTIFIER, AttributeRole.SENSITIVE_ATTRIBUTE}
        ),
        message=message,
        params={"column": column, "rows": item.rows},
    )


def _pseudonym_findings(column: str, fitting: ColumnScan, raw: ColumnScan) -> list[ResidualFinding]:
    """Raw values among the pseudonyms, and pseudonyms that are raw values throughout."""
    unfit = raw.rows - raw.missing
    findings = [
        _finding(column, item, raw)
        for item in raw.findings
        if item.role == AttributeRole.DIRECT_IDENTIFIER
        and (item.kind != "person_name" or unfit > 0)
        and kind_of(item.kind).column_sign is None
    ]
    if unfit and not findings:
        findings.append(
            ResidualFinding(
                column=column,
                kind="unique_key",
                where="pseudonyms",
                rows=unfit,
                rate=unfit / max(raw.rows, 1),
                confidence=0.8,
                message=_("%(rows)d values of “%(column)s” do not have the form of its pseudonyms."),
                params={"column": column, "rows": unfit},
            )
        )
    for item in fitting.findings:
        shape_only = kind_of(item.kind).column_sign in (ColumnSign.UNIQUE, ColumnSign.CODES)
        raw_like = item.rate >= _LIKE_RAW or (
            item.strength == Strength.PROVEN
            and item.checked_hits >= _LIKE_RAW * item.rows > 0
            and item.rate > 0.2
        )
        if not shape_only and item.role == AttributeRole.DIRECT_IDENTIFIER and raw_like:
            found = _finding(column, item, fitting)
            findings.append(found.model_copy(update={"where": "pseudonyms"}))
    return findings


def _name_findings(column: str, where: Where, text: str, entry: str = "") -> list[ResidualFinding]:
    """Identifiers in a column's name or in an entry of the metadata."""
    if where == "column_name":
        message = _("The name of a column holds an identifier.")
    else:
        message = _("The file's “%(entry)s” holds an identifier.")
    # What is read out of JSON may hold half a pair of UTF-16, which no Arrow array takes.
    whole = text.encode(errors="replace").decode()
    # The first test is made at once, the rules have to be compiled.
    kinds = set[str]()
    if can_be_found_in([whole]).any():
        kinds = {kind for kind, _start, _end in find_in_text(whole)}
    return [
        ResidualFinding(
            column=column,
            kind=kind,
            where=where,
            rows=0,
            rate=0.0,
            confidence=0.9,
            name=entry,
            message=message,
            params={"entry": entry},
        )
        for kind in sorted(kinds)
        if role_of(kind) == AttributeRole.DIRECT_IDENTIFIER
    ]


def _untreated(column: str, scan: ColumnScan) -> ResidualFinding:
    return ResidualFinding(
        column=column,
        kind="untreated",
        where="column",
        rows=scan.rows - scan.missing,
        rate=1.0 - scan.missing / max(scan.rows, 1),
        confidence=1.0,
        message=_("“%(column)s” was judged a direct identifier and is in the result untreated."),
        params={"column": column},
    )
