"""Backtracking over bit masks that always works on the cell with the fewest candidates.

Nine bits tell which digits a row, column or box has used, bit 0 for digit 1, so the candidates of a cell are one
expression. Choosing the cell with the fewest of them ("minimum remaining values") finds dead ends early: it is what
makes the search short, far more than the masks do.
"""

from collections.abc import Iterator

from solver_core.reference.search import Effort, box_of

ALL = 0b111_111_111


class _Grid:
    """A grid, the masks of used digits, and the cells still empty, in reading order."""

    def __init__(self, cells: bytes) -> None:
        self.cells = bytearray(cells)
        self.rows, self.columns, self.boxes = [0] * 9, [0] * 9, [0] * 9
        self.empty = [cell for cell, digit in enumerate(cells) if not digit]
        for cell, digit in enumerate(cells):
            if digit:
                self.flip(cell, 1 << (digit - 1))

    def flip(self, cell: int, bit: int) -> None:
        """Mark a digit as used in the three units of a cell, or as unused again."""
        self.rows[cell // 9] ^= bit
        self.columns[cell % 9] ^= bit
        self.boxes[box_of(cell)] ^= bit

    def candidates(self, cell: int) -> int:
        return ALL & ~(self.rows[cell // 9] | self.columns[cell % 9] | self.boxes[box_of(cell)])

    def tightest(self) -> tuple[int, int]:
        """Where in `empty` the cell with the fewest candidates stands (the first such), and how many it has."""
        best, fewest = 0, 10
        for place, cell in enumerate(self.empty):
            count = self.candidates(cell).bit_count()
            if count < fewest:
                best, fewest = place, count
                if count <= 1:
                    break
        return best, fewest


def solutions(cells: bytes, effort: Effort) -> Iterator[bytes]:
    """Yield every solution, depth first, lowest digit first."""
    yield from _fill(_Grid(cells), effort)


def _fill(grid: _Grid, effort: Effort) -> Iterator[bytes]:
    """Yield every way to fill the empty cells; the grid is left as it was."""
    if not grid.empty:
        yield bytes(grid.cells)
        return
    place, count = grid.tightest()
    if count > 1:
        effort.guess()
    cell = grid.empty.pop(place)
    left = grid.candidates(cell)
    while left:
        bit = left & -left
        left ^= bit
        grid.cells[cell] = bit.bit_length()
        grid.flip(cell, bit)
        yield from _fill(grid, effort)
        grid.flip(cell, bit)
    grid.empty.insert(place, cell)
