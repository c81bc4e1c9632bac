"""One puzzle drawn as a grid beside its answer, for a person at a terminal."""

from collections.abc import Iterator

from solver_core.result import Result, Status

RULE = "------+-------+------"
GAP = "      "

SAID = {
    Status.UNIQUE: "one solution",
    Status.MULTIPLE: "more than one solution; this is the first",
    Status.SOLVED: "solved; whether there is another solution was not asked",
    Status.UNSOLVABLE: "no solution",
    Status.INVALID: "the givens break a rule",
    Status.GAVE_UP: "given up",
}


def draw(cells: bytes, result: Result) -> str:
    """Returns the puzzle and, beside it, its first solution, with a line that says what became of it."""
    left = list(_lines(cells))
    right = list(_lines(result.solution)) if result.solution else [""] * len(left)
    grids = "\n".join(f"{one}{GAP}{other}".rstrip() for one, other in zip(left, right, strict=True))
    effort = f", {result.guesses:,} guesses, {result.time_ns / 1e6:,.3f} ms" if result.time_ns else ""
    return f"{grids}\n{SAID[result.status]}{effort}"


def _lines(cells: bytes) -> Iterator[str]:
    for row in range(9):
        if row in (3, 6):
            yield RULE
        marks = [str(cell) if cell else "." for cell in cells[9 * row : 9 * row + 9]]
        yield " | ".join(" ".join(marks[box : box + 3]) for box in (0, 3, 6))
