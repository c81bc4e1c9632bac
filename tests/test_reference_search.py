"""What the reference solvers share: stopping, bounds, and guesses that can be told beforehand."""

from collections.abc import Iterator

import pytest

from solver_core.chunk import unpack_results
from solver_core.reference.search import UNFINISHED, Effort, ReferenceSolver
from solver_core.result import Status
from solver_core.solvers import SOLVERS
from tests.puzzles import BY_NAME, PUZZLES
from tests.solving import run

REFERENCE = [name for name, solver in SOLVERS.items() if isinstance(solver, ReferenceSolver)]


class StopAfter:
    """A stop that is requested from the n-th poll on."""

    def __init__(self, polls: int) -> None:
        self.left = polls

    def requested(self) -> bool:
        self.left -= 1
        return self.left < 0


@pytest.mark.parametrize("name", REFERENCE)
def test_a_stop_before_the_first_puzzle_leaves_all_unfinished(name: str) -> None:
    cells = BY_NAME["easy 1"].cells + BY_NAME["full but wrong"].cells

    results = run(name, cells, stop=StopAfter(0))

    assert results == [UNFINISHED, UNFINISHED]


@pytest.mark.parametrize("name", REFERENCE)
def test_a_stop_on_the_way_keeps_what_is_finished(name: str) -> None:
    full, empty = BY_NAME["full grid"].cells, BY_NAME["empty grid"].cells

    results = run(name, full + empty + full, 10**9, stop=StopAfter(30))

    assert results[0].status is Status.UNIQUE
    assert results[1:] == [UNFINISHED, UNFINISHED]


@pytest.mark.parametrize("name", REFERENCE)
def test_a_stop_that_is_never_requested_changes_nothing(name: str) -> None:
    cells = BY_NAME["easy 1"].cells

    [result] = run(name, cells, stop=StopAfter(10**9))

    assert result.status is Status.UNIQUE


def test_a_search_is_asked_for_no_solution_beyond_the_limit() -> None:
    asked = []

    def solutions(cells: bytes, effort: Effort) -> Iterator[bytes]:
        for digit in range(1, 10):
            asked.append(digit)
            effort.guess()
            yield bytes([digit]) * 81

    [result] = unpack_results(ReferenceSolver(solutions)(bytes(81), 3))

    assert asked == [1, 2, 3]
    assert (result.solutions, result.guesses, result.solution) == (3, 3, bytes([1]) * 81)


def test_a_negative_bound_is_refused() -> None:
    with pytest.raises(ValueError, match="max_guesses"):
        run("bitmask", bytes(81), 2, -1)


def test_naive_and_cached_make_the_guesses_that_the_puzzles_tell() -> None:
    puzzles = [puzzle for puzzle in PUZZLES if puzzle.guesses_in_reading_order <= 5_000]
    cells = b"".join(puzzle.cells for puzzle in puzzles)

    told = [puzzle.guesses_in_reading_order for puzzle in puzzles]

    assert [result.guesses for result in run("naive", cells, 5)] == told
    assert [result.guesses for result in run("cached", cells, 5)] == told


def test_the_cleverer_solver_guesses_less() -> None:
    cells = BY_NAME["hard, of the first benchmarks"].cells

    bitmask, propagation = (run(name, cells)[0].guesses for name in ("bitmask", "propagation"))

    assert propagation < bitmask


@pytest.mark.parametrize("name", ["propagation", "dlx"])
def test_easy_puzzles_need_no_guess(name: str) -> None:
    cells = b"".join(BY_NAME[f"easy {number}"].cells for number in (1, 2, 3))

    results = run(name, cells)

    assert [result.guesses for result in results] == [0, 0, 0]
