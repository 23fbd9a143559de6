"""A real PostgreSQL, MariaDB and Redis for the tests, started on loopback and thrown away afterwards.

They keep nothing that has to outlive the tests, so they never wait for the disk. The fixtures skip,
with the reason, where the programs are not installed; ``scripts/setup.sh test`` installs them.
"""

from __future__ import annotations

import ctypes
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pymysql
import pytest
from psycopg import sql

# How long a server may take to start or to end (seconds).
PATIENCE = 60
PR_SET_PDEATHSIG = 1


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _end_with_parent(how: signal.Signals) -> Callable[[], None]:
    """For ``preexec_fn``: a server does not outlive a test run that was killed."""
    prctl = ctypes.CDLL(None).prctl
    return lambda: prctl(PR_SET_PDEATHSIG, int(how))


def _unprivileged() -> pwd.struct_passwd | None:
    """Whom databases run as: they refuse root. None where the tests do not run as root anyway."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise RuntimeError("there is no user that a database could run as")


class PostgresServer:
    """A cluster of its own. The portal's role owns its databases and is no superuser."""

    role, superuser = "deid", "postgres"

    def __init__(self, programs: Path) -> None:
        self.programs = programs
        self.folder = Path(tempfile.mkdtemp(prefix="deid-postgres-"))
        self.port = free_port()
        self.password = secrets.token_hex(16)
        user = _unprivileged()
        self._as: dict = {}
        if user is not None:
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            self._as = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        self._process: subprocess.Popen | None = None

    def start(self) -> None:
        data, log = self.folder / "data", self.folder / "log"
        password = self.folder / "password"
        password.write_text(self.password)
        password.chmod(0o644)
        initdb = [self.programs / "initdb", "-D", data, "-U", self.superuser, "--pwfile", password]
        initdb += ["--auth=scram-sha-256", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"]
        made = subprocess.run(initdb, capture_output=True, text=True, cwd=self.folder, **self._as)
        assert made.returncode == 0, made.stderr
        password.unlink()
        server = [self.programs / "postgres", "-D", data, "-h", "127.0.0.1", "-p", str(self.port)]
        server += ["-k", self.folder, "-F"]
        settings = {
            "synchronous_commit": "off",
            "full_page_writes": "off",
            "shared_buffers": "64MB",
            "wal_level": "minimal",
            "max_wal_senders": "0",
            "max_connections": "250",
            "max_wal_size": "256MB",
            "log_min_error_statement": "panic",
        }
        for name, value in settings.items():
            server += ["-c", f"{name}={value}"]
        with log.open("wb") as target:
            self._process = subprocess.Popen(
                server,
                stdout=target,
                stderr=target,
                cwd=self.folder,
                preexec_fn=_end_with_parent(signal.SIGQUIT),
                **self._as,
            )
        end = time.monotonic() + PATIENCE
        while True:
            try:
                with self.connect() as connection:
                    connection.execute(
                        sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(
                            sql.Identifier(self.role), sql.Literal(self.password)
                        )
                    )
                return
            except psycopg.OperationalError:
                if self._process.poll() is not None or time.monotonic() > end:
                    raise AssertionError(f"PostgreSQL did not start: {log.read_text()}") from None
                time.sleep(0.05)

    def stop(self) -> None:
        if self._process is not None:
            # At once and without a last write to the disk: nobody needs the data any more.
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait(PATIENCE)
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, database: str) -> str:
        """What the portal gets as DATABASE_URL."""
        return f"postgres://{self.role}:{self.password}@127.0.0.1:{self.port}/{database}"

    def connect(self, database: str = "postgres", *, user: str = superuser) -> psycopg.Connection:
        """A connection past the portal, as superuser unless told otherwise; every statement commits by itself."""
        return psycopg.connect(
            host="127.0.0.1",
            port=self.port,
            user=user,
            password=self.password,
            dbname=database,
            autocommit=True,
        )

    def database(self, name: str, *, like: str | None = None) -> str:
        """Make a database, empty or with all that ``like`` holds, and return its name."""
        command = sql.SQL("CREATE DATABASE {} OWNER {} TEMPLATE {}").format(
            sql.Identifier(name), sql.Identifier(self.role), sql.Identifier(like or "template0")
        )
        with self.connect() as connection:
            connection.execute(command)
        return name


