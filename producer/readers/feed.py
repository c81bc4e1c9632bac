"""Reads sources one after the other in a thread, a few blocks ahead of whoever takes them."""

import contextlib
import itertools
import queue
import threading
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from producer.readers.arrow import read_arrow
from producer.readers.detect import HEAD_BYTES, Form, detect
from producer.readers.encoding import to_utf8
from producer.readers.grids import read_grids
from producer.readers.jsons import read_json
from producer.readers.opensudoku import read_opensudoku
from producer.readers.packed import spooled
from producer.readers.reading import ARROW, GRIDS, JSON, PARQUET, XML, DamagedError, Reading
from producer.readers.sink import Row, Sink
from producer.readers.sources import Source
from producer.readers.text import lines_of
from solver_core.rows import LONG_LINE_BYTES, LineReader, LineTally, RowBuffer, TableReader

# A block must hold the longest line that is read as one (`LONG_LINE_BYTES`); a few of them lie ready.
BLOCK_BYTES = LONG_LINE_BYTES + 4096
BLOCKS_AHEAD = 4


class Begin(NamedTuple):
    """A source begins; `reader` reads the text that follows, None where rows follow."""

    source: int
    reader: LineReader | TableReader | None


class Text(NamedTuple):
    """Text of the source."""

    text: bytes


class Found(NamedTuple):
    """Rows of the source, and what its lines were since the last of them."""

    rows: Sequence[Row]
    tally: LineTally


class End(NamedTuple):
    """The source ends; `fault` says what broke it off, if anything did, `reason` the same without the place."""

    fault: str = ""
    reason: str = ""
    line: int = 0


Block = Begin | Text | Found | End


class _ClosedError(Exception):
    """Nobody takes blocks any more."""


class Feed:
    """The blocks of all sources, read ahead."""

    def __init__(self, sources: Sequence[Source], reading: Reading) -> None:
        self._sources = sources
        self._reading = reading
        self._blocks: queue.Queue[Block | Exception | None] = queue.Queue(BLOCKS_AHEAD)
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="reader", daemon=True)
        self._thread.start()

    def take(self, timeout_s: float) -> Block | None:
        """Returns the next block, None behind the last one.

        Raises:
            queue.Empty: there was none within the time.
            MissingExtraError: a library is needed that is not there.
        """
        block = self._blocks.get(timeout=timeout_s) if timeout_s > 0 else self._blocks.get_nowait()
        if isinstance(block, Exception):
            raise block
        return block

    def close(self) -> None:
        """Ends the reading."""
        self._closed.set()

    def _run(self) -> None:
        try:
            for index, source in enumerate(self._sources):
                self._read(index, source)
            self._put(None)
        except _ClosedError:
            pass
        except Exception as error:
            self._put(error)

    def _put(self, block: Block | Exception | None) -> None:
        while not self._closed.is_set():
            try:
                self._blocks.put(block, timeout=0.5)
            except queue.Full:
                continue
            return
        raise _ClosedError

    def _read(self, index: int, source: Source) -> None:
        try:
            self._open(index, source)
        except (DamagedError, OSError) as error:
            if isinstance(error, DamagedError):
                place, reason = (f":{error.line}" if error.line else ""), error.reason
            else:
                place, reason = "", f"it cannot be read ({error.strerror or error})"
            fault = f"{source.name}{place}: {reason}; what came before is solved"
            self._put(End(fault, reason, error.line if isinstance(error, DamagedError) else 0))
        else:
            self._put(End())

    def _open(self, index: int, source: Source) -> None:
        text = to_utf8(source.blocks(BLOCK_BYTES))
        try:
            head, form = recognised(text, self._reading)
        except Exception:
            self._put(Begin(index, None))
            raise
        blocks = itertools.chain((head,), text)
        if source.member is not None and not self._holds_a_puzzle(head, form):
            self._put(Begin(index, None))
            lines = sum(1 for _ in lines_of(blocks))
            self._put(Found((), LineTally(total=lines, structure=lines)))
            return
        reader = _reader(form, index)
        self._put(Begin(index, reader))
        if reader is None:
            _read_form(form, blocks, self._sink(), self._reading)
            return
        for block in blocks:
            self._put(Text(block))

    def _sink(self) -> Sink:
        return Sink(lambda rows, tally: self._put(Found(rows, tally)))

    def _holds_a_puzzle(self, head: bytes, form: Form) -> bool:
        """Whether a member of an archive begins like something with puzzles in it."""
        buffer = RowBuffer()
        reader = _reader(form, 0)
        if reader is not None:
            reader.read(head, 0, True, HEAD_BYTES, buffer)
            return buffer.known > 0

        def hold(rows: Sequence[Row], _tally: LineTally) -> None:
            for row in rows:
                row.push(0, buffer)

        if form.name in (PARQUET, ARROW):
            return True
        sink = Sink(hold)
        with contextlib.suppress(DamagedError):  # the head is cut somewhere
            _read_form(form, (head,), sink, self._reading)
        return buffer.known > 0


def recognised(blocks: Iterator[bytes], reading: Reading) -> tuple[bytes, Form]:
    """Returns the beginning of a text and its form."""
    head = b""
    for block in blocks:
        head += block
        form = detect(head[:HEAD_BYTES], reading, complete=len(head) >= HEAD_BYTES)
        if form is not None:
            return head, form
    form = detect(head, reading, complete=True)
    assert form is not None, "of a complete text the form is always told"
    return head, form


def _reader(form: Form, source: int) -> LineReader | TableReader | None:
    """The native reader for a form, None if there is none."""
    if form.table is not None:
        return form.table.reader(source)
    return None if form.name in (GRIDS, JSON, XML, PARQUET, ARROW) else LineReader(source)


def _read_form(form: Form, blocks: Iterable[bytes], sink: Sink, reading: Reading) -> None:
    """Reads a form for which there is no native reader."""
    try:
        match form.name:
            case _ if form.name in (PARQUET, ARROW):
                with spooled(iter(blocks)) as file:
                    read_arrow(file, form.name, sink, reading)
            case _ if form.name == JSON:
                read_json(_flushing(blocks, sink), sink, reading)
            case _ if form.name == XML:
                read_opensudoku(_flushing(blocks, sink), sink, reading)
            case _:
                read_grids(_flushing(blocks, sink), sink)
    finally:
        sink.flush()


def _flushing(blocks: Iterable[bytes], sink: Sink) -> Iterator[bytes]:
    """The same blocks; what was found is handed on before the next one is waited for."""
    for block in blocks:
        yield block
        sink.flush()
