"""One run from file to file, by gridmill's pipeline or by other means, and what its processes cost."""

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from producer.bench.processes import children_of, cpu_s, parent_of, peak_bytes, watched
from producer.bench.sudoku import CELLS
from producer.journal import beside
from solver_core.errors import BrokerError
from worker.broker import connect
from worker.store import Store

PROCESSES = ("producer", "celery", "pool", "broker")
START_S = 30.0
_DIGITS = bytes.maketrans(bytes([*range(10), 15]), b".123456789?")


@dataclass(frozen=True, slots=True)
class Run:
    """One run: CPU seconds, and the most memory resident where it is known, by process."""

    rows: int
    wall_s: float
    cpu_s: dict[str, float]
    peak_bytes: dict[str, int]
    chunks: int = 0


class Cluster:
    """A broker and its local workers, and what their processes cost.

    `celery` is Celery's own process with its supervisor, `pool` the processes that solve.
    """

    def __init__(self, url: str) -> None:
        """Waits for the workers.

        Raises:
            BrokerError: they do not come.
        """
        self.url = url
        self._client = connect(url)
        store = Store(self._client)
        deadline = time.monotonic() + START_S
        while not (workers := store.workers()):
            if time.monotonic() > deadline:
                raise BrokerError("the local workers did not start")
            time.sleep(0.05)
        parent = int(next(iter(workers.values()))["pid"])
        self._pids = {
            "celery": [parent, parent_of(parent)],
            "pool": children_of(parent),
            "broker": [int(self._client.info("server")["process_id"])],
        }

    def cpu_s(self) -> dict[str, float]:
        """Returns the CPU seconds used so far."""
        return {name: sum(map(cpu_s, pids)) for name, pids in self._pids.items()}

    def peak_bytes(self) -> dict[str, int]:
        """Returns the most memory that one process of each kind had, and the most data that the broker had."""
        data = {"broker_data": int(self._client.info("memory")["used_memory_peak"])}
        return {name: max(map(peak_bytes, pids)) for name, pids in self._pids.items()} | data


def solve(cluster: Cluster, path: Path, out: Path, form: str, plane: str) -> Run:
    """Runs `gridmill solve` on a cluster.

    Raises:
        BrokerError: it failed, or took another plane.
    """
    command = [sys.executable, "-P", "-m", "producer.cli", "solve", str(path), "-o", str(out), "--format", form]
    before, began = cluster.cpu_s(), time.perf_counter()
    with subprocess.Popen(
        [*command, "--fresh", "--quiet"],
        env={**os.environ, "GRIDMILL_BROKER": cluster.url},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    ) as process:
        process.returncode, producer_s, peak = watched(process.pid)
        wall_s = time.perf_counter() - began
        said = process.stderr.read().decode() if process.stderr else ""
    if process.returncode not in (0, 1):
        raise BrokerError(f"a run that was measured failed: {said.strip()}")
    spent = {name: after - before[name] for name, after in cluster.cpu_s().items()}
    summary_path = beside(out, "summary.json")
    summary = json.loads(summary_path.read_text())
    summary_path.unlink()
    if summary["plane"] != plane:
        raise BrokerError(f"the run took the plane {summary['plane']}, not {plane}")
    rows = sum(summary["status_counts"].values())
    return Run(
        rows, wall_s, {"producer": producer_s} | spent, {"producer": peak} | cluster.peak_bytes(), summary["chunks"]
    )


def timed(rows: int, work: Callable[[], object]) -> Run:
    """Runs something else that makes so many rows, in this process and in children that it waits for."""
    before, began = _own_cpu_s(), time.perf_counter()
    work()
    return Run(rows, time.perf_counter() - began, {"all": _own_cpu_s() - before}, {})


def repeat(cells: bytes, rows: int, path: Path) -> None:
    """Writes puzzles, one a line and again from the first, until there are so many rows."""
    text = cells.translate(_DIGITS)
    lines = b"".join(text[at : at + CELLS] + b"\n" for at in range(0, len(text), CELLS))
    times, rest = divmod(rows, len(cells) // CELLS)
    with path.open("wb") as file:
        for _ in range(times):
            file.write(lines)
        file.write(lines[: rest * (CELLS + 1)])


def _own_cpu_s() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime
