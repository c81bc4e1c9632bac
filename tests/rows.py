"""Lines and rows for tests: puzzles by the hundred, and the CSV rows that come out."""

import csv
import io
from collections.abc import Iterable
from pathlib import Path

from tests.puzzles import MADE, Puzzle

SOLVABLE = [puzzle for puzzle in MADE if puzzle.solutions]
EASY = MADE[0].text


def relabelled(puzzle: Puzzle, number: int) -> str:
    """The same puzzle with its digits renamed: another line, as many solutions."""
    shift = number % 9
    return "".join(mark if mark == "." else str((int(mark) - 1 + shift) % 9 + 1) for mark in puzzle.text)


def lines(count: int) -> list[str]:
    """So many different lines, each a puzzle and a label."""
    return [f"{relabelled(SOLVABLE[i % len(SOLVABLE)], i // len(SOLVABLE))} number {i + 1}" for i in range(count)]


def write_lines(path: Path, texts: Iterable[str]) -> Path:
    """A file of these lines."""
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path


def read_rows(text: str) -> list[dict[str, str]]:
    """The rows of CSV."""
    return list(csv.DictReader(io.StringIO(text)))


def without_times(text: str) -> list[dict[str, str]]:
    """The rows of CSV without `time_ns`, which no two runs have the same."""
    return [{**row, "time_ns": ""} for row in read_rows(text)]
