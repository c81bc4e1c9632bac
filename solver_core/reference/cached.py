"""Backtracking in reading order that remembers which digits each row, column and box has used.

The search is that of `naive`, guess for guess; a check costs three look-ups where `naive` needs up to 27 comparisons.
The price is that the tables must be undone with the digit: an entry left behind makes later answers wrong.
"""

from collections.abc import Iterator

from solver_core.reference.search import Effort, box_of


class _Grid:
    """A grid and its tables; `used_in_row[3][7]` tells whether row 3 has its 7."""

    def __init__(self, cells: bytes) -> None:
        self.cells = bytearray(cells)
        self.used_in_row = [[False] * 10 for _ in range(9)]
        self.used_in_column = [[False] * 10 for _ in range(9)]
        self.used_in_box = [[False] * 10 for _ in range(9)]
        for cell, digit in enumerate(cells):
            if digit:
                self.place(cell, digit)

    def fits(self, cell: int, digit: int) -> bool:
        row, column, box = cell // 9, cell % 9, box_of(cell)
        return not (self.used_in_row[row][digit] or self.used_in_column[column][digit] or self.used_in_box[box][digit])

    def place(self, cell: int, digit: int) -> None:
        self.cells[cell] = digit
        self._mark(cell, digit, used=True)

    def undo(self, cell: int) -> None:
        self._mark(cell, self.cells[cell], used=False)
        self.cells[cell] = 0

    def _mark(self, cell: int, digit: int, *, used: bool) -> None:
        self.used_in_row[cell // 9][digit] = used
        self.used_in_column[cell % 9][digit] = used
        self.used_in_box[box_of(cell)][digit] = used


def solutions(cells: bytes, effort: Effort) -> Iterator[bytes]:
    """Yield every solution, lexicographic by cells in reading order."""
    yield from _fill(_Grid(cells), 0, effort)


def _fill(grid: _Grid, start: int, effort: Effort) -> Iterator[bytes]:
    """Yield every way to fill the empty cells from `start` on; grid and tables are left as they were."""
    cell = grid.cells.find(0, start)
    if cell < 0:
        yield bytes(grid.cells)
        return
    candidates = [digit for digit in range(1, 10) if grid.fits(cell, digit)]
    if len(candidates) > 1:
        effort.guess()
    for digit in candidates:
        grid.place(cell, digit)
        yield from _fill(grid, cell + 1, effort)
        grid.undo(cell)
