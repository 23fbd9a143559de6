"""The broker that needs no server: Kombu's folder of messages, where no reader ever sees half of one.

Kombu opens a message's file under its final name and writes afterwards; a worker that polls in between takes
an empty file and ends with an error that Celery calls unrecoverable. Here the file appears by a rename, when it
is whole, and one that cannot be read is left out: a job's truth is its row, and the sweeper offers it again.
"""

from __future__ import annotations

import logging
import os
import time
import uuid
from pathlib import Path
from queue import Empty
from typing import Any

from kombu.exceptions import ChannelError
from kombu.transport import TRANSPORT_ALIASES, filesystem
from kombu.utils import json

logger = logging.getLogger(__name__)


class Channel(filesystem.Channel):
    """A folder of messages, each ``<milliseconds>_<uuid>.<queue>.msg``, taken in the order of their names."""

    def get_table(self, exchange: str) -> list[Any]:
        for _try in range(100):
            try:
                return list(super().get_table(exchange))  # type: ignore[no-untyped-call]
            except ValueError:  # seen while a process of an older release writes it
                time.sleep(0.01)
        return list(super().get_table(exchange))  # type: ignore[no-untyped-call]

    def _queue_bind(self, exchange: str, routing_key: str, pattern: str, queue: str) -> None:
        table = self._exchange_file(exchange)  # type: ignore[no-untyped-call]
        self.control_folder.mkdir(parents=True, exist_ok=True)
        binding = filesystem.exchange_queue_t(routing_key or "", pattern or "", queue or "")
        with (self.control_folder / "bind.lock").open("wb") as lock:
            filesystem.lock(lock, filesystem.LOCK_EX)  # type: ignore[no-untyped-call]
            bound = self.get_table(exchange)
            if binding not in bound:
                unfinished = table.with_suffix(".part")
                unfinished.write_text(json.dumps([binding, *bound]))  # type: ignore[no-untyped-call]
                unfinished.replace(table)

    def _put(self, queue: str, payload: Any, **_kwargs: Any) -> None:  # type: ignore[override]
        folder = Path(self.data_folder_out)
        name = f"{time.monotonic_ns() // 1_000_000:015d}_{uuid.uuid4()}.{queue}.msg"
        # Of another ending, so that no reader takes it for a message.
        unfinished = folder / f"{name}.part"
        try:
            unfinished.write_bytes(json.dumps(payload).encode())  # type: ignore[no-untyped-call]
            unfinished.replace(folder / name)
        except OSError as exc:
            raise ChannelError(f"Cannot add a message to {folder}: {exc.strerror}") from exc

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        taken_folder = Path(self.processed_folder)
        for name in sorted(os.listdir(self.data_folder_in)):
            if name.partition(".")[2] != f"{queue}.msg":
                continue
            taken = taken_folder / name
            try:
                # One of several readers succeeds.
                (Path(self.data_folder_in) / name).rename(taken)
                body = taken.read_bytes()
                taken.unlink()
            except OSError:
                continue
            try:
                return json.loads(body.decode())  # type: ignore[no-untyped-call]
            except ValueError:
                logger.warning("A message of the queue %s was not readable and was left out.", queue)
        raise Empty()


class Transport(filesystem.Transport):
    """``filesystem://`` with whole messages."""

    Channel = Channel


def register() -> None:
    """Let ``filesystem://`` mean this transport."""
    TRANSPORT_ALIASES["filesystem"] = f"{__name__}:Transport"
