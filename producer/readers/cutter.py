"""Cuts the rows of sources into chunks."""

import queue
import time
from collections import deque
from collections.abc import Sequence

from producer.chunk import Chunk
from producer.readers.feed import Begin, End, Feed, Found, Text
from producer.readers.reading import Reading
from producer.readers.sink import Row
from producer.readers.sources import Source
from solver_core.rows import LineReader, LineTally, RowBuffer, TableReader
from worker.store import ChunkName

_ONE_ROW = LineTally(total=1, puzzle=1)


class Cutter:
    """The rows of a batch, chunk by chunk.

    Attributes:
        sources: the sources, in the order in which rows refer to them.
        ended: whether all rows have been cut.
        faults: what was wrong with sources, one line each.
    """

    def __init__(self, sources: Sequence[Source], reading: Reading = Reading()) -> None:  # noqa: B008 - it is frozen
        self.sources = sources
        self.ended = False
        self.faults: list[str] = []
        self._feed = Feed(sources, reading)
        self._row = 0
        self._tally = LineTally()
        self._source = 0
        self._found: deque[Row] = deque()
        self._reader: LineReader | TableReader | None = None
        self._text = b""
        self._at = 0
        self._at_end = False
        self._spent = True  # what is left of the text holds no whole line

    def lines(self) -> LineTally:
        """Returns what the lines read so far were."""
        return self._tally + (LineTally(*self._reader.tallies) if self._reader else LineTally())

    def cut(self, max_rows: int, wait_s: float) -> Chunk | None:
        """Returns the next chunk, of at most `max_rows` rows.

        It has fewer rows when the input comes slower than it is asked for, and is None when there is none: for now,
        or, with `ended`, for good.

        Raises:
            MissingExtraError: a source needs a library that is not there.
        """
        buffer = RowBuffer()
        deadline = time.monotonic() + wait_s
        while len(buffer) < max_rows:
            if self._found:
                self._found.popleft().push(self._source, buffer)
            elif not self._spent and self._reader:
                self._at = self._reader.read(self._text, self._at, self._at_end, max_rows - len(buffer), buffer)
                self._spent = len(buffer) < max_rows
            elif not self._refill(deadline):
                break
        if not len(buffer):
            return None
        name = ChunkName(self._row, self._row + len(buffer))
        self._row = name.stop
        work, rows = buffer.take()
        return Chunk(name, work, rows)

    def skip(self, rows: int) -> int:
        """Passes over rows; returns how many there were, fewer only at the end."""
        left = rows
        while left:
            if self._found:
                self._found.popleft()
                left -= 1
            elif not self._spent and self._reader:
                before = self._reader.tallies[-1]
                self._at = self._reader.skip(self._text, self._at, self._at_end, left)
                left -= self._reader.tallies[-1] - before
                self._spent = left > 0
            elif not self._refill(time.monotonic() + 1) and self.ended:
                break
        self._row += rows - left
        return rows - left

    def close(self) -> None:
        """Ends the reading ahead."""
        self._feed.close()

    def _refill(self, deadline: float) -> bool:
        """Takes the next block; False if there is none before the deadline, or none at all."""
        if self.ended:
            return False
        try:
            block = self._feed.take(deadline - time.monotonic())
        except queue.Empty:
            return False
        match block:
            case None:
                self.ended = True
                return False
            case Begin(source, reader):
                self._tally = self.lines()
                self._source, self._reader = source, reader
                self._text, self._at, self._at_end = b"", 0, False
            case Text(text):
                self._text, self._at, self._spent = self._text[self._at :] + text, 0, False
            case Found(rows, tally):
                self._found.extend(rows)
                self._tally += tally
            case End(fault, reason, line):
                self._end(fault, reason, line)
        return True

    def _end(self, fault: str, reason: str, line: int) -> None:
        """Ends a source; if it was broken off, with a row that says why and has what is left of the last line."""
        if not fault:
            self._at_end, self._spent = True, self._reader is None
            return
        self.faults.append(fault)
        rest = self._text[self._at :] if self._reader else b""
        line = (self._reader.line if rest else 0) if self._reader else line
        self._tally = self.lines()
        self._reader = None
        if line:
            self._found.append(Row(line, rest, reason=reason))
            self._tally += _ONE_ROW
