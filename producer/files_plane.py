"""The producer's half of the `files` plane: workers read the input themselves and leave finished parts of the output.

`RangeCutter` is to a dispatcher what `Cutter` is, and its wire: a range that is answered by `refused`, or that its
workers died of, is cut into puzzles, which then travel by the broker.
"""

import shutil
from codecs import BOM_UTF8
from collections.abc import Sequence
from pathlib import Path

from producer.chunk import Chunk
from producer.journal import Journal, beside
from producer.readers.detect import HEAD_BYTES, Form
from producer.readers.encoding import to_utf8
from producer.readers.feed import recognised
from producer.readers.reading import LINES, DamagedError, Reading
from producer.readers.sources import Source
from producer.shape import Shape
from producer.writers import Target
from solver_core import chunk as puzzles_wire
from solver_core._native import crc32
from solver_core.errors import ChunkError
from solver_core.range_chunk import RangeAnswer, RangeWork, is_json, pack, unpack_range_answer, unpack_range_work
from solver_core.rows import BLOCK_BYTES, LineReader, LineTally, RowBuffer
from worker.store import ChunkName

# Ranges grow up to this: 100,000 easy puzzles keep a kernel busy for some milliseconds only, but take 25 MB as text.
MOST_BYTES = 32 << 20
LARGEST_RANGE_ROWS = 100_000
# What workers write by themselves.
FORMATS = ("csv", "jsonl", "lines", "sdm")


def is_plain(source: Source, reading: Reading) -> bool:
    """Whether a source has one puzzle a line, which lie in a file as they are."""
    if source.path is None or source.member is not None or not source.path.is_file():
        return False
    try:
        head, form = recognised(to_utf8(source.blocks(BLOCK_BYTES)), reading)
    except (DamagedError, OSError):
        return False
    with source.open_raw() as file:
        begin = file.read(HEAD_BYTES + len(BOM_UTF8)).removeprefix(BOM_UTF8)
    as_it_lies = head[:HEAD_BYTES] == begin[: len(head)][:HEAD_BYTES]
    return as_it_lies and form == Form(LINES)


def can_be_joined(shape: Shape, target: Target) -> bool:
    """Whether parts that workers write can be put together to such an output."""
    joins = isinstance(target, Journal) and not target.packs
    return joins and not shape.keep and not shape.listed and not shape.dedup and shape.format in FORMATS


# A late part makes a removal fail; no worker has more than one.
REMOVALS = 10


class PartsFolder:
    """A folder beside OUT in which workers leave finished parts."""

    def __init__(self, out: Path) -> None:
        self.path = beside(out, "parts")

    def make(self) -> None:
        """Makes it anew: what an earlier run left there is of no use."""
        self.remove()
        self.path.mkdir(mode=0o700)

    def remove(self) -> None:
        """Deletes it with all that is in it, also when a worker that is late still writes to it."""
        for _ in range(REMOVALS):
            shutil.rmtree(self.path, ignore_errors=True)
            if not self.path.exists():
                return


