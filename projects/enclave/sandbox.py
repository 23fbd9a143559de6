"""Runs one SELECT over tables that come through a pipe, in a process of its own; started by its path, so that it knows nothing of the portal.

Whoever writes SQL for DuckDB writes a program that runs with the rights of the process. So this one has none: an empty environment,
no key and no database, no file and no socket that it could open, no byte that it could write to a disk, a limit of memory; the
configuration of DuckDB is locked besides, and only released tables and functions that compute are accepted.

In: a line of JSON (``statement``, ``tables``: name → columns, ``memory_mb``, ``seconds``, ``rows``, ``columns``, ``cell``,
``characters``), then the rows of each table as an Arrow stream. Out: JSON, what was found or ``error`` with DuckDB's words as ``hint``.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, BinaryIO

import duckdb
import pyarrow as pa

TABLE_FUNCTIONS = {"unnest", "range", "generate_series"}
"""Functions that may stand for a table; all others read files or tell of DuckDB itself."""
SPEAKING = {
    "current_setting", "getvariable", "getenv", "current_schema", "current_schemas", "current_catalog", "current_database",
    "in_search_path", "current_query", "current_query_id", "current_connection_id", "current_transaction_id", "txid_current",
    "current_user", "current_role", "session_user", "user", "version", "query", "query_table", "write_log", "nextval", "currval",
    "setval", "setseed", "sleep_ms", "stats", "vector_type", "json_execute_serialized_sql", "json_serialize_plan",
    "col_description", "obj_description", "shobj_description", "get_block_size",
}  # fmt: skip
"""Functions that tell of DuckDB and its surroundings, or do more than compute."""
SPEAKING_NAMES = {
    "current_user", "current_role", "session_user", "user", "current_catalog", "current_schema", "current_database",
}  # fmt: skip
"""What DuckDB tells of itself where no column has the name."""
SPEAKING_KINDS = ("pg_", "has_", "inet_", "duckdb_", "pragma_", "__internal")
NODES = {"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"}
SOURCES = {
    "BASE_TABLE",
    "SUBQUERY",
    "JOIN",
    "EMPTY",
    "EXPRESSION_LIST",
    "PIVOT",
    "TABLE_FUNCTION",
    "COLUMN_DATA",
}
HEADROOM = 256 * 2**20
"""What Python and Arrow take beside DuckDB."""


class Refused(Exception):
    """``code``: what is wrong; ``hint``: which word of the query, or what DuckDB says of it."""

    def __init__(self, code: str, hint: str = "") -> None:
        super().__init__(code)
        self.code, self.hint = code, hint


def opened(memory_mb: int) -> duckdb.DuckDBPyConnection:
    config: dict[str, Any] = {
        "threads": 1,
        "memory_limit": f"{memory_mb}MiB",
        "temp_directory": "",
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "allow_community_extensions": False,
        "allow_persistent_secrets": False,
        "python_enable_replacements": False,
    }
    connection = duckdb.connect(":memory:", config=config)
    # A moment is read by modules and a time zone that lie in files, which cannot be opened later.
    connection.execute("SELECT now()").fetchall()
    return connection


def locked(connection: duckdb.DuckDBPyConnection) -> None:
    """From here on it reads what is in it, and nothing can be set, loaded, written or reached."""
    for setting in (
        "max_temp_directory_size = '0KiB'",
        "enable_external_access = false",
        "disabled_filesystems = 'LocalFileSystem'",
        "lock_configuration = true",
    ):
        connection.execute(f"SET {setting}")
    connection.execute("BEGIN TRANSACTION READ ONLY")


def shut_in(memory: int) -> None:
    """No file and no socket is opened from here on, nothing is written to a disk, and memory has an end."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    with open("/proc/self/status", encoding="ascii") as status:
        held = next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmData:"))
    resource.setrlimit(resource.RLIMIT_DATA, (held + memory + HEADROOM,) * 2)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def filled(connection: duckdb.DuckDBPyConnection, name: str, columns: list[str], stream: BinaryIO) -> None:
    """The rows of one table, as they arrive. Every cell is text, an empty one NULL."""
    listed = ", ".join(f"{quoted(column)} VARCHAR" for column in columns)
    connection.execute(f"CREATE TABLE {quoted(name)} ({listed})")
    with pa.ipc.open_stream(stream) as reader:
        for batch in reader:
            connection.register("arriving rows", batch)
            connection.execute(f'INSERT INTO {quoted(name)} SELECT * FROM "arriving rows"')  # noqa: S608
            connection.unregister("arriving rows")


def parts(tree: Any) -> Iterator[dict[str, Any]]:
    """Every node of a parsed query."""
    if isinstance(tree, dict):
        yield tree
    for one in tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ():
        yield from parts(one)


