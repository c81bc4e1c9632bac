"""The table of Sudoku solvers: a name for each, one signature for all."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Protocol

from solver_core._native import Stop, solve_lanes, solve_solo
from solver_core.isa import isa
from solver_core.reference import bitmask, cached, dlx, naive, propagation
from solver_core.reference.search import MAX_GUESSES, ReferenceSolver

__all__ = ["DEFAULT_SOLVER", "MAX_GUESSES", "SOLVERS", "Solver"]

DEFAULT_SOLVER = "lanes"


class Solver(Protocol):
    """The one signature of all solvers."""

    def __call__(self, cells: bytes, limit: int = 2, max_guesses: int = MAX_GUESSES, stop: Stop | None = None) -> bytes:
        """Solve N puzzles.

        Args:
            cells: N x 81 bytes, puzzle after puzzle, row by row: 0 is an empty cell, 1 to 9 a given. Any larger value
                marks an unreadable line, whose status is `invalid`.
            limit: stop after this many solutions of a puzzle; at least 1. With 1 a solvable puzzle is `solved`.
            max_guesses: give up where one guess more would be needed. `guesses` is then exactly this, and solutions
                found before are kept.
            stop: polled during the search; once requested, the puzzle at hand and all after it are `unfinished`.

        Returns:
            A `results` payload (`chunk.py`): N results, in the order of the puzzles.

        Raises:
            ValueError: `cells` is not N x 81 bytes, or a bound is out of range.
        """


def _lanes(cells: bytes, limit: int = 2, max_guesses: int = MAX_GUESSES, stop: Stop | None = None) -> bytes:
    return solve_lanes(cells, limit, max_guesses, stop, isa())


SOLVERS: Mapping[str, Solver] = MappingProxyType(
    {
        "lanes": _lanes,
        "solo": solve_solo,
        "naive": ReferenceSolver(naive.solutions),
        "cached": ReferenceSolver(cached.solutions),
        "bitmask": ReferenceSolver(bitmask.solutions),
        "propagation": ReferenceSolver(propagation.solutions),
        "dlx": ReferenceSolver(dlx.solutions),
    }
)
