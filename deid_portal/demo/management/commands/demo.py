"""``manage.py demo``: the portal with demo data on one machine, ended by Ctrl-C."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import signal
import time
from argparse import ArgumentParser
from importlib.metadata import version
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from deid_portal.demo import accounts, loading, stack


class Command(BaseCommand):
    help = "Serve the portal with demo projects, a worker and a clock; re-running keeps the data."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--reset", action="store_true", help="throw the demo data away and stop")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--rows", type=int, default=10_000, help="rows of the demo data set")
        parser.add_argument("--load-only", action="store_true", help="prepare the data and stop")

    def handle(self, *args: Any, **options: Any) -> None:
        lock = self._lock()
        if options["reset"]:
            self._reset()
            return
        if not options["load_only"] and not stack.port_is_free("127.0.0.1", options["port"]):
            raise CommandError(f"Port {options['port']} is taken. Stop what runs there, or use --port.")
        self._prepare(options["rows"])
        if options["load_only"]:
            return
        connections.close_all()
        self._serve(options["port"])
        lock.close()

    def _lock(self) -> Any:
        """One demo per data folder."""
        handle = (Path(settings.VAR_DIR) / "demo.lock").open("w")
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise CommandError("The demo is already running from this folder; end it with Ctrl-C first.")
        return handle

    def _reset(self) -> None:
        if not loading.is_demo():
            raise CommandError(
                f"What lies in {settings.VAR_DIR} was not made by this command, or by an earlier version that left no mark; "
                "nothing was removed. If it is a demo, remove the folder yourself."
            )
        connections.close_all()
        for entry in Path(settings.VAR_DIR).iterdir():
            if entry.name == "demo.lock":
                continue
            if entry.is_dir():
                shutil.rmtree(entry)
            else:
                entry.unlink()
        self.stdout.write("The demo data is gone. “make demo” starts anew.")

    def _prepare(self, rows: int) -> None:
        if rows < loading.LEAST_ROWS:
            raise CommandError(
                f"--rows {rows}: with fewer than {loading.LEAST_ROWS:,} rows the demo's own targets cannot be met, "
                "and its story would end in a refusal."
            )
        if loading.is_in_use() and not loading.is_demo():
            raise CommandError(
                f"The database ({settings.DATABASES['default']['NAME']}) has accounts and is no demo; nothing was changed. "
                "Set DEID_VAR_DIR or DATABASE_URL to a place of the demo's own."
            )
        began = time.monotonic()
        call_command("migrate", verbosity=0, interactive=False)
        self._collect_static()
        if not loading.is_loaded():
            self.stdout.write("Loading the demo: one project at each stage, one carried through everything …")
            loading.load(rows=rows, say=self.stdout.write)
            self.stdout.write(f"Loaded in {time.monotonic() - began:.0f} s.")

    def _collect_static(self) -> None:
        """Collect and compress the static files, unless they are as they were the last time."""
        digest = hashlib.sha256("".join(version(name) for name in ("django", "whitenoise")).encode())
        for finder in get_finders():
            for path, storage in finder.list([]):
                state = Path(storage.path(path)).stat()
                digest.update(f"{path}:{state.st_size}:{state.st_mtime_ns}".encode())
        stamp = Path(settings.VAR_DIR) / "static.stamp"
        if not stamp.is_file() or stamp.read_text() != digest.hexdigest():
            call_command("collectstatic", verbosity=0, interactive=False)
            stamp.write_text(digest.hexdigest())

    def _serve(self, port: int) -> None:
        portal = stack.Stack(port=port, log_dir=Path(settings.VAR_DIR) / "logs")
        stopping = False

        def stop(number: int, frame: Any) -> None:
            nonlocal stopping
            stopping = True

        signal.signal(signal.SIGINT, stop)
        signal.signal(signal.SIGTERM, stop)
        with portal.running():
            # While the web server starts.
            passwords = accounts.renew_passwords()
            connections.close_all()
            if not portal.wait_until_it_answers():
                raise CommandError(f"The web server did not start; see {portal.log_dir}/web.log.")
            self._welcome(port, passwords)
            while not stopping:
                time.sleep(0.2)
                for name in portal.watch_once():
                    self.stderr.write(f"{name} ended and was started again (see {portal.log_dir}/{name}.log)")
            self.stdout.write("Ending …")
        os.sync()

    def _welcome(self, port: int, passwords: list[tuple[str, str, str, str]]) -> None:
        self.stdout.write(f"\nThe portal is at http://127.0.0.1:{port}\n")
        width = max(len(username) for username, *_ in passwords)
        for username, password, name, role in passwords:
            self.stdout.write(f"  {username:<{width}}  {password}  {name} · {role}")
        self.stdout.write("\nCtrl-C ends everything. “make demo-reset” starts anew.\n")
        self.stdout.flush()
