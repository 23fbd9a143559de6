"""The encrypted store gives back what went in, or nothing."""

from __future__ import annotations

import gc
import io
import os
import random
import shutil
import time

import pytest
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connection
from django.db.backends.sqlite3.base import DatabaseWrapper
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from projects.datasets.models import StoredFile
from projects.datasets.selectors import dataset_open
from projects.datasets.store import chunks, sealed, sweeping
from projects.datasets.store.sealed import CHUNK, HEADER, TAG, StoreWriter
from projects.datasets.store.store import (
    EncryptedWorkspace,
    store_destroy,
    store_open,
    store_remove,
    store_write,
)
from projects.datasets.store.sweeping import store_sweep
from projects.jobs.enums import JobStatus
from projects.jobs.models import Job
from projects.jobs.selectors import latest_job
from projects.jobs.services import job_run
from projects.vault import sqlite_log
from projects.vault.keys import key_unwrap, key_wrap
from techniques.core.messages import EngineError

pytestmark = pytest.mark.django_db
SMALL = hypothesis_settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
def small_chunks(monkeypatch):
    monkeypatch.setattr(sealed, "CHUNK", 64)
    monkeypatch.setattr(chunks, "CHUNK", 64)


def put(content: bytes, purpose: str = "dataset") -> StoredFile:
    with store_write(purpose) as writer:
        writer.write(content)
    return writer.stored


def write_and_fail(opened):
    with opened as stream:
        stream.write(b"two, but")
        raise RuntimeError


@SMALL
@given(data=st.data(), size=st.integers(0, 400))
def test_round_trip_with_any_writes_and_seeks(small_chunks, data, size):
    content = random.Random(size).randbytes(size)
    with store_write("dataset") as writer:
        position = 0
        while position < size:
            step = data.draw(st.integers(1, 150))
            writer.write(content[position : position + step])
            position += step
    stored = writer.stored
    assert stored.size == size
    plain = io.BytesIO(content)
    with store_open(stored) as stream:
        for _ in range(8):
            offset, length = data.draw(st.integers(0, size + 10)), data.draw(st.integers(-1, 200))
            assert stream.seek(offset) == plain.seek(offset)
            assert stream.read(length) == plain.read(length)
            assert stream.tell() == plain.tell()
        assert stream.seek(0, os.SEEK_END) == size


@SMALL
@given(size=st.integers(0, 300), where=st.floats(0, 0.999), flip=st.integers(1, 255))
def test_a_flipped_byte_is_found(small_chunks, size, where, flip):
    stored = put(os.urandom(size))
    raw = bytearray(stored.path.read_bytes())
    raw[int(where * len(raw))] ^= flip
    stored.path.write_bytes(raw)
    with pytest.raises(EngineError) as error, store_open(stored) as stream:
        stream.read()
    assert error.value.code == "store.damaged"


@SMALL
@given(size=st.integers(1, 300), cut=st.integers(1, 400))
def test_a_cut_file_is_found(small_chunks, size, cut):
    stored = put(os.urandom(size))
    raw = stored.path.read_bytes()
    stored.path.write_bytes(raw[: max(0, len(raw) - cut)])
    with pytest.raises(EngineError), store_open(stored) as stream:
        stream.read()


def test_a_cut_at_a_chunk_is_found_even_when_the_row_says_so(small_chunks):
    stored = put(os.urandom(200))
    with stored.path.open("r+b") as file:
        file.truncate(HEADER + 2 * (64 + TAG))
    context = stored.context
    stored.size = 128
    stored.wrapped_key = sealed.key_wrap(sealed.key_unwrap(stored.wrapped_key, context), stored.context)
    with pytest.raises(EngineError), store_open(stored) as stream:
        stream.read()


