"""Objects of Google Cloud Storage, read and written by the commands: an emulator of it on loopback."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from gcp_storage_emulator.server import RequestHandler
from gcp_storage_emulator.storage import Storage

from techniques.cli import main as cli

RECIPE = "recipe: 1\nunlisted: keep\nsteps: [{technique: suppression.remove_column, columns: [name]}]\n"
PEOPLE = b"name,age\nx,1\ny,2\n"


class _Requests(RequestHandler):  # type: ignore[misc]
    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that has what it wanted may close its connection."""


@pytest.fixture
def server() -> Iterator[str]:
    """The address of a server that speaks as Google's does and holds nothing."""
    # The emulator's own server answers one connection at a time, and clients hold theirs.
    running = _Server(("127.0.0.1", 0), partial(_Requests, Storage(use_memory_fs=True)))
    threading.Thread(target=running.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{running.server_port}"
    running.shutdown()
    running.server_close()


@pytest.fixture
def store(server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The files of an empty bucket ``clinic``; the working folder has a recipe."""
    monkeypatch.chdir(tmp_path)
    Path("recipe.yaml").write_text(RECIPE)
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", server)
    # Read when the driver is imported: what it asks of buckets beyond objects goes to Google's own address.
    monkeypatch.setenv("GCSFS_EXPERIMENTAL_ZB_HNS_SUPPORT", "false")
    files = fsspec.filesystem("gs", token="anon", skip_instance_cache=True, use_listings_cache=False)
    files.mkdir("clinic")
    yield files
    fsspec.get_filesystem_class("gs").clear_instance_cache()


def _run(*arguments: str) -> int:
    return cli.main(["run", "recipe.yaml", *arguments, "--order", "kept"])


def test_from_an_object_to_an_object(store: Any, capsys: pytest.CaptureFixture[str]) -> None:
    store.pipe_file("clinic/in/people.csv", PEOPLE)
    target = "gs://clinic/out/year=2026/people.parquet"
    assert _run("gs://clinic/in/people.csv", target, "--report", "r.json") == 0
    assert target in capsys.readouterr().out
    report = json.loads(Path("r.json").read_text())
    assert report["source_sha256"] == hashlib.sha256(PEOPLE).hexdigest()
    content = store.cat_file("clinic/out/year=2026/people.parquet")
    assert report["result_sha256"] == hashlib.sha256(content).hexdigest()
    assert pq.read_table(pa.BufferReader(content)).to_pydict() == {"age": ["1", "2"]}
    assert _run(target.replace("people", "*"), "gs://clinic/out/again.csv") == 2
    assert "no column called name" in capsys.readouterr().err


def test_folders_and_patterns_of_parquet_are_one_table(
    store: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table({"name": ["x", "y"], "age": [1, 2]}), sink)
    for year in (2025, 2026):
        store.pipe_file(f"clinic/parts/year={year}/a.parquet", sink.getvalue().to_pybytes())
    store.pipe_file("clinic/parts/year=2026/_SUCCESS", b"")
    store.pipe_file("clinic/parts/note.txt", b"no table")
    for source, rows in (("gs://clinic/parts/*/*.parquet", 4), ("gs://clinic/parts/year=2025", 2)):
        assert _run(source, "gs://clinic/out.parquet") == 0
        found = pq.read_table(pa.BufferReader(store.cat_file("clinic/out.parquet")))
        assert (found.schema.names, found.num_rows) == (["age", "year"], rows)
        assert found.schema.types == [pa.int64(), pa.int64()]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["gs://clinic/nobody.csv", "o.csv"], "There is nothing at gs://clinic/nobody.csv"),
        (["gs://clinic/nobody/*.csv", "o.csv"], "There is nothing at gs://clinic/nobody/*.csv"),
        (["gs://clinic/in.csv", "gs://clinic/in.csv"], "would overwrite a file that is read"),
        (["gs://clinic/in.csv", "gs://nowhere/out.csv"], "gs://nowhere/out.csv"),
        (["bad.csv", "gs://clinic/in.csv"], "Line 2"),
    ],
)
def test_what_is_wrong_is_said_and_changes_nothing(
    store: Any, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    store.pipe_file("clinic/in.csv", PEOPLE)
    Path("bad.csv").write_text("name,age\nx,1,2\n")
    assert _run(*arguments) == 2
    assert said in capsys.readouterr().err
    assert store.cat_file("clinic/in.csv") == PEOPLE
