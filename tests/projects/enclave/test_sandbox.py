"""The sandbox by itself: one SELECT over the tables that it was given, and no way to anything else."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time

import pyarrow as pa
import pytest

from projects.enclave.running import SANDBOX

PATIENTS = pa.table({"年龄": ["41", None, "7"], "诊断": ["肺炎", "it's", "肺炎"], "id": ["a", "b", "c"]})
VISITS = pa.table({"id": ["a", "a", "c"], "fee": ["10.5", "2", None]})
TABLES = {"病人": PATIENTS, "visits": VISITS}


def started(statement, *, tables=TABLES, environment=None, **limits):
    asked = {
        "statement": statement, "tables": {name: table.column_names for name, table in tables.items()}, "memory_mb": 128, "seconds": 5,
        "rows": 5, "columns": 20, "cell": 30, "characters": 1000,
    } | limits  # fmt: skip
    sent = io.BytesIO()
    sent.write(json.dumps(asked).encode() + b"\n")
    for table in tables.values():
        with pa.ipc.new_stream(sent, table.schema) as stream:
            stream.write_table(table)
    return subprocess.run(
        [sys.executable, "-I", str(SANDBOX)],
        input=sent.getvalue(),
        capture_output=True,
        env=environment or {},
        check=False,
    )


def answer(statement, **more):
    ended = started(statement, **more)
    assert (ended.returncode, ended.stderr) == (0, b""), ended.stderr
    return json.loads(ended.stdout)


@pytest.mark.parametrize(
    ("statement", "rows"),
    [
        ('SELECT count(*), avg(CAST("年龄" AS DOUBLE)) FROM "病人"', [["3", "24.0"]]),
        ('SELECT "诊断", count(*) AS n FROM "病人" GROUP BY ALL ORDER BY n', [["it's", "1"], ["肺炎", "2"]]),
        ('SELECT p.id, sum(v.fee::DOUBLE) FROM "病人" p JOIN VISITS v USING (id) GROUP BY 1 ORDER BY 1', [["a", "12.5"], ["c", None]]),
        ("WITH v AS (SELECT id FROM visits) SELECT DISTINCT id FROM v ORDER BY 1;", [["a"], ["c"]]),
        ("SELECT n FROM range(3) t(n) UNION ALL SELECT 9 ORDER BY n", [["0"], ["1"], ["2"], ["9"]]),
        ("SELECT rank() OVER (ORDER BY id), true, 1.50::DECIMAL(5, 2), DATE '2026-01-02' FROM visits LIMIT 1", [["1", "true", "1.50", "2026-01-02"]]),
        ("-- by id\nSELECT max(id) FROM visits /* all */", [["c"]]),
        ("SELECT '' AS empty, NULL AS missing", [["", None]]),
        ("SELECT repeat('字', 100)", [["字" * 30]]),
        ("SELECT v FROM visits UNPIVOT (v FOR n IN (fee)) ORDER BY 1", [["10.5"], ["2"]]),
    ],
)  # fmt: skip
def test_what_is_queried_is_found(statement, rows):
    found = answer(statement)
    assert found.get("rows") == rows, found
    assert not found["more"]


def test_missing_cells_are_null_and_names_of_columns_are_kept():
    found = answer('SELECT "年龄", "诊断" AS "诊断 (全部)" FROM "病人" WHERE "年龄" IS NULL')
    assert found == {"tables": ["病人"], "columns": ["年龄", "诊断 (全部)"], "rows": [[None, "it's"]], "more": False}  # fmt: skip


def test_which_tables_are_read_is_told():
    assert answer('SELECT 1 FROM "病人" WHERE id IN (SELECT id FROM visits)')["tables"] == ["visits", "病人"]
    assert answer("SELECT 1")["tables"] == []


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT 1; SELECT 2", "", "-- nothing", "INSERT INTO visits VALUES ('x', '1')", "CREATE TABLE t AS SELECT 1", "DROP TABLE visits",
        "WITH w AS (INSERT INTO visits VALUES ('x', '1') RETURNING 1) SELECT * FROM w", "UPDATE visits SET fee = '1'", "SET threads = 4",
        "COPY visits TO '/tmp/rows.csv'", "COPY (SELECT 1) TO '/tmp/rows.csv'", "EXPORT DATABASE '/tmp/rows'", "ATTACH '/tmp/other.db'",
        "INSTALL httpfs", "LOAD httpfs", "PRAGMA database_list", "PRAGMA version", "CALL duckdb_settings()", "EXPLAIN SELECT 1",
        "SHOW TABLES", "DESCRIBE visits", "SUMMARIZE visits", "SELECT * FROM (DESCRIBE visits)", "SELECT * FROM (SHOW TABLES)",
        "PREPARE p AS SELECT 1", "EXECUTE p", "BEGIN", "CHECKPOINT", "USE memory", "RESET memory_limit", "VACUUM", "SET VARIABLE x = 1",
    ],
)  # fmt: skip
def test_only_one_select_is_run(statement):
    assert answer(statement).get("error") == "statement"


READING = [
    "read_csv('/etc/passwd')", "read_csv_auto('/etc/passwd')", "read_text('/etc/passwd')", "read_blob('/etc/passwd')",
    "read_json('/etc/passwd')", "read_parquet('/etc/passwd')", "parquet_metadata('/etc/passwd')", "sniff_csv('/etc/passwd')", "glob('/*')",
    "'/etc/passwd'", "'https://example.org/t.csv'", "duckdb_settings()", "duckdb_settings", "pg_settings", "pg_catalog.pg_settings",
    "duckdb_secrets()", "which_secret('a', 'b')", "duckdb_extensions()", "duckdb_tables()", "duckdb_tables", "duckdb_functions()",
    "duckdb_databases()", "duckdb_logs", "duckdb_temporary_files()", "duckdb_memory()", "information_schema.tables", "sqlite_master",
    "pragma_version()", "pragma_database_list", "pragma_platform()", "pragma_user_agent()", "query('SELECT 1')", "query_table('visits')",
    "test_all_types()", "enable_logging()", "checkpoint()", "arrow_scan(1, 2, 3)", "python_map_function()", "seq_scan('visits')",
    "json_execute_serialized_sql('{}')", "main.visits", "memory.main.visits", "system.main.duckdb_tables", "tables", "asked",
]  # fmt: skip
"""Sources that read files or tell of DuckDB, its settings and what holds it."""
TELLING = [
    "getenv('HOME')", "current_setting('memory_limit')", "getvariable('x')", "current_database()", "current_schemas(true)",
    "current_query()", "version()", "pg_typeof(1)", "pg_sleep(1)", "sleep_ms(1)", "has_table_privilege('visits', 'select')",
    "inet_server_addr()", "write_log('x')", "nextval('x')", "txid_current()", "list_transform([1], lambda x: getenv('HOME'))",
    "max(1) FILTER (WHERE getenv('HOME') IS NULL)", "system.main.current_setting('threads')", "'threads'.current_setting()",
]  # fmt: skip
"""Functions that do."""


@pytest.mark.parametrize("source", READING)
def test_nothing_but_the_released_tables_is_read(source):
    found = answer(f"SELECT * FROM {source}")
    assert found["error"] == "name", found
    assert answer(f"SELECT (SELECT count(*) FROM {source}) FROM visits")["error"] == "name"


@pytest.mark.parametrize(
    "word", ["current_user", "Session_User", "user", "current_role", "current_catalog", "current_schema"]
)
def test_a_word_that_speaks_of_the_database_is_refused_unless_a_column_has_it(word):
    assert answer(f"SELECT {word} FROM visits")["error"] == "name"
    held = {"visits": pa.table({word.lower(): ["a"]})}
    assert answer(f'SELECT "{word.lower()}" FROM visits', tables=held)["rows"] == [["a"]]


@pytest.mark.parametrize("name", ["/etc/passwd.csv", "a.csv", "s3://a", "*", "a b"])
def test_no_name_of_the_query_stands_for_a_file(name):
    """Names count for the whole query: one that could be read as a file elsewhere in it is refused everywhere."""
    inner = f'(WITH "{name}" AS (SELECT 1) SELECT 1)'
    assert answer(f"SELECT * FROM {inner}, '{name}'") == {"error": "name", "hint": name}
    assert answer("WITH 病人一 AS (SELECT id FROM visits) SELECT count(*) FROM 病人一")["rows"] == [["3"]]


@pytest.mark.parametrize("function", TELLING)
def test_nothing_is_told_of_what_is_around(function):
    assert answer(f"SELECT {function}")["error"] == "name"


def test_a_name_of_the_query_hides_none_of_the_database():
    inner = "(WITH pg_settings AS (SELECT 1) SELECT * FROM pg_settings)"
    assert answer(f"SELECT * FROM {inner} a, pg_settings b") == {"error": "name", "hint": "pg_settings"}


OPENED = """
import runpy, socket, sys
held = runpy.run_path(sys.argv[1])
connection = held["opened"](64)
held["shut_in"](64 * 2**20)
for name in ("/etc/hostname", "/tmp/enclave-rows"):
    for mode in ("r", "w"):
        try:
            open(name, mode)
            print("opened", name)
        except OSError as error:
            print(error.errno)
