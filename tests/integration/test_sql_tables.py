"""Tables of a real PostgreSQL, read and written by the commands."""

from __future__ import annotations

import datetime
import itertools
import os
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from techniques.cli import main as cli
from techniques.tables.sources.connecting import connected
from techniques.tables.sources.databases import Address

pytestmark = pytest.mark.services
UTC = datetime.UTC
_numbers = itertools.count(1)
RECIPE = "recipe: 1\nunlisted: keep\nsteps: [{technique: suppression.remove_column, columns: [name]}]\n"


@pytest.fixture(scope="module")
def base(postgres):
    name = postgres.database(f"tables{next(_numbers)}")
    with postgres.connect(name) as connection:
        connection.execute("GRANT ALL ON SCHEMA public TO deid")
    return postgres, name


def _address(base: Any, table: str, more: str = "") -> str:
    server, name = base
    return f"{server.url(name)}?table={table}{more}"


def _put(base: Any, table: str, content: pa.Table) -> None:
    database = connected(Address.parse(_address(base, table, "&mode=replace")))
    database.write(content.schema, content.to_batches())
    database.commit()
    database.close()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("recipe.yaml").write_text(RECIPE)
    return tmp_path


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
TIMES = st.datetimes(datetime.datetime(1900, 1, 1), datetime.datetime(2100, 1, 1))
COLUMNS: list[tuple[pa.DataType, st.SearchStrategy[Any]]] = [
    (pa.int16(), st.integers(-(2**15), 2**15 - 1)),
    (pa.int32(), st.integers(-(2**31), 2**31 - 1)),
    (pa.int64(), st.integers(-(2**63), 2**63 - 1)),
    (pa.float32(), st.floats(width=32, allow_nan=False)),
    (pa.float64(), st.floats(allow_nan=False)),
    (pa.bool_(), st.booleans()),
    (pa.string(), TEXTS),
    (pa.binary(), st.binary(max_size=6)),
    (pa.decimal128(20, 4), st.decimals(-(10**12), 10**12, places=4)),
    (pa.date32(), st.dates(datetime.date(1900, 1, 1), datetime.date(2100, 1, 1))),
    (pa.time64("us"), st.times()),
    (pa.timestamp("us"), TIMES),
    (pa.timestamp("us", "UTC"), TIMES.map(lambda one: one.replace(tzinfo=UTC))),
]


@st.composite
def tables(draw: st.DrawFn) -> pa.Table:
    rows = draw(st.integers(1, 5))
    return pa.table(
        {
            f'列 {number} "{kind}': pa.array(
                draw(st.lists(st.none() | values, min_size=rows, max_size=rows)), kind
            )
            for number, (kind, values) in enumerate(COLUMNS)
        }
    )


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(table=tables())
def test_there_and_back_every_type_and_value_is_the_same(base, table: pa.Table) -> None:
    _put(base, "public.back", table)
    with connected(Address.parse(_address(base, "public.back"))).rows() as (schema, batches):
        back = pa.Table.from_batches(batches, schema)
    assert back.schema == table.schema
    assert back.to_pylist() == table.to_pylist()


def test_types_of_the_server_that_no_file_has(base, folder) -> None:
    server, name = base
    with server.connect(name) as connection:
        connection.execute(
            "CREATE TABLE odd (id uuid, doc jsonb, free numeric, tags text[], span interval, code char(3), n numeric(5,2));"
            "INSERT INTO odd VALUES ('6ba7b810-9dad-11d1-80b4-00c04fd430c8', '{\"a\": 1}', 1.25, '{x,y}', '1 day', 'a', 1.5),"
            " (NULL, NULL, -12345.678901, NULL, NULL, NULL, 'NaN'); ALTER TABLE odd OWNER TO deid"
        )
    with connected(Address.parse(_address(base, "odd"))).rows() as (schema, batches):
        first, second = pa.Table.from_batches(batches, schema).to_pylist()
    assert schema.field("free").type == pa.decimal128(11, 6)
    assert schema.field("n").type == pa.decimal128(5, 2)
    assert first["doc"] == '{"a": 1}'
    assert (first["id"], first["tags"], first["span"]) == (
        "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
        "{x,y}",
        "1 day",
    )
    assert (first["free"], second["free"], second["n"]) == (Decimal("1.25"), Decimal("-12345.678901"), None)


def test_a_run_from_a_table_into_a_table(base, folder, capsys) -> None:
    people = pa.table({"name": ["甲", "乙"], "age": pa.array([3, None], pa.int32()), "note": ["", None]})
    _put(base, "people", people)
    arguments = [_address(base, "people"), _address(base, "public.released"), "--order", "kept"]
    assert cli.main(["run", "recipe.yaml", *arguments, "--report", "report.json"]) == 0
    server, name = base
    with server.connect(name) as connection:
        assert connection.execute("SELECT * FROM released").fetchall() == [(3, ""), (None, None)]
    said = capsys.readouterr()
    written = Path("report.json").read_text() + said.out + said.err
    assert "public.released" in said.out
    assert server.password not in written
    assert f"{server.role}:" not in written
    assert cli.main(["run", "recipe.yaml", *arguments]) == 2
    assert "exists already" in capsys.readouterr().err


def test_what_the_server_says_of_a_row_is_not_repeated(base, folder, capsys) -> None:
    server, name = base
    with server.connect(name) as connection:
        connection.execute("CREATE TABLE one (age int UNIQUE); ALTER TABLE one OWNER TO deid")
    Path("in.jsonl").write_text('{"name": "x", "age": 424242}\n' * 2)
    assert cli.main(["run", "recipe.yaml", "in.jsonl", _address(base, "one", "&mode=append")]) == 2
    said = capsys.readouterr().err
    assert "UniqueViolation (23505)" in said
    assert "424242" not in said
    with server.connect(name) as connection:
        assert connection.execute("SELECT count(*) FROM one").fetchone() == (0,)


def test_a_wrong_password_is_said_and_not_shown(base, folder, capsys) -> None:
    server, _name = base
    address = _address(base, "x").replace(server.password, "not-the-word")
    assert cli.main(["risk", address, "--qi", "a"]) == 2
    said = capsys.readouterr().err
    assert "password authentication failed" in said
    assert "not-the-word" not in said


def test_the_password_may_come_as_the_servers_own_programs_take_it(base, folder) -> None:
    server, _name = base
    _put(base, "typed", pa.table({"name": ["x", "y"], "age": [3, None], "note": ["", None]}))
    address = _address(base, "typed").replace(f":{server.password}@", "@")
    variables = os.environ | {"PGPASSWORD": server.password, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(
        [sys.executable, "-m", "techniques.cli.main", "run", "recipe.yaml", address, "-", "--output-format", "jsonl", "--order", "kept"],
        env=variables, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout == '{"age":3,"note":""}\n{"age":null,"note":null}\n'
