"""Makes the test puzzles afresh: `python -m tests.make_puzzles` prints the lines of the table in `puzzles.py`.

Seeded, so it prints the same lines each time; takes about a minute and is no part of the test run. The counts it
prints come from one solver (`dlx`); the conformance suite has all others agree with them.
"""

import random
from collections.abc import Iterator

from solver_core.result import Result, Status
from tests.solving import run

SEED = 20261201
COUNTED_TO = 1_000
ENDLESS = 100_000
HARD_ONE = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."

Grid = list[int]


def main() -> None:
    """Print one line a puzzle: name, cells, solutions, guesses in reading order."""
    rng = random.Random(SEED)
    for name, text in puzzles(rng):
        found = solve("dlx", cells_of(text), COUNTED_TO)
        assert found.solutions < COUNTED_TO, name
        walk = solve("cached", cells_of(text), 5, ENDLESS)
        guesses = "ENDLESS" if walk.status is Status.GAVE_UP else str(walk.guesses)
        print(f'    Puzzle("{name}", "{text}", {found.solutions}, {guesses}),')


def puzzles(rng: random.Random) -> Iterator[tuple[str, str]]:
    """Yield names and puzzles of every kind that is made by chance."""
    for number in range(1, 4):
        yield f"easy {number}", text_of(dig(rng, full_grid(rng), keep=32))
    yield from graded(rng, "medium", least=2, most=5, how_many=3)
    yield from graded(rng, "hard", least=20, most=10**6, how_many=3)
    yield "hard, of the first benchmarks", HARD_ONE
    yield "two solutions, four cells empty", text_of(exchangeable(rng))
    yield "two solutions, few givens", text_of(loosened(rng, least=2, most=2))
    yield "several solutions", text_of(loosened(rng, least=6, most=40))
    yield "many solutions", text_of(loosened(rng, least=200, most=900))
    yield "unsolvable after a search", text_of(spoilt(rng))
    yield "unsolvable after a search, few givens", text_of(spoilt(rng, keep=0))


def full_grid(rng: random.Random) -> Grid:
    """The first solution of a grid whose three diagonal boxes are filled by chance."""
    grid = [0] * 81
    for corner in (0, 30, 60):
        digits = rng.sample(range(1, 10), 9)
        for i in range(9):
            grid[corner + i // 3 * 9 + i % 3] = digits[i]
    names = rng.sample(range(1, 10), 9)
    return [names[digit - 1] for digit in solve("dlx", bytes(grid), 1).solution]


def dig(rng: random.Random, grid: Grid, keep: int = 0) -> Grid:
    """Empty cells in chance order as long as one solution is left, down to `keep` givens."""
    puzzle = list(grid)
    for cell in rng.sample(range(81), 81):
        if 81 - puzzle.count(0) == keep:
            break
        given, puzzle[cell] = puzzle[cell], 0
        if solve("dlx", bytes(puzzle), 2).solutions != 1:
            puzzle[cell] = given
    return puzzle


def graded(rng: random.Random, name: str, least: int, most: int, how_many: int) -> Iterator[tuple[str, str]]:
    """Yield puzzles that no given can be taken from, and for which propagation guesses this often."""
    number = 0
    while number < how_many:
        puzzle = dig(rng, full_grid(rng))
        if least <= solve("propagation", bytes(puzzle), 2).guesses <= most:
            number += 1
            yield f"{name} {number}", text_of(puzzle)


def exchangeable(rng: random.Random) -> Grid:
    """A full grid without two pairs of cells whose digits may change places."""
    while True:
        grid = full_grid(rng)
        corners = [
            (row * 9 + left, row * 9 + right, below * 9 + left, below * 9 + right)
            for row in range(9)
            for below in range(row + 1, 9)
            for left in range(9)
            for right in range(left + 1, 9)
            if grid[row * 9 + left] == grid[below * 9 + right] and grid[row * 9 + right] == grid[below * 9 + left]
        ]
        for cells in corners:
            puzzle = [0 if cell in cells else digit for cell, digit in enumerate(grid)]
            if solve("dlx", bytes(puzzle), 3).solutions == 2:
                return puzzle


def loosened(rng: random.Random, least: int, most: int) -> Grid:
    """A puzzle with one solution that lost givens until it has `least` to `most`."""
    while True:
        puzzle = dig(rng, full_grid(rng), keep=28)
        while (found := solve("dlx", bytes(puzzle), most + 1).solutions) < least:
            puzzle[rng.choice([cell for cell in range(81) if puzzle[cell]])] = 0
        if found <= most:
            return puzzle


def spoilt(rng: random.Random, keep: int = 30) -> Grid:
    """A puzzle one given of which was changed so that no two clash, yet no solution is left and only a search tells."""
    while True:
        puzzle = dig(rng, full_grid(rng), keep)
        cell = rng.choice([cell for cell in range(81) if puzzle[cell]])
        puzzle[cell] = puzzle[cell] % 9 + 1
        found = solve("propagation", bytes(puzzle), 2)
        if found.status is Status.UNSOLVABLE and found.guesses >= 2:
            return puzzle


def solve(solver: str, cells: bytes, limit: int, max_guesses: int = 10**7) -> Result:
    """The result of one puzzle."""
    return run(solver, cells, limit, max_guesses)[0]


def cells_of(text: str) -> bytes:
    """The cell values of a puzzle."""
    return bytes(0 if char == "." else int(char) for char in text)


def text_of(grid: Grid) -> str:
    """The 81 characters of a grid."""
    return "".join(".123456789"[digit] for digit in grid)


if __name__ == "__main__":
    main()
