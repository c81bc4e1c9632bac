"""Sudoku solvers on puzzles in memory."""

from collections.abc import Sequence
from dataclasses import dataclass

from producer.bench.timing import median_s, on_threads, slices
from producer.readers.cutter import Cutter
from producer.readers.sources import Source
from solver_core._native import lane_passes, solve_lanes, wrong_solutions
from solver_core.chunk import unpack_puzzles, unpack_results
from solver_core.errors import KernelError
from solver_core.isa import isa as default_isa
from solver_core.solvers import MAX_GUESSES, SOLVERS

CELLS = 81
READ_ROWS = 50_000
# The hard puzzle that the solvers this project grew from were measured on.
HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
# Made by chance for this project, each with one solution.
SMALL_SET = (
    "32.71...8694.....71.....43.8...91..4....5.7.3....7....9.3..784.....356.17.1..2...",
    ".426..9..6..4.9.5.957.......6.2......2..6...8.84.....5493..5..2..6.42.9..7.39.1..",
    ".37.8621.52.4319...9.7.........7....71..4...9.....2.3...835.6.29..2.......48...93",
    "...13....61.........2..6.....6.2..5...59...47...7...1.2....9..44..3..5..5374....6",
)
SEEDS = ("naive", "cached", "bitmask", "dlx", "solo", "lanes")


@dataclass(frozen=True, slots=True)
class Measured:
    """One measurement, as `--json` prints it; passes are those of `lanes` alone."""

    solver: str
    isa: str
    limit: int
    threads: int
    puzzles: int
    repeats: int
    ns_per_puzzle: float
    puzzles_per_second: float
    guesses_per_puzzle: float
    passes_per_puzzle: float | None


def read_cells(sources: Sequence[Source]) -> bytes:
    """Returns all rows of the sources, 81 bytes each."""
    rows = Cutter(sources)
    parts = []
    try:
        while not rows.ended:
            chunk = rows.cut(READ_ROWS, wait_s=1.0)
            if chunk:
                parts.append(unpack_puzzles(chunk.work))
    finally:
        rows.close()
    return b"".join(parts)


def measure(cells: bytes, solver: str, isa: str | None, limit: int, threads: int, repeats: int) -> Measured:
    """Measures a solver from bytes in memory to packed results in memory.

    A first run, which does not count, checks every solution.

    Raises:
        ValueError: there is no puzzle, or this machine lacks the isa.
        KernelError: a solution is wrong.
    """
    count = len(cells) // CELLS
    if not count:
        raise ValueError("there is no puzzle to measure")
    isa = isa or default_isa()
    parts = [cells[first * CELLS : last * CELLS] for first, last in slices(count, threads)]

    def solve(part: bytes) -> bytes:
        if solver == "lanes":
            return solve_lanes(part, limit, MAX_GUESSES, isa=isa)
        return SOLVERS[solver](part, limit)

    guesses = 0
    for part, payload in zip(parts, on_threads(solve, parts), strict=True):
        wrong = wrong_solutions(part, payload)
        if wrong:
            raise KernelError(f"{solver} gave {len(wrong)} wrong solutions")
        guesses += sum(result.guesses for result in unpack_results(payload))
    median_ns = median_s(lambda: on_threads(solve, parts), repeats) * 1e9
    return Measured(
        solver=solver,
        isa=isa if solver == "lanes" else "portable",
        limit=limit,
        threads=len(parts),
        puzzles=count,
        repeats=repeats,
        ns_per_puzzle=median_ns / count,
        puzzles_per_second=count * 1e9 / median_ns,
        guesses_per_puzzle=guesses / count,
        passes_per_puzzle=lane_passes(cells, limit, MAX_GUESSES, isa) / count if solver == "lanes" else None,
    )


def measure_seeds(repeats: int) -> list[tuple[str, Measured]]:
    """Measures the solvers this project grew from: the first solution of the hard puzzle, and of a small set."""
    sets = {"hard puzzle": (HARD,), "small set": SMALL_SET}
    return [
        (name, measure(_cells(puzzles), solver, None, 1, 1, repeats))
        for name, puzzles in sets.items()
        for solver in SEEDS
    ]


def _cells(puzzles: Sequence[str]) -> bytes:
    return bytes(0 if mark == "." else int(mark) for puzzle in puzzles for mark in puzzle)
