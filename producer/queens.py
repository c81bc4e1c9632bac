"""N-Queens batches: the board is split by prefixes, counted or listed by workers, and put together again.

The unit of the answer is the first-row column, the unit of work a prefix. Columns c and n-1-c mirror each other, so
only the left half of the first row is counted; a list needs every column.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from producer.chunk import Chunk
from producer.dispatch import Gathered
from producer.writers import Target
from solver_core._native import write_boards
from solver_core.queens import QUEENS_COUNTS, count, prefixes
from solver_core.queens_chunk import Work, pack_work, unpack_answers, unpack_work
from worker.store import ChunkName

# Rows of a prefix, by n: deep enough that no piece takes more than a second or two of kernel time, and that there
# are far more pieces than processes; several small ones travel in one chunk.
DEPTHS = ((8, 1), (12, 2), (16, 3), (18, 4), (20, 5), (32, 6))
PROBE_N = 15
# Solutions of 27 queens are 10.5 times those of 26, and the factor grows slowly.
GROWTH = 11.0
# The list below a prefix travels as one answer: a deeper prefix keeps it small.
LIST_DEPTHS = ((6, 1), (9, 2), (11, 3), (13, 4), (15, 5), (32, 6))


def depth_of(n: int, depths: Sequence[tuple[int, int]]) -> int:
    """Returns how many rows a prefix has on a board of n."""
    return min(n, next(depth for most, depth in depths if n <= most))


def is_counted(n: int, prefix: bytes) -> bool:
    """Whether a prefix is counted itself; the others have a mirrored one that is."""
    return prefix[0] < (n + 1) // 2


class PrefixCutter:
    """The prefixes of a batch, chunk by chunk; a chunk has prefixes of one board only.

    Attributes:
        ended: whether all have been cut.
        total: how many there are.
    """

    def __init__(self, boards: Iterable[int], *, most: int = 0, start: int = 0) -> None:
        """Prepares the prefixes.

        Args:
            boards: the sizes n.
            most: 0 counts; else all first-row columns are listed, at most so many solutions below a prefix.
            start: prefixes that an earlier run has done.
        """
        self._most = most
        self._pieces = [(n, prefix) for n in boards for prefix in self._prefixes(n)]
        self.total = len(self._pieces)
        self._at = start
        self.ended = start >= self.total

    def cut(self, max_rows: int, wait_s: float) -> Chunk | None:  # noqa: ARG002 - all prefixes are at hand
        """Returns the next chunk; None at the end."""
        if self._at >= self.total:
            self.ended = True
            return None
        n = self._pieces[self._at][0]
        stop = self._at + 1
        while stop < min(self.total, self._at + max_rows) and self._pieces[stop][0] == n:
            stop += 1
        taken = tuple(prefix for _, prefix in self._pieces[self._at : stop])
        chunk = Chunk(ChunkName(self._at, stop), pack_work(Work(n, len(taken[0]), self._most, taken)), b"")
        self._at = stop
        return chunk

    def _prefixes(self, n: int) -> list[bytes]:
        if self._most:
            return prefixes(n, depth_of(n, LIST_DEPTHS))
        return [prefix for prefix in prefixes(n, depth_of(n, DEPTHS)) if is_counted(n, prefix)]


@dataclass(slots=True)
class Column:
    """Solutions with the first queen in this column, and the kernel time it took to count them."""

    solutions: int = 0
    time_ns: int = 0


@dataclass(slots=True)
class Counts:
    """Counts by board and first-row column; a journal keeps them."""

    boards: dict[int, list[Column]] = field(default_factory=dict)

    @classmethod
    def of(cls, boards: Iterable[int], state: dict[str, Any]) -> "Counts":
        """Begins with nothing, or goes on from what a journal kept."""
        kept = state.get("boards", {})
        counts = cls()
        for n in boards:
            columns = kept.get(str(n), [[0, 0]] * n)
            counts.boards[n] = [Column(solutions, time_ns) for solutions, time_ns in columns]
        return counts

    def state(self) -> dict[str, Any]:
        """Returns what a journal is to keep."""
        return {
            "boards": {
                str(n): [[column.solutions, column.time_ns] for column in columns] for n, columns in self.boards.items()
            }
        }

    def add(self, item: Gathered) -> None:
        """Adds the answers of a chunk to their columns and to the mirrored ones, which share the time."""
        n = unpack_work(item.chunk.work).n
        columns = self.boards[n]
        for answer in unpack_answers(item.answer):
            first = answer.prefix[0]
            mirrored = n - 1 - first
            columns[first].solutions += answer.solutions
            if mirrored == first:
                columns[first].time_ns += answer.time_ns
            else:
                columns[mirrored].solutions += answer.solutions
                columns[first].time_ns += answer.time_ns // 2
                columns[mirrored].time_ns += answer.time_ns - answer.time_ns // 2

    def total(self, n: int) -> int:
        """Returns the solutions of a board."""
        return sum(column.solutions for column in self.boards[n])


def gather_counts(
    gathered: Iterable[Gathered], counts: Counts, target: Target | None, progress: Callable[[int], None]
) -> None:
    """Adds up all chunks; with a target every step is kept in its journal."""
    done = target.rows if target else 0
    for item in gathered:
        counts.add(item)
        done += item.chunk.count
        if target:
            target.write(b"", item.chunk.count, counts.state)
        progress(done)


def gather_lists(
    gathered: Iterable[Gathered], n: int, form: str, most: int, target: Target, progress: Callable[[int], None]
) -> int:
    """Writes the solutions of all chunks, in order, up to `most`; returns how many there are in the output.

    Several chunks may hold more than `most` together, for none knows of the others.
    """
    written = int(target.state.get("solutions", 0))
    for item in gathered:
        listed = b"".join(answer.listed for answer in unpack_answers(item.answer))[: (most - written) * n]
        text = write_boards(n, listed, form, written == 0)
        written += len(listed) // n
        target.write(text, item.chunk.count, lambda: {"solutions": written})  # noqa: B023 - asked for at once or later
        progress(target.rows)
        if written >= most:
            break
    return written


def estimate_s(n: int, processes: int) -> float:
    """Estimates how long counting a board of n takes on so many processes like this one.

    Time grows about as the number of solutions does; the rate is measured here, on a board of 15.
    """
    began = time.perf_counter()
    count(PROBE_N)
    rate = QUEENS_COUNTS[PROBE_N] / (time.perf_counter() - began)
    known = min(n, len(QUEENS_COUNTS) - 1)
    solutions = QUEENS_COUNTS[known] * GROWTH ** (n - known)
    return float(solutions / rate / processes)


def rows_of(counts: Counts) -> Iterator[tuple[int, int, int, int]]:
    """Yields the rows of output: n, column, solutions, time_ns."""
    for n, columns in counts.boards.items():
        for place, column in enumerate(columns):
            yield n, place, column.solutions, column.time_ns
