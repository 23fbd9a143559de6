"""The broker without a server: no reader sees half a message, however many write and read at once."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest
from kombu import Connection

from deid_portal import broker

WRITERS, READERS, EACH = 3, 2, 400


def _connection(folder: str) -> Connection:
    broker.register()
    parts = {name: f"{folder}/{name}" for name in ("messages", "processed", "control")}
    for path in parts.values():
        Path(path).mkdir(parents=True, exist_ok=True)
    return Connection(
        "filesystem://",
        transport_options={
            "data_folder_in": parts["messages"],
            "data_folder_out": parts["messages"],
            "control_folder": parts["control"],
            "processed_folder": parts["processed"],
        },
    )


def write(folder: str, writer: int) -> None:
    with _connection(folder) as connection:
        queue = connection.SimpleQueue("jobs")
        for number in range(EACH):
            queue.put({"writer": writer, "number": number, "body": "x" * 3000})


def read(folder: str, found: multiprocessing.Queue) -> None:
    with _connection(folder) as connection:
        queue = connection.SimpleQueue("jobs")
        while True:
            try:
                message = queue.get(timeout=3)
            except queue.Empty:
                return
            found.put((message.payload["writer"], message.payload["number"]))
            message.ack()


def test_every_message_arrives_once_and_whole(tmp_path):
    context = multiprocessing.get_context("spawn")
    found = context.Queue()
    readers = [context.Process(target=read, args=(str(tmp_path), found)) for _ in range(READERS)]
    writers = [context.Process(target=write, args=(str(tmp_path), number)) for number in range(WRITERS)]
    for process in readers + writers:
        process.start()
    arrived = [found.get(timeout=60) for _ in range(WRITERS * EACH)]
    for process in writers + readers:
        process.join(timeout=60)
        assert process.exitcode == 0
    assert sorted(arrived) == [(w, n) for w in range(WRITERS) for n in range(EACH)]
    assert list((tmp_path / "messages").iterdir()) == list((tmp_path / "processed").iterdir()) == []


@pytest.mark.parametrize("body", [b"", b'{"half', b"\xff\xfe"])
def test_a_broken_message_is_left_out(tmp_path, body, caplog):
    name = f"jobs{len(body)}"  # a process remembers the queues that it has bound
    with _connection(str(tmp_path)) as connection:
        queue = connection.SimpleQueue(name)
        (tmp_path / "messages" / f"000000000000001_broken.{name}.msg").write_bytes(body)
        queue.put({"good": True})
        assert queue.get(timeout=3).payload == {"good": True}
    assert "not readable" in caplog.text
    assert not any(part.decode("latin1") in caplog.text for part in [body] if part)
