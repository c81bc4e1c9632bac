"""The whole way on big real sets, checked against known answers and by the independent checker."""

import csv
import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.checker import is_board, is_solution
from tests.gridmill import Gridmill
from tests.known import read_table
from tests.puzzles import cells_of
from tests.rows import read_rows, without_times, write_lines

pytestmark = pytest.mark.bulk


def puzzles_of(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode().split()


def rows_of(path: Path) -> Iterator[dict[str, str]]:
    with path.open(newline="") as file:
        yield from csv.DictReader(file)


@pytest.mark.parametrize("name", ["17clue_49158", "magictour_top1465", "random_minimal_100k"])
def test_every_puzzle_of_a_set_is_unique_and_every_solution_right(
    gridmill: Gridmill, test_data: Path, tmp_path: Path, name: str
) -> None:
    source = test_data / f"data/{name}.txt.gz"
    puzzles = puzzles_of(source)

    ended = gridmill("solve", source, "-o", "out.csv")

    assert ended.code == 0
    count = 0
    for row, puzzle in zip(rows_of(tmp_path / "out.csv"), puzzles, strict=True):
        count += 1
        assert (row["id"], row["line"], row["puzzle"], row["status"]) == (str(count), str(count), puzzle, "unique")
        assert is_right(puzzle, row["solution"]), row
    told = json.loads((tmp_path / "out.csv.summary.json").read_text())
    assert told["status_counts"] == {"unique": len(puzzles)}
    assert told["lines"] == {"total": count, "blank": 0, "comment": 0, "structure": 0, "puzzle": count}
    assert told["kernel_s"] == pytest.approx(
        sum(int(row["time_ns"]) for row in rows_of(tmp_path / "out.csv")) / 1e9, abs=1e-6
    )


UNITS = [
    *[[9 * row + column for column in range(9)] for row in range(9)],
    *[[9 * row + column for row in range(9)] for column in range(9)],
    *[
        [27 * band + 9 * row + 3 * stack + column for row in range(3) for column in range(3)]
        for band in range(3)
        for stack in range(3)
    ],
]
DIGITS = set("123456789")


def is_right(puzzle: str, solution: str) -> bool:
    """What `checker.is_solution` says, on text and quicker: 150,000 grids are many for it."""
    return (
        len(solution) == 81
        and all(given in (".", cell) for given, cell in zip(puzzle, solution, strict=True))
        and all(set(map(solution.__getitem__, unit)) == DIGITS for unit in UNITS)
    )


def test_the_quick_check_says_what_the_plain_one_does(test_data: Path) -> None:
    row = read_table(test_data / "known/top95.tsv")[0]
    puzzle, solution = row["puzzle"], row["solution"]
    exchanged = solution[1] + solution[0] + solution[2:]

    for grid in (solution, exchanged, solution[:-1], solution[:-1] + ".", solution[1:] + solution[0]):
        assert is_right(puzzle, grid) == is_solution(cells_of(puzzle), cells_of(grid))


def test_puzzles_without_a_solution_are_unsolvable(gridmill: Gridmill, test_data: Path, tmp_path: Path) -> None:
    write_lines(tmp_path / "in.txt", puzzles_of(test_data / "data/invalid_zero_100k.txt.gz")[:1000])

    rows = read_rows(gridmill("solve", "in.txt").out)

    assert [row["status"] for row in rows] == ["unsolvable"] * 1000
    assert {row["solutions"] for row in rows} == {"0"}


def test_puzzles_with_two_solutions_are_multiple(gridmill: Gridmill, test_data: Path, tmp_path: Path) -> None:
    known = read_table(test_data / "known/sudoku_two_solutions.tsv")
    write_lines(tmp_path / "in.txt", [row["puzzle"] for row in known])

    rows = read_rows(gridmill("solve", "in.txt", "--limit", 1000).out)

    assert {row["status"] for row in rows} == {"multiple"}
    assert [row["solutions"] for row in rows] == [row["solutions"] for row in known]


def test_the_empty_grid_has_more_than_one_solution(gridmill: Gridmill) -> None:
    rows = read_rows(gridmill("solve", "." * 81).out)

    assert [(row["status"], row["solutions"]) for row in rows] == [("multiple", "2")]


def test_known_solutions_are_found(gridmill: Gridmill, test_data: Path, tmp_path: Path) -> None:
    known = read_table(test_data / "known/top95.tsv") + read_table(test_data / "known/euler96_50.tsv")
    write_lines(tmp_path / "in.txt", [row["puzzle"] for row in known])

    rows = read_rows(gridmill("solve", "in.txt").out)

    assert [row["solution"] for row in rows] == [row["solution"] for row in known]


def test_the_bytes_are_the_same_for_100_and_5000_rows_a_chunk_and_one_worker_or_two(
    alone: Gridmill, gridmill: Gridmill, test_data: Path, tmp_path: Path
) -> None:
    write_lines(tmp_path / "in.txt", puzzles_of(test_data / "data/random_minimal_100k.txt.gz")[:20_000])

    for name, options in (("100", ["--chunk", 100]), ("5000", ["--chunk", 5000]), ("auto", [])):
        assert gridmill("solve", "in.txt", "-o", f"{name}.csv", *options).code == 0
    assert alone("solve", "in.txt", "-o", "one.csv", "--workers", 1).code == 0

    first, *others = (without_times((tmp_path / f"{name}.csv").read_text()) for name in ("100", "5000", "auto", "one"))
    assert len(first) == 20_000
    assert [other == first for other in others] == [True] * 3


def test_queens_are_as_many_as_published(gridmill: Gridmill, test_data: Path, tmp_path: Path) -> None:
    totals = {row["n"]: row["all_A000170"] for row in read_table(test_data / "known/nqueens_counts.tsv")}
    columns = {
        row["n"]: row["k=1..n (solutions with the queen of row 1 in column k)"].split()
        for row in read_table(test_data / "known/nqueens_first_column_A059963.tsv")
    }

    assert gridmill("queens", "4-12", "-o", "q.csv").code == 0

    rows = read_rows((tmp_path / "q.csv").read_text())
    for n in map(str, range(4, 13)):
        found = [row["solutions"] for row in rows if row["n"] == n]
        assert found == columns[n]
        assert sum(map(int, found)) == int(totals[n])


def test_the_list_of_nine_queens_is_right(gridmill: Gridmill, tmp_path: Path) -> None:
    assert gridmill("queens", 9, "--list", "-o", "q9.txt").code == 0

    boards = [tuple(map(int, line.split())) for line in (tmp_path / "q9.txt").read_text().splitlines()]
    assert len(boards) == 352
    assert boards == sorted(set(boards))
    assert all(is_board(9, board) for board in boards)
