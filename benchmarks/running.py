"""Runs a peer, and tells what all its processes cost, whoever started them and however they ended."""

import contextlib
import ctypes
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from producer.bench.processes import children_of, cpu_s
from producer.bench.running import Run

REPOSITORY = Path(__file__).resolve().parent.parent
PR_SET_CHILD_SUBREAPER = 36
# Processes that a peer leaves behind end by themselves, or after this long by force.
LINGER_S = 20
HANG_S = 600
SAMPLE_S = 0.05


def adopt() -> None:
    """Makes this process the parent of what its descendants leave behind, so that their CPU time is told (Linux)."""
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1):
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_CHILD_SUBREAPER)")


def run(peer: str, path: Path, out: Path, form: str, workers: int, chunk_rows: int, rows: int) -> Run:
    """Runs a peer once, on a file of so many rows; this process must have no other children.

    Raises:
        RuntimeError: it failed.
    """
    before, began = _children_s(), time.perf_counter()
    arguments = [peer, str(path), str(out), form, str(workers), str(chunk_rows)]
    command = [sys.executable, "-m", "benchmarks.driver", *arguments]
    with tempfile.TemporaryFile() as said, Sampler() as sampler:
        with subprocess.Popen(command, cwd=REPOSITORY, stdout=said, stderr=said, env=_environment()) as process:
            process.wait(HANG_S)
        wall_s = time.perf_counter() - began
        _wait_for_orphans()
        if process.returncode:
            said.seek(0)
            raise RuntimeError(f"{peer} failed: {said.read().decode(errors='replace')[-2000:]}")
    # Neither can be too high: the one misses processes that nobody waited for (Ray's), the other their last moments.
    return Run(rows, wall_s, {"all": max(_children_s() - before, sampler.cpu_s())}, {})


class Sampler:
    """Looks at the CPU clocks of all descendants of this process again and again, in a thread."""

    def __init__(self) -> None:
        self._seen_s: dict[int, float] = {}
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def cpu_s(self) -> float:
        """Returns the CPU time that was seen."""
        return sum(self._seen_s.values())

    def __enter__(self) -> "Sampler":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._ended.wait(SAMPLE_S):
            self._look(os.getpid())

    def _look(self, parent: int) -> None:
        with contextlib.suppress(OSError):  # it has ended meanwhile
            for pid in children_of(parent):
                self._seen_s[pid] = cpu_s(pid)
                self._look(pid)


def _environment() -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GRIDMILL_")}
    return kept | {"RAY_USAGE_STATS_ENABLED": "0", "DASK_LOGGING__DISTRIBUTED": "error"}


def _wait_for_orphans() -> None:
    """Waits until all that was left behind has ended, and takes its CPU time."""
    deadline = time.monotonic() + LINGER_S
    while True:
        try:
            ended, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not ended:
            if time.monotonic() > deadline:
                for child in children_of(os.getpid()):
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(child, signal.SIGKILL)
            time.sleep(0.02)


def _children_s() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
