"""What is known before a cluster is asked: which recipes run there, and how files make up the parts."""

from __future__ import annotations

import dataclasses
import datetime
import io
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from techniques import catalogue
from techniques.catalogue.technique import Scope
from techniques.cli.main import main
from techniques.core.messages import EngineError
from techniques.core.operations import Learned, WholeOperation
from techniques.core.validation import validated
from techniques.engines.spark.catalogued import Held, located
from techniques.engines.spark.hive import is_transactional
from techniques.engines.spark.layout import File, Layout
from techniques.engines.spark.session import in_words
from techniques.engines.spark.suitability import require_suitable
from techniques.engines.spark.tasks import PartsHere, Received
from techniques.recipe.recipe import Recipe
from techniques.tables.canonical import column_text
from techniques.tables.sources.catalogs import Catalogued
from tests.techniques.apply import operation
from tests.techniques.catalogue.test_claims import CASES
from tests.techniques.engines.spark.conftest import PARQUET, WIDE, small
from tests.techniques.engines.spark.written_out import texts_of

COLUMN = [spec.key for spec in catalogue.techniques() if spec.scope is not Scope.STRUCTURE]


@pytest.mark.parametrize("key", COLUMN)
def test_the_catalogue_says_which_techniques_need_the_whole_table(key: str) -> None:
    """Its row, or the settings, against what carries it out."""
    spec = catalogue.get(key)
    for _make, width, parameters in CASES[key]:
        settings = validated(spec.settings, parameters, "parameters")
        made = operation(key, parameters, columns=tuple(f"c{i}" for i in range(width)))
        needs = isinstance(made, WholeOperation)
        assert spec.needs_whole_table(settings) == needs


def test_a_model_needs_it_top_down_only() -> None:
    spec = catalogue.get("model.k_anonymity")
    given = {"k": 2, "hierarchies": {"c0": {"kind": "star"}}}
    assert not spec.needs_whole_table(validated(spec.settings, given, "parameters"))
    top_down = validated(spec.settings, given | {"recoding": "top_down"}, "parameters")
    assert spec.needs_whole_table(top_down)


@pytest.mark.parametrize(
    ("more", "code", "said"),
    [
        ("steps: [{technique: randomization.permutation, column: a}]", "spark_whole_table", "randomization.permutation"),
        ("output: {format: csv}\\nsteps: [{technique: suppression.mask, column: a}]", "spark_output", "csv"),
    ],
)  # fmt: skip
def test_what_does_not_run_there_says_so_by_name(more: str, code: str, said: str) -> None:
    with pytest.raises(EngineError, match=said) as refused:
        require_suitable(Recipe.parse(more.replace("\\n", "\n")))
    assert refused.value.code == code


