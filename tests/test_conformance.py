"""One suite for all solvers of the table: whoever joins `SOLVERS` is tested here without a line of change.

Slow solvers get fewer puzzles, by the two tables below; a solver that is in none of them gets every puzzle.
"""

from collections import defaultdict
from pathlib import Path

import pytest

from solver_core.result import Result, Status
from solver_core.solvers import SOLVERS
from tests.checker import is_solution
from tests.known import read_puzzles
from tests.puzzles import BY_NAME, ENDLESS, PUZZLES, Puzzle
from tests.solving import run

# Own puzzles: no more guesses in reading order than this. A guess costs `naive` 20 us and `cached` 8 us.
REACH = defaultdict(lambda: ENDLESS, naive=2_000, cached=5_000)

# Known puzzles: so many of each file, those with most givens first, which is where backtracking is quick.
ALL = 10**9
EVERYTHING = {"sudoku_named": ALL, "hardest11": ALL, "sudoku_two_solutions": ALL, "top95": ALL, "euler96_50": ALL}
SHARES = defaultdict(
    lambda: EVERYTHING,
    naive=EVERYTHING | {"sudoku_named": 8, "hardest11": 2, "top95": 1, "euler96_50": 12},
    cached=EVERYTHING | {"sudoku_named": 8, "hardest11": 3, "top95": 1, "euler96_50": 20},
    bitmask=EVERYTHING | {"sudoku_named": 11, "top95": 20},
    propagation=EVERYTHING | {"sudoku_named": 13},  # the next is Norvig's "impossible" one: minutes
)

LIMITS = [1, 2, 5]

every_solver = pytest.mark.parametrize("name", SOLVERS)


@every_solver
@pytest.mark.parametrize("limit", LIMITS)
def test_status_solutions_and_the_first_of_them_are_right(name: str, limit: int) -> None:
    puzzles = share_of(name)

    results = solve(name, puzzles, limit)

    assert verdicts(puzzles, results) == right_verdicts(puzzles, limit)
    assert wrong_solutions(puzzles, results) == []


@every_solver
@pytest.mark.parametrize("file", EVERYTHING)
def test_known_answers_are_found(name: str, file: str, test_data: Path) -> None:
    puzzles = read_puzzles(test_data / "known" / f"{file}.tsv")[: SHARES[name][file]]

    results = solve(name, puzzles, limit=5)

    assert verdicts(puzzles, results) == right_verdicts(puzzles, limit=5)
    assert wrong_solutions(puzzles, results) == []


@every_solver
@pytest.mark.parametrize(("limit", "counted"), [(16, 16), (17, 17), (18, 17)])
def test_a_count_is_exact_up_to_the_limit(name: str, limit: int, counted: int) -> None:
    puzzle = BY_NAME["several solutions"]
    assert puzzle.solutions == 17

    [result] = solve(name, [puzzle], limit)

    assert (result.status, result.solutions) == (Status.MULTIPLE, counted)


@every_solver
def test_the_first_solution_is_the_same_for_every_limit(name: str) -> None:
    puzzles = [BY_NAME["two solutions, few givens"], BY_NAME["many solutions"], BY_NAME["empty grid"]]

    one, two, five = (solve(name, puzzles, limit) for limit in LIMITS)

    assert [result.solution for result in one] == [result.solution for result in two]
    assert [result.solution for result in one] == [result.solution for result in five]


@every_solver
def test_a_row_does_not_depend_on_its_company(name: str) -> None:
    puzzles = share_of(name)

    together = solve(name, puzzles)
    backwards = solve(name, puzzles[::-1])[::-1]
    alone = [result for puzzle in puzzles for result in solve(name, [puzzle])]

    assert [without_time(result) for result in together] == [without_time(result) for result in alone]
    assert [without_time(result) for result in backwards] == [without_time(result) for result in alone]


