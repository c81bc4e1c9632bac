"""What a batch adds up to: the file `OUT.summary.json`, and the line at the end."""

import importlib.metadata
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from producer.chunk import Chunk
from solver_core._native import STATUS_NAMES
from solver_core.chunk import slice_puzzles, tally, unpack_puzzles
from solver_core.result import Status
from solver_core.rows import LineTally, count_given
from solver_core.sudoku import text_of

SLOWEST = 10


@dataclass(slots=True)
class Summary:
    """Sums over the rows that were written so far; journals keep it, so that a resumed run goes on adding.

    Attributes:
        status_counts: rows by status.
        kernel_ns: sum of the times of all puzzles.
        chunks: chunks gathered.
        resent_chunks: how often a chunk was sent again.
        wall_s: time spent, all runs together.
        workers: chunks by the worker that answered.
        slowest: the ten slowest puzzles, slowest first.
        given: rows that came with a solution.
        differing: those among them for which it is none.
    """

    status_counts: dict[str, int] = field(default_factory=dict)
    kernel_ns: int = 0
    chunks: int = 0
    resent_chunks: int = 0
    wall_s: float = 0.0
    workers: dict[str, int] = field(default_factory=dict)
    slowest: list[dict[str, Any]] = field(default_factory=list)
    given: int = 0
    differing: int = 0

    @classmethod
    def from_state(cls, state: dict[str, Any]) -> Self:
        """Goes on from what a journal kept."""
        return cls(**state)

    def state(self) -> dict[str, Any]:
        """Returns what a journal is to keep."""
        return asdict(self)

    @property
    def rows(self) -> int:
        """All rows."""
        return sum(self.status_counts.values())

    def add(self, chunk: Chunk, answer: bytes, workers: list[str]) -> None:
        """Adds a gathered chunk, answered (in parts) by these workers."""
        counts, kernel_ns, slow_rows = tally(answer)
        slowest = [
            (row, guesses, time_ns, text_of(unpack_puzzles(slice_puzzles(chunk.work, row, row + 1))))
            for row, guesses, time_ns in slow_rows
            if len(self.slowest) < SLOWEST or time_ns > self.slowest[-1]["time_ns"]
        ]
        self.add_sums(chunk, counts, kernel_ns, slowest, count_given(chunk.rows, chunk.work), workers)

    def add_jobs(self, count: int, kernel_ns: int) -> None:
        """Adds jobs for queens, which were counted as rows that are no puzzles before."""
        if count:
            for word, change in ((Status.INVALID.word, -count), (Status.SOLVED.word, count)):
                self.status_counts[word] = self.status_counts.get(word, 0) + change
            self.status_counts = {word: count for word, count in self.status_counts.items() if count}
            self.kernel_ns += kernel_ns

    def add_sums(
        self,
        chunk: Chunk,
        counts: Sequence[int],
        kernel_ns: int,
        slowest: Sequence[tuple[int, int, int, str]],
        given: tuple[int, int],
        workers: list[str],
    ) -> None:
        """Adds a gathered chunk by its sums.

        Args:
            chunk: the chunk.
            counts: rows by status.
            kernel_ns: sum of the times.
            slowest: row, guesses, time_ns and puzzle of the slowest.
            given: rows that came with a solution, and those among them for which it is none.
            workers: who answered.
        """
        for name, count in zip(STATUS_NAMES, counts, strict=True):
            if count:
                self.status_counts[name] = self.status_counts.get(name, 0) + count
        self.kernel_ns += kernel_ns
        self.given += given[0]
        self.differing += given[1]
        self.chunks += 1
        for worker in workers:
            self.workers[worker] = self.workers.get(worker, 0) + 1
        self.slowest += [
            {"id": chunk.name.start + row + 1, "puzzle": puzzle, "guesses": guesses, "time_ns": time_ns}
            for row, guesses, time_ns, puzzle in slowest
        ]
        self.slowest.sort(key=lambda slow: -slow["time_ns"])
        del self.slowest[SLOWEST:]

    def report(
        self, *, lines: LineTally, isa: list[str], plane: str, source_prints: list[dict[str, Any]]
    ) -> dict[str, Any]:
        """Returns the content of `OUT.summary.json`."""
        return {
            "status_counts": self.status_counts,
            "lines": lines._asdict(),
            "given_solutions": {"compared": self.given, "differing": self.differing},
            "wall_s": round(self.wall_s, 3),
            "kernel_s": round(self.kernel_ns / 1e9, 6),
            "puzzles_per_second": round(self.rows / self.wall_s) if self.wall_s else 0,
            "chunks": self.chunks,
            "resent_chunks": self.resent_chunks,
            "workers": self.workers,
            "isa": isa,
            "plane": plane,
            "versions": {
                "gridmill": importlib.metadata.version("gridmill"),
                "python": platform.python_version(),
            },
            "input": source_prints,
            "slowest": self.slowest,
        }


def one_line(summary: Summary, out: str) -> str:
    """Returns what stands at the end of a run: rows by status, time, rate, and where the output is."""
    counts = ", ".join(f"{count:,} {name}" for name, count in summary.status_counts.items())
    rows = summary.rows
    rate = f", {rows / summary.wall_s:,.0f} puzzles/s" if rows and summary.wall_s else ""
    detail = f" ({counts})" if counts else ""
    if summary.differing:
        detail += f", {summary.differing:,} of {summary.given:,} given solutions differ,"
    return f"{rows:,} row{'s' * (rows != 1)}{detail} in {summary.wall_s:.1f} s{rate} -> {out}"