class RangeCutter:
    """The rows of plain files, range by range.

    Attributes:
        ended: whether all rows have been cut.
        faults: what was wrong with sources, one line each.
    """

    def __init__(self, sources: Sequence[Source], shape: Shape, parts: Path) -> None:
        self.ended = False
        self.faults: list[str] = []
        self._sources = sources
        self._shape = shape
        self._parts = parts
        self._row = 0
        self._source = 0
        self._offset = 0
        self._reader = LineReader(0)
        self._tally = LineTally()

    def lines(self) -> LineTally:
        """Returns what the lines read so far were."""
        return self._tally + LineTally(*self._reader.tallies)

    def skip(self, rows: int) -> int:
        """Passes over rows; returns how many there were, fewer only at the end."""
        before = self._row
        while self._row - before < rows and not self.ended:
            self._pass(rows - (self._row - before))
        return self._row - before

    def cut(self, max_rows: int, wait_s: float) -> Chunk | None:  # noqa: ARG002 - a file never lets one wait
        """Returns the next range, of one file, as a chunk; None at the end."""
        while not self.ended:
            source, offset, place = self._source, self._offset, self._reader.place
            rows, length, checksum = self._pass(max_rows)
            if rows:
                name = ChunkName(self._row - rows, self._row)
                work = RangeWork(
                    path=str(self._sources[source].path.resolve()),  # type: ignore[union-attr]
                    offset=offset,
                    length=length,
                    crc32=checksum,
                    place=place,
                    rows=rows,
                    first_id=name.start + 1,
                    source=self._sources[source].name,
                    format=self._shape.format,
                    columns=self._shape.columns or (),
                    parts=str(self._parts.resolve()),
                )
                return Chunk(name, pack(work), b"")
        return None

    def close(self) -> None:
        """Does nothing: no file is held open."""

    def _pass(self, max_rows: int) -> tuple[int, int, int]:
        """Passes over up to `max_rows` rows of the source at hand; returns how many, their bytes and their CRC-32."""
        rows = length = checksum = 0
        rows_before = self._reader.tallies[-1]
        with self._sources[self._source].open_raw() as file:
            while True:
                # An incomplete line comes again with the next block.
                file.seek(self._offset)
                text = file.read(BLOCK_BYTES)
                at_end = len(text) < BLOCK_BYTES
                used = self._reader.skip(text, 0, at_end, max_rows - rows)
                checksum = crc32(text, 0, used, checksum)
                self._offset += used
                length += used
                rows = self._reader.tallies[-1] - rows_before
                full = rows == max_rows or length >= MOST_BYTES
                if full or at_end:
                    break
        self._row += rows
        if not full:
            self._tally = self.lines()
            self._source += 1
            self._offset = 0
            self._reader = LineReader(self._source)
            self.ended = self._source == len(self._sources)
        return rows, length, checksum


class RangeWire:
    """What a dispatcher must know of ranges, and of the puzzles they become where a worker cannot serve them.

    Attributes:
        refused: how many ranges came back.
    """

    def __init__(self) -> None:
        self.refused = 0

    def slice_work(self, payload: bytes, start: int, stop: int, /) -> bytes:
        """Returns rows of a range as puzzles."""
        work = _read(unpack_range_work(payload), 0)[0] if is_json(payload) else payload
        return puzzles_wire.slice_work(work, start, stop)

    def merge_answers(self, count: int, parts: list[tuple[int, bytes]], /) -> bytes:
        """Puts results of puzzles together; the answer that refused the range holds none."""
        return puzzles_wire.merge_answers(count, [part for part in parts if not is_json(part[1])])

    def examine(self, work: bytes, answer: bytes, /) -> tuple[list[tuple[int, int]], int]:
        """Checks an answer; all rows of a range that was refused are unfinished."""
        if not is_json(work):
            return puzzles_wire.examine(work, answer)
        asked, given = unpack_range_work(work), unpack_range_answer(answer)
        if given.refused:
            self.refused += 1
            return [(0, asked.rows)], 0
        if sum(given.statuses) != asked.rows or not self._is_there(asked, given):
            raise ChunkError("an answer to another range, or without its part")
        return [], given.kernel_ns

    def failed_answer(self, payload: bytes, /) -> bytes:
        """Returns the answer to a puzzle that ended its worker each time."""
        return puzzles_wire.failed_answer(payload)

    @staticmethod
    def _is_there(work: RangeWork, answer: RangeAnswer) -> bool:
        part = Path(work.parts) / answer.part
        return part.is_file() and part.stat().st_size == answer.part_bytes


def expanded(chunk: Chunk, sources: Sequence[str]) -> Chunk:
    """Returns a chunk with its puzzles and rows, which for a range are read from its file.

    Raises:
        ChunkError: the file has changed.
    """
    if not is_json(chunk.work):
        return chunk
    work = unpack_range_work(chunk.work)
    return Chunk(chunk.name, *_read(work, sources.index(work.source)))


def _read(work: RangeWork, source: int) -> tuple[bytes, bytes]:
    """Returns puzzles and rows of a range."""
    with Path(work.path).open("rb") as file:
        file.seek(work.offset)
        text = file.read(work.length)
    buffer = RowBuffer()
    LineReader(source, work.place).read(text, 0, True, work.rows, buffer)
    if len(buffer) != work.rows or crc32(text, 0, len(text)) != work.crc32:
        raise ChunkError(f"{work.source} has changed while it was read")
    return buffer.take()
