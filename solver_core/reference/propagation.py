"""Constraint propagation and search, after Peter Norvig's essay "Solving Every Sudoku Puzzle".

Every cell holds the digits it may still be, as a string. Striking a digit from a cell has two consequences:

1. a cell left with one digit takes it, so its peers lose that digit;
2. a unit left with one place for the digit puts it there.

Each may strike further digits, and so on, until nothing follows any more; many puzzles are solved by then. Only if
not, the search tries the digits of one cell, on a copy for each, so nothing is ever undone.
"""

from collections.abc import Iterator

from solver_core.reference.search import CELLS, Effort, box_of

DIGITS = "123456789"

_ROWS = [[cell for cell in range(CELLS) if cell // 9 == i] for i in range(9)]
_COLUMNS = [[cell for cell in range(CELLS) if cell % 9 == i] for i in range(9)]
_BOXES = [[cell for cell in range(CELLS) if box_of(cell) == i] for i in range(9)]
_UNITS = [[_ROWS[cell // 9], _COLUMNS[cell % 9], _BOXES[box_of(cell)]] for cell in range(CELLS)]
_PEERS = [set().union(*units) - {cell} for cell, units in enumerate(_UNITS)]

Candidates = list[str]


def solutions(cells: bytes, effort: Effort) -> Iterator[bytes]:
    """Yield every solution, depth first, lowest digit first."""
    candidates = [DIGITS] * CELLS
    if all(_assign(candidates, cell, str(digit)) for cell, digit in enumerate(cells) if digit):
        yield from _search(candidates, effort)


def _search(candidates: Candidates, effort: Effort) -> Iterator[bytes]:
    """Yield every solution that these candidates allow."""
    open_cells = [cell for cell in range(CELLS) if len(candidates[cell]) > 1]
    if not open_cells:
        yield bytes(map(int, candidates))
        return
    cell = min(open_cells, key=lambda cell: len(candidates[cell]))
    effort.guess()
    for digit in candidates[cell]:
        attempt = candidates.copy()
        if _assign(attempt, cell, digit):
            yield from _search(attempt, effort)


def _assign(candidates: Candidates, cell: int, digit: str) -> bool:
    """Strike all digits but one from a cell; false if that leads to a contradiction."""
    return all(_strike(candidates, cell, other) for other in candidates[cell] if other != digit)


def _strike(candidates: Candidates, cell: int, digit: str) -> bool:
    """Strike a digit from a cell, and all that follows from it; false if that leads to a contradiction."""
    if digit not in candidates[cell]:
        return True
    left = candidates[cell] = candidates[cell].replace(digit, "")
    if not left:
        return False
    if len(left) == 1 and not all(_strike(candidates, peer, left) for peer in _PEERS[cell]):
        return False
    for unit in _UNITS[cell]:
        places = [other for other in unit if digit in candidates[other]]
        if not places:
            return False
        if len(places) == 1 and not _assign(candidates, places[0], digit):
            return False
    return True
