"""Cuts the lines of sources into chunks, reading ahead in a thread of its own."""

import queue
import threading
import time
import zlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from producer.chunk import Chunk
from producer.readers.sources import Source
from solver_core.rows import LONG_LINE_BYTES, LineReader, LineTally, RowBuffer
from worker.store import ChunkName

# A block must hold the longest line that is read as one (`LONG_LINE_BYTES`); a few of them lie ready.
BLOCK_BYTES = LONG_LINE_BYTES + 4096
BLOCKS_AHEAD = 4


class _Block(NamedTuple):
    """Text of one source; the last block of each is empty, and tells what broke it off, if anything did."""

    source: int
    text: bytes
    at_end: bool = False
    fault: str = ""


class _Feed:
    """Reads sources one after the other in a thread, a few blocks ahead of whoever takes them."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._sources = sources
        self._blocks: queue.Queue[_Block | None] = queue.Queue(BLOCKS_AHEAD)
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="reader", daemon=True)
        self._thread.start()

    def take(self, timeout_s: float) -> _Block | None:
        """Returns the next block, None behind the last one.

        Raises:
            queue.Empty: there was none within the time.
        """
        return self._blocks.get(timeout=timeout_s) if timeout_s > 0 else self._blocks.get_nowait()

    def close(self) -> None:
        self._closed.set()

    def _run(self) -> None:
        for block in self._read():
            while not self._closed.is_set():
                try:
                    self._blocks.put(block, timeout=0.5)
                    break
                except queue.Full:
                    continue
            else:
                return

    def _read(self) -> Iterator[_Block | None]:
        for index, source in enumerate(self._sources):
            fault = ""
            try:
                for text in source.blocks(BLOCK_BYTES):
                    yield _Block(index, text)
            except EOFError:
                fault = f"{source.name}: the archive is cut short; what came before is solved"
            except (OSError, zlib.error) as error:
                fault = f"{source.name}: damaged or unreadable ({error}); what came before is solved"
            yield _Block(index, b"", at_end=True, fault=fault)
        yield None


class Cutter:
    """The rows of a batch, chunk by chunk.

    Attributes:
        sources: the sources, in the order in which rows refer to them.
        ended: whether all rows have been cut.
        faults: what was wrong with sources, one line each.
    """

    def __init__(self, sources: Sequence[Source]) -> None:
        self.sources = sources
        self.ended = False
        self.faults: list[str] = []
        self._feed = _Feed(sources)
        self._row = 0
        self._text = b""
        self._at = 0
        self._at_end = False
        self._spent = True  # what is left of the text holds no whole line
        self._reader = LineReader(0)
        self._tally = LineTally()

    def lines(self) -> LineTally:
        """Returns what the lines read so far were."""
        return self._tally + LineTally(*self._reader.tallies)

    def cut(self, max_rows: int, wait_s: float) -> Chunk | None:
        """Returns the next chunk, of at most `max_rows` rows.

        It has fewer rows when the input comes slower than it is asked for, and is None when there is none: for now,
        or, with `ended`, for good.
        """
        buffer = RowBuffer()
        deadline = time.monotonic() + wait_s
        while len(buffer) < max_rows:
            if self._spent and not self._refill(deadline):
                break
            self._at = self._reader.read(self._text, self._at, self._at_end, max_rows - len(buffer), buffer)
            self._spent = len(buffer) < max_rows
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
            if self._spent and not self._refill(time.monotonic() + 1):
                if self.ended:
                    break
                continue
            before = self._reader.tallies[-1]
            self._at = self._reader.skip(self._text, self._at, self._at_end, left)
            left -= self._reader.tallies[-1] - before
            self._spent = left > 0
        self._row += rows - left
        return rows - left

    def close(self) -> None:
        """Ends the reading ahead."""
        self._feed.close()

    def _refill(self, deadline: float) -> bool:
        """Puts the next block behind what is left of the text; False if there is none before the deadline."""
        if self.ended:
            return False
        try:
            block = self._feed.take(deadline - time.monotonic())
        except queue.Empty:
            return False
        if block is None:
            self.ended = True
            return False
        if self._at_end:
            self._tally = self.lines()
            self._reader = LineReader(block.source)
            self._text, self._at = b"", 0
        self._text = self._text[self._at :] + block.text
        self._at = 0
        self._at_end = block.at_end
        if block.fault:
            self.faults.append(block.fault)
        return True