def checked(
    connection: duckdb.DuckDBPyConnection, statement: str, tables: Mapping[str, Sequence[str]]
) -> list[str]:
    """Which of ``tables`` are read by ``statement``, which is one SELECT that reads nothing else and computes only."""
    found = connection.extract_statements(statement)
    if len(found) != 1 or found[0].type != duckdb.StatementType.SELECT:
        raise Refused("statement")
    written = connection.execute("SELECT json_serialize_sql(?)", [found[0].query]).fetchone()
    tree: dict[str, Any] = json.loads(written[0]) if written else {"error": True}
    if tree.get("error") or len(tree["statements"]) != 1:
        raise Refused("statement")
    views = "SELECT view_name FROM duckdb_views() WHERE internal AND schema_name <> 'information_schema'"
    own = {row[0] for row in connection.execute(views).fetchall()}
    known = {name.casefold(): name for name in tables}
    named = set()
    for part in parts(tree):
        for entry in (part.get("cte_map") or {}).get("map", ()):
            # Where a name is the query's own and DuckDB's, or a file's, only its scope would say which is meant.
            if entry["key"].casefold() in own or not entry["key"].isidentifier():
                raise Refused("name", entry["key"])
            named.add(entry["key"].casefold())
    columns = {column.casefold() for one in tables.values() for column in one}
    read = set()
    for part in parts(tree):
        word = part["column_names"][0].casefold() if len(part.get("column_names") or ()) == 1 else ""
        if word in SPEAKING_NAMES - columns:
            raise Refused("name", word)
        kind, function = part.get("type"), str(part.get("function_name") or "").casefold()
        is_source = isinstance(kind, str) and "alias" in part and "class" not in part
        if (is_source and kind not in SOURCES) or (str(kind).endswith("_NODE") and kind not in NODES):
            raise Refused("statement")
        if function in SPEAKING or function.startswith(SPEAKING_KINDS):
            raise Refused("name", function)
        if kind == "TABLE_FUNCTION" and part["function"]["function_name"].casefold() not in TABLE_FUNCTIONS:
            raise Refused("name", part["function"]["function_name"])
        if kind == "BASE_TABLE":
            name = part["table_name"].casefold()
            if part.get("schema_name") or part.get("catalog_name") or name not in named | set(known):
                raise Refused("name", part["table_name"])
            read |= {known[name]} if name in known else set()
    return sorted(read)


def text_of(cell: Any, most: int) -> str | None:
    if cell is None or isinstance(cell, str):
        return cell if cell is None else cell[:most]
    if isinstance(cell, bool):
        return str(cell).lower()
    return (cell.hex() if isinstance(cell, bytes) else str(cell))[:most]


def answered(connection: duckdb.DuckDBPyConnection, task: dict[str, Any]) -> dict[str, Any]:
    read = checked(connection, task["statement"], task["tables"])
    clock = threading.Timer(task["seconds"], connection.interrupt)
    clock.daemon = True
    clock.start()
    try:
        found = connection.execute(task["statement"])
        # The name of a column may be made as long as a cell.
        heads = [column[0][: task["cell"]] for column in found.description or ()]
        if len(heads) > task["columns"]:
            raise Refused("columns")
        rows = found.fetchmany(task["rows"] + 1)
    finally:
        clock.cancel()
    cells: list[list[str | None]] = []
    held = 0
    for row in rows[: task["rows"]]:
        texts = [text_of(cell, task["cell"]) for cell in row]
        held += sum(len(text or "") for text in texts)
        # As many as a page can carry; the first row is always one of them.
        if cells and held > task["characters"]:
            break
        cells.append(texts)
    return {"tables": read, "columns": heads, "rows": cells, "more": len(rows) > len(cells)}


def outcome(task: dict[str, Any], stream: BinaryIO) -> dict[str, Any]:
    try:
        connection = opened(task["memory_mb"])
        shut_in(task["memory_mb"] * 2**20)
        for name, columns in task["tables"].items():
            filled(connection, name, columns, stream)
        locked(connection)
        return answered(connection, task)
    except Refused as refused:
        return {"error": refused.code, "hint": refused.hint}
    except (MemoryError, duckdb.OutOfMemoryException):
        return {"error": "memory", "hint": ""}
    except duckdb.InterruptException:
        return {"error": "time", "hint": ""}
    except duckdb.Error as error:
        return {"error": "sql", "hint": str(error)[:2000]}
    except RecursionError:
        return {"error": "sql", "hint": "Nested too deeply."}
    except (OverflowError, ValueError):
        # Python has no number or date for what DuckDB found.
        return {"error": "sql", "hint": "A value cannot be shown as it is. CAST it AS VARCHAR."}


def main() -> None:
    source = sys.stdin.buffer
    task = json.loads(source.readline())
    sys.stdout.buffer.write(json.dumps(outcome(task, source)).encode())
    sys.stdout.buffer.flush()
    # Threads that end need a library that cannot be opened any more.
    os._exit(0)


if __name__ == "__main__":
    main()