MASK = "unlisted: keep\nsteps: [{technique: suppression.mask, column: id}]\n"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--engine", "spark", "--workspace", "w", "R", "in.parquet", "out"], "--workspace"),
        (["--engine", "spark", "R", "-", "out"], "Spark reads files, folders and tables"),
        (["--engine", "spark", "R", "in.parquet", "out.csv"], "Parquet"),
        (["--engine", "spark", "R", "in.parquet", "there"], "is there already"),
        (["--engine", "spark", "R", "in.parquet", "more.parquet", "out"], "one input and one output"),
        (["--master", "local", "R", "in.parquet", "out.parquet"], "--engine spark"),
    ],
)
def test_the_command_refuses_before_it_starts_anything(
    options: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there").mkdir()
    (tmp_path / "recipe.yaml").write_text(MASK)
    pq.write_table(small(10), tmp_path / "in.parquet")
    before = sorted(tmp_path.iterdir())
    assert main(["run", *("recipe.yaml" if one == "R" else one for one in options)]) == 2
    assert said in capsys.readouterr().err
    assert sorted(tmp_path.iterdir()) == before


def test_parts_are_the_same_rows_however_files_and_row_groups_are_cut(tmp_path: Path) -> None:
    table = small(1300)
    files = []
    for number, (start, rows, group) in enumerate(
        ((0, 500, 64), (500, 0, 64), (500, 300, 1000), (800, 500, 90))
    ):
        path = tmp_path / f"{number}.parquet"
        pq.write_table(table.slice(start, rows), path, row_group_size=group)
        groups = [
            pq.read_metadata(path).row_group(i).num_rows for i in range(pq.read_metadata(path).num_row_groups)
        ]
        files.append(File(str(path), path.name, PARQUET, {"year": number, "month": None}, tuple(groups)))
    names = (*table.column_names, "year", "month")
    types = (*table.schema.types, pa.int64(), pa.string())
    layout = Layout(tuple(files), names, types, 1300, WIDE)
    assert layout.source.part_rows == 256
    assert [part for first, end in layout.tasks() for part in range(first, end)] == list(range(6))
    years = [0] * 500 + [2] * 300 + [3] * 500
    for part in range(6):
        here = slice(part * 256, (part + 1) * 256)
        texts, kept = next(texts_of(layout, part)), next(layout.carried(part, ["month", "day", "year"]))
        assert texts.schema.names == list(names)
        assert texts["id"].to_pylist() == table["id"].to_pylist()[here]
        assert texts["year"].to_pylist() == list(map(str, years[here]))
        assert kept["year"].to_pylist() == years[here]
        assert kept["day"].to_pylist() == table["day"].to_pylist()[here]
        assert kept["month"].null_count == kept.num_rows == texts.num_rows
        for name, cells in zip(texts.schema.names, next(layout.coded(part, names)).columns, strict=True):
            assert cells.equals(texts[name].dictionary_encode()), name


def test_columns_are_read_alone(tmp_path: Path) -> None:
    """One that only the folder says has the rows of the file; the fault of another is met by those who look there."""
    path = tmp_path / "one.parquet"
    pq.write_table(pa.table({"id": [1, 2, 2], "note": ["a", "b\0", None]}), path)
    names, types = ("id", "note", "year"), (pa.int64(), pa.string(), pa.int64())
    layout = Layout((File(str(path), path.name, PARQUET, {"year": 7}, (3,)),), names, types, 3, 0)
    (batch,) = layout.coded(0, ["year", "id"])
    assert batch.to_pydict() == {"year": ["7"] * 3, "id": ["1", "2", "2"]}
    (batch,) = layout.coded(0, ["year"])
    assert batch.to_pydict() == {"year": ["7"] * 3}
    with pytest.raises(EngineError) as refused:
        list(layout.coded(0, ["note"]))
    assert refused.value.code == "table.nul"


def test_a_task_reads_what_is_wanted_of_the_part_that_is_here(tmp_path: Path) -> None:
    """Columns that are wanted later, or at a later part, are of the same rows as those read before."""
    table = small(1300)
    path = tmp_path / "one.parquet"
    pq.write_table(table, path, row_group_size=500)
    names = tuple(table.column_names)
    layout = Layout(
        (File(str(path), path.name, PARQUET, groups=(500, 500, 300)),),
        names,
        tuple(table.schema.types),
        1300,
        WIDE,
    )
    manifest = {"columns": names, "kept": names, "whole": [name == "day" for name in names]}
    days = column_text(table["day"].combine_chunks()).unique().drop_null()
    sink = io.BytesIO()
    Learned({"values": days}).write(sink)
    received = {
        "manifest": json.dumps(manifest).encode(),
        f"dictionary-{names.index('day'):04}": sink.getvalue(),
    }
    here = PartsHere(Received(received), layout, 1, ["id"])

    def read(part: int, columns: list[str]) -> None:
        for name, column in here.read(part, columns).items():
            rows = table[name].combine_chunks()[part * 256 : (part + 1) * 256]
            assert column.texts().equals(column_text(rows)), (part, name)
            assert column.whole == (name == "day")
            assert not column.whole or column.dictionary.equals(days)

    here.advance(1)
    read(1, ["day"])
    read(1, ["fee", "day"])
    here.advance(3)
    read(3, ["id"])
    read(3, ["fee", "day", "id"])
    assert here.read(3, []) == {}


def test_each_file_calls_and_writes_columns_as_it_likes(tmp_path: Path) -> None:
    """Texts and values are the table's: one file has an older name, narrower numbers and no note; its own note is another column."""
    older = {"WHO": ["a", "b"], "fee": pa.array([0.1, None], pa.float32()), "note": [1, 2]}
    newer = {"who": pa.array(["a"], pa.large_string()), "fee": [0.1], "note": ["x"]}
    files = []
    for number, content in enumerate((older, newer)):
        path = tmp_path / f"{number}.parquet"
        pq.write_table(pa.table(content), path)
        older_one = {"said": {"note": None}, "names": {"who": "WHO"}} if not number else {}
        rows = len(content["note"])
        files.append(File(str(path), path.name, PARQUET, groups=(rows,), converted=True, **older_one))
    layout = Layout(tuple(files), ("who", "fee", "note"), (pa.string(), pa.float64(), pa.string()), 3, 0)
    texts, kept = next(texts_of(layout)), next(layout.carried(0, ["note", "fee", "who"]))
    assert texts.to_pydict() == {
        "who": ["a", "b", "a"],
        "fee": ["0.10000000149011612", None, "0.1"],
        "note": [None, None, "x"],
    }
    assert kept.to_pydict() == {
        "note": [None, None, "x"],
        "fee": [0.10000000149011612, None, 0.1],
        "who": ["a", "b", "a"],
    }
    assert next(layout.carried(0, ["note"])).to_pydict() == {"note": [None, None, "x"]}


AT = datetime.datetime(2024, 1, 1, 10, 0, 5, 120000)


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        (AT, pa.timestamp("us")),
        (AT.replace(tzinfo=datetime.UTC), pa.timestamp("us", "UTC")),
        (AT.replace(microsecond=0, tzinfo=datetime.UTC), pa.timestamp("us", "UTC")),
        (AT.time(), pa.time64("us")),
        (b"ab", pa.binary()),
        (b"\xff", pa.binary()),
        (0.10000000149011612, pa.float32()),
        (Decimal("1.50"), pa.decimal128(9, 2)),
        (AT.date(), pa.date32()),
        (True, pa.bool_()),
        ("", pa.string()),
        ("北京", pa.string()),
        (None, pa.int64()),
        (7, pa.int64()),
    ],
)
def test_what_a_catalogue_says_of_a_file_is_spelled_as_cells_of_files(
    tmp_path: Path, said: Any, kind: pa.DataType
) -> None:
    """One value has one spelling, whether a file holds it or the catalogue says it of the whole file."""
    held = pa.table({"id": [1], "cell": pa.array([said], kind)})
    files = []
    for name, rows in (("held", held), ("said", held.select(["id"]))):
        pq.write_table(rows, tmp_path / name)
        beside = {} if name == "held" else {"cell": said}
        files.append(File(str(tmp_path / name), name, PARQUET, beside, (1,)))
    layout = Layout(tuple(files), ("id", "cell"), (pa.int64(), kind), 2, 0)
    first, second = next(texts_of(layout))["cell"].to_pylist()
    assert first == second == column_text(held["cell"].combine_chunks())[0].as_py()


