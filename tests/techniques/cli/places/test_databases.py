"""Tables of databases, read and written by the commands: SQLite here, and what no database has to be there for."""

from __future__ import annotations

import json
import sqlite3
import sys
from pathlib import Path
from typing import Any

import pytest

from techniques.cli import main as cli
from techniques.core.messages import EngineError
from techniques.tables.sources.connecting import connected
from techniques.tables.sources.databases import Address, without_secrets

RECIPE = "recipe: 1\nunlisted: keep\nsteps: [{technique: suppression.remove_column, columns: [name]}]\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder with a recipe and a file of SQLite."""
    monkeypatch.chdir(tmp_path)
    Path("recipe.yaml").write_text(RECIPE)
    with sqlite3.connect("base.db") as base:
        base.execute(
            "CREATE TABLE visits (name TEXT, age INTEGER, weight REAL, here BOOLEAN, scan BLOB, mixed, seen DATE)"
        )
        rows = [
            (f"person {i}", 20 + i % 3, i / 4, i % 2, b"scan", [1, "x", None][i % 3], "2026-01-02")
            for i in range(50)
        ]
        base.executemany("INSERT INTO visits VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
        base.execute("CREATE VIEW seen AS SELECT age, here FROM visits")
    base.close()
    return tmp_path


def _run(*arguments: str) -> int:
    return cli.main(["run", "recipe.yaml", *arguments, "--order", "kept"])


def _rows(table: str, base: str = "base.db") -> list[tuple[Any, ...]]:
    with sqlite3.connect(base) as connection:
        found = connection.execute(f"SELECT * FROM {table}").fetchall()
    connection.close()
    return found


def test_from_a_table_to_a_table_of_the_same_types(folder: Path) -> None:
    assert _run("sqlite:///base.db?table=visits", "sqlite:///new.db?table=out", "--report", "r.json") == 0
    wanted = [(a, w, h, s, None if m is None else str(m), d) for _n, a, w, h, s, m, d in _rows("visits")]
    assert _rows("out", "new.db") == wanted
    assert [row[2] for row in _rows("pragma_table_info('out')", "new.db")] == [
        "INTEGER", "REAL", "BOOLEAN", "BLOB", "TEXT", "TEXT",
    ]  # fmt: skip
    assert "result_sha256" in json.loads(Path("r.json").read_text())


def test_any_verb_reads_a_table_or_a_view(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--qi", "age,here", "--subject", "rows", "--json"]
    for source in ("sqlite:///base.db?table=seen", f"sqlite:///{folder}/base.db?table=seen"):
        assert cli.main(["risk", source, *options]) == 0
        assert json.loads(capsys.readouterr().out)["k"] == 8


def test_modes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("in.jsonl").write_text('{"name": "x", "age": 1}\n{"name": "y", "age": 2}\n')
    target = "sqlite:///base.db?table=out"
    assert _run("in.jsonl", target) == 0
    capsys.readouterr()
    assert _run("in.jsonl", target) == 2
    assert "sqlite:///base.db?table=out exists already" in capsys.readouterr().err
    assert _run("in.jsonl", f"{target}&mode=append") == 0
    assert _rows("out") == [(1,), (2,), (1,), (2,)]
    assert _run("in.jsonl", f"{target}&mode=replace") == 0
    assert _rows("out") == [(1,), (2,)]


def test_a_run_that_fails_leaves_the_table_as_it_was(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("other.csv").write_text("name,age,secret\nx,1,tell-nobody\n")
    before = _rows("visits")
    assert _run("other.csv", "sqlite:///base.db?table=visits&mode=append") == 2
    said = capsys.readouterr().err
    assert "the database refused with" in said
    assert "tell-nobody" not in said
    assert _rows("visits") == before
    Path("bad.csv").write_text("name,age\nx,1,2\n")
    assert _run("bad.csv", "sqlite:///base.db?table=visits&mode=replace") == 2
    assert _rows("visits") == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["sqlite:///base.db?table=nobody", "o.csv"], "There is no sqlite:///base.db?table=nobody"),
        (["sqlite:///none.db?table=x", "o.csv"], "refused with SQLITE_CANTOPEN"),
        (["sqlite:///base.db", "o.csv"], "The address of a database is"),
        (["sqlite:///base.db?table=visits", "sqlite:///base.db?table=visits&mode=replace"], "would overwrite a table"),
        (["sqlite:///base.db?table=visits", "sqlite:///no/o.db?table=x"], "The folder of no/o.db does not exist"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert _run(*arguments) == 2
    assert said in capsys.readouterr().err
    assert not Path("none.db").exists()


SECRET = "postgresql://somebody:s3cr%40t@127.0.0.1:1/base?table=x&sslmode=disable"


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "recipe.yaml", SECRET, "out.csv"],
        ["run", "recipe.yaml", "recipe.yaml", SECRET],
        ["risk", SECRET, "--qi", "a"],
        ["risk", SECRET.replace("/base", "/"), "--qi", "a"],
        ["risk", "a.csv", SECRET, "--qi", "a"],
        ["risk", "postgresql://127.0.0.1:1/base?table=x&password=s3cr@t", "--qi", "a"],
        ["risk", "a.csv", "--qi", "a", "postgresql://127.0.0.1:1/base?password=s3cr@t&table=x"],
        ["run", "recipe.yaml", f"a={SECRET}", SECRET, "out"],
    ],
)
def test_no_message_has_a_password(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    try:
        code: Any = cli.main(arguments)
    except SystemExit as stopped:  # argparse's own way
        code = stopped.code
    assert code == 2
    said = capsys.readouterr()
    for secret in ("s3cr", "somebody"):
        assert secret not in said.out + said.err
    assert said.err


def test_an_address_shows_neither_user_nor_password() -> None:
    address = Address.parse(SECRET)
    assert "s3cr" not in f"{address} {address!r}"
    assert str(address) == "postgresql://127.0.0.1:1/base?table=x"
    assert without_secrets("x postgresql://a:b@h/d?table=t&password=c&x=1") == (
        "x postgresql://***@h/d?table=t&password=***&x=1"
    )


def test_a_missing_driver_says_which_extra_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(EngineError) as caught:
        connected(Address.parse(SECRET))
    assert "pip install 'deid[postgres]'" in str(caught.value)


def test_tables_of_a_recipe_over_several_are_called_as_in_the_database(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = "steps: [{technique: suppression.mask, columns: [age], parameters: {keep_left: 1}}]"
    Path("set.yaml").write_text(
        f"tables:\n  seen: {{unlisted: keep, {steps}}}\n  more: {{unlisted: keep, {steps}}}\n"
    )
    Path("in.jsonl").write_text('{"age": 21}\n{"age": 32}\n')
    options = ["run", "set.yaml", "sqlite:///base.db?table=seen"]
    assert cli.main([*options, "more=in.jsonl", "out"]) == 0
    assert sorted(path.name for path in Path("out").iterdir()) == ["more.parquet", "seen.parquet"]
    capsys.readouterr()
    assert cli.main([*options, SECRET.replace("table=x", "table=other"), "out"]) == 2
    assert cli.main([*options, "more=in.jsonl", SECRET, "out"]) == 2
    said = capsys.readouterr().err
    for secret in ("s3cr", "somebody"):
        assert secret not in said
