"""The worker's half of the `files` plane: reads a byte range, solves its rows, and leaves a finished part file."""

import contextlib
import heapq
import logging
import os
import secrets
import time
from collections.abc import Iterator, Mapping
from operator import itemgetter
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from solver_core._native import crc32
from solver_core.chunk import tally
from solver_core.range_chunk import RangeAnswer, RangeWork, pack, unpack_range_work
from solver_core.result import Status
from solver_core.rows import BLOCK_BYTES, LineReader, RowBuffer, count_given, format_rows
from solver_core.solvers import SOLVERS
from solver_core.sudoku import Stop, text_of

log = logging.getLogger(__name__)
MOST_BYTES = 64 << 20
SLOWEST = 10


class RefusedError(Exception):
    """This worker cannot, or may not, work on the range."""


def answer(payload: bytes, meta: Mapping[str, Any], stop: Stop, shared: str) -> bytes:
    """Solves the rows of a range and writes them to a part file.

    Args:
        payload: the work, as of `range_chunk.py`.
        meta: `solver`, `limit` and `max_guesses` of the batch.
        stop: ends the work; nothing is left of it then.
        shared: the folders that may be touched, apart by `:`.

    Returns:
        The answer, `refused` if the range or the folder for parts cannot be reached from here, or is not what the
        producer sees, or the stop came.

    Raises:
        ChunkError: the payload is no such work.
    """
    work = unpack_range_work(payload)
    began = time.perf_counter()
    sums = Sums()
    try:
        _check(work, shared)
        with Part(Path(work.parts)) as part:
            for cells, puzzles, rows in _blocks(work):
                results = SOLVERS[meta["solver"]](cells, meta["limit"], meta["max_guesses"], stop)
                first_id, columns = work.first_id + sums.rows, list(work.columns) or None
                sums.add(cells, puzzles, rows, results)
                part.write(format_rows(work.format, first_id, [work.source], rows, puzzles, results, columns, []))
            part.finish()
    except (RefusedError, OSError) as error:
        log.info("range %d+%d of %s: %s", work.offset, work.length, work.path, error)
        return pack(RangeAnswer(refused=str(error) or type(error).__name__))
    log.debug("range of %d rows: %.1f ms", work.rows, (time.perf_counter() - began) * 1e3)
    return pack(sums.answer(part))


def is_allowed(path: str, shared: str) -> bool:
    """Whether a path, links resolved, lies below one of the shared folders."""
    real = Path(path).resolve()
    return any(real.is_relative_to(Path(folder).resolve()) for folder in shared.split(os.pathsep) if folder)


def _check(work: RangeWork, shared: str) -> None:
    if not (is_allowed(work.path, shared) and is_allowed(work.parts, shared)):
        raise RefusedError("outside of GRIDMILL_SHARED")
    if work.length > MOST_BYTES:
        raise RefusedError(f"a range of {work.length} bytes")


def _blocks(work: RangeWork) -> Iterator[tuple[bytes, bytes, bytes]]:
    """Yields cells, puzzles and rows of a range, block by block; at the end it is known if they are the right ones."""
    reader, buffer = LineReader(0, work.place), RowBuffer()
    offset, end, missing, checksum = work.offset, work.offset + work.length, work.rows, 0
    with Path(work.path).open("rb", buffering=0) as file:
        while offset < end:
            text = os.pread(file.fileno(), min(end - offset, BLOCK_BYTES), offset)
            if not text:
                raise RefusedError("fewer bytes there than the producer sees")
            at_end = offset + len(text) == end
            used = reader.read(text, 0, at_end, missing, buffer) if missing else len(text)
            # An incomplete line comes again with the next block.
            offset += used
            checksum = crc32(text, 0, used, checksum)
            missing -= len(buffer)
            if len(buffer):
                yield buffer.cells(), *buffer.take()
    if checksum != work.crc32:
        raise RefusedError("other bytes there than the producer sees")
    if missing:
        raise RefusedError("another number of rows than the producer sees")


class Sums:
    """What the rows of a range add up to.

    Attributes:
        rows: how many there were so far.
    """

    def __init__(self) -> None:
        self.rows = 0
        self._statuses = [0] * len(Status)
        self._kernel_ns = 0
        self._given = (0, 0)
        self._slowest: list[tuple[int, int, int, bytes]] = []  # row, guesses, time_ns, cells

    def add(self, cells: bytes, puzzles: bytes, rows: bytes, results: bytes) -> None:
        """Adds a block.

        Raises:
            RefusedError: it is not finished.
        """
        statuses, kernel_ns, slowest = tally(results)
        if statuses[Status.UNFINISHED]:
            raise RefusedError("stopped")
        self._statuses = [mine + more for mine, more in zip(self._statuses, statuses, strict=True)]
        self._kernel_ns += kernel_ns
        compared, differing = count_given(rows, puzzles)
        self._given = (self._given[0] + compared, self._given[1] + differing)
        slow = [
            (self.rows + row, guesses, time_ns, cells[81 * row : 81 * row + 81]) for row, guesses, time_ns in slowest
        ]
        # Of equals the first stays in front.
        self._slowest = heapq.nlargest(SLOWEST, self._slowest + slow, key=itemgetter(2))
        self.rows += len(cells) // 81

    def answer(self, part: "Part") -> RangeAnswer:
        """Returns the answer whose rows are in this part."""
        slowest = tuple((row, guesses, time_ns, text_of(cells)) for row, guesses, time_ns, cells in self._slowest)
        return RangeAnswer(part.name, part.bytes, tuple(self._statuses), self._kernel_ns, slowest, self._given)


class Part:
    """A part file on its way: it has its name when it is finished, and without that nothing is left of it.

    Every attempt leaves a file of its own: an answer names the one it is about, whoever else worked on the chunk.

    Attributes:
        name: its name in the folder for parts.
        bytes: its length so far.
    """

    def __init__(self, folder: Path) -> None:
        self.name = secrets.token_hex(12)
        self.bytes = 0
        self._path = folder / self.name
        self._aside = folder / f".{self.name}"
        self._file = self._aside.open("xb")

    def write(self, text: bytes) -> None:
        """Appends rows."""
        self.bytes += self._file.write(text)

    def finish(self) -> None:
        """Gives the file its name."""
        self._file.close()
        self._aside.replace(self._path)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            with contextlib.suppress(OSError):
                self._file.close()
            self._aside.unlink(missing_ok=True)