def test_swapped_chunks_and_swapped_files_are_found(small_chunks):
    one, two = put(os.urandom(256)), put(os.urandom(256))
    raw = one.path.read_bytes()
    step = 64 + TAG
    head, chunks = raw[:HEADER], [raw[HEADER + i * step : HEADER + (i + 1) * step] for i in range(4)]
    one.path.write_bytes(head + chunks[1] + chunks[0] + chunks[2] + chunks[3])
    with pytest.raises(EngineError), store_open(one) as stream:
        stream.read()
    shutil.copy(two.path, one.path)
    with pytest.raises(EngineError), store_open(one) as stream:
        stream.read()
    two.wrapped_key = one.wrapped_key
    with pytest.raises(EngineError):
        store_open(two)


def test_no_plaintext_on_disk_and_nobody_else_may_read(store):
    stored = put("张三的身份证号".encode() * 100)
    assert "张三".encode() not in stored.path.read_bytes()
    assert stored.path.stat().st_mode & 0o077 == 0
    assert stored.path.stat().st_size == HEADER + stored.size + TAG


def test_another_master_key_does_not_open(settings):
    stored = put(b"content")
    settings.DEID_MASTER_KEY = "MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI="
    with pytest.raises(EngineError) as error:
        store_open(stored)
    assert error.value.code == "vault.unwrap"


def test_an_exception_leaves_nothing(store):
    with pytest.raises(RuntimeError):
        write_and_fail(store_write("dataset"))
    assert not StoredFile.objects.exists()
    assert [p for p in store.rglob("*") if p.is_file()] == []


def test_garbage_collection_never_commits(store):
    writer = StoreWriter("dataset")
    writer.write(b"half")
    del writer
    gc.collect()
    assert not StoredFile.objects.exists()
    assert [p for p in store.rglob("*") if p.is_file()] == []


def test_half_written_files_are_swept_unless_their_writer_lives(store):
    living = StoreWriter("dataset")
    living.write(b"x" * 10)
    orphan = store / "parts" / "0123.part"
    orphan.write_bytes(b"left by a killed process")
    old = time.time() - 60
    for path in (orphan, living._part):
        os.utime(path, (old, old))
    assert store_sweep() == 1
    assert not orphan.exists()
    assert living.commit().size == 10


def test_what_a_worker_wrote_for_a_job_that_had_ended_is_swept(upload, store, monkeypatch):
    """It was paused for longer than its lease, another one brought the job to its end, and it wrote on when it woke."""
    monkeypatch.setattr(sweeping, "UNFINISHED_SECONDS", -5)
    early, late = EncryptedWorkspace("run:early"), EncryptedWorkspace("run:late")
    early.write_json("part", [1])
    dataset = upload(detect=False)
    # What else waits here, documents, has not been asked for.
    Job.objects.exclude(kind="datasets.detect").update(status=JobStatus.CANCELLED, finished_at=timezone.now())
    late.write_json("part", [2])
    store_sweep()
    assert not early.exists("part")
    assert late.read_json("part") == [2], "it may belong to the job that is open"
    job_run(latest_job(dataset.project, "datasets.detect", dataset.pk).pk)
    store_sweep()
    assert not late.exists("part")
    assert dataset_open(dataset).read()
    assert StoredFile.objects.filter(pk=dataset.stored_id, destroyed_at=None).exists()


def test_ciphertext_without_a_row_is_swept_after_a_while(store):
    kept, lost = put(b"kept"), put(b"lost")
    StoredFile.objects.filter(pk=lost.pk).delete()
    assert store_sweep() == 0, "its row may be about to be written"
    old = time.time() - 86400
    for stored in (kept, lost):
        os.utime(stored.path, (old, old))
    assert store_sweep() == 1
    assert kept.path.exists()
    assert not lost.path.exists()


def test_destroyed_content_is_gone(django_capture_on_commit_callbacks):
    stored = put(b"content")
    with django_capture_on_commit_callbacks(execute=True):
        store_destroy(stored)
    stored.refresh_from_db()
    assert bytes(stored.wrapped_key) == b""
    assert not stored.path.exists()
    with pytest.raises(EngineError):
        store_open(stored)