class MariaServer:
    """A server of its own, with one person who owns all databases."""

    user = "deid"

    def __init__(self, program: str, scripts: Path) -> None:
        self.program, self.scripts, self.port = program, scripts, free_port()
        self.folder = Path(tempfile.mkdtemp(prefix="deid-maria-"))
        self.password = secrets.token_hex(16)
        user = _unprivileged()
        self._as: dict = {}
        if user is not None:
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            self._as = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        self._process: subprocess.Popen | None = None

    def start(self) -> None:
        data, log = self.folder / "data", self.folder / "log"
        common = ["--no-defaults", f"--datadir={data}"]
        small = ["--innodb-log-file-size=8M", "--innodb-buffer-pool-size=32M", "--aria-log-file-size=8M"]
        # What mariadb-install-db does; it is of use only with the client's package beside it.
        (data / "mysql").mkdir(parents=True)
        if self._as:
            for folder in (data, data / "mysql"):
                os.chown(folder, self._as["user"], self._as["group"])
        parts = [
            one for name in ("tables", "tables_data") for one in self.scripts.glob(f"m*_system_{name}.sql")
        ]
        tables = "USE mysql;\n" + "".join(part.read_text(encoding="utf-8") for part in parts)
        made = subprocess.run(
            [self.program, *common, *small, "--bootstrap", "--skip-networking"],
            input=tables, capture_output=True, text=True, cwd=self.folder, **self._as,
        )  # fmt: skip
        assert made.returncode == 0, made.stderr
        first = self.folder / "first.sql"
        first.write_text(
            f"CREATE USER {self.user}@'127.0.0.1' IDENTIFIED BY '{self.password}';\n"
            f"GRANT ALL ON *.* TO {self.user}@'127.0.0.1';\n"
        )
        first.chmod(0o644)
        server = [self.program, *common, *small, f"--port={self.port}", "--bind-address=127.0.0.1"]
        server += [
            f"--socket={self.folder / 'socket'}",
            f"--pid-file={self.folder / 'pid'}",
            f"--init-file={first}",
        ]
        server += ["--skip-name-resolve", "--innodb-flush-log-at-trx-commit=0", "--skip-log-bin"]
        with log.open("wb") as target:
            self._process = subprocess.Popen(
                server,
                stdout=target,
                stderr=target,
                cwd=self.folder,
                preexec_fn=_end_with_parent(signal.SIGKILL),
                **self._as,
            )
        end = time.monotonic() + PATIENCE
        while True:
            try:
                self.connect().close()
                return
            except pymysql.OperationalError:
                if self._process.poll() is not None or time.monotonic() > end:
                    raise AssertionError(f"MariaDB did not start: {log.read_text()}") from None
                time.sleep(0.05)

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait(PATIENCE)
        shutil.rmtree(self.folder, ignore_errors=True)

    def connect(self, database: str | None = None) -> pymysql.Connection:
        """A connection past the product; every statement commits by itself."""
        return pymysql.connect(
            host="127.0.0.1",
            port=self.port,
            user=self.user,
            password=self.password,
            database=database,
            autocommit=True,
        )

    def url(self, database: str) -> str:
        return f"mysql://{self.user}:{self.password}@127.0.0.1:{self.port}/{database}"


class RedisServer:
    """A server without persistence: what is in it is lost with it, as the portal must be able to bear."""

    def __init__(self, program: str) -> None:
        self.program, self.port = program, free_port()
        self.folder = Path(tempfile.mkdtemp(prefix="deid-redis-"))
        self._process: subprocess.Popen | None = None
        self._databases = 0

    def start(self) -> None:
        command = [self.program, "--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder)]
        command += ["--save", "", "--appendonly", "no", "--databases", "64"]
        self._process = subprocess.Popen(
            command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=_end_with_parent(signal.SIGTERM),
        )
        end = time.monotonic() + PATIENCE
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            assert self._process.poll() is None, "Redis did not start"
            assert time.monotonic() < end, "Redis did not start in time"
            time.sleep(0.05)

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(PATIENCE)
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self) -> str:
        """A database that nobody has had yet, as DEID_BROKER_URL."""
        number, self._databases = self._databases, self._databases + 1
        return f"redis://127.0.0.1:{self.port}/{number}"


def postgres_programs() -> Path | None:
    """The folder of the newest PostgreSQL that is installed."""
    found = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]), reverse=True
    )
    if found:
        return found[0].parent
    anywhere = shutil.which("initdb")
    return Path(anywhere).resolve().parent if anywhere else None


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    programs = postgres_programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed (no initdb under /usr/lib/postgresql or on the path)")
    server = PostgresServer(programs)
    try:
        server.start()
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="session")
def maria() -> Iterator[MariaServer]:
    # Debian has servers where only an administrator's path leads.
    program = shutil.which("mariadbd", path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin")
    if program is None:
        pytest.skip("MariaDB is not installed (no mariadbd on the path)")
    scripts = next(Path("/usr/share").glob("m*/m*_system_tables.sql")).parent
    server = MariaServer(program, scripts)
    try:
        server.start()
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="session")
def redis_server() -> Iterator[RedisServer]:
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("Redis is not installed (no redis-server on the path)")
    server = RedisServer(program)
    try:
        server.start()
        yield server
    finally:
        server.stop()
