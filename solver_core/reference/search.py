"""What all reference solvers share: a search for solutions becomes a solver of batches.

A search only yields solutions and reports its choices. Givens, limits, giving up, stopping and timing are here.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from solver_core.chunk import pack_results
from solver_core.result import Result, Status

CELLS = 81
MAX_GUESSES = 10_000_000
UNFINISHED = Result(Status.UNFINISHED, solutions=0, solution=b"", guesses=0, time_ns=0)


class Stop(Protocol):
    """A request to end early, which another thread may make at any time."""

    def requested(self) -> bool:
        """Whether to end now."""


class _GaveUpError(Exception):
    """The search needs more guesses than it may have."""


class _StoppedError(Exception):
    """The search was asked to end."""


class Effort:
    """Counts the guesses of one search, and ends the search when it has had enough."""

    def __init__(self, max_guesses: int, stop: Stop | None) -> None:
        """Begin with no guess made."""
        self.guesses = 0
        self._max_guesses = max_guesses
        self._stop = stop

    def guess(self) -> None:
        """Count one choice among two candidates or more; to be called before the first of them is tried.

        The way out of a search that has had enough is an exception, which only `ReferenceSolver` sees.
        """
        if self.guesses == self._max_guesses:
            raise _GaveUpError
        if self._stop is not None and self._stop.requested():
            raise _StoppedError
        self.guesses += 1


# Yields the solutions of one puzzle, depth first, as they are asked for. The givens are known not to clash.
Search = Callable[[bytes, Effort], Iterator[bytes]]


@dataclass(frozen=True, slots=True)
class ReferenceSolver:
    """Solves batches, one puzzle after the other, with a search for the solutions of one."""

    search: Search

    def __call__(self, cells: bytes, limit: int = 2, max_guesses: int = MAX_GUESSES, stop: Stop | None = None) -> bytes:
        """Solve N puzzles; arguments, answer and errors are those of `solver_core.solvers.Solver`."""
        if len(cells) % CELLS:
            raise ValueError(f"a batch is N x {CELLS} bytes, not {len(cells)}")
        if limit < 1 or max_guesses < 0:
            raise ValueError(f"limit must be at least 1 and max_guesses at least 0, not {limit} and {max_guesses}")
        puzzles = (cells[at : at + CELLS] for at in range(0, len(cells), CELLS))
        return pack_results(self._solve(puzzle, limit, max_guesses, stop) for puzzle in puzzles)

    def _solve(self, cells: bytes, limit: int, max_guesses: int, stop: Stop | None) -> Result:
        if stop is not None and stop.requested():
            return UNFINISHED
        began_ns = time.perf_counter_ns()
        effort = Effort(max_guesses, stop)
        first, found = b"", 0
        try:
            if not is_valid(cells):
                status = Status.INVALID
            else:
                for solution in self.search(cells, effort):
                    first, found = first or solution, found + 1
                    if found == limit:
                        break
                status = _status_of(found, limit)
        except _GaveUpError:
            status = Status.GAVE_UP
        except _StoppedError:
            return UNFINISHED
        return Result(status, found, first, effort.guesses, max(1, time.perf_counter_ns() - began_ns))


def box_of(cell: int) -> int:
    """The number, 0 to 8, of the box that a cell lies in."""
    return cell // 27 * 3 + cell % 9 // 3


def is_valid(cells: bytes) -> bool:
    """Whether these are 81 cells of 0 to 9 in which no digit stands twice in a row, column or box."""
    if max(cells) > 9:
        return False
    seen: set[tuple[str, int, int]] = set()
    for cell, digit in enumerate(cells):
        if digit:
            places = {("row", cell // 9, digit), ("column", cell % 9, digit), ("box", box_of(cell), digit)}
            if seen & places:
                return False
            seen |= places
    return True


def _status_of(solutions: int, limit: int) -> Status:
    """The status of a search that ran to its end, or to the limit."""
    if solutions == 0:
        return Status.UNSOLVABLE
    if limit == 1:
        return Status.SOLVED
    return Status.UNIQUE if solutions == 1 else Status.MULTIPLE
