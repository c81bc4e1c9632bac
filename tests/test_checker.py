"""The checker must be beyond doubt, for all other tests lean on it."""

import pytest

from tests.checker import BOXES, COLUMNS, ROWS, has_clash, is_board, is_solution
from tests.puzzles import FULL, WITH_TWO_EXCHANGED, cells_of, grid_of


@pytest.mark.parametrize("units", [ROWS, COLUMNS, BOXES])
def test_nine_units_of_each_kind_hold_every_cell_once(units: list[list[int]]) -> None:
    assert [len(unit) for unit in units] == [9] * 9
    assert sorted(cell for unit in units for cell in unit) == list(range(81))


def test_a_right_solution_passes() -> None:
    assert is_solution(cells_of(FULL[:40] + "." * 41), cells_of(FULL))
    assert is_solution(cells_of(FULL), cells_of(FULL))


@pytest.mark.parametrize(
    "answer", [WITH_TWO_EXCHANGED, "." + FULL[1:], FULL[:-1], FULL + "1", "", "123456789" * 9, "?" + FULL[1:]]
)
def test_a_wrong_solution_does_not(answer: str) -> None:
    assert not is_solution(bytes(81), cells_of(answer))


def test_a_solution_that_changes_a_given_does_not() -> None:
    other = cells_of(FULL.translate(str.maketrans("12", "21")))

    assert is_solution(bytes(81), other)
    assert not is_solution(cells_of(FULL[:9] + "." * 72), other)


def test_clashes_are_seen_in_rows_columns_and_boxes() -> None:
    assert has_clash(cells_of(grid_of((5, 1, 7), (5, 9, 7))))
    assert has_clash(cells_of(grid_of((1, 4, 7), (9, 4, 7))))
    assert has_clash(cells_of(grid_of((4, 4, 7), (6, 5, 7))))
    assert not has_clash(cells_of(grid_of((1, 1, 7), (2, 4, 7), (4, 2, 7))))


@pytest.mark.parametrize("board", [[1, 3, 0, 2], [2, 0, 3, 1]])
def test_boards_without_attack_pass(board: list[int]) -> None:
    assert is_board(4, board)


@pytest.mark.parametrize("board", [[0, 1, 2, 3], [1, 3, 1, 2], [1, 3, 0], [1, 3, 0, 4], [0, 2, 3, 1], [3, 0, 2, 1], []])
def test_boards_with_an_attack_or_a_wrong_size_do_not(board: list[int]) -> None:
    assert not is_board(4, board)
