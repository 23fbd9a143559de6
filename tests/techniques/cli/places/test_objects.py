"""Objects of stores, read and written by the commands: a real S3 server on loopback, and a store in memory."""

from __future__ import annotations

import gzip
import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from moto.server import ThreadedMotoServer

from techniques.cli import main as cli

RECIPE = "recipe: 1\nunlisted: keep\nsteps: [{technique: suppression.remove_column, columns: [name]}]\n"
PEOPLE = b"name,age\nx,1\ny,2\n"
SECRET = "s3cr3t-word"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a server that speaks S3."""
    running = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    yield f"http://{host}:{port}"
    running.stop()


@pytest.fixture
def store(server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The files of an empty bucket ``clinic``; the working folder has a recipe."""
    monkeypatch.chdir(tmp_path)
    Path("recipe.yaml").write_text(RECIPE)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "somebody")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_ENDPOINT_URL", server)
    files = fsspec.filesystem("s3", skip_instance_cache=True, use_listings_cache=False)
    if files.exists("clinic"):
        files.rm("clinic", recursive=True)
    files.mkdir("clinic")
    yield files
    fsspec.filesystem("s3").clear_instance_cache()


def _run(*arguments: str) -> int:
    return cli.main(["run", "recipe.yaml", *arguments, "--order", "kept"])


def test_from_an_object_to_an_object(store: Any, capsys: pytest.CaptureFixture[str]) -> None:
    packed = gzip.compress(PEOPLE)
    store.pipe_file("clinic/in/people.csv.gz", packed)
    target = "s3://clinic/out/year=2026/people.parquet"
    assert _run("s3://clinic/in/people.csv.gz", target, "--report", "r.json") == 0
    assert target in capsys.readouterr().out
    report = json.loads(Path("r.json").read_text())
    assert report["source_sha256"] == hashlib.sha256(packed).hexdigest()
    content = store.cat_file("clinic/out/year=2026/people.parquet")
    assert report["result_sha256"] == hashlib.sha256(content).hexdigest()
    assert pq.read_table(pa.BufferReader(content)).to_pydict() == {"age": ["1", "2"]}
    assert SECRET not in Path("r.json").read_text()


def test_folders_and_patterns_are_one_table(store: Any, capsys: pytest.CaptureFixture[str]) -> None:
    store.pipe_file("clinic/parts/year=2025/a.csv", PEOPLE)
    store.pipe_file("clinic/parts/year=2026/b.csv", PEOPLE)
    store.pipe_file("clinic/parts/year=2026/_SUCCESS", b"")
    store.pipe_file("clinic/parts/note.txt", b"no table")
    more = ["--accept-findings", "name"]
    for source, rows in (("s3://clinic/parts/*/*.csv", 4), ("s3://clinic/parts/year=2025", 2)):
        assert cli.main(["risk", source, "--qi", "year,age", "--subject", "rows", "--json", *more]) == 0
        assert json.loads(capsys.readouterr().out)["rows"] == rows


def test_a_run_that_fails_leaves_the_object_as_it_was(store: Any, capsys: pytest.CaptureFixture[str]) -> None:
    store.pipe_file("clinic/out.csv", b"before")
    Path("bad.csv").write_text("name,age\nx,1,2\n")
    assert _run("bad.csv", "s3://clinic/out.csv") == 2
    assert store.cat_file("clinic/out.csv") == b"before"
    store.pipe_file("clinic/in.csv", PEOPLE)
    assert _run("s3://clinic/in.csv", "s3://nowhere/out.csv", "--report", "r.json") == 2
    assert "s3://nowhere/out.csv" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["s3://clinic/nobody.csv", "o.csv"], "There is nothing at s3://clinic/nobody.csv"),
        (["s3://clinic/nobody/*.csv", "o.csv"], "There is nothing at s3://clinic/nobody/*.csv"),
        (["s3://clinic/in.csv", "s3://clinic/in.csv"], "would overwrite a file that is read"),
        (["s3://clinic/in.csv", "s3://clinic/"], "s3://clinic/ is a folder"),
        (["s3://clinic/in.csv", "s3://clinic/o.csv", "--output-format", "orc"], "stands for csv, but"),
        (["http://127.0.0.1:1/in.csv", "o.csv"], "http:// is no place for tables; object stores are s3://"),
        (["s3://clinic/x::file:///etc/hosts", "o.csv"], "s3:// is no place for tables"),
        (["s3://clinic/in.csv", "s3:///o.csv"], "is a folder: give the name of a file"),
    ],
)
def test_what_is_wrong_is_said(
    store: Any, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    store.pipe_file("clinic/in.csv", PEOPLE)
    assert _run(*arguments) == 2
    assert said in capsys.readouterr().err
    assert store.cat_file("clinic/in.csv") == PEOPLE


def test_a_store_that_cannot_be_reached_is_said_without_secrets(
    store: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    fsspec.filesystem("s3").clear_instance_cache()
    assert _run("s3://clinic/in.csv", "o.csv") == 2
    said = capsys.readouterr().err
    assert "the object store refused with EndpointConnectionError" in said
    assert SECRET not in said


def test_tables_of_a_recipe_over_several_are_called_as_their_objects(
    store: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = "steps: [{technique: suppression.mask, columns: [age], parameters: {keep_left: 1}}]"
    Path("set.yaml").write_text(
        f"tables:\n  seen: {{unlisted: keep, {steps}}}\n  more: {{unlisted: keep, {steps}}}\n"
    )
    store.pipe_file("clinic/a=1/seen.csv", PEOPLE)
    store.pipe_file("clinic/a=1/other.csv", PEOPLE)
    given = ["run", "set.yaml", "s3://clinic/a=1/seen.csv", "more=s3://clinic/a=1/other.csv"]
    assert cli.main([*given, "out"]) == 0
    assert sorted(path.name for path in Path("out").iterdir()) == ["more.csv", "seen.csv"]
    assert cli.main([*given, "s3://clinic/out"]) == 2
    assert "go into a folder of this machine" in capsys.readouterr().err
    assert not Path("s3:").exists()


def test_memory_and_file_addresses(store: Any, tmp_path: Path) -> None:
    memory = fsspec.filesystem("memory")
    memory.pipe_file("/clinic/in.jsonl", b'{"name":"x","age":1}\n')
    target = f"file://{tmp_path}/out.jsonl"
    assert _run("memory://clinic/in.jsonl", target) == 0
    assert Path("out.jsonl").read_text() == '{"age":1}\n'
    Path("in.jsonl").write_text('{"name":"x","age":2}\n')
    assert _run(f"file://{tmp_path}/in.jsonl", "memory://clinic/out.arrow") == 0
    with pa.ipc.open_file(memory.cat_file("/clinic/out.arrow")) as file:
        assert file.read_all().to_pydict() == {"age": [2]}
    memory.rm("/clinic", recursive=True)


def test_a_missing_driver_says_what_brings_it(
    store: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "s3fs", None)
    assert _run("s3://clinic/in.csv", "o.csv") == 2
    assert "pip install 'deid[s3]'" in capsys.readouterr().err
