"""Plain backtracking: fill the empty cells in reading order, and look at row, column and box before each digit.

The simplest solver there is, and the slowest: every digit tried costs up to 27 comparisons.
"""

from collections.abc import Iterator

from solver_core.reference.search import Effort


def solutions(cells: bytes, effort: Effort) -> Iterator[bytes]:
    """Yield every solution, lexicographic by cells in reading order."""
    yield from _fill(bytearray(cells), 0, effort)


def _fill(grid: bytearray, start: int, effort: Effort) -> Iterator[bytes]:
    """Yield every way to fill the empty cells from `start` on; the grid is left as it was."""
    cell = grid.find(0, start)
    if cell < 0:
        yield bytes(grid)
        return
    candidates = [digit for digit in range(1, 10) if _fits(grid, cell, digit)]
    if len(candidates) > 1:
        effort.guess()
    for digit in candidates:
        grid[cell] = digit
        yield from _fill(grid, cell + 1, effort)
    grid[cell] = 0


def _fits(grid: bytearray, cell: int, digit: int) -> bool:
    """Compare a digit with the nine cells of its row, of its column and of its box."""
    row, column = divmod(cell, 9)
    corner = row // 3 * 27 + column // 3 * 3
    for i in range(9):
        if grid[row * 9 + i] == digit or grid[i * 9 + column] == digit or grid[corner + i // 3 * 9 + i % 3] == digit:
            return False
    return True
