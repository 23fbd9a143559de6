"""Tables of files of DuckDB, read and written by the commands."""

from __future__ import annotations

import datetime
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from techniques.cli import main as cli
from techniques.tables.sources.connecting import connected
from techniques.tables.sources.databases import Address

RECIPE = "recipe: 1\nunlisted: keep\nsteps: [{technique: suppression.remove_column, columns: [name]}]\n"
NOON = datetime.datetime(2026, 1, 2, 12)
TABLE = pa.table(
    {
        "name": ["甲", None, ""],
        "tiny": pa.array([1, None, -1], pa.int8()),
        "big": pa.array([2**64 - 1, None, 0], pa.uint64()),
        "real": pa.array([0.1, None, -1.5], pa.float32()),
        "yes": [True, None, False],
        "money": pa.array([Decimal("1.20"), None, Decimal("-3.00")], pa.decimal128(12, 2)),
        "scan": pa.array([b"\0x\xff", None, b""]),
        "day": pa.array([NOON.date(), None, NOON.date()]),
        "at": pa.array([NOON.time(), None, NOON.time()], pa.time64("us")),
        "seen": pa.array([NOON, None, NOON], pa.timestamp("us")),
        "moment": pa.array([NOON, None, NOON], pa.timestamp("us", "UTC")),
    }
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder with a recipe and a file of DuckDB."""
    monkeypatch.chdir(tmp_path)
    Path("recipe.yaml").write_text(RECIPE)
    _put("duckdb:///base.db?table=people", TABLE)
    return tmp_path


def _put(address: str, table: pa.Table) -> None:
    database = connected(Address.parse(address))
    database.write(table.schema, table.to_batches())
    database.commit()
    database.close()


def _got(address: str) -> pa.Table:
    with connected(Address.parse(address)).rows() as (schema, batches):
        return pa.Table.from_batches(batches, schema)


def _ask(*commands: str, base: str = "base.db") -> list[tuple[Any, ...]]:
    with duckdb.connect(base) as connection:
        for command in commands:
            connection.execute(command)
        return connection.fetchall()


def _run(*arguments: str) -> int:
    return cli.main(["run", "recipe.yaml", *arguments, "--order", "kept"])


def test_from_a_table_to_a_table_of_the_same_types(folder: Path) -> None:
    assert _got("duckdb:///base.db?table=main.people").equals(TABLE)
    assert _run("duckdb:///base.db?table=people", "duckdb:///new.db?table=out", "--report", "r.json") == 0
    assert _got(f"duckdb:///{folder}/new.db?table=out").equals(TABLE.drop_columns("name"))
    assert "result_sha256" in json.loads(Path("r.json").read_text())


def test_what_no_table_file_has_is_text_or_its_nearest_type(folder: Path) -> None:
    _ask(
        "CREATE TYPE size AS ENUM ('s', 'm')",
        "CREATE TABLE odd AS SELECT '6ba7b810-9dad-11d1-80b4-00c04fd430c8'::UUID AS id, [1, 2] AS tags, "
        "INTERVAL 1 DAY AS span, 'm'::size AS size, 170141183460469231731687303715884105727::HUGEINT AS huge, "
        "{'a': 1} AS nested, 1.5::DECIMAL(5,2) AS n",
    )
    assert _got("duckdb:///base.db?table=odd").to_pylist() == [
        {
            "id": "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "tags": "[1, 2]", "span": "1 day", "size": "m",
            "huge": "170141183460469231731687303715884105727", "nested": "{'a': 1}", "n": Decimal("1.50"),
        }
    ]  # fmt: skip
    wide = pa.table(
        {
            "far": pa.array([Decimal(10) ** 50], pa.decimal256(60, 0)),
            "span": pa.array([90], pa.duration("s")),
            "coded": pa.array(["x"]).dictionary_encode(),
            "half": pa.array([0.5], pa.float16()),
        }
    )
    _put("duckdb:///base.db?table=wide", wide)
    assert _ask("SELECT * FROM wide") == [("1" + "0" * 50, "90", "x", 0.5)]


def test_modes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("in.jsonl").write_text('{"name": "x", "age": 1}\n{"name": "y", "age": 2}\n')
    target = "duckdb:///base.db?table=out"
    assert _run("in.jsonl", target) == 0
    capsys.readouterr()
    assert _run("in.jsonl", target) == 2
    assert "duckdb:///base.db?table=out exists already" in capsys.readouterr().err
    assert _run("in.jsonl", f"{target}&mode=append") == 0
    assert _ask("SELECT * FROM out") == [(1,), (2,), (1,), (2,)]
    assert _run("in.jsonl", f"{target}&mode=replace") == 0
    assert _ask("SELECT * FROM out") == [(1,), (2,)]


def test_a_run_that_fails_leaves_the_table_as_it_was(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _ask("CREATE TABLE one (age INTEGER UNIQUE)", "INSERT INTO one VALUES (7)")
    Path("in.jsonl").write_text('{"name": "x", "age": 424242}\n' * 2)
    assert _run("in.jsonl", "duckdb:///base.db?table=one&mode=append") == 2
    said = capsys.readouterr().err
    assert "the database refused with ConstraintException" in said
    assert "424242" not in said
    assert _ask("SELECT * FROM one") == [(7,)]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["duckdb:///base.db?table=nobody", "o.csv"], "There is no duckdb:///base.db?table=nobody"),
        (["duckdb:///none.db?table=x", "o.csv"], "refused with IOException"),
        (["duckdb:///base.db", "o.csv"], "The address of a database is"),
        (["duckdb:///base.db?table=people", "duckdb:///base.db?table=people&mode=replace"], "would overwrite a table"),
        (["duckdb:///base.db?table=people", "duckdb:///no/o.db?table=x"], "The folder of no/o.db does not exist"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert _run(*arguments) == 2
    assert said in capsys.readouterr().err
    assert not Path("none.db").exists()
