"""The independent checker: plain, obviously right, sharing nothing with any solver.

Cells are numbered from 0, row by row; a grid is 81 cell values, 0 for an empty cell.
"""

from collections.abc import Sequence

ROWS = [[9 * row + column for column in range(9)] for row in range(9)]
COLUMNS = [[9 * row + column for row in range(9)] for column in range(9)]
BOXES = [
    [9 * (top + row) + (left + column) for row in range(3) for column in range(3)]
    for top in (0, 3, 6)
    for left in (0, 3, 6)
]


def is_solution(puzzle: Sequence[int], answer: Sequence[int]) -> bool:
    """Whether `answer` is a full grid that keeps every given and has 1 to 9 in each row, column and box."""
    if len(puzzle) != 81 or len(answer) != 81:
        return False
    for cell in range(81):
        if puzzle[cell] != 0 and puzzle[cell] != answer[cell]:
            return False
    return all(sorted(answer[cell] for cell in unit) == [1, 2, 3, 4, 5, 6, 7, 8, 9] for unit in ROWS + COLUMNS + BOXES)


def has_clash(puzzle: Sequence[int]) -> bool:
    """Whether a digit stands twice in a row, column or box."""
    for unit in ROWS + COLUMNS + BOXES:
        digits = [puzzle[cell] for cell in unit if puzzle[cell] != 0]
        if len(digits) != len(set(digits)):
            return True
    return False


def is_board(n: int, board: Sequence[int]) -> bool:
    """Whether `board`, the column of the queen in each row, has n queens of which no two attack each other."""
    if len(board) != n or not all(0 <= column < n for column in board):
        return False
    for row in range(n):
        for below in range(row + 1, n):
            aside = abs(board[row] - board[below])
            if aside == 0 or aside == below - row:
                return False
    return True
