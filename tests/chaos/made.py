"""Input for chaos: as many lines as wanted, all different, from the puzzles that all solvers are tested on.

A puzzle stays what it is when digits, rows of a band, columns of a stack are exchanged or the grid is turned over, so a
few dozen known ones make any number of others. Bad lines, blanks and labels stand between them.
"""

import random

from tests.puzzles import MADE, MADE_BY_HAND

BAD_LINES = ("not a puzzle", "12345", "9" * 81, "?" * 81)
# Counting all solutions of these takes for ever, or nothing: they are used where that is the point.
_PLAIN = [puzzle for puzzle in MADE + MADE_BY_HAND if puzzle.text.strip(".") and puzzle.is_valid]


def lines(seed: int, count: int) -> str:
    """Returns `count` lines that become a row each, every hundredth of them bad; blank lines and comments beside."""
    rng = random.Random(seed)
    made: list[str] = []
    for number in range(count):
        if number % 100 == 50:
            made.append(rng.choice(BAD_LINES))
        elif number % 100 == 51 and number:
            made.append(made[-2])  # two that are equal must be told apart
        else:
            made.append(turned(rng.choice(_PLAIN).text, rng) + (f" no {number}" if number % 7 == 0 else ""))
        if number % 500 == 0:
            made[-1] += "\n\n# a comment"
    return "\n".join(made) + "\n"


def turned(text: str, rng: random.Random) -> str:
    """Returns a puzzle that is another one and yet the same."""
    digits = list("123456789")
    rng.shuffle(digits)
    renamed = dict(zip("123456789", digits, strict=True))
    rows, columns = _shuffled(rng), _shuffled(rng)
    cells = [renamed.get(text[9 * row + column], ".") for row in rows for column in columns]
    if rng.random() < 0.5:
        cells = [cells[9 * row + column] for column in range(9) for row in range(9)]
    return "".join(cells)


def _shuffled(rng: random.Random) -> list[int]:
    bands = rng.sample(range(3), 3)
    return [3 * band + row for band in bands for row in rng.sample(range(3), 3)]
