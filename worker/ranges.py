"""The worker's half of the `files` plane: reads a byte range, solves its rows, and leaves a finished part file."""

import logging
import os
import secrets
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from solver_core._native import crc32
from solver_core.chunk import tally, unfinished, unpack_puzzles
from solver_core.range_chunk import RangeAnswer, RangeWork, pack, unpack_range_work
from solver_core.rows import LineReader, RowBuffer, count_given, format_rows
from solver_core.solvers import SOLVERS
from solver_core.sudoku import Stop, text_of

log = logging.getLogger(__name__)
MOST_BYTES = 64 << 20


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
    try:
        text = _read(work, shared)
        rows = _rows(work, text)
        results = SOLVERS[meta["solver"]](unpack_puzzles(rows[0]), meta["limit"], meta["max_guesses"], stop)
        if unfinished(results):
            raise RefusedError("stopped")
        rendered = format_rows(
            work.format, work.first_id, [work.source], rows[1], rows[0], results, list(work.columns) or None, []
        )
        part = _write_part(Path(work.parts), rendered)
    except (RefusedError, OSError) as error:
        log.info("range %d+%d of %s: %s", work.offset, work.length, work.path, error)
        return pack(RangeAnswer(refused=str(error) or type(error).__name__))
    counts, kernel_ns, slowest = tally(results)
    cells = unpack_puzzles(rows[0])
    named = tuple(
        (row, guesses, time_ns, text_of(cells[81 * row : 81 * row + 81])) for row, guesses, time_ns in slowest
    )
    log.debug("range of %d rows: %.1f ms", work.rows, (time.perf_counter() - began) * 1e3)
    return pack(RangeAnswer(part, len(rendered), tuple(counts), kernel_ns, named, count_given(rows[1], rows[0])))


def is_allowed(path: str, shared: str) -> bool:
    """Whether a path, links resolved, lies below one of the shared folders."""
    real = Path(path).resolve()
    return any(real.is_relative_to(Path(folder).resolve()) for folder in shared.split(os.pathsep) if folder)


def _read(work: RangeWork, shared: str) -> bytes:
    if not (is_allowed(work.path, shared) and is_allowed(work.parts, shared)):
        raise RefusedError("outside of GRIDMILL_SHARED")
    if work.length > MOST_BYTES:
        raise RefusedError(f"a range of {work.length} bytes")
    with Path(work.path).open("rb") as file:
        text = os.pread(file.fileno(), work.length, work.offset)
    if len(text) != work.length or crc32(text, 0, len(text)) != work.crc32:
        raise RefusedError("other bytes there than the producer sees")
    return text


def _rows(work: RangeWork, text: bytes) -> tuple[bytes, bytes]:
    """Returns puzzles and rows of a range."""
    buffer = RowBuffer()
    LineReader(0, work.place).read(text, 0, True, work.rows, buffer)
    if len(buffer) != work.rows:
        raise RefusedError("another number of rows than the producer sees")
    return buffer.take()


def _write_part(folder: Path, rendered: bytes) -> str:
    # Every attempt leaves a file of its own: an answer names the one it is about, whoever else worked on the chunk.
    name = secrets.token_hex(12)
    aside = folder / f".{name}"
    try:
        with aside.open("xb", buffering=0) as file:
            left = memoryview(rendered)
            while left:
                left = left[file.write(left) :]
        aside.replace(folder / name)
    except OSError:
        aside.unlink(missing_ok=True)
        raise
    return name
