"""Rows on their way from a reader written in Python to a chunk."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from solver_core.rows import LineTally, RowBuffer

# Rows that are handed on together: enough that the way costs little, few enough that they come soon.
BATCH_ROWS = 256


class Row(NamedTuple):
    """One row as a reader found it.

    Attributes:
        line: the line it begins on, from 1.
        text: the cells in any way of writing them; with a reason the raw text.
        label: what stood beside it.
        given: the text of a solution that was given.
        kept: fields that are carried through.
        reason: why it is no puzzle.
        whole_line: the text is a whole line, in which the puzzle must be found.
    """

    line: int
    text: bytes
    label: bytes = b""
    given: bytes | None = None
    kept: list[bytes] | None = None
    reason: str | None = None
    whole_line: bool = False

    def push(self, source: int, buffer: RowBuffer) -> None:
        """Appends it to the rows of a chunk."""
        if self.whole_line:
            buffer.push_line(source, self.line, self.text)
        elif self.reason is None:
            buffer.push(source, self.line, self.text, self.label, self.given, self.kept)
        else:
            buffer.push_invalid(source, self.line, self.reason, self.text, self.kept)


class Sink:
    """Takes rows and counts lines.

    A puzzle that goes over several lines counts the first as `puzzle`, the others as `structure`; where there are no
    lines (Parquet, XML, JSON), each row counts as one.
    """

    def __init__(self, hand_on: Callable[[Sequence[Row], LineTally], None]) -> None:
        """Prepares to take rows; `hand_on` gets them by the batch."""
        self._hand_on = hand_on
        self._rows: list[Row] = []
        self._tally = LineTally()

    def put(self, row: Row, lines: int = 1) -> None:
        """Takes a row that goes over this many lines."""
        self._rows.append(row)
        self._tally += LineTally(total=lines, structure=lines - 1, puzzle=1)
        if len(self._rows) >= BATCH_ROWS:
            self.flush()

    def count(self, *, blank: int = 0, comment: int = 0, structure: int = 0) -> None:
        """Counts lines that are no rows."""
        self._tally += LineTally(blank + comment + structure, blank, comment, structure, 0)

    def flush(self) -> None:
        """Hands on what there is."""
        if self._rows or self._tally.total:
            rows, tally = self._rows, self._tally
            self._rows, self._tally = [], LineTally()
            self._hand_on(rows, tally)
