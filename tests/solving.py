"""Runs a solver of the table and reads its payload."""

from solver_core.chunk import unpack_results
from solver_core.reference.search import MAX_GUESSES, Stop
from solver_core.result import Result
from solver_core.solvers import SOLVERS


def run(
    name: str, cells: bytes, limit: int = 2, max_guesses: int = MAX_GUESSES, stop: Stop | None = None
) -> list[Result]:
    return unpack_results(SOLVERS[name](cells, limit, max_guesses, stop))
