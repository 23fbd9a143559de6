"""Tables that a catalogue names, on a cluster: a real metastore of Hive and tables of Iceberg, with the rows and types of one machine."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from techniques.cli.main import main
from tests.spark import Spark
from tests.techniques import lakes
from tests.techniques.engines.spark.conftest import KEY

pytestmark = pytest.mark.slow

RECIPE = """
unlisted: keep
steps:
  - {technique: pseudonymization.keyed_hash, column: who, parameters: {length: 24}}
  - {technique: suppression.mask, column: note, parameters: {keep_left: 1}}
"""
HIVE = "org.apache.hadoop.hive.ql.io"
KEPT = "unlisted: keep\nsteps: [{technique: suppression.mask, column: id, parameters: {keep_left: 1}}]\n"


def _visits() -> pa.Table:
    """The rows of ``raw.visits`` as they are to be read, the first two in parts of their own."""
    at = datetime.datetime(2024, 2, 29, 10)
    later = datetime.date(2026, 1, 1)
    columns: dict[str, Any] = {
        "id": pa.array([1, 2, 3, 4], pa.int64()),
        "who": ["ann", None, "bob", "ann"],
        "fee": pa.array(["1.50", "2.50", None, None]).cast(pa.decimal128(9, 2)),
        "at": pa.array([at, None, None, None], pa.timestamp("ns")),
        "note": ["one", "two", "x", "y"],
        "year": pa.array([2024, 2025, 2026, 2026], pa.int32()),
        "day": pa.array([datetime.date(2024, 2, 29), None, later, later], pa.date32()),
    }
    return pa.table(columns)


@pytest.fixture(scope="module")
def visits(spark: Spark) -> None:
    """``raw.visits``: two parts that lie under the table, and one elsewhere, of a file with other capitals, narrower numbers and two
    columns less."""
    ask = spark.session.sql
    ask("CREATE DATABASE raw")
    ask(
        "CREATE TABLE raw.visits (id BIGINT, who STRING, fee DECIMAL(9,2), at TIMESTAMP, note STRING) "
        "PARTITIONED BY (year INT, day DATE) STORED AS PARQUET"
    )
    own, rows = spark.folder / "warehouse/raw.db/visits", _visits().drop_columns(["year", "day"])
    for row, place in enumerate(("year=2024/day=2024-02-29", "year=2025/day=__HIVE_DEFAULT_PARTITION__")):
        (own / place).mkdir(parents=True)
        # As Spark writes times.
        pq.write_table(rows.slice(row, 1), own / place / "a", use_deprecated_int96_timestamps=True)
    other = spark.folder / "else where"
    (other / "_temporary").mkdir(parents=True)
    (other / "_SUCCESS").touch()
    (other / "empty.parquet").touch()
    (other / "_temporary/x.parquet").write_text("no table")
    held = {"ID": pa.array([3, 4], pa.int16()), "WHO": ["bob", "ann"], "unknown": [1, 2], "Note": ["x", "y"]}
    pq.write_table(pa.table(held), other / "a.parquet")
    ask("MSCK REPAIR TABLE raw.visits")
    ask(f"ALTER TABLE raw.visits ADD PARTITION (year=2026, day=DATE'2026-01-01') LOCATION '{other}'")


def _run(folder: Path, source: str, output: str, *more: str) -> dict[str, Any]:
    (folder / "recipe.yaml").write_text(RECIPE)
    (folder / "key").write_bytes(KEY)
    report = folder / f"{output}.json"
    (folder / "seed").write_bytes(b"a seed for both runs, of enough bytes")
    given = ["--key-file", str(folder / "key"), "--seed-file", str(folder / "seed"), "--report", str(report)]
    given += ["--order", "kept"]
    assert main(["run", str(folder / "recipe.yaml"), source, str(folder / output), *given, *more]) == 0
    return dict(json.loads(report.read_text()))


def test_a_table_of_hive_has_the_rows_and_types_that_the_metastore_says(
    visits: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pq.write_table(_visits(), tmp_path / "whole.parquet")
    there = _run(tmp_path, "hive://raw.visits", "there", "--engine", "spark")
    here = _run(tmp_path, str(tmp_path / "whole.parquet"), "here.parquet")
    found, expected = ds.dataset(tmp_path / "there").to_table(), pq.read_table(tmp_path / "here.parquet")
    assert found.schema.equals(expected.schema)
    assert found.equals(expected)
    assert there["steps"] == here["steps"]
    capsys.readouterr()
    measured = ["--qi", "day,who", "--subject", "rows", "--json", "--accept-findings", "id,note,at,fee,year"]
    assert main(["risk", "hive://raw.visits", *measured, "--engine", "spark"]) == 0
    risks = json.loads(capsys.readouterr().out)
    assert main(["risk", str(tmp_path / "whole.parquet"), *measured]) == 0
    assert risks == json.loads(capsys.readouterr().out)


def test_a_table_of_spark_without_partitions(
    spark: Spark, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A real insert; the columns of a second file stand in another order."""
    spark.session.sql("CREATE TABLE flat (id INT, who STRING, note VARCHAR(9)) USING parquet")
    spark.session.sql("INSERT INTO flat VALUES (4, 'bob', 'm')")
    place = spark.folder / "warehouse/flat"
    pq.write_table(
        pa.table({"note": ["n"], "who": ["ann"], "id": pa.array([5], pa.int32())}), place / "a.parquet"
    )
    there = _run(tmp_path, "hive://flat", "there", "--engine", "spark")
    assert there["rows_in"] == 2
    found = ds.dataset(tmp_path / "there").to_table()
    assert found.schema.names == ["id", "who", "note"]
    assert found.schema.types == [pa.int32(), pa.string(), pa.string()]
    assert sorted(zip(found["id"].to_pylist(), found["note"].to_pylist(), strict=True)) == [
        (4, "*"),
        (5, "*"),
    ]