def test_workspace_files_are_whole_and_replaced_at_once(django_capture_on_commit_callbacks):
    space = EncryptedWorkspace("run:1")
    assert not space.exists("part")
    with pytest.raises(FileNotFoundError):
        space.open_read("part")
    with django_capture_on_commit_callbacks(execute=True):
        with space.open_write("part") as stream:
            stream.write(b"one")
        first = space.stored("part").path
        with pytest.raises(RuntimeError):
            write_and_fail(space.open_write("part"))
        assert space.open_read("part").read() == b"one"
        with space.open_write("part") as stream:
            stream.write(b"three")
            stream.close()
    assert space.open_read("part").read() == b"three"
    assert not first.exists()
    assert not EncryptedWorkspace("run:2").exists("part")
    adopted = space.adopt("part")
    assert not space.exists("part")
    space.clear()
    assert store_open(adopted).read() == b"three"
    with django_capture_on_commit_callbacks(execute=True):
        store_remove(adopted)
    assert not adopted.path.exists()


def test_a_workspace_is_cleared_by_so_many_statements_however_many_files_it_holds(
    django_capture_on_commit_callbacks,
):
    asked, paths = [], []
    for files in (2, 40):
        space = EncryptedWorkspace(f"run:{files}")
        for number in range(files):
            with space.open_write(f"part-{number}") as stream:
                stream.write(b"x")
        paths += [space.stored(name).path for name in space.names()]
        assert all(path.exists() for path in paths[-files:])
        with (
            CaptureQueriesContext(connection) as statements,
            django_capture_on_commit_callbacks(execute=True),
        ):
            space.clear()
        asked.append(len(statements))
        assert space.names() == []
        assert not any(path.exists() for path in paths)
    assert asked[0] == asked[1] < 25


def test_arrow_reads_and_writes_through_the_store():
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table({"a": list(range(1000)), "b": ["x"] * 1000})
    with EncryptedWorkspace("run:3").open_write("table") as stream:
        pq.write_table(table, stream)
    assert pq.read_table(EncryptedWorkspace("run:3").open_read("table")).equals(table)


def test_chunk_is_a_mebibyte():
    assert CHUNK == 2**20


def test_a_file_read_to_its_end_has_the_hash_of_its_row(small_chunks):
    """Even who holds the master key and wraps a file's key anew for another hash is found out."""
    stored = put(b"0123456789abcdef" * 40)
    key = key_unwrap(bytes(stored.wrapped_key), stored.context)
    stored.sha256 = "f" * 64
    stored.wrapped_key = key_wrap(key, stored.context)
    stored.save()
    with store_open(stored) as stream:
        assert len(stream.read()) == 640
    with store_open(stored, whole=True) as stream, pytest.raises(EngineError) as error:
        stream.read()
    assert error.value.code == "store.damaged"
    sound = put(b"0123456789abcdef" * 40)
    with store_open(sound, whole=True) as stream:
        stream.seek(300)
        assert stream.read(1) == b"c"
        stream.seek(0)
        assert len(stream.read()) == 640
        stream.seek(0)
        assert len(stream.read()) == 640
    with store_open(put(b""), whole=True) as stream:
        assert stream.read() == b""


@pytest.mark.skipif(connection.vendor != "sqlite", reason="of SQLite")
def test_a_destroyed_key_leaves_the_database_and_its_log(tmp_path, monkeypatch):
    """As the portal's own SQLite is opened, in a file: the one of the tests lies in memory."""
    wrapper = DatabaseWrapper(
        connection.settings_dict
        | {"NAME": str(tmp_path / "kept.sqlite3"), "OPTIONS": settings.DATABASES["default"]["OPTIONS"]}
    )
    key = b"a key that somebody destroyed" * 20
    with wrapper.cursor() as cursor:
        cursor.execute("CREATE TABLE keys (id INTEGER PRIMARY KEY, key BLOB)")
        cursor.execute("INSERT INTO keys VALUES (1, %s), (2, %s)", [key, b"another"])
        cursor.execute("UPDATE keys SET key = NULL WHERE id = 1")
    monkeypatch.setattr(sqlite_log, "connections", {DEFAULT_DB_ALIAS: wrapper})
    sqlite_log.log_empty()
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    wrapper.close()
    assert b"another" in kept
    assert key[:29] not in kept
