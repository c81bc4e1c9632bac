"""The puzzles all solvers are tested on: of our own making, with one hard puzzle taken from the first benchmarks."""

from dataclasses import dataclass

from solver_core.result import Status

ENDLESS = 10**9


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A puzzle and what is known of it.

    `guesses_in_reading_order` says how long plain backtracking takes with limit 5, `ENDLESS` standing for more than
    100,000; a solver's share of the puzzles goes by it.
    """

    name: str
    text: str
    solutions: int
    guesses_in_reading_order: int = ENDLESS
    is_valid: bool = True

    @property
    def cells(self) -> bytes:
        return cells_of(self.text)

    def status(self, limit: int) -> Status:
        """What a solver must say."""
        if not self.is_valid:
            return Status.INVALID
        if self.solutions == 0:
            return Status.UNSOLVABLE
        if limit == 1:
            return Status.SOLVED
        return Status.UNIQUE if self.solutions == 1 else Status.MULTIPLE


def cells_of(text: str) -> bytes:
    """The cell values of 81 characters: `.` and `0` are empty, what is no digit at all is 15, "unreadable"."""
    return bytes(int(char) if char in "123456789" else 0 if char in ".0" else 15 for char in text)


def grid_of(*givens: tuple[int, int, int]) -> str:
    """A grid with no givens but these: row and column from 1, and the digit."""
    cells = ["."] * 81
    for row, column, digit in givens:
        cells[9 * (row - 1) + column - 1] = str(digit)
    return "".join(cells)


FULL = "395261487812547396764983152436158729189672543527394618943725861651839274278416935"
WITH_TWO_EXCHANGED = "395261487812547396764983152436158729189672543527394618943725861651839274278416953"

# Made by chance (make_puzzles.py); the numbers behind each: solutions, guesses in reading order.
MADE = [
    Puzzle("easy 1", "32.71...8694.....71.....43.8...91..4....5.7.3....7....9.3..784.....356.17.1..2...", 1, 609),
    Puzzle("easy 2", ".426..9..6..4.9.5.957.......6.2......2..6...8.84.....5493..5..2..6.42.9..7.39.1..", 1, 9936),
    Puzzle("easy 3", ".37.8621.52.4319...9.7.........7....71..4...9.....2.3...835.6.29..2.......48...93", 1, 1154),
    Puzzle("medium 1", "...13....61.........2..6.....6.2..5...59...47...7...1.2....9..44..3..5..5374....6", 1, 23429),
    Puzzle("medium 2", ".9..14...2..6.........5...9..678..42..8.......74..13...4...5.1........2.....79.6.", 1, 13274),
    Puzzle("medium 3", ".8....1..51......2..6..7.....4..653.8...1....9...5..2.7...3.9....5..9..36......84", 1, 25486),
    Puzzle("hard 1", "3.9....7.7..2..........5..61.5..68..9.......7....1...4..864....64.7....3.3..81...", 1, 9996),
    Puzzle("hard 2", "...5.6....5.3.4.1....1...7.4..6...2..2......59.3...7......3...9..92...516........", 1, 31962),
    Puzzle("hard 3", ".8.7.269..2...8.....1.6.....7....36...4.......6..7.8....8...9.....5.....9.2.1...4", 1, 87966),
    Puzzle(
        "hard, of the first benchmarks",
        "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
        1,
        ENDLESS,
    ),
    Puzzle(
        "two solutions, four cells empty",
        "2.45619.76.57491.2791328645849176523572493816163285794417852369958634271326917458",
        2,
        1,
    ),
    Puzzle(
        "two solutions, few givens",
        ".74.8.......3...8.39...5.6.....1....842..7.....3..842....8..5..5...4.1..1....294.",
        2,
        1373,
    ),
    Puzzle(
        "several solutions",
        "...9....2.5.1.......7.435..375.2..8.4.1.........578..3.......287...1......9...65.",
        17,
        4866,
    ),
    Puzzle(
        "many solutions", "....3...6..18...2.....49...8..1..4..9....85...1.....9...5...81....3....2....163..", 224, 1204
    ),
    Puzzle(
        "unsolvable after a search",
        ".68..9.....573......3.6.49.8...5.......68..4.64...75..93.2...81.27.....4.8...39..",
        0,
        10514,
    ),
    Puzzle(
        "unsolvable after a search, few givens",
        "..4.7.3...1.9.5...6......8.4..832...........3..9.......3..1.9.897......2....6..7.",
        0,
        ENDLESS,
    ),
]

MADE_BY_HAND = [
    Puzzle("full grid", FULL, 1, 0),
    Puzzle("one cell empty", FULL[:-1] + ".", 1, 0),
    Puzzle("empty grid", "." * 81, 6_670_903_752_021_072_936_960, 126),  # OEIS A107739
    Puzzle("a cell without candidates", grid_of(*((1, i, i) for i in range(1, 9)), (2, 9, 9)), 0, 0),
    Puzzle("a cell without candidates, last", grid_of(*((9, i, i) for i in range(1, 9)), (8, 9, 9)), 0, ENDLESS),
    Puzzle("a box without place for a digit", grid_of((1, 1, 2), (1, 2, 3), (1, 3, 4), (2, 5, 1), (3, 8, 1)), 0, 86),
    Puzzle("clash in a row", grid_of((5, 1, 7), (5, 9, 7)), 0, 0, is_valid=False),
    Puzzle("clash in a column", grid_of((1, 4, 7), (9, 4, 7)), 0, 0, is_valid=False),
    Puzzle("clash in a box", grid_of((4, 4, 7), (6, 5, 7)), 0, 0, is_valid=False),
    Puzzle("full but wrong", WITH_TWO_EXCHANGED, 0, 0, is_valid=False),
    Puzzle("unreadable line", "?" * 81, 0, 0, is_valid=False),
    Puzzle("one unreadable cell", FULL[:40] + "?" + FULL[41:], 0, 0, is_valid=False),
]

PUZZLES = MADE + MADE_BY_HAND
BY_NAME = {puzzle.name: puzzle for puzzle in PUZZLES}
