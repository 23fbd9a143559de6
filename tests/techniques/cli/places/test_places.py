"""Tables beside files: pipes, packed files, further forms, folders of parts; the commands as they are used."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import orc

from techniques.cli import main as cli

RECIPE = """
recipe: 1
unlisted: keep
steps: [{technique: suppression.remove_column, columns: [name]}]
"""
POLICY = "policy: 1\nquasi_identifiers: [age, town]\nsubject: rows\nrisk: {k: 5}\n"
ROWS = [("name", "age", "town"), *((f"person {i}", str(20 + i % 2), f"t{i % 3}") for i in range(60))]
TEXT = "".join(",".join(row) + "\n" for row in ROWS)
TYPED = pa.table(
    {
        "name": [f"person {i}" for i in range(60)],
        "age": pa.array([20 + i % 2 for i in range(60)], pa.int64()),
        "weight": pa.array([None if i == 7 else i / 4 for i in range(60)], pa.float64()),
        "here": [i % 3 == 0 for i in range(60)],
        "note": [None if i == 3 else "" if i == 4 else f"n{i % 2}" for i in range(60)],
    }
)
DEID = [sys.executable, "-m", "techniques.cli.main"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with recipe, policy and table; the places for what lies between are in it as well."""
    (tmp_path / "recipe.yaml").write_text(RECIPE)
    (tmp_path / "policy.yaml").write_text(POLICY)
    (tmp_path / "a.csv").write_text(TEXT)
    (tmp_path / "between").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path / "between"))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


def _run(*arguments: str) -> None:
    assert cli.main(["run", "recipe.yaml", *arguments, "--order", "kept"]) == 0
    assert not list(Path("between").iterdir())


def _refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert cli.main(list(arguments)) == 2
    assert not list(Path("between").iterdir())
    said = capsys.readouterr()
    assert not said.out
    return said.err


def _typed(table: pa.Table, name: str) -> None:
    form = name.split(".")[1]
    path = Path(name)
    if form == "jsonl":
        text = "".join(json.dumps(row) + "\n" for row in table.to_pylist())
        path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    elif form == "orc":
        orc.write_table(table, path)
    elif form == "parquet":
        pq.write_table(table, path)
    else:
        with path.open("wb") as stream:
            new = pa.ipc.new_file if form == "arrow" else pa.ipc.new_stream
            with new(stream, table.schema) as writer:
                writer.write_table(table)


def _read(name: str) -> list[dict[str, Any]]:
    content = Path(name).read_bytes()
    content = gzip.decompress(content) if name.endswith(".gz") else content
    form = name.split(".")[1]
    if form == "jsonl":
        return [json.loads(line) for line in content.decode().splitlines()]
    if form == "orc":
        return orc.ORCFile(io.BytesIO(content)).read().to_pylist()
    if form == "parquet":
        return pq.read_table(io.BytesIO(content)).to_pylist()
    return (pa.ipc.open_file if form == "arrow" else pa.ipc.open_stream)(content).read_all().to_pylist()