try:
    socket.socket()
    print("a socket")
except OSError as error:
    print(error.errno)
held["locked"](connection)
for one in sys.argv[2:]:
    try:
        connection.execute(one).fetchall()
        print("ran", one)
    except Exception as error:
        print(type(error).__name__)
sys.stdout.flush()
held["os"]._exit(0)
"""


def test_behind_the_check_the_database_and_the_process_are_shut_too():
    """What the check of the statement let through would reach nothing either."""
    tried = [
        "SELECT * FROM read_text('/etc/passwd')", "COPY (SELECT 1) TO '/tmp/enclave-rows'", "ATTACH '/tmp/enclave-rows' AS o",
        "INSTALL httpfs", "SET enable_external_access = true", "SET lock_configuration = false", "SET temp_directory = '/tmp'",
        "CREATE TABLE t AS SELECT 1",
    ]  # fmt: skip
    command = [sys.executable, "-I", "-c", OPENED, str(SANDBOX), *tried]
    said = subprocess.run(command, capture_output=True, check=True, env={}).stdout.decode().split("\n")
    too_many_open = "24"
    assert said[:5] == [too_many_open] * 5
    assert len(said[5:-1]) == len(tried)
    assert all(one.endswith("Exception") for one in said[5:-1]), said


def test_it_knows_nothing_of_the_portal():
    listed = subprocess.run(
        [sys.executable, "-X", "importtime", "-I", str(SANDBOX)],
        input=b"{}\n", capture_output=True, env={"DEID_MASTER_KEY": "k"}, check=False,
    ).stderr.decode()  # fmt: skip
    assert "duckdb" in listed
    assert "django" not in listed
    assert "projects" not in {line.rsplit("|", 1)[-1].strip().split(".")[0] for line in listed.splitlines()}


def test_time_is_limited():
    began = time.monotonic()
    assert answer("SELECT count(*) FROM range(100000000000)", seconds=0.5) == {"error": "time", "hint": ""}
    assert time.monotonic() - began < 5


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT string_agg(repeat('x', 100000), '') FROM range(100000)", "SELECT length(repeat('x', 2000000000))",
        "SELECT list(range) FROM range(100000000)", "SELECT count(*) FROM range(50000000) a JOIN range(50000000) b USING (range)",
        "SELECT * FROM range(100000000) ORDER BY hash(range)",
    ],
)  # fmt: skip
def test_memory_is_limited_and_nothing_is_put_on_a_disk(statement):
    assert answer(statement, seconds=60) == {"error": "memory", "hint": ""}


def test_tables_beyond_the_memory_are_refused():
    large = pa.table({"a": [f"{number:040d}" for number in range(400_000)]})
    assert answer("SELECT count(*) FROM t", tables={"t": large}, memory_mb=8)["error"] == "memory"


def test_rows_and_columns_are_limited():
    found = answer("SELECT * FROM range(1000000000)")
    assert (len(found["rows"]), found["more"]) == (5, True)
    exact = answer("SELECT * FROM range(5)")
    assert (len(exact["rows"]), exact["more"]) == (5, False)
    many = ", ".join(str(number) for number in range(21))
    assert answer(f"SELECT {many}")["error"] == "columns"


def test_names_of_columns_and_all_cells_together_have_an_end():
    longer = "SELECT 1 AS ab"
    for _doubled in range(20):
        longer = f"SELECT COLUMNS('(.*)') AS '\\1\\1' FROM ({longer})"
    assert answer(longer)["columns"] == ["ab" * 15]
    cells = ", ".join(["repeat('字', 30)"] * 12)
    found = answer(f"SELECT {cells} FROM range(4)")
    assert (len(found["rows"]), found["more"]) == (2, True)
    found = answer(f"SELECT {cells} FROM range(4)", characters=10)
    assert (len(found["rows"]), found["more"]) == (1, True)


@pytest.mark.parametrize(
    "moment", ["now()", "current_timestamp", "TIMESTAMPTZ '2026-01-02 03:04:05+08'", "[now()]"]
)
def test_moments_are_shown_and_no_path_of_the_server(moment):
    found = answer(f"SELECT {moment}")
    assert "202" in found["rows"][0][0], found


def test_what_python_cannot_hold_is_not_called_a_want_of_memory():
    assert answer("SELECT INTERVAL 100000000 years")["error"] == "sql"
    assert answer("SELECT CAST(INTERVAL 100000000 years AS VARCHAR)")["rows"] == [["100000000 years"]]
    assert answer(f"SELECT {'[' * 900}1{']' * 900}")["error"] == "sql"


def test_what_is_wrong_is_said_in_the_words_of_duckdb():
    assert 'syntax error at or near "selec"' in answer("selec 1")["hint"]
    assert '"nix" not found' in answer("SELECT nix FROM visits")["hint"]
    # A value: for who may see the rows, and for nobody else.
    found = answer('SELECT CAST("诊断" AS INTEGER) FROM "病人"')
    assert found["error"] == "sql"
    assert "肺炎" in found["hint"]


def test_names_with_quotes_are_names():
    odd = {'a"b; DROP TABLE x': pa.table({'c"d': ["1"]})}
    found = answer('SELECT "c""d" FROM "a""b; DROP TABLE x"', tables=odd)
    assert (found["columns"], found["rows"]) == (['c"d'], [["1"]])


def test_a_sandbox_that_is_cut_off_ends():
    ended = subprocess.run(
        [sys.executable, "-I", str(SANDBOX)], input=b"", capture_output=True, check=False, env={}
    )
    assert ended.returncode
    assert not os.path.exists("/tmp/rows.csv")
