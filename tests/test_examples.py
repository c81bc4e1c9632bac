"""The shipped examples are what their labels say."""

from pathlib import Path

import pytest

from solver_core.result import Status
from solver_core.sudoku import solve

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
LINES = [line for line in (EXAMPLES / "puzzles.txt").read_text().splitlines() if line and not line.startswith("#")]


@pytest.mark.parametrize("line", LINES)
def test_an_example_is_what_its_label_says(line: str) -> None:
    puzzle, label = line.split(maxsplit=1)

    result = solve(puzzle, limit=20)

    if label.startswith("no solution"):
        assert result.status is Status.UNSOLVABLE
    elif "solutions" in label:
        promised = {"two": 2, "17": 17}[label.split()[0]]
        assert (result.status, result.solutions) == (Status.MULTIPLE, promised)
    else:
        assert result.status is Status.UNIQUE
