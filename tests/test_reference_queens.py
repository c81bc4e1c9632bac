"""The readable N-Queens counter and lister."""

from pathlib import Path

import pytest

from solver_core.reference import queens
from tests.checker import is_board
from tests.known import read_table


@pytest.mark.parametrize(("n", "boards"), [(1, 1), (2, 0), (3, 0), (4, 2), (5, 10), (6, 4), (7, 40), (8, 92)])
def test_all_boards_are_counted(n: int, boards: int) -> None:
    assert queens.count(n) == boards


def test_boards_are_counted_by_the_column_of_the_first_row() -> None:
    assert queens.count_by_column(8) == [4, 8, 16, 18, 18, 16, 8, 4]


@pytest.mark.parametrize("n", range(1, 9))
def test_boards_are_listed_in_order_and_no_two_queens_attack(n: int) -> None:
    boards = list(queens.solutions(n))

    assert all(is_board(n, board) for board in boards)
    assert boards == sorted(set(boards))


def test_a_prefix_gives_the_part_of_the_list_that_begins_with_it() -> None:
    every = list(queens.solutions(8))

    for prefix in [(), (0,), (3, 5), (7, 3, 0), (0, 4, 7, 5, 2, 6, 1, 3)]:
        assert list(queens.solutions(8, prefix)) == [board for board in every if board.startswith(bytes(prefix))]


@pytest.mark.parametrize("prefix", [(3, 3), (3, 4), (3, 2), (0, 5, 2)])
def test_a_prefix_whose_queens_attack_has_no_boards(prefix: tuple[int, ...]) -> None:
    assert list(queens.solutions(8, prefix)) == []


def test_the_widest_board_keeps_all_its_columns() -> None:
    even, odd = range(1, 32, 2), [2, 0, *range(6, 32, 2), 4]  # the textbook board for n % 6 == 2
    board = bytes([*even, *odd])
    assert is_board(32, board)

    found = list(queens.solutions(32, board[:24]))

    assert board in found
    assert all(is_board(32, other) for other in found)


@pytest.mark.parametrize("n", [-1, 0, 33])
def test_a_board_of_a_wrong_size_is_refused(n: int) -> None:
    with pytest.raises(ValueError, match="n must be 1 to 32"):
        queens.count_by_column(n)


@pytest.mark.parametrize("prefix", [(8,), (-1,), (0, 4, 7, 5, 2, 6, 1, 3, 0)])
def test_a_prefix_that_does_not_fit_the_board_is_refused(prefix: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="prefix"):
        queens.solutions(8, prefix)


def test_known_counts_are_met(test_data: Path) -> None:
    table = read_table(test_data / "known" / "nqueens_counts.tsv")
    known = {int(row["n"]): int(row["all_A000170"]) for row in table}

    assert [queens.count(n) for n in range(1, 10)] == [known[n] for n in range(1, 10)]


def test_known_counts_by_column_are_met(test_data: Path) -> None:
    for row in read_table(test_data / "known" / "nqueens_first_column_A059963.tsv")[:9]:
        n, total = int(row["n"]), int(row["sum"])
        [counts] = [text for name, text in row.items() if name.startswith("k=")]

        assert queens.count_by_column(n) == [int(count) for count in counts.split()]
        assert queens.count(n) == total


def test_known_counts_by_prefix_are_met(test_data: Path) -> None:
    for row in read_table(test_data / "known" / "nqueens_prefix2.tsv"):
        prefix = int(row["col_row0"]), int(row["col_row1"])

        assert queens.count(int(row["n"]), prefix) == int(row["solutions"]), (row["n"], prefix)
