"""The whole portal as an installation runs it: web server, worker and clock over an empty database."""

from __future__ import annotations

import base64
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from deid_portal.demo.stack import Stack

ROOT = Path(__file__).resolve().parents[2]
MAKE_PEOPLE = """
import json
from deid_portal.demo.accounts import renew_passwords
print("PEOPLE" + json.dumps({row[0].split(".")[1]: [row[0], row[1], row[2]] for row in renew_passwords()}))
"""


@dataclass(frozen=True)
class Portal:
    """Where the portal answers, and who can sign in: role → (user name, password, full name)."""

    address: str
    people: dict[str, tuple[str, str, str]]
    logs: Path


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory, kept_database: Path | None) -> Iterator[Portal]:
    """A portal of its own, with people and without a project."""
    folder = tmp_path_factory.mktemp("portal")
    (folder / "var").mkdir(mode=0o700)
    if kept_database is not None:
        shutil.copy(kept_database, folder / "var" / "portal.sqlite3")
    environment = {
        "DJANGO_SETTINGS_MODULE": "deid_portal.settings",
        "DEID_SECRET_KEY": secrets.token_urlsafe(50),
        "DEID_MASTER_KEY": base64.b64encode(secrets.token_bytes(32)).decode(),
        "DEID_VAR_DIR": str(folder / "var"),
        "DEID_STORE_DIR": str(folder / "var" / "store"),
        "DATABASE_URL": f"sqlite:///{folder / 'var' / 'portal.sqlite3'}",
        "DEID_BROKER_URL": "filesystem://",
        "DEID_LOG_LEVEL": "ERROR",
        "DEID_WORKERS": "2",
    }

    def manage(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr[-4000:]
        return done.stdout

    manage("migrate", "--verbosity", "0", "--no-input")
    manage("collectstatic", "--verbosity", "0", "--no-input")
    people = json.loads(manage("shell", "-c", MAKE_PEOPLE).rpartition("PEOPLE")[2])
    stack = Stack(port=_free_port(), log_dir=folder / "logs", environment=environment)
    with stack.running():
        assert stack.wait_until_it_answers(), "the web server did not start"
        yield Portal(
            f"http://{stack.host}:{stack.port}", {k: tuple(v) for k, v in people.items()}, folder / "logs"
        )
