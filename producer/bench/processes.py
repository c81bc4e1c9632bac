"""What processes cost: CPU time to the nanosecond and peak memory, as Linux tells them."""

import os
import time
from pathlib import Path


def cpu_s(pid: int) -> float:
    """Returns the CPU seconds that all threads of a process have used, those that have ended included.

    Raises:
        ProcessLookupError: there is no such process, or this system does not tell.
    """
    try:
        # The number of another process's CPU clock, as clock_getcpuclockid(3) makes it.
        return time.clock_gettime((~pid << 3) | 2)
    except OSError as error:
        raise ProcessLookupError(f"no CPU clock of process {pid}: {error.strerror}") from None


def peak_bytes(pid: int) -> int:
    """Returns the most memory that a process ever had resident; 0 if it has gone."""
    try:
        text = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) << 10 for line in text.splitlines() if line.startswith("VmHWM:")), 0)


def parent_of(pid: int) -> int:
    """Returns the parent of a process.

    Raises:
        OSError: there is no such process.
    """
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def children_of(pid: int) -> list[int]:
    """Returns the children of a process.

    Raises:
        OSError: there is no such process.
    """
    threads = list(Path(f"/proc/{pid}/task").iterdir())
    return [int(child) for thread in threads for child in (thread / "children").read_text().split()]


def watched(pid: int, pause_s: float = 0.02) -> tuple[int, float, int]:
    """Waits for a child of this process; returns its exit code, CPU seconds, and peak memory.

    Peak memory is looked at again and again, for what the system tells at the end (`ru_maxrss`) counts that of the
    process it was forked from.
    """
    peak = 0
    while True:
        peak = max(peak, peak_bytes(pid))
        ended, status, usage = os.wait4(pid, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, peak
        time.sleep(pause_s)
