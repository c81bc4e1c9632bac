"""Processes of a test: its own children alone, told by their ids, and ended with the test."""

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

# A time after which a test is taken to hang; nothing is ever measured by it.
HANG_S = 30.0


def wait_until(there: Callable[[], object], what: str = "it", limit_s: float = HANG_S) -> None:
    """Waits until something is true.

    Raises:
        AssertionError: it never was.
    """
    deadline = time.monotonic() + limit_s
    while not there():
        assert time.monotonic() < deadline, f"waited for {what} in vain"
        time.sleep(0.02)


def is_running(pid: int) -> bool:
    """Whether there is such a process, zombies not counted."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def descendants(pid: int) -> list[int]:
    """The children of a process, and theirs, from the top."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            for child in map(int, task.read_text().split()):
                found += [child, *descendants(child)]
    return found


def command_of(pid: int) -> str:
    """The command line of a process."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return ""


@contextlib.contextmanager
def ended_afterwards(pid: int) -> Iterator[None]:
    """At the end kills the process, a child of this one, with all that it has started."""
    try:
        yield
    finally:
        for child in [pid, *descendants(pid)]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
