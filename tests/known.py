"""Reads the tables of known answers that lie in the test data: tab-separated, with a header."""

import csv
from dataclasses import replace
from pathlib import Path

from tests.checker import has_clash
from tests.puzzles import Puzzle


def read_table(path: Path) -> list[dict[str, str]]:
    """The rows of a table, by column name."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def read_puzzles(path: Path) -> list[Puzzle]:
    """The puzzles of a table, those with most givens first; counts such as ">=100000" are taken as they stand."""
    puzzles = []
    for number, row in enumerate(read_table(path), 1):
        solutions = int(row.get("solutions", "1").removeprefix(">="))
        puzzle = Puzzle(row.get("id", f"number {number}"), row["puzzle"], solutions)
        puzzles.append(replace(puzzle, is_valid=not has_clash(puzzle.cells)))
    return sorted(puzzles, key=lambda puzzle: puzzle.cells.count(0))
