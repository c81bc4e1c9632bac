"""Runs `gridmill` as a person would: a process of its own, its exit code, and what it says."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.processes import HANG_S, ended_afterwards

COMMAND = [sys.executable, "-m", "producer.cli"]
RUN_S = 90


@dataclass(frozen=True)
class Ended:
    """A run that has ended."""

    code: int
    out: str
    err: str


class Gridmill:
    """Runs in `folder`, with an environment of its own and the temporary folder `temp`."""

    def __init__(self, folder: Path, temp: Path, broker: str = "", **settings: str) -> None:
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("GRIDMILL_", "XDG_"))}
        self.folder = folder
        self.temp = temp
        self.environment = kept | settings | {"TMPDIR": str(temp), "XDG_STATE_HOME": str(temp / "state")}
        if broker:
            self.environment["GRIDMILL_BROKER"] = broker

    def __call__(self, *arguments: object, stdin: str | None = None) -> Ended:
        """Runs to the end."""
        with self.started(*arguments, stdin=subprocess.PIPE if stdin is not None else subprocess.DEVNULL) as process:
            out, err = process.communicate(stdin, timeout=RUN_S)
        assert "Traceback" not in err, err
        assert "this should not have happened" not in err, err
        return Ended(process.returncode, out, err)

    @contextlib.contextmanager
    def started(
        self,
        *arguments: object,
        stdin: int = subprocess.DEVNULL,
        stdout: int = subprocess.PIPE,
        stderr: int = subprocess.PIPE,
        environment: Mapping[str, str] | None = None,
    ) -> Iterator["subprocess.Popen[str]"]:
        """Starts it, and ends it with all that it has started when the context ends."""
        process = subprocess.Popen(
            [*COMMAND, *map(str, arguments)],
            cwd=self.folder,
            env={**self.environment, **(environment or {})},
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            text=True,
        )
        with process, ended_afterwards(process.pid):
            yield process

    @contextlib.contextmanager
    def working(self, processes: int = 1) -> Iterator["subprocess.Popen[str]"]:
        """Runs a worker. Its log goes nowhere: a pipe that nobody reads is full soon, and stops it."""
        with self.started("worker", "-c", processes, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            yield process

    def left_in_temp(self) -> list[str]:
        """What lies in the temporary folder."""
        return sorted(path.name for path in self.temp.iterdir())


def end(process: "subprocess.Popen[str]", number: int) -> Ended:
    """Sends a signal and waits for the end."""
    process.send_signal(number)
    out, err = process.communicate(timeout=HANG_S)
    assert "Traceback" not in err, err
    return Ended(process.returncode, out or "", err)