def _shell(line: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
    command = f'deid() {{ {" ".join(DEID)} "$@"; }}; set -o pipefail; {line}'
    variables = os.environ | {"PYTHONPATH": str(Path(__file__).parents[4])}
    return subprocess.run(
        ["bash", "-c", command], capture_output=True, cwd=folder, env=variables, check=False
    )


def test_a_pipe_of_real_processes(folder: Path) -> None:
    done = _shell("cat a.csv | deid run recipe.yaml - - | deid check - --policy policy.yaml", folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout.decode().splitlines()[-1] == "all 2 bounds kept"
    assert b"60 rows in, 60 rows out: -" in done.stderr
    broken = _shell(
        "head -c 500 a.csv.gz | deid run recipe.yaml - - | deid check - --policy policy.yaml", folder
    )
    assert broken.returncode == 2
    assert not broken.stdout
    assert not list((folder / "between").iterdir())


def test_packed_forms_through_pipes_of_real_processes(folder: Path) -> None:
    line = (
        "gzip -c a.csv | deid run recipe.yaml - - --order kept --output-format arrows"
        " | deid run further.yaml - - --order kept --output-format jsonl"
    )
    (folder / "further.yaml").write_text(RECIPE.replace("[name]", "[age]"))
    done = _shell(line, folder)
    assert done.returncode == 0, done.stderr
    rows = [json.loads(row) for row in done.stdout.decode().splitlines()]
    assert rows == [{"town": town} for _name, _age, town in ROWS[1:]]


@pytest.mark.parametrize(
    "source", ["in.jsonl", "in.jsonl.gz", "in.arrow", "in.arrows", "in.orc", "in.parquet"]
)
@pytest.mark.parametrize(
    "result", ["out.jsonl", "out.jsonl.gz", "out.arrow", "out.arrows", "out.orc", "out.parquet"]
)
def test_from_any_form_with_types_to_any_other(folder: Path, source: str, result: str) -> None:
    _typed(TYPED, source)
    _run(source, result, "--report", "report.json")
    assert _read(result) == TYPED.drop_columns(["name"]).to_pylist()
    report = json.loads(Path("report.json").read_text())
    for name, path in (("source", source), ("result", result)):
        assert report[f"{name}_sha256"] == hashlib.sha256(Path(path).read_bytes()).hexdigest()


def test_from_types_to_text_and_back(folder: Path) -> None:
    _typed(TYPED, "in.jsonl")
    _run("in.jsonl", "out.csv.gz")
    rows = list(csv.reader(io.StringIO(gzip.decompress(Path("out.csv.gz").read_bytes()).decode())))
    assert rows[0] == ["age", "weight", "here", "note"]
    assert rows[1] == ["20", "0", "true", "n0"]
    assert rows[8] == ["21", "", "false", "n1"]


@pytest.mark.parametrize("name", ["out.csv.gz", "out.csv.zst", "out.jsonl.gz", "out.arrow"])
def test_nothing_is_there_where_the_run_fails(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    Path(name).write_bytes(b"old")
    Path("bad.csv").write_text(TEXT + "one,field,too,many\n")
    assert "Line 62" in _refused(capsys, "run", "recipe.yaml", "bad.csv", name)
    assert Path(name).read_bytes() == b"old"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["run", "recipe.yaml", "a.csv", "no/out.csv.gz"], "The folder of no/out.csv.gz does not exist"),
        (["run", "recipe.yaml", "a.csv.gz", "a.csv.gz"], "would overwrite a file that is read"),
        (["run", "recipe.yaml", "parts", "parts/one.csv"], "would overwrite a file that is read"),
        (["run", "recipe.yaml", "cut.csv.gz", "out.csv"], "ends before its end"),
        (["utility", "-", "-"], "Only one table can come from the standard input"),
        (["risk", "a.csv", "--qi", "age", "--format", "orc"], "The content of a.csv is CSV, not ORC"),
        (["run", "recipe.yaml", "a.csv", "o.csv", "--output-format", "orc"], "o.csv stands for csv"),
        (["run", "recipe.yaml", "none-*.csv", "o.csv"], "There is no table file under none-*.csv"),
    ],
)
def test_what_is_wrong_is_said(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    said: str,
) -> None:
    packed = gzip.compress(TEXT.encode())
    Path("a.csv.gz").write_bytes(packed)
    Path("cut.csv.gz").write_bytes(packed[:-9])
    Path("parts").mkdir()
    Path("parts/one.csv").write_text(TEXT)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    assert said in _refused(capsys, *arguments)
    assert Path("a.csv.gz").read_bytes() == packed


