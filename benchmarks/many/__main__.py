"""``python -m benchmarks.many [--postgres] [--again]``: fills a database once, then measures the pages; see benchmarks/README.md."""

from __future__ import annotations

import argparse
import base64
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PORT = 54329


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--projects", type=int, default=10_000)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument(
        "--postgres", action="store_true", help="a PostgreSQL server of its own instead of SQLite"
    )
    parser.add_argument("--again", action="store_true", help="fill anew though there is a filled database")
    parser.add_argument("--only", default="", help="pages with this in their name")
    parser.add_argument("--statements", action="store_true", help="every statement above 20 ms with its plan")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "deid-many")
    options = parser.parse_args()
    kind = "postgres" if options.postgres else "sqlite"
    folder = options.folder / f"{kind}-{options.projects}-{options.events}"
    if options.again:
        shutil.rmtree(folder, ignore_errors=True)
    (folder / "var").mkdir(parents=True, exist_ok=True)
    # The keys are of no use elsewhere, and what is kept has to be read with them again.
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "deid_portal.settings",
        "DEID_SECRET_KEY": "only-for-measuring-" + "x" * 40,
        "DEID_MASTER_KEY": base64.b64encode(b"only for measuring, 32 bytes it is"[:32]).decode(),
        "DEID_VAR_DIR": str(folder / "var"),
        "DEID_STORE_DIR": str(folder / "var" / "store"),
        "DATABASE_URL": f"sqlite:///{folder / 'portal.sqlite3'}",
        "DEID_BROKER_URL": "filesystem://",
        "DEID_LOG_LEVEL": "ERROR",
        "DEID_API_RATE": "6000/min",
    }
    if not options.postgres:
        return _run(folder, options)
    with _server(options.folder / f"{kind}-{options.projects}-{options.events}-server") as url:
        os.environ["DATABASE_URL"] = url
        return _run(folder, options)


def _run(folder: Path, options: argparse.Namespace) -> int:
    import django

    django.setup()
    from django.core.management import call_command

    from . import filling, measuring

    marker = folder / "filled"
    began = time.perf_counter()

    def say(text: str) -> None:
        print(f"{time.perf_counter() - began:6.0f} s  {text}", file=sys.stderr, flush=True)

    if marker.exists():
        _leave_the_log()
    call_command("migrate", verbosity=0, interactive=False)
    if not marker.exists():
        filling.fill(options.projects, options.events, say)
        marker.touch()
    return measuring.measure(only=options.only, statements=options.statements)


def _leave_the_log() -> None:
    """A migration checks the log first, and that of what is filled does not hold."""
    from django.apps import apps
    from django.db.models.signals import post_migrate, pre_migrate

    audit = apps.get_app_config("audit")
    pre_migrate.disconnect(sender=audit, dispatch_uid="audit-check")
    post_migrate.disconnect(sender=audit, dispatch_uid="audit-triggers")


@contextmanager
def _server(folder: Path) -> Iterator[str]:
    """A PostgreSQL server whose data stay in ``folder``; as root it runs as the system's user for it."""
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    found = programs[-1] if programs else Path(str(shutil.which("initdb"))).resolve().parent
    user = pwd.getpwnam("postgres").pw_name if os.geteuid() == 0 else None
    folder.mkdir(parents=True, exist_ok=True)
    folder.parent.chmod(0o755)
    if user:
        shutil.chown(folder, user)
    data = folder / "data"

    def run(*command: str | Path) -> None:
        subprocess.run(command, cwd=folder, user=user, check=True, stdout=subprocess.DEVNULL)

    is_new = not data.exists()
    if is_new:
        run(
            found / "initdb",
            "-D",
            data,
            "-U",
            "deid",
            "--auth=trust",
            "--encoding=UTF8",
            "--locale=C.UTF-8",
            "--no-sync",
        )
    settings = f"-p {PORT} -h 127.0.0.1 -k {folder} -c shared_buffers=256MB -c max_wal_size=4GB -c synchronous_commit=off"
    run(found / "pg_ctl", "-D", data, "-l", folder / "log", "-w", "-o", settings, "start")
    try:
        if is_new:
            run(found / "createdb", "-h", "127.0.0.1", "-p", str(PORT), "-U", "deid", "many")
        yield f"postgres://deid@127.0.0.1:{PORT}/many"
    finally:
        run(found / "pg_ctl", "-D", data, "-m", "fast", "stop")


if __name__ == "__main__":
    sys.exit(main())