@every_solver
def test_a_search_gives_up_exactly_when_it_needs_one_guess_more(name: str) -> None:
    puzzle = BY_NAME["several solutions"]
    [whole] = solve(name, [puzzle], limit=5)
    assert whole.guesses > 1

    for maximum in {0, 1, whole.guesses // 2, whole.guesses - 1}:
        [result] = run(name, puzzle.cells, 5, maximum)

        assert (result.status, result.guesses) == (Status.GAVE_UP, maximum)
        assert result.solutions <= whole.solutions
        assert result.solution == (whole.solution if result.solutions else b"")

    for maximum in {whole.guesses, whole.guesses + 1}:
        [result] = run(name, puzzle.cells, 5, maximum)

        assert without_time(result) == without_time(whole)


@every_solver
def test_what_was_found_before_giving_up_is_kept(name: str) -> None:
    puzzle = BY_NAME["many solutions"]
    [first] = solve(name, [puzzle], limit=1)

    [result] = run(name, puzzle.cells, 200, first.guesses)

    assert result.status is Status.GAVE_UP
    assert result.solutions >= 1
    assert result.solution == first.solution


@every_solver
def test_an_empty_grid_is_given_up_without_a_solution(name: str) -> None:
    puzzle = BY_NAME["empty grid"]

    [result] = run(name, puzzle.cells, 2, 10)

    assert without_time(result) == (Status.GAVE_UP, 0, b"", 10)


@every_solver
@pytest.mark.parametrize(
    "puzzle", ["full grid", "one cell empty", "clash in a box", "full but wrong", "unreadable line"]
)
def test_where_nothing_is_to_choose_no_guess_is_counted(name: str, puzzle: str) -> None:
    [result] = solve(name, [BY_NAME[puzzle]])

    assert result.guesses == 0


@every_solver
def test_a_puzzle_takes_time(name: str) -> None:
    results = solve(name, [BY_NAME["easy 1"], BY_NAME["full grid"]])

    assert all(result.time_ns >= 1 for result in results)


@every_solver
def test_an_empty_batch_has_no_results(name: str) -> None:
    assert run(name, b"") == []


@every_solver
@pytest.mark.parametrize("length", [1, 80, 82, 161])
def test_a_piece_of_a_puzzle_is_refused(name: str, length: int) -> None:
    with pytest.raises(ValueError, match="81"):
        run(name, bytes(length))


@every_solver
def test_a_limit_of_none_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="limit"):
        run(name, bytes(81), 0)


def share_of(name: str) -> list[Puzzle]:
    """The own puzzles that a solver gets."""
    return [puzzle for puzzle in PUZZLES if puzzle.guesses_in_reading_order <= REACH[name]]


def solve(name: str, puzzles: list[Puzzle], limit: int = 2) -> list[Result]:
    """Solve puzzles as one batch."""
    results = run(name, b"".join(puzzle.cells for puzzle in puzzles), limit)
    assert len(results) == len(puzzles)
    return results


def verdicts(puzzles: list[Puzzle], results: list[Result]) -> dict[str, tuple[Status, int]]:
    return {puzzle.name: (result.status, result.solutions) for puzzle, result in zip(puzzles, results, strict=True)}


def right_verdicts(puzzles: list[Puzzle], limit: int) -> dict[str, tuple[Status, int]]:
    return {puzzle.name: (puzzle.status(limit), min(limit, puzzle.solutions)) for puzzle in puzzles}


def wrong_solutions(puzzles: list[Puzzle], results: list[Result]) -> list[str]:
    """The puzzles whose solution is wrong, or lacking, or there although none was found."""
    return [
        puzzle.name
        for puzzle, result in zip(puzzles, results, strict=True)
        if not (is_solution(puzzle.cells, result.solution) if result.solutions else result.solution == b"")
    ]


def without_time(result: Result) -> tuple[Status, int, bytes, int]:
    return result.status, result.solutions, result.solution, result.guesses
