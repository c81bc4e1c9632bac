"""A broker, workers and runs of `gridmill`, all real processes, for a test to hurt."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Self

import redis

from producer.cluster import PrivateBroker
from tests.chaos import processes
from tests.chaos.processes import children, send
from tests.conftest import REPOSITORY
from worker.broker import connect

GRIDMILL = [sys.executable, "-P", "-m", "producer.cli"]
# Everything that waits for something waits less than by default, so that a fault is got over while the test looks on.
SHORT = {"GRIDMILL_LEASE_S": "1", "GRIDMILL_VISIBILITY_S": "10"}


def environment(**changes: str) -> dict[str, str]:
    """Returns the environment of a child process: nothing of `GRIDMILL_*` from outside, short times, and `changes`."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith("GRIDMILL_")}
    return kept | SHORT | {"PYTHONPATH": str(REPOSITORY)} | changes


class TcpBroker(PrivateBroker):
    """A broker on a port of the loopback interface, with a password and more lines of configuration."""

    def __init__(self, folder: Path, *, durable: bool, more: str = "") -> None:
        super().__init__(folder, durable=durable)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self._more = more
        self.url = self.url_at(self.port)

    def url_at(self, port: int) -> str:
        """The URL by which a proxy on this port leads to it."""
        return f"redis://:{self._password}@127.0.0.1:{port}/0"

    def _configuration(self) -> str:
        plain = super()._configuration()
        return plain.replace("port 0", f"port {self.port}\nbind 127.0.0.1") + self._more + "\n"


def pid_of(broker: PrivateBroker) -> int:
    """Returns the process id of a broker's server."""
    assert broker._server is not None
    return broker._server.pid


