"""Processes that a test started: their children, and their end. Never a process of somebody else."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path


def children(pid: int) -> list[int]:
    """Returns the processes whose parent is `pid`, in the order of their ids."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                # The name may hold blanks and brackets; what follows the last one is fixed (proc(5)).
                fields = (entry / "stat").read_text(errors="replace").rpartition(")")[2].split()
                if int(fields[1]) == pid and fields[0] != "Z":
                    found.append(int(entry.name))
    return sorted(found)


def descendants(pid: int) -> list[int]:
    """Returns all that descends from `pid`."""
    found = []
    for child in children(pid):
        found += [child, *descendants(child)]
    return found


def is_running(pid: int) -> bool:
    """Whether a process is there and is no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def send(pid: int, number: int) -> bool:
    """Sends a signal; False if the process has gone."""
    if not is_running(pid):
        return False
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return False
    return True


def end(process: "subprocess.Popen[bytes]") -> None:
    """Kills a process with all that descends from it."""
    below = descendants(process.pid) if process.poll() is None else []
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    process.wait()
    for pid in below:
        send(pid, signal.SIGKILL)


def wait_until(condition: Callable[[], object], limit_s: float, what: str) -> float:
    """Waits until `condition` holds; returns how long it took.

    Raises:
        AssertionError: it did not within the limit.
    """
    began = time.monotonic()
    while not condition():
        assert time.monotonic() - began < limit_s, f"after {limit_s:.0f} s there is still no {what}"
        time.sleep(0.05)
    return time.monotonic() - began
