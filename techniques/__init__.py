"""The engine's front door: read a table, measure it, treat it, and compare what became of it.

Every function takes a file (CSV, XLSX, Parquet), a pandas data frame or an Arrow table, and gives a table back as it was
given: a frame for a frame, else an Arrow table. All cells are text, missing ones null; numbers and dates are spelled in one way
(:mod:`techniques.tables.canonical`). What a person must mend raises ``EngineError``, whose text says what and where.
Importing the package loads no numerical library; the first call does.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from techniques.core.messages import EngineError, gettext_noop

if TYPE_CHECKING:
    import pyarrow as pa

    from techniques.identification.verdict import Suggestion
    from techniques.recipe.recipe import Recipe
    from techniques.risk.report import RiskReport
    from techniques.tables.dictionary import EncodedColumn
    from techniques.utility.loss import InformationLoss
    from techniques.utility.measure import ColumnComparison
    from techniques.utility.whole import WholeTable

__all__ = [
    "Anonymized",
    "EngineError",
    "Recipe",
    "Treated",
    "Usefulness",
    "anonymize",
    "identify",
    "read",
    "risk",
    "run",
    "utility",
]

Data = Any
"""A path of a file, a pandas data frame, or an Arrow table or batch."""
Frame = Any
"""A pandas data frame where one was given, else an Arrow table."""


@dataclass(frozen=True)
class Anonymized:
    """The new table, which of its n rows are suppressed (shape (n,), their quasi-identifiers are ``*``), and the figures."""

    table: Frame
    suppressed: Any
    report: dict[str, Any]


@dataclass(frozen=True)
class Treated:
    """What a recipe has made of a table, and the report of the run."""

    table: Frame
    report: dict[str, Any]


@dataclass(frozen=True)
class Usefulness:
    """What a result still tells (GB/T 37964 5.5.3): column by column, and of the quasi-identifiers as a whole if named."""

    columns: list[ColumnComparison]
    whole: WholeTable | None
    loss: InformationLoss | None


def read(path: str | Path, *, encoding: str | None = None, delimiter: str | None = None) -> pa.Table:
    """The table of a file, its form detected unless ``encoding`` or ``delimiter`` say otherwise."""
    import pyarrow as pa

    from techniques.tables import detect, open_table

    file = Path(path)
    with file.open("rb") as stream:
        form = detect(stream, file.name)
        given = {"encoding": encoding and encoding.lower(), "delimiter": delimiter}
        form = type(form).model_validate(form.model_dump() | {k: v for k, v in given.items() if v})
        stream.seek(0)
        with open_table(stream, form) as reader:
            batches = list(reader.batches())
            schema = pa.schema([(name, pa.string()) for name in reader.columns])
    return pa.Table.from_batches(batches, schema)


def anonymize(
    data: Data,
    quasi: Sequence[str],
    *,
    k: int = 5,
    sensitive: Mapping[str, Mapping[str, Any]] | None = None,
    suppression_limit: float = 0.0,
    hierarchies: Mapping[str, Any] | None = None,
    recoding: Literal["full_domain", "local"] = "full_domain",
    keep: Collection[str] = (),
    **settings: Any,
) -> Anonymized:
    """Generalise the columns ``quasi`` until each row looks like at least k-1 others (GB/T 37964 B.1.1 to B.1.3).

    ``sensitive`` says what every class must hold of a column: ``{"disease": {"distinct": 3, "t": 0.4}}``.
    ``suppression_limit`` is a share of the rows, 0 to 1. ``hierarchies`` has a definition for each quasi-identifier, such as
    ``{"kind": "intervals", "widths": [5, 10]}``, or rows ``[value, coarser, …, "*"]``; without it the search chooses. The result
    has the quasi-identifiers, the sensitive columns and those of ``keep``, which stay as they are; all others are left
    out. Further ``settings`` are those of the recipe step ``model.k_anonymity``: ``maximum_risk``, ``weights``, ``loss`` ….
    """
    from techniques.anonymize.release import anonymize as release
    from techniques.anonymize.settings import search_settings
    from techniques.tables.dictionary import encode_columns

    source = _table(data)
    wanted = {name: dict(asked) for name, asked in (sensitive or {}).items()}
    _require(source, [*quasi, *wanted, *keep])
    asked = search_settings(
        quasi, k=k, suppression_limit=suppression_limit, sensitive=wanted, recoding=recoding,
        hierarchies=None if hierarchies is None else {name: _hierarchy(one) for name, one in hierarchies.items()},
        **settings,
    )  # fmt: skip
    columns = encode_columns(source.to_batches(), list(dict.fromkeys([*quasi, *wanted, *keep])))
    made = release({name: columns[name] for name in quasi}, {name: columns[name] for name in wanted}, asked)
    order = [name for name in source.column_names if name in columns]
    return Anonymized(_like(data, _decoded({**columns, **made.columns}, order)), made.suppressed, made.report)


def risk(
    data: Data, quasi: Sequence[str], *, suppressed: Literal["own_class", "left_out"] = "own_class"
) -> RiskReport:
    """The risk of finding a person again by the columns ``quasi`` (GB/T 37964 B.1.4.1): k, maximum, average and more.

    ``suppressed`` says how rows count whose quasi-identifiers are all ``*``.
    """
    from techniques.risk.measure import measure

    source = _table(data)
    _require(source, quasi)
    return measure(source.to_batches(), list(quasi), suppressed=suppressed)


def utility(source: Data, result: Data, quasi: Sequence[str] = ()) -> Usefulness:
    """What ``result`` still tells of ``source``. With ``quasi`` both need the same rows in the same order."""
    from techniques.tables.dictionary import encode_columns
    from techniques.utility.loss import information_loss
    from techniques.utility.measure import compare
    from techniques.utility.whole import whole_table

    before, after = _table(source), _table(result)
    columns = compare(before.to_batches(), after.to_batches())
    if not quasi:
        return Usefulness(columns, None, None)
    _require(before, quasi)
    _require(after, quasi)
    old, new = encode_columns(before.to_batches(), quasi), encode_columns(after.to_batches(), quasi)
    return Usefulness(columns, whole_table(old, new, quasi), information_loss(old, new, quasi))


def identify(data: Data) -> dict[str, Suggestion]:
    """What each column seems to be (GB/T 37964 5.3): role, kind and where that comes from; names and every value are read."""
    from techniques.identification.metadata.lookup import lookup
    from techniques.identification.rules import scan
    from techniques.identification.verdict import suggest

    source = _table(data)
    names = source.column_names
    return suggest(names, lookup(names), scan(source.to_batches(), names, total_rows=source.num_rows))


def run(recipe: Recipe, data: Data, *, key: bytes = b"", seed: bytes | int | None = None) -> Treated:
    """Carry a recipe out on a table. The same ``key`` and ``seed`` give the same table; without a seed it is drawn."""
    import io
    import secrets
    import tempfile

    import pyarrow.parquet as pq

    from techniques.core.secrets import Secrets
    from techniques.engines.local import DirectoryWorkspace, LocalRun, Source
    from techniques.tables.formats import FileFormat

    source = _table(data)
    written = io.BytesIO()
    pq.write_table(source, written)
    held = written.getvalue()
    stored = Source(lambda: io.BytesIO(held), FileFormat(kind="parquet"), source.num_rows, len(held))
    with tempfile.TemporaryDirectory(prefix="deid-") as folder:
        workspace = DirectoryWorkspace(Path(folder))
        drawn = secrets.token_bytes(32) if seed is None else seed
        done = LocalRun(recipe, stored, workspace, Secrets(key, drawn))
        report = done.execute_all()
        result = Path(folder) / done.result_name
        return Treated(_like(data, read(result)), report)


def _table(data: Data) -> pa.Table:
    """The data as an Arrow table of texts."""
    import pyarrow as pa

    from techniques.tables.canonical import column_text, is_plain

    if isinstance(data, str | Path):
        return read(data)
    if isinstance(data, pa.RecordBatch):
        data = pa.Table.from_batches([data])
    if not isinstance(data, pa.Table):
        data = _of_frame(data)
    columns = []
    for name, column in zip(data.column_names, data.columns, strict=True):
        if not is_plain(column.type):
            raise EngineError(
                "column_not_plain",
                gettext_noop("Column %(column)s holds lists or structures: give one value a cell."),
                column=name,
            )
        columns.append(pa.chunked_array([column_text(chunk) for chunk in column.chunks], pa.string()))
    return pa.table(dict(zip(data.column_names, columns, strict=True)))


def _of_frame(frame: Any) -> pa.Table:
    """A pandas frame without its index; a column of mixed values is spelled cell by cell."""
    import pyarrow as pa

    from techniques.tables.canonical import cells_column

    if not hasattr(frame, "columns") or not hasattr(frame, "to_numpy"):
        raise EngineError(
            "data_unknown", gettext_noop("Give the path of a file, a pandas data frame or an Arrow table.")
        )
    columns: dict[str, Any] = {}
    for name in frame.columns:
        series = frame[name]
        if series.dtype == object:
            columns[str(name)] = cells_column(series.where(series.notna(), None).tolist())
        else:
            columns[str(name)] = pa.Array.from_pandas(series)
    return pa.table(columns)


def _like(data: Data, table: pa.Table) -> Frame:
    """The table as the data were given."""
    import pyarrow as pa

    if isinstance(data, str | Path | pa.Table | pa.RecordBatch):
        return table
    frame = table.to_pandas()
    if len(frame) == len(data):
        frame.index = data.index
    return frame


def _decoded(columns: Mapping[str, EncodedColumn], order: Iterable[str]) -> pa.Table:
    import pyarrow as pa

    return pa.table({name: columns[name].to_arrow() for name in order})


def _require(table: pa.Table, names: Iterable[str]) -> None:
    for name in names:
        if name not in table.column_names:
            raise EngineError(
                "unknown_column", gettext_noop("The table has no column “%(column)s”."), column=name
            )


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
