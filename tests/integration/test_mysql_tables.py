"""Tables of a real MariaDB, read and written by the commands."""

from __future__ import annotations

import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pymysql
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from techniques.cli import main as cli
from techniques.core.messages import EngineError
from techniques.tables.sources.connecting import connected
from techniques.tables.sources.databases import Address

pytestmark = pytest.mark.services
UTC = datetime.UTC
RECIPE = "recipe: 1\nunlisted: keep\nsteps: [{technique: suppression.remove_column, columns: [name]}]\n"


@pytest.fixture(scope="module")
def base(maria):
    with maria.connect() as connection, connection.cursor() as cursor:
        cursor.execute("CREATE DATABASE clinic CHARACTER SET utf8mb4")
    return maria


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("recipe.yaml").write_text(RECIPE)
    return tmp_path


def _ask(base: Any, *commands: str) -> list[Any]:
    with base.connect("clinic") as connection, connection.cursor() as cursor:
        for command in commands:
            cursor.execute(command)
        return list(cursor.fetchall())


def _address(base: Any, table: str, more: str = "") -> str:
    return f"{base.url('clinic')}?table={table}{more}"


def _put(base: Any, table: str, content: pa.Table, mode: str = "replace") -> None:
    database = connected(Address.parse(_address(base, table, f"&mode={mode}")))
    try:
        database.write(content.schema, content.to_batches())
        database.commit()
    finally:
        database.close()


def _got(base: Any, table: str) -> pa.Table:
    with connected(Address.parse(_address(base, table))).rows() as (schema, batches):
        return pa.Table.from_batches(batches, schema)


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
TIMES = st.datetimes(datetime.datetime(1000, 1, 1), datetime.datetime(9999, 12, 31))
MOMENTS = st.datetimes(datetime.datetime(1970, 1, 2), datetime.datetime(2038, 1, 1))
COLUMNS: list[tuple[pa.DataType, st.SearchStrategy[Any]]] = [
    (pa.int8(), st.integers(-(2**7), 2**7 - 1)),
    (pa.uint16(), st.integers(0, 2**16 - 1)),
    (pa.int32(), st.integers(-(2**31), 2**31 - 1)),
    (pa.int64(), st.integers(-(2**63), 2**63 - 1)),
    (pa.uint64(), st.integers(0, 2**64 - 1)),
    (pa.float32(), st.floats(width=32, allow_nan=False, allow_infinity=False, allow_subnormal=False)),
    (pa.float64(), st.floats(allow_nan=False, allow_infinity=False, allow_subnormal=False)),
    (pa.bool_(), st.booleans()),
    (pa.string(), TEXTS),
    (pa.binary(), st.binary(max_size=6)),
    (pa.decimal128(20, 4), st.decimals(-(10**12), 10**12, places=4)),
    (pa.decimal256(60, 2), st.decimals(-(10**50), 10**50, places=2)),
    (pa.date32(), st.dates(datetime.date(1000, 1, 1), datetime.date(9999, 12, 31))),
    (pa.time64("us"), st.times()),
    (pa.timestamp("us"), TIMES),
    (pa.timestamp("us", "UTC"), MOMENTS.map(lambda one: one.replace(tzinfo=UTC))),
]


@st.composite
def tables(draw: st.DrawFn) -> pa.Table:
    rows = draw(st.integers(1, 5))
    return pa.table(
        {
            f'列 {number} "%s` {str(kind)[:20]}': pa.array(
                draw(st.lists(st.none() | values, min_size=rows, max_size=rows)), kind
            )
            for number, (kind, values) in enumerate(COLUMNS)
        }
    )


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(table=tables())
def test_there_and_back_every_type_and_value_is_the_same(base, table: pa.Table) -> None:
    _put(base, "clinic.back", table)
    back = _got(base, "back")
    assert back.schema == table.schema
    assert back.to_pylist() == table.to_pylist()


def test_types_of_the_server_that_no_file_has(base) -> None:
    _ask(
        base,
        "CREATE TABLE odd (id uuid, doc json, kind enum('x', 'y'), flags bit(3), born year, far time, none date, small"
        " tinyint(1), spot point, f float)",
        "SET sql_mode = ''",
        "INSERT INTO odd VALUES ('6ba7b810-9dad-11d1-80b4-00c04fd430c8', '{\"a\": 1}', 'x', 5, 1999, '-30:00:00',"
        " '0000-00-00', 7, ST_GeomFromText('POINT(1 2)'), 16777217)",
    )
    [row] = _got(base, "odd").to_pylist()
    assert row == {
        "id": "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "doc": '{"a": 1}', "kind": "x", "flags": 5, "born": 1999,
        "far": "-30:00:00", "none": "0000-00-00", "small": 7, "spot": "POINT(1 2)", "f": 16777216.0,
    }  # fmt: skip