def test_a_text_that_begins_like_json_is_csv_where_that_is_said(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("odd.txt").write_text('{"a"},age\n' + "x,20\ny,21\n" * 9)
    options = ["risk", "odd.txt", "--qi", "age", "--subject", "rows", "--json"]
    assert "not one whole JSON object" in _refused(capsys, *options)
    assert cli.main([*options, "--format", "csv"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == 18


def test_options_of_reading_hold_for_what_comes_through_a_pipe(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "2019;2020\n" + "1;甲\n2;乙\n" * 9
    arguments = [
        "risk",
        "-",
        "--qi",
        "column_2",
        "--subject",
        "rows",
        "--json",
        "--accept-findings",
        "column_1",
    ]
    for given, code in ((["--header", "no"], 0), ([], 2)):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode("gb18030"))))
        assert cli.main([*arguments, *given]) == code
    said = capsys.readouterr()
    assert json.loads(said.out)["rows"] == 19
    assert "The first row of stdin looks like data" in said.err


def test_anonymize_reads_and_writes_pipes_and_other_forms(
    folder: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ["--k", "5", "--qi", "age,town", "--subject", "rows", "--drop-unlisted"]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    assert cli.main(["anonymize", "-", "-", *options]) == 0
    sys.stdout.flush()
    said = capfdbinary.readouterr()
    rows = list(csv.reader(io.StringIO(said.out.decode())))
    assert rows[0] == ["age", "town"]
    assert len(rows) == 61
    assert b"60 rows, 0 suppressed" in said.err
    assert cli.main(["anonymize", "a.csv", "out.parquet", *options]) == 0
    assert pq.read_table("out.parquet").num_rows == 60


def test_parts_of_folders_are_one_table_with_what_the_folders_say(folder: Path) -> None:
    for year in (2023, 2024):
        for town in ("北京", "__HIVE_DEFAULT_PARTITION__"):
            part = Path(f"data/year={year}/town={town}")
            part.mkdir(parents=True)
            # Columns in another order are the same columns.
            pq.write_table(
                pa.table({"age": [year], "name": ["x"]}).select(["name", "age"][:: year * 2 - 4047]),
                part / "p.parquet",
            )
    Path("data/_SUCCESS").write_text("")
    _run("data", "out.parquet")
    found = pq.read_table("out.parquet")
    assert found.to_pylist() == [
        {"age": year, "year": year, "town": town} for year in (2023, 2024) for town in (None, "北京")
    ]
    _run("data/year=2024/*/*.parquet", "out.parquet")
    assert pq.read_table("out.parquet").column("year").to_pylist() == [2024, 2024]


def test_parts_of_text_are_read_each_as_it_is_written(folder: Path) -> None:
    Path("parts").mkdir()
    Path("parts/1.csv").write_text("name;age;town\nx;20;=1\n")
    Path("parts/2.csv.gz").write_bytes(gzip.compress("age,name,town\n21,y,\n".encode("utf-16")))
    _run("parts/*", "out.csv", "--plain")
    assert Path("out.csv").read_text() == '"age","town"\n"20","=1"\n"21",\n'


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"a.parquet": {"age": [1]}, "b.parquet": {"age": ["secret"]}}, "The part b.parquet has column “age” as string"),
        ({"a.parquet": {"age": [1]}, "b.parquet": {"aged": [1]}}, "The part b.parquet has other columns"),
        ({"a.parquet": {"age": [1]}, "b.orc": {"age": [1]}}, "The part b.orc is of the form ORC"),
        ({"k=1/a.parquet": {"age": [1]}, "b.parquet": {"age": [1]}}, "The folders of the part k=1/a.parquet name other"),
        ({"age=1/a.parquet": {"age": [1]}}, "“age” is a partition column"),
    ],
)  # fmt: skip
def test_a_part_that_differs_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str], parts: dict[str, dict[str, list[Any]]], said: str
) -> None:
    for name, columns in parts.items():
        path = Path("data") / name
        path.parent.mkdir(parents=True, exist_ok=True)
        (orc.write_table if name.endswith(".orc") else pq.write_table)(pa.table(columns), path)
    found = _refused(capsys, "risk", "data", "--qi", "age")
    assert said in found
    assert "secret" not in found


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_who_ends_it_finds_nothing_left(folder: Path, how: signal.Signals) -> None:
    """The table is half read from a pipe that stays open."""
    variables = os.environ | {"PYTHONPATH": str(Path(__file__).parents[4])}
    done = subprocess.Popen(
        [*DEID, "run", "recipe.yaml", "-", "out.csv.gz"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder, env=variables,
        # Of tests that run in the background the shell has it ignore the keyboard.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    assert done.stdin is not None
    done.stdin.write(TEXT.encode())
    done.stdin.flush()
    end = time.monotonic() + 60
    while not any(path.is_file() for path in (folder / "between").rglob("*")):
        assert time.monotonic() < end, "it never began to read"
        time.sleep(0.05)
    done.send_signal(how)
    done.communicate(timeout=60)
    assert done.returncode == {signal.SIGTERM: 143, signal.SIGINT: 130}[how]
    assert not list((folder / "between").iterdir())
    assert not (folder / "out.csv.gz").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "recipe.yaml", "a.csv", "out.csv"],
        ["anonymize", "a.csv", "out.csv", "--k", "5", "--qi", "age,town", "--subject", "rows", "--drop-unlisted"],
        ["tabulate", "a.csv", "out.csv", "--by", "town", "--subject", "rows", "--minimum", "3"],
        ["risk", "a.csv", "--qi", "age", "--subject", "rows", "--accept-findings", "name"],
        ["profile", "a.csv"],
    ],
)  # fmt: skip
def test_each_verb_says_nothing_or_one_json(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    assert cli.main([*arguments, "--quiet"]) == 0
    assert not capsys.readouterr().out
    for more in ([], ["--quiet"]):
        assert cli.main([*arguments, "--json", *more]) == 0
        assert isinstance(json.loads(capsys.readouterr().out), dict)
