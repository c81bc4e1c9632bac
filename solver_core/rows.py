"""Lines of text to puzzles, results to rows of text: bytes in, bytes out, no file handle; the work is native.

A *row* is a line that is a puzzle, or that should have been one and cannot be read.
"""

from typing import NamedTuple

from solver_core._native import (
    LONG_LINE_BYTES,
    LineReader,
    RowBuffer,
    TableReader,
    carry_over,
    count_given,
    format_header,
    format_rows,
    holds_puzzle,
    minlex,
    remarks,
    unsolved,
)

__all__ = [
    "BLOCK_BYTES",
    "COLUMNS",
    "LONG_LINE_BYTES",
    "LineReader",
    "LineTally",
    "RowBuffer",
    "TableReader",
    "carry_over",
    "count_given",
    "format_header",
    "format_rows",
    "holds_puzzle",
    "minlex",
    "remarks",
    "unsolved",
]

COLUMNS = (
    "id",
    "source",
    "line",
    "label",
    "puzzle",
    "status",
    "solutions",
    "solution",
    "guesses",
    "time_ns",
    "note",
)


# Text that is read at a time, some 16,000 puzzles: enough for lanes to be busy, and so little that all that becomes of
# it stays in a cache, in memory that is used again and again. No line needs more.
BLOCK_BYTES = LONG_LINE_BYTES + (1 << 18)


class LineTally(NamedTuple):
    """Lines by what they were; the total is the sum of the others. `puzzle` counts rows, readable or not."""

    total: int = 0
    blank: int = 0
    comment: int = 0
    structure: int = 0
    puzzle: int = 0

    def __add__(self, other: object) -> "LineTally":
        if not isinstance(other, LineTally):
            return NotImplemented
        return LineTally(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))