def test_modes(base) -> None:
    table = pa.table({"a": [1, 2], "t": ["x", None]})
    _put(base, "modes", table, "create")
    with pytest.raises(EngineError, match="exists already"):
        _put(base, "modes", table, "create")
    _put(base, "modes", table, "append")
    assert _got(base, "modes").num_rows == 4
    _put(base, "modes", table.slice(1), "replace")
    assert _ask(base, "SELECT * FROM modes") == [(2, None)]
    assert _ask(base, "SHOW TABLES LIKE 'deid%'") == []


def test_what_is_not_committed_leaves_everything_as_it_was(base) -> None:
    table = pa.table({"a": [1, 2]})
    _put(base, "held", table)
    for mode in ("append", "replace"):
        database = connected(Address.parse(_address(base, "held", f"&mode={mode}")))
        database.write(table.schema, table.to_batches())
        assert _ask(base, "SELECT count(*) FROM held") == [(2,)]
        database.close()
        assert _ask(base, "SELECT count(*) FROM held") == [(2,)]
        assert _ask(base, "SHOW TABLES LIKE 'deid%'") == []
    _ask(base, "CREATE TABLE loose (a int) ENGINE=MyISAM")
    with pytest.raises(EngineError, match="no transactions"):
        _put(base, "loose", table, "append")


def test_a_run_from_a_table_into_a_table(base, folder, capsys) -> None:
    people = pa.table({"name": ["甲", "乙"], "age": pa.array([3, None], pa.int32()), "note": ["", None]})
    _put(base, "people", people)
    arguments = [
        _address(base, "people"),
        _address(base, "released").replace("mysql", "mariadb"),
        "--order",
        "kept",
    ]
    assert cli.main(["run", "recipe.yaml", *arguments, "--report", "report.json"]) == 0
    assert _ask(base, "SELECT * FROM released") == [(3, ""), (None, None)]
    said = capsys.readouterr()
    written = Path("report.json").read_text() + said.out + said.err
    assert "?table=released" in said.out
    assert base.password not in written
    assert f"{base.user}:" not in written
    assert cli.main(["run", "recipe.yaml", *arguments]) == 2
    assert "exists already" in capsys.readouterr().err
    same = [arguments[0], _address(base, "people", "&mode=replace").replace("mysql:", "mariadb:")]
    assert cli.main(["run", "recipe.yaml", *same]) == 2
    assert "would overwrite a table that is read" in capsys.readouterr().err


def test_what_the_server_says_of_a_row_is_not_repeated(base, folder, capsys) -> None:
    _ask(base, "CREATE TABLE one (age int UNIQUE)")
    Path("in.jsonl").write_text('{"name": "x", "age": 424242}\n' * 2)
    assert cli.main(["run", "recipe.yaml", "in.jsonl", _address(base, "one", "&mode=append")]) == 2
    said = capsys.readouterr().err
    assert "IntegrityError (1062)" in said
    assert "424242" not in said
    assert _ask(base, "SELECT count(*) FROM one") == [(0,)]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("{password}", "not-the-word", "access denied"),
        ("/clinic", "/elsewhere", "there is no such database"),
        (":{port}/", ":1/", "no server answers there"),
        ("?table", "?ssl_verify=0&table", "ValueError"),
    ],
)
def test_what_cannot_be_reached_is_said_without_the_password(base, folder, capsys, old, new, said) -> None:
    address = _address(base, "x").replace(old.format(password=base.password, port=base.port), new)
    assert cli.main(["risk", address, "--qi", "a"]) == 2
    shown = capsys.readouterr().err
    assert f"cannot be reached: {said}" in shown
    for secret in ("not-the-word", base.password, f"{base.user}:", f"'{base.user}'"):
        assert secret not in shown.removeprefix("deid: ")


@pytest.mark.parametrize("file", [False, True])
def test_the_password_may_come_as_the_servers_own_programs_take_it(base, folder, monkeypatch, file) -> None:
    _put(base, "typed", pa.table({"name": ["x", "y"], "age": [Decimal("1.50"), None]}))
    address = _address(base, "typed").replace(f":{base.password}@", "@")
    monkeypatch.setenv("HOME", str(folder))
    if file:
        Path(".my.cnf").write_text(f"[client]\npassword={base.password}\n")
    else:
        monkeypatch.setenv("MYSQL_PWD", base.password)
    assert cli.main(["run", "recipe.yaml", address, "out.jsonl", "--order", "kept"]) == 0
    assert Path("out.jsonl").read_text() == '{"age":1.50}\n{"age":null}\n'


def test_who_is_unknown_gets_nothing(base) -> None:
    with pytest.raises(pymysql.OperationalError):
        pymysql.connect(host="127.0.0.1", port=base.port, user="root", password="guessed")
