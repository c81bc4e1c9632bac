"""The Python face of the Sudoku kernels: one puzzle by hand, batches of N x 81 bytes, and whole chunks."""

from collections.abc import Mapping
from typing import Any

from solver_core._native import Stop, solve_listed
from solver_core.chunk import unpack_puzzles, unpack_results
from solver_core.errors import PuzzleError
from solver_core.result import Result
from solver_core.solvers import DEFAULT_SOLVER, MAX_GUESSES, SOLVERS

__all__ = ["Stop", "answer", "cells_of", "solve", "text_of"]


def solve(puzzle: str, *, limit: int = 2, max_guesses: int = MAX_GUESSES, solver: str = DEFAULT_SOLVER) -> Result:
    """Solves one puzzle.

    Args:
        puzzle: 81 characters, row by row: `1` to `9`, or `.` (also `0`, `_`, `*`) for an empty cell.
        limit: stop after this many solutions; 2 tells `unique` from `multiple`.
        max_guesses: give up when one guess more would be needed.
        solver: a name from `SOLVERS`.

    Raises:
        PuzzleError: that is no puzzle. Clashing givens are no error but the status `invalid`.
    """
    return unpack_results(SOLVERS[solver](cells_of(puzzle), limit, max_guesses, None))[0]


def cells_of(puzzle: str) -> bytes:
    """Returns the 81 cell values of a puzzle, 0 for an empty cell.

    Raises:
        PuzzleError: that is no puzzle.
    """
    text = puzzle.strip()
    if len(text) != 81:
        raise PuzzleError(f"{len(text)} characters where 81 are needed")
    for place, mark in enumerate(text, start=1):
        if mark not in "123456789.0_*":
            raise PuzzleError(f"character {mark!r} at position {place}")
    return bytes(int(mark) if mark.isdigit() else 0 for mark in text)


def text_of(cells: bytes) -> str:
    """Returns the 81 characters of a puzzle, `.` for an empty cell."""
    return "".join(str(cell) if cell else "." for cell in cells)


def answer(payload: bytes, meta: Mapping[str, Any], stop: Stop) -> bytes:
    """Solves the puzzles of a chunk.

    Args:
        payload: a `puzzles` payload.
        meta: `solver`, `limit` and `max_guesses` of the batch; `listed`, if all solutions are asked for.
        stop: ends the work; what is not finished by then is `unfinished` in the answer.

    Returns:
        A `results` payload, as many results as puzzles.

    Raises:
        ChunkError: the payload is none of puzzles.
        KernelError: native code failed.
    """
    if meta.get("listed"):
        return solve_listed(unpack_puzzles(payload), meta["limit"], meta["max_guesses"], stop)
    solver = SOLVERS[meta["solver"]]
    return solver(unpack_puzzles(payload), meta["limit"], meta["max_guesses"], stop)