OLD = pa.timestamp("ns")
"""How times of INT96 are read, which Spark and Hive write."""
MICROS, ZONED = pa.timestamp("us"), pa.timestamp("us", "UTC")


def _located(folder: Path, kinds: list[pa.DataType | None], kind: pa.DataType, is_exact: bool) -> Layout:
    """A table of files that have the column ``cell`` of 1 in these types, or do not have it."""
    held = []
    for number, one in enumerate(kinds):
        name = f"{number}.parquet"
        cells = {} if one is None else {"cell": pa.array([1_000_000], one)}
        pq.write_table(
            pa.table({"id": [number], **cells}), folder / name, use_deprecated_int96_timestamps=one == OLD
        )
        held.append(Held(str(folder / name), name, lambda there: {name: name for name in there.names}, {}))
    schema = pa.schema([("id", pa.int64()), ("cell", kind)])
    table = located(Catalogued.parse("hive://raw.visits"), schema, held, is_exact=is_exact)
    return Layout(tuple(table.files), tuple(table.columns), tuple(table.types), len(kinds), 0)


@pytest.mark.parametrize("kinds", [[None, ZONED], [ZONED, None], [None, None, OLD], [OLD, OLD, None], [None]])
def test_times_have_the_unit_of_the_first_file_that_holds_them(
    tmp_path: Path, kinds: list[pa.DataType | None]
) -> None:
    layout = _located(tmp_path, kinds, MICROS, is_exact=False)
    assert layout.types[1] == next((one for one in kinds if one), MICROS)
    cells = next(layout.carried(0, ["cell"]))["cell"]
    assert cells.type == layout.types[1]
    assert cells.null_count == kinds.count(None)