@pytest.mark.parametrize(
    ("made", "name", "said"),
    [
        ("", "raw.nothing", "There is no hive://raw.nothing."),
        ("", "nowhere.visits", "There is no hive://nowhere.visits."),
        ("CREATE VIEW raw.seen AS SELECT * FROM raw.visits", "raw.seen", "hive://raw.seen is a view"),
        ("CREATE TABLE raw.lines (id INT) STORED AS TEXTFILE", "raw.lines", "is kept as TextInputFormat"),
        ("CREATE TABLE raw.columns (id INT) STORED AS ORC", "raw.columns", "is kept as OrcInputFormat"),
        (
            f"CREATE TABLE raw.links (id INT) ROW FORMAT SERDE '{HIVE}.parquet.serde.ParquetHiveSerDe' STORED AS "
            f"INPUTFORMAT '{HIVE}.SymlinkTextInputFormat' OUTPUTFORMAT '{HIVE}.parquet.MapredParquetOutputFormat'",
            "raw.links",
            "is kept as SymlinkTextInputFormat",
        ),
        ("CREATE TABLE raw.commas (id INT) USING csv", "raw.commas", "is kept as csv"),
        ("CREATE TABLE raw.lists (ids ARRAY<INT>) STORED AS PARQUET", "raw.lists", "ids has the type array"),
        ("CREATE TABLE raw.empty (id INT) STORED AS PARQUET", "raw.empty", "no data rows"),
    ],
)
def test_what_is_not_read_is_said(
    made: str, name: str, said: str, spark: Spark, visits: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:  # fmt: skip
    if made:
        spark.session.sql(made)
    (tmp_path / "recipe.yaml").write_text(KEPT)
    arguments = [
        "run",
        "--engine",
        "spark",
        str(tmp_path / "recipe.yaml"),
        f"hive://{name}",
        str(tmp_path / "out"),
    ]
    assert main(arguments) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_file_of_another_type_is_named(
    spark: Spark, visits: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spark.session.sql("CREATE TABLE raw.mixed (id INT) STORED AS PARQUET")
    place = spark.folder / "warehouse/raw.db/mixed"
    pq.write_table(pa.table({"id": ["a secret"]}), place / "a.parquet")
    assert main(["risk", "hive://raw.mixed", "--qi", "id", "--subject", "rows", "--engine", "spark"]) == 2
    error = capsys.readouterr().err
    assert "the file a.parquet has column “id” as string, the catalogue as int32" in error
    assert "secret" not in error


def test_a_snapshot_of_iceberg_has_the_rows_of_one_machine(
    spark: Spark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Over files whose columns have other names, types and numbers of columns; what is deleted beside them is refused."""
    (tmp_path / "lake").mkdir()
    lakes.configure(tmp_path / "lake", monkeypatch)
    table, _snapshots = lakes.grown()
    with table.update_schema() as change:
        change.rename_column("who", "note")
        change.rename_column("person", "who")
    there = _run(tmp_path, "iceberg://lake/raw.visits", "there", "--engine", "spark")
    _run(tmp_path, "iceberg://lake/raw.visits", "here.parquet")
    found, expected = ds.dataset(tmp_path / "there").to_table(), pq.read_table(tmp_path / "here.parquet")
    assert there["rows_in"] == 42
    assert found.schema.equals(expected.schema)
    assert found.equals(expected)
    lakes.delete_first_row(table)
    (tmp_path / "keep.yaml").write_text(KEPT)
    arguments = [str(tmp_path / "keep.yaml"), "iceberg://lake/raw.visits", str(tmp_path / "out")]
    assert main(["run", "--engine", "spark", *arguments]) == 2
    assert "has delete files, which Spark does not apply here" in capsys.readouterr().err
