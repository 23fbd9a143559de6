"""The portal on one machine: web server, worker and clock as child processes that live and die together."""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_RESTART_AFTER_SECONDS = 1.0


@dataclass
class Part:
    """One child process and how to start it again."""

    name: str
    command: list[str]
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0


@dataclass
class Stack:
    """Starts the parts, restarts one that dies, ends all of them (and their children) at the end."""

    host: str = "127.0.0.1"
    port: int = 8000
    log_dir: Path | None = None
    web_processes: int = 1
    environment: dict[str, str] = field(default_factory=dict)
    parts: list[Part] = field(default_factory=list)

    def __post_init__(self) -> None:
        python = sys.executable
        celery = [python, "-m", "celery", "-A", "deid_portal"]
        self.parts = [
            Part(
                "web",
                [
                    python, "-m", "gunicorn", "deid_portal.wsgi", "--bind", f"{self.host}:{self.port}",
                    "--worker-class", "deid_portal.serving.Worker", "--workers", str(self.web_processes), "--threads", "8",
                    "--timeout", "120", "--max-requests", "20000", "--access-logfile", "/dev/null", "--log-level", "warning",
                ],
            ),
            Part("worker", [*celery, "worker", "--pool", "prefork", "--loglevel", "warning", "-n", "worker@%h"]),
            Part("clock", [*celery, "beat", "--loglevel", "warning", "--pidfile="]),
        ]  # fmt: skip

    def start(self) -> None:
        """Start the web server; the others follow once it answers, for on two cores they would only slow it down."""
        self._spawn(self.parts[0])

    def _spawn(self, part: Part) -> None:
        output = None
        if self.log_dir is not None:
            self.log_dir.mkdir(parents=True, exist_ok=True)
            output = (self.log_dir / f"{part.name}.log").open("ab")
        part.process = subprocess.Popen(
            part.command,
            stdout=output,
            stderr=output,
            stdin=subprocess.DEVNULL,
            env={**os.environ, **self.environment},
            start_new_session=True,
            preexec_fn=_die_with_parent,
        )
        part.started = time.monotonic()
        if output is not None:
            output.close()

    def wait_until_it_answers(self, seconds: float = 60.0) -> bool:
        """Whether the web server answers in time; if so, everything runs then."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if _answers(self.host, self.port):
                for part in self.parts:
                    if part.process is None:
                        self._spawn(part)
                return True
            time.sleep(0.1)
        return False

    def watch_once(self) -> list[str]:
        """Restart every part that has died; returns their names."""
        died = []
        for part in self.parts:
            if part.process is not None and part.process.poll() is not None:
                if time.monotonic() - part.started < _RESTART_AFTER_SECONDS:
                    time.sleep(_RESTART_AFTER_SECONDS)
                _signal_group(part.process, signal.SIGKILL)
                self._spawn(part)
                died.append(part.name)
        return died

    def stop(self, seconds: float = 8.0) -> None:
        """End every part and whatever it started: politely first, then for good."""
        for part in self.parts:
            if part.process is not None:
                _signal_group(part.process, signal.SIGTERM)
        deadline = time.monotonic() + seconds
        for part in self.parts:
            if part.process is None:
                continue
            with suppress(subprocess.TimeoutExpired):
                part.process.wait(max(0.1, deadline - time.monotonic()))
            _signal_group(part.process, signal.SIGKILL)
            part.process.wait()
            part.process = None

    @contextmanager
    def running(self) -> Iterator[Stack]:
        try:
            self.start()
            yield self
        finally:
            self.stop()


def port_is_free(host: str, port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1.0)
        return probe.connect_ex((host, port)) != 0


def _answers(host: str, port: int) -> bool:
    """Whether a request is answered; the port is open some time before the site is loaded."""
    connection = HTTPConnection(host, port, timeout=30.0)
    try:
        connection.request("HEAD", "/")
        connection.getresponse()
    except OSError:
        return False
    finally:
        connection.close()
    return True


def _die_with_parent() -> None:
    """A child must not outlive a parent that was killed without a chance to clean up (Linux only)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _signal_group(process: subprocess.Popen[bytes], number: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, number)
