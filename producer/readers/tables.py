"""Tables: which field of a record is the puzzle. The records themselves are read by native code."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass, field

from producer.readers.reading import DamagedError, Reading
from solver_core.rows import TableReader, holds_puzzle

SEPARATORS = ",;\t|"
# Names of the columns in collections that people share, in small letters.
PUZZLES = (
    *("puzzle", "puzzles", "quiz", "quizzes", "problem", "problems", "sudoku", "sudokus", "question", "questions"),
    *("unsolved", "givens", "grid", "board", "initial", "input"),
)
SOLUTIONS = ("solution", "solutions", "solved", "answer", "answers")
LABEL = "label"


@dataclass(frozen=True, slots=True)
class Table:
    """How a table is laid out; fields count from 0.

    Attributes:
        separator: what parts the fields.
        puzzle: the field with the puzzle.
        solution: the field with a given solution.
        label: the field that is the label; None for all that is left.
        kept: the fields that are carried through; None for one that is not there.
        title: what the header has over the puzzles; empty without a header.
    """

    separator: str
    puzzle: int
    solution: int | None = None
    label: int | None = None
    kept: list[int | None] = field(default_factory=list)
    title: str = ""

    def reader(self, source: int) -> TableReader:
        """Returns what reads the records of the source with this index."""
        separator, title = ord(self.separator), self.title.encode()
        return TableReader(source, separator, self.puzzle, self.solution, self.label, self.kept, title)


def find_table(lines: Sequence[str], reading: Reading, *, forced: bool = False) -> Table | None:
    """Returns how the table is laid out that begins with these lines, None if there is none.

    Args:
        lines: the first lines that are neither blank nor comments.
        reading: what the person said.
        forced: the person said that it is a table.

    Raises:
        DamagedError: the person named a column that is not there.
    """
    if not lines:
        return None
    separator = _separator(lines)
    records = [_fields(line, separator) for line in lines[:2]]
    header = [name.strip().strip('"').lower() for name in records[0]]
    kept = [header.index(name.lower()) if name.lower() in header else None for name in reading.keep]
    if reading.column is not None:
        return _named(reading.column, header, records, separator, kept)
    place = _place_under(header, records)
    if place is not None:
        return _titled(place, header, records, separator, kept)
    # Quotes make a table of it only where they part the puzzle from the rest: they may stand in a label, too.
    if forced or ('"' in lines[0] and any(_is_puzzle(text) and len(text.strip()) == 81 for text in records[0])):
        return _untitled(records[0], separator, [None for _ in kept])
    return None  # one puzzle a line, with something beside it or not


def _place_under(header: list[str], records: list[list[str]]) -> int | None:
    """The field of the puzzles, if the first record is a header: by its names, else by what stands under them."""
    if any(name in PUZZLES for name in header):
        return next(header.index(name) for name in PUZZLES if name in header)
    if len(records) < 2 or len(header) < 2 or len(records[0]) != len(records[1]):
        return None
    if any(_is_puzzle(name) or name.replace(".", "").isdigit() for name in header):
        return None
    return next((place for place, text in enumerate(records[1]) if _is_puzzle(text)), None)


def _named(column: str, header: list[str], records: list[list[str]], separator: str, kept: list[int | None]) -> Table:
    if column.lower() in header:
        return _titled(header.index(column.lower()), header, records, separator, kept)
    if column.isascii() and column.isdigit() and int(column) >= 1:
        place = int(column) - 1
        if place < len(header) and not _is_puzzle(records[0][place]) and len(records) > 1:
            return _titled(place, header, records, separator, kept)
        return Table(separator, place, kept=[None for _ in kept])
    there = ", ".join(header[:10])
    raise DamagedError(f"there is no column {column!r}; the first line has: {there}"[:200])


def _titled(puzzle: int, header: list[str], records: list[list[str]], separator: str, kept: list[int | None]) -> Table:
    solution = next((header.index(name) for name in SOLUTIONS if name in header), None)
    label = header.index(LABEL) if LABEL in header else None
    title = records[0][puzzle].strip()
    return Table(separator, puzzle, None if solution == puzzle else solution, label, kept, title)


def _untitled(record: list[str], separator: str, kept: list[int | None]) -> Table:
    puzzle, *others = [place for place, text in enumerate(record) if _is_puzzle(text)] or [0]
    solution = next((place for place in others if _is_full(record[place])), None)
    return Table(separator, puzzle, solution, kept=kept)


def _separator(lines: Sequence[str]) -> str:
    """The mark that parts the first line into the most fields."""
    return max(SEPARATORS, key=lambda mark: (lines[0].count(mark), -SEPARATORS.index(mark)))


def _fields(line: str, separator: str) -> list[str]:
    return next(csv.reader([line], delimiter=separator), [])


def _is_puzzle(text: str) -> bool:
    return len(text) >= 81 and holds_puzzle(text.strip().encode())


def _is_full(text: str) -> bool:
    text = text.strip()
    return len(text) == 81 and text.isdigit() and "0" not in text