@pytest.mark.parametrize("kinds", [[OLD, MICROS], [None, MICROS, OLD], [ZONED, MICROS], [ZONED, OLD]])
def test_files_of_two_units_are_named(tmp_path: Path, kinds: list[pa.DataType | None]) -> None:
    """Neither holds all values of the other: nanoseconds no day in 9999, microseconds no parts of their own."""
    with pytest.raises(EngineError, match="files before it as") as refused:
        _located(tmp_path, kinds, MICROS, is_exact=False)
    assert refused.value.code == "catalog_mixed"
    assert f"the file {len(kinds) - 1}.parquet has column “cell” as {kinds[-1]}" in str(refused.value)


@pytest.mark.parametrize("kinds", [[OLD], [OLD, ZONED, None], [ZONED, OLD], [None, OLD, pa.timestamp("ms")]])
def test_a_catalogue_that_knows_the_types_keeps_them(tmp_path: Path, kinds: list[pa.DataType | None]) -> None:
    """Iceberg says microseconds and a zone: the files of a table that was one of Hive have neither."""
    layout = _located(tmp_path, kinds, ZONED, is_exact=True)
    assert layout.types[1] == ZONED
    cells = next(layout.carried(0, ["cell"]))["cell"]
    texts = next(texts_of(layout))["cell"]
    assert cells.type == ZONED
    assert texts.equals(column_text(cells))
    second = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
    parts = {OLD: 1000, ZONED: 1_000_000, pa.timestamp("ms"): 1_000_000_000}
    assert cells.to_pylist() == [
        one and second + datetime.timedelta(microseconds=parts[one]) for one in kinds
    ]


@pytest.mark.parametrize(("found", "kind"), [(ZONED, MICROS), (MICROS, OLD), (MICROS, pa.date32())])
def test_times_of_another_kind_are_refused(tmp_path: Path, found: pa.DataType, kind: pa.DataType) -> None:
    with pytest.raises(EngineError, match="the catalogue as") as refused:
        _located(tmp_path, [found], kind, is_exact=True)
    assert refused.value.code == "catalog_type"


@pytest.mark.parametrize("found", [pa.uint32(), pa.uint64(), pa.int64()])
def test_numbers_that_may_be_too_large_are_refused(tmp_path: Path, found: pa.DataType) -> None:
    kind = pa.int64() if found == pa.uint64() else pa.int32()
    with pytest.raises(EngineError, match=f"as {found}, the catalogue as {kind}"):
        _located(tmp_path, [found], kind, is_exact=True)


@pytest.mark.parametrize("found", [pa.uint32(), pa.int32(), pa.int64()])
def test_narrower_numbers_are_widened(tmp_path: Path, found: pa.DataType) -> None:
    layout = _located(tmp_path, [found], pa.int64(), is_exact=True)
    assert next(layout.carried(0, ["cell"]))["cell"].equals(pa.array([1_000_000], pa.int64()))


def test_capitals_hide_no_transactions() -> None:
    """Hive 2 makes no such table of Parquet, so that what its metastore would say is given here."""
    assert is_transactional("TRUE")
    assert is_transactional("true")
    assert not is_transactional("")
    assert not is_transactional("false")


def test_parts_that_begin_in_one_row_group_are_one_task(tmp_path: Path) -> None:
    file = File("", "a", PARQUET, groups=(600, 100, 600))
    layout = Layout((file, dataclasses.replace(file, groups=(1000,))), ("a",), (pa.string(),), 2300, WIDE)
    assert layout.tasks() == [(0, 3), (3, 6), (6, 9)]


def test_what_java_says_stays_where_it_is() -> None:
    class Py4JJavaError(Exception):
        __module__ = "py4j.protocol"

    for said, code in (
        ("Job aborted: a secret", "spark_given_up"),
        ("ModuleNotFoundError: techniques", "spark_environment"),
    ):
        with pytest.raises(EngineError) as found, in_words():
            raise Py4JJavaError(said)
        assert found.value.code == code
        assert "secret" not in str(found.value)
    with pytest.raises(EngineError, match="cluster stopped"), in_words():
        raise ConnectionRefusedError
    with pytest.raises(KeyError), in_words():
        raise KeyError("of this program")
