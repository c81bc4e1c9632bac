"""Runs a peer, and tells what all its processes cost, whoever started them and however they ended."""

import contextlib
import ctypes
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from producer.bench.processes import children_of
from producer.bench.running import Run

REPOSITORY = Path(__file__).resolve().parent.parent
PR_SET_CHILD_SUBREAPER = 36
# Processes that a peer leaves behind end by themselves, or after this long by force.
LINGER_S = 20
HANG_S = 600


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
    command = [
        sys.executable,
        "-m",
        "benchmarks.driver",
        peer,
        str(path),
        str(out),
        form,
        str(workers),
        str(chunk_rows),
    ]
    with tempfile.TemporaryFile() as said:
        with subprocess.Popen(command, cwd=REPOSITORY, stdout=said, stderr=said, env=_environment()) as process:
            process.wait(HANG_S)
        wall_s = time.perf_counter() - began
        _wait_for_orphans()
        if process.returncode:
            said.seek(0)
            raise RuntimeError(f"{peer} failed: {said.read().decode(errors='replace')[-2000:]}")
    return Run(rows, wall_s, {"all": _children_s() - before}, {})


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
