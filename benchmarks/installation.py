"""A portal of its own for a measurement: fresh folder and keys, web server, worker and clock as ``manage.py demo``."""

from __future__ import annotations

import base64
import json
import os
import secrets
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deid_portal.demo.stack import Stack

ROOT = Path(__file__).resolve().parents[1]
_PREPARE = """
import json
from deid_portal.demo import story
from deid_portal.demo.accounts import renew_passwords
people = {row[0].split(".")[1]: row[:3] for row in renew_passwords()}
objective = {
    "scope": story.SCOPE.model_dump(mode="json"),
    "factors": story.FACTORS.model_dump(mode="json"),
    "utility": story.UTILITY,
}
more = None
"""
_PREPARED = """
print("PREPARED" + json.dumps({"people": people, "objective": objective, "more": more}))
"""


@dataclass(frozen=True)
class Installation:
    """Where it answers; role → (user name, password, full name); what the demonstration's planner writes
    into an objective; its folder; part → process id; what the measurement's own preparation left in ``more``."""

    address: str
    people: dict[str, tuple[str, str, str]]
    objective: dict[str, Any]
    folder: Path
    processes: dict[str, int]
    more: Any = None


def environment_in(folder: Path) -> dict[str, str]:
    var = folder / "var"
    return {
        "DJANGO_SETTINGS_MODULE": "deid_portal.settings",
        "DEID_SECRET_KEY": secrets.token_urlsafe(50),
        "DEID_MASTER_KEY": base64.b64encode(secrets.token_bytes(32)).decode(),
        "DEID_VAR_DIR": str(var),
        "DEID_STORE_DIR": str(var / "store"),
        "DATABASE_URL": f"sqlite:///{var / 'portal.sqlite3'}",
        "DEID_BROKER_URL": "filesystem://",
        "DEID_LOG_LEVEL": "WARNING",
        "DEID_WORKERS": "1",
        "DEID_API_RATE": "6000/min",
    }


@contextmanager
def installation(
    folder: Path, *, prepare: str = "", settings: dict[str, str] | None = None, web_processes: int = 1
) -> Iterator[Installation]:
    """Set up and serve below ``folder``; everything that it started is ended on leaving.

    ``prepare`` is run in the portal's shell before it is served and may set ``more``; ``settings`` are added to
    its environment; ``web_processes`` serve it.
    """
    environment = environment_in(folder) | (settings or {})

    def manage(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(done.stderr[-4000:])
        return done.stdout

    manage("migrate", "--verbosity", "0", "--no-input")
    manage("collectstatic", "--verbosity", "0", "--no-input", "-i", "redoc*")
    prepared = json.loads(manage("shell", "-c", _PREPARE + prepare + _PREPARED).rpartition("PREPARED")[2])
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    stack = Stack(port=port, log_dir=folder / "logs", web_processes=web_processes, environment=environment)
    with stack.running():
        if not stack.wait_until_it_answers():
            raise RuntimeError((folder / "logs" / "web.log").read_text()[-4000:])
        processes = {part.name: part.process.pid for part in stack.parts if part.process is not None}
        people = {role: tuple(person) for role, person in prepared["people"].items()}
        yield Installation(
            f"http://{stack.host}:{port}", people, prepared["objective"], folder, processes, prepared["more"]
        )
