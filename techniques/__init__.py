"""The engine's public functions: read a table, find identifiers in it, measure its risk, treat it, compare the result.

Every function takes a table as the path of a file (CSV, XLSX, Parquet, JSON Lines, Arrow IPC or ORC, packed by gzip or Zstandard
too), a pandas data frame or an Arrow table, and gives one back as it was given: a frame for a frame, else an Arrow table. All cells of a result are text, missing ones null; numbers and
dates are spelled in one way (:mod:`techniques.tables.canonical`). What a person must correct raises :class:`EngineError`,
whose ``code`` is stable and whose text says what and where. Importing the package loads no numerical library; the first call does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

from techniques.core import faults
from techniques.core.messages import EngineError, _

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from techniques.data_utility.loss import InformationLoss
    from techniques.data_utility.measure import ColumnComparison
    from techniques.data_utility.whole import WholeTable
    from techniques.disclosure_risk.report import RiskReport
    from techniques.identification.verdict import Suggestion
    from techniques.recipe.recipe import Recipe

__all__ = [
    "Anonymized", "EngineError", "Recipe", "Treated", "Usefulness", "anonymize", "identify", "read", "risk",
    "run", "utility",
]  # fmt: skip

Data = Any
"""The path of a file, a pandas data frame, or an Arrow table or batch. pandas and Arrow give no types to check by."""
Frame = Any
"""A pandas data frame where one was given, else an Arrow table."""


@dataclass(frozen=True)
class Anonymized:
    """The result of :func:`anonymize`.

    ``table`` has the n rows of the source in their order. ``suppressed``, of shape (n,), marks rows whose quasi-identifiers
    are all ``*``. ``report`` has the figures: ``levels`` (how far each column as a whole was generalised), ``suppressed`` (rows),
    ``classes``, ``min_class`` (rows of the smallest class), ``ncp`` (0 to 1, what a cell has lost on average), ``sensitive``; what it rests on (``clauses``, ``papers``), was
    asked (``conditions``) and guarantees (``guarantee``: ``text`` in English, ``code`` and ``params``).
    """

    table: Frame
    suppressed: NDArray[np.bool_]
    report: dict[str, Any]


@dataclass(frozen=True)
class Treated:
    """The result of :func:`run`: the table, the report of the run with its ``guarantee``, and the mapping tables of pseudonyms.

    ``mapping_tables`` has for each column whose pseudonyms were assigned one to one an Arrow table with the columns ``value``
    and ``pseudonym``: as secret as the source itself.
    """

    table: Frame
    report: dict[str, Any]
    mapping_tables: dict[str, pa.Table]


@dataclass(frozen=True)
class Usefulness:
    """The usefulness of a result (GB/T 37964 5.5.3): ``columns`` one by one; for named quasi-identifiers together the
    classes (``whole``) and the information lost (``loss``, shares from 0 to 1)."""

    columns: list[ColumnComparison]
    whole: WholeTable | None
    loss: InformationLoss | None


def read(path: str | PathLike[str], *, encoding: str | None = None, delimiter: str | None = None) -> pa.Table:
    """The table of a CSV, XLSX, Parquet, JSON Lines, Arrow IPC or ORC file, packed by gzip or Zstandard too, every column of type ``string``, empty cells null.

    The form is detected; ``encoding`` (``utf-8``, ``gb18030`` …) and ``delimiter`` overrule what is detected of a CSV
    file. EngineError ``file_missing``, ``file_format_invalid``, or where the file is at fault ``table.…`` with line and column.
    """
    from techniques.tables.frames import read_file

    given = {"encoding": encoding and encoding.lower(), "delimiter": delimiter}
    return read_file(path, {field: value for field, value in given.items() if value})


def identify(data: Data) -> dict[str, Suggestion]:
    """Suggest what each column is, by its name and by all of its values (GB/T 37964 5.3).

    Each column has the ``role`` (direct identifier, quasi-identifier, sensitive, other), the ``kind`` such as ``phone`` (empty:
    nothing was found), the ``confidence`` from 0 to 1 and the ``provenance``. A suggestion decides nothing.
    """
    from techniques.identification.metadata.lookup import lookup
    from techniques.identification.rules import scan
    from techniques.identification.verdict import suggest
    from techniques.tables.frames import as_text

    source = as_text(data)
    names = source.column_names
    return suggest(names, lookup(names), scan(source.to_batches(), names, total_rows=source.num_rows))


def risk(
    data: Data,
    quasi: Sequence[str],
    *,
    suppressed: Literal["own_class", "left_out"] = "own_class",
    subject: str | Sequence[str] | None = None,
) -> RiskReport:
    """The risk that a person is found again by the columns ``quasi`` (GB/T 37964 B.1.4.1).

    ``subject`` names the columns by which rows belong to persons: classes then count persons. ``()``: one row is one
    person. None: nobody said, and a table that looks like several rows a person is refused (``subject_unsaid``).

    ``k`` is the number of rows of the smallest class, ``max_risk`` 1/k, ``average_risk`` classes per row, ``at_risk`` the
    share of rows above each threshold, ``drop_one`` what would be left without a column. ``suppressed`` says how
    rows count whose quasi-identifiers are all ``*``: as a class of their own, or not at all.
    EngineError ``unknown_column``, ``column_twice``, ``no_rows``.
    """
    from techniques.disclosure_risk.measure import measure
    from techniques.tables.frames import as_text

    source = as_text(data)
    names = _known(source, quasi)
    return measure(
        source.to_batches(), names, suppressed=suppressed, subjects=_subjects(source, subject, names)
    )


def anonymize(
    data: Data,
    quasi: Sequence[str],
    *,
    k: int = 5,
    sensitive: Mapping[str, Mapping[str, Any]] | None = None,
    suppression_limit: float = 0.0,
    hierarchies: Mapping[str, Any] | None = None,
    recoding: Literal["full_domain", "local"] = "full_domain",
    keep: Sequence[str] = (),
    subject: str | Sequence[str] | None = None,
    **settings: Any,
) -> Anonymized:
    """Generalise the columns ``quasi`` until each row looks like at least k-1 others (GB/T 37964 B.1.1 to B.1.3).

    The result has the quasi-identifiers, the sensitive columns and those of ``keep``, which stay as they are; all others are
    left out. ``sensitive`` has the conditions of every class on a column: ``{"disease": {"distinct": 3, "t": 0.4}}``.
    ``suppression_limit`` is the greatest share of rows that may be suppressed, and with a ``subject`` of persons left without
    one, 0 to 1. ``recoding="local"`` generalises each
    class by itself, which keeps more; ``full_domain`` each column as a whole.

    ``hierarchies`` has for a quasi-identifier a definition, such as ``{"kind": "intervals", "widths": [5, 10]}``, or rows
    ``[value, coarser, …, "*"]``; a column without one takes intervals that double if it holds numbers, else values or ``*``.
    ``subject`` as in :func:`risk`: with it each class has k persons, and ``suppressed_persons`` says how many have no row left.

    Further ``settings`` are those of the recipe step ``model.k_anonymity``: ``maximum_risk``, ``weights``, ``loss`` ….

    EngineError ``unknown_column``, ``k_too_large``, ``no_solution``, ``quasi_and_sensitive``, and those of the settings.
    """
    import pyarrow as pa

    from techniques.anonymization.release import anonymize as release
    from techniques.anonymization.settings import search_settings
    from techniques.recipe import guarantees
    from techniques.tables.dictionary import encode_columns
    from techniques.tables.frames import as_text, like

    source = as_text(data)
    names = _known(source, quasi)
    wanted = {name: dict(conditions) for name, conditions in (sensitive or {}).items()}
    named = dict.fromkeys([*names, *_known(source, wanted), *_known(source, keep)])
    given = {name: _hierarchy(one) for name, one in (hierarchies or {}).items()}
    for name in given:
        if name not in names:
            text = _("Column %(column)s has a hierarchy, but is no quasi-identifier.")
            raise EngineError("hierarchy_unused", text, column=name)
    search = search_settings(
        names, k=k, suppression_limit=suppression_limit, sensitive=wanted, recoding=recoding,
        hierarchies={name: given.get(name, {"kind": "free"}) for name in names}, **settings,
    )  # fmt: skip
    if source.num_rows == 0:
        raise EngineError("no_rows", _("The table has no rows, so there is nothing to anonymize."))
    columns = encode_columns(source.to_batches(), list(named))
    made = release(
        {name: columns[name] for name in names}, {name: columns[name] for name in wanted}, search,
        subjects=_subjects(source, subject, [*names, *wanted]),
    )  # fmt: skip
    columns |= made.columns
    order = [name for name in source.column_names if name in named]
    table = pa.table({name: columns[name].to_arrow() for name in order})
    report = made.report | guarantees.of_model(search, names, made.report)
    return Anonymized(like(data, table), made.suppressed, report)


def utility(source: Data, result: Data, quasi: Sequence[str] = ()) -> Usefulness:
    """Compare ``result`` with ``source`` (GB/T 37964 5.5.3), column by column. With ``quasi``, for which both need
    the same rows in the same order, also these columns as a whole.
        EngineError ``unknown_column``, ``rows_differ``, ``source_empty``.
    """
    from techniques.data_utility.loss import information_loss
    from techniques.data_utility.measure import assess
    from techniques.data_utility.whole import whole_table
    from techniques.tables.dictionary import encode_columns
    from techniques.tables.frames import as_text

    before, after = as_text(source), as_text(result)
    names = _known(after, _known(before, quasi))
    _targets, columns = assess((), before.to_batches(), after.to_batches())
    if not names:
        return Usefulness(columns, None, None)
    old, new = encode_columns(before.to_batches(), names), encode_columns(after.to_batches(), names)
    return Usefulness(columns, whole_table(old, new, names), information_loss(old, new, names))


def run(
    recipe: Recipe,
    data: Data,
    *,
    key: bytes = b"",
    seed: bytes | int | None = None,
    purpose_keys: Mapping[str, bytes] | None = None,
) -> Treated:
    """Carry a recipe out on a table. The same ``key`` and ``seed`` give the same table; without a seed one is drawn.

    ``key``, of at least 16 bytes, makes pseudonyms; ``purpose_keys`` has those that several projects share, by purpose. A frame keeps its index if the recipe removes no rows and does not
    shuffle them (``order: shuffled``).
    EngineError ``columns_missing``, ``columns_untreated``, ``key_missing``, ``key_too_short``, ``seed_missing``, ``no_rows``,
    and those of the techniques.
    """
    import io
    import secrets
    import tempfile
    from pathlib import Path

    import pyarrow.parquet as pq

    from techniques.core.secrets import Secrets
    from techniques.engines.local import DirectoryWorkspace, LocalRun, Source
    from techniques.recipe import guarantees
    from techniques.tables.formats import FileFormat
    from techniques.tables.frames import as_text, like, read_form

    if seed is None and recipe.needs_seed():
        text = _(
            "What this recipe encrypts can be recovered only with the run's seed: give one and keep "
            "it, or let results be joinable in the whole project."
        )
        raise EngineError("seed_missing", text)
    source = as_text(data)
    recipe.check_columns(source.column_names)
    if source.num_rows == 0:
        raise EngineError("no_rows", _("The table has no rows, so there is nothing to treat."))
    written = io.BytesIO()
    pq.write_table(source, written)
    stored = Source(
        lambda: io.BytesIO(written.getbuffer()), FileFormat(kind="parquet"), source.num_rows, written.tell()
    )
    with tempfile.TemporaryDirectory(prefix="deid-") as folder:
        once = secrets.token_bytes(32) if recipe.needs_key_once() else b""
        drawn = secrets.token_bytes(32) if seed is None else seed
        held = Secrets(key, drawn, purposes=purpose_keys or {}, once=once)
        done = LocalRun(recipe, stored, DirectoryWorkspace(Path(folder)), held)
        report = done.execute_all()
        report["guarantee"] = guarantees.for_programs({"": report})
        table = read_form(Path(folder) / done.result_name, done.format)
        return Treated(like(data, table, rows_follow=not done.shuffles), report, done.mapping_tables())


def _known(table: pa.Table, names: Iterable[str]) -> list[str]:
    """The names of columns that the table has. EngineError ``unknown_column``."""
    listed = [names] if isinstance(names, str) else list(names)
    for name in listed:
        if name not in table.column_names:
            raise faults.unknown_column(name)
    return listed


def _subjects(table: pa.Table, subject: str | Sequence[str] | None, treated: Iterable[str]) -> Any:
    """Whose each row is, or None; those that are ``treated`` are no key that was forgotten."""
    from techniques.identification.subjects import ask_whose, subject_hints
    from techniques.tables.dictionary import encode_columns
    from techniques.tables.subjects import read_subjects

    if subject is None:
        held = encode_columns(table.to_batches(), table.column_names)
        others = {name: column for name, column in held.items() if name not in set(treated)}
        ask_whose(subject_hints(others, held))
        return None
    return read_subjects(table.to_batches(), _known(table, subject))


def _hierarchy(given: Any) -> Any:
    """A definition as the settings take it; bare rows are a table."""
    if isinstance(given, Sequence) and not isinstance(given, str):
        return {"kind": "table", "rows": [list(row) for row in given]}
    return given


def __getattr__(name: str) -> Any:
    if name == "Recipe":
        from techniques.recipe.recipe import Recipe

        return Recipe
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