class Workers:
    """`count` pool processes of one Celery worker under its supervisor."""

    def __init__(self, url: str, count: int, log: Path, **changes: str) -> None:
        self.count = count
        self.log = log
        self._environment = environment(GRIDMILL_BROKER=url, **changes)
        self._supervisor: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts them, if they are not running."""
        if self._supervisor is None or self._supervisor.poll() is not None:
            command = [sys.executable, "-P", "-m", "worker.supervisor", str(self.count), "INFO"]
            with self.log.open("ab") as log:
                self._supervisor = subprocess.Popen(
                    command, env=self._environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
                )

    @property
    def supervisor(self) -> int:
        """Process id of the supervisor."""
        assert self._supervisor is not None
        return self._supervisor.pid

    def celery(self) -> list[int]:
        """The Celery worker, once it is there."""
        return children(self.supervisor)

    def pool(self) -> list[int]:
        """The pool processes, once they are there."""
        return [pid for parent in self.celery() for pid in children(parent)]

    def wait_for_pool(self, limit_s: float = 60) -> float:
        """Waits until all pool processes are there."""
        return processes.wait_until(lambda: len(self.pool()) >= self.count, limit_s, "full pool")

    def kill_supervisor(self) -> bool:
        """Kills the supervisor; what is below it follows by itself."""
        assert self._supervisor is not None
        struck = send(self.supervisor, signal.SIGKILL)
        self._supervisor.wait()
        return struck

    def stop(self) -> None:
        """Kills everything."""
        if self._supervisor:
            processes.end(self._supervisor)


def _hear_ctrl_c() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Run:
    """One `gridmill` command in a process of its own; it can be killed and started again."""

    def __init__(self, arguments: list[str], out: Path | None, folder: Path, **changes: str) -> None:
        self.arguments = arguments
        self.out = out
        self.errors = folder / "stderr.txt"
        self.output = folder / "stdout.txt"
        self._folder = folder
        self._environment = environment(**changes)
        self.process = self._start()

    def _start(self) -> "subprocess.Popen[bytes]":
        with self.errors.open("ab") as errors, self.output.open("ab") as output:
            return subprocess.Popen(
                GRIDMILL + self.arguments,
                cwd=self._folder,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
                # A shell that runs the tests in the background has them ignore Ctrl-C, and all that they start.
                preexec_fn=_hear_ctrl_c,  # noqa: PLW1509 - one signal
            )

    def kill_and_start_again(self) -> bool:
        """Kills the producer and runs the same command again."""
        if self.process.poll() is not None or self.is_finished():
            return False
        self.process.kill()
        self.process.wait()
        if self.is_finished():  # its last act was to finish
            return False
        self.process = self._start()
        return True

    def is_finished(self) -> bool:
        """Whether OUT is there and its journal has gone."""
        return self.out is not None and self.out.exists() and not self.journal().exists()

    def journal(self) -> Path:
        assert self.out is not None
        return self.out.with_name(f"{self.out.name}.journal")

    def said(self) -> str:
        """What it has said on stderr so far."""
        return self.errors.read_text(errors="replace") if self.errors.exists() else ""

    def wait(self, limit_s: float) -> int:
        """Returns the exit code."""
        try:
            return self.process.wait(limit_s)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"not finished after {limit_s:.0f} s; it said: {self.said()[-2000:]}") from None

    def stop(self) -> None:
        """Kills it with all it has started."""
        processes.end(self.process)


class World:
    """A broker with workers; a context that leaves nothing behind."""

    def __init__(
        self,
        folder: Path,
        *,
        durable: bool = False,
        tcp: bool = False,
        more: str = "",
        processes: int = 2,
        **changes: str,
    ) -> None:
        """Prepares one; `more` is configuration of the broker, `changes` go to the workers' environment."""
        self.folder = folder
        place = Path(f"/tmp/gmc-{os.getpid()}-{abs(hash(folder)) % 10**8}")  # a socket's path must be short
        place.mkdir(mode=0o700)
        self._place = place
        self.broker: PrivateBroker = (
            TcpBroker(place, durable=durable, more=more) if tcp else PrivateBroker(place, durable=durable)
        )
        self.url_file = folder / "broker.url"
        self.processes = processes
        self._changes = changes
        self.workers: Workers | None = None
        self._earlier: list[Workers] = []
        self._runs: list[Run] = []

    def __enter__(self) -> Self:
        self.broker.start()
        self.name_broker(self.broker.url)
        if self.processes:
            self.hire(self.processes, self.broker.url)
        return self

    def hire(self, count: int, url: str) -> None:
        """Starts workers; those of before stay as they are."""
        if self.workers:
            self._earlier.append(self.workers)
        self.workers = Workers(url, count, self.folder / "worker.log", **self._changes)
        self.workers.start()

    def __exit__(self, *_: object) -> None:
        for run in self._runs:
            run.stop()
        for workers in [*self._earlier, *filter(None, [self.workers])]:
            workers.stop()
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid_of(self.broker), signal.SIGCONT)
        self.broker.stop()
        subprocess.run(["rm", "-rf", str(self._place)], check=True)

    def name_broker(self, url: str) -> None:
        """Writes the URL that runs are to use."""
        self.url_file.write_text(url)

    def client(self) -> Any:
        """A client of the broker's, around every proxy."""
        return connect(self.broker.url, timeout_s=5)

    def run(self, *arguments: str, out: Path | None = None, **changes: str) -> Run:
        """Starts a command on this broker."""
        run = Run([*arguments, "--broker", f"@{self.url_file}"], out, self.folder, **changes)
        self._runs.append(run)
        return run

    def submit(self, source: Path, *options: str) -> str:
        """Submits a batch and returns its id."""
        command = [*GRIDMILL, "submit", str(source), "--broker", f"@{self.url_file}", "--quiet", *options]
        done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def worker_log(self) -> str:
        """What the workers have logged so far."""
        log = self.folder / "worker.log"
        return log.read_text(errors="replace") if log.exists() else ""

    def wait_for_presence(self) -> None:
        """Waits until the workers have said that they are there; a run looks for it when it begins."""

        def is_there() -> bool:
            with contextlib.suppress(redis.RedisError):
                return any(self.client().scan_iter("gridmill:worker:*"))
            return False

        processes.wait_until(is_there, 60, "worker")

    def chunks_at_work(self) -> int:
        """Chunks that a process has begun and not ended."""
        with contextlib.suppress(redis.RedisError):
            return len(list(self.client().scan_iter("gridmill:b:*:k:*")))
        return 0

    def restart_broker(self, away_s: float) -> bool:
        """Kills the broker, and starts it again after a while."""
        struck = send(pid_of(self.broker), signal.SIGKILL)
        assert self.broker._server is not None
        self.broker._server.wait()
        time.sleep(away_s)
        self.broker.mend()
        return struck
