"""The same rows without gridmill's pipeline: the kernel alone, and a pool of processes.

Both use the native functions that the pipeline uses, chunk by chunk, and write the same bytes, times apart. There is no
journal, nothing is sent again, and whatever dies takes the run with it.
"""

import hashlib
import multiprocessing
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from solver_core.chunk import unpack_puzzles
from solver_core.rows import LineReader, RowBuffer, format_header, format_rows
from solver_core.solvers import DEFAULT_SOLVER, MAX_GUESSES, SOLVERS

LIMIT = 2
READ_BYTES = 1 << 20
# What differs from run to run: the field before the note in csv, and the one of this name in jsonl.
_TIMES = {
    "csv": re.compile(rb"(,(?:\d{81})?,\d+,)\d+(?=,)"),
    "jsonl": re.compile(rb'("time_ns": ?)\d+'),
}


class Range(NamedTuple):
    """Some rows of a file with one puzzle a line, and how they are to be written."""

    path: str
    offset: int
    length: int
    place: tuple[int, bool, bool, bool]
    rows: int
    first_id: int
    format: str


def cut(path: str, form: str, rows: int) -> Iterator[Range]:
    """Yields the ranges of a file, so many rows each."""
    reader = LineReader(0)
    offset, place, first = 0, reader.place, 0
    at, left, block = 0, b"", b"-"
    with Path(path).open("rb") as file:
        while block:
            block = file.read(READ_BYTES)
            text, used = left + block, 0
            while True:
                stopped = reader.skip(text, used, not block, first + rows - reader.tallies[-1])
                at, used = at + stopped - used, stopped
                if reader.tallies[-1] < first + rows:
                    break
                yield Range(path, offset, at - offset, place, rows, first + 1, form)
                offset, place, first = at, reader.place, first + rows
            left = text[used:]
    if reader.tallies[-1] > first:
        yield Range(path, offset, at - offset, place, reader.tallies[-1] - first, first + 1, form)


def solve_range(work: Range) -> bytes:
    """Returns the rows of a range: read, solved, and written as text."""
    with Path(work.path).open("rb") as file:
        file.seek(work.offset)
        text = file.read(work.length)
    buffer = RowBuffer()
    LineReader(0, work.place).read(text, 0, True, work.rows, buffer)
    puzzles, rows = buffer.take()
    results = SOLVERS[DEFAULT_SOLVER](unpack_puzzles(puzzles), LIMIT, MAX_GUESSES, None)
    return format_rows(work.format, work.first_id, [work.path], rows, puzzles, results)


def write(out: Path, form: str, texts: Iterable[bytes]) -> None:
    """Writes an output file: its header, and rows as they come."""
    with out.open("wb", buffering=0) as file:
        file.write(format_header(form).encode())
        for text in texts:
            left = memoryview(text)
            while left:
                left = left[file.write(left) :]


def by_one_process(path: str, out: Path, form: str, rows: int) -> None:
    """Solves a file in this process, on one thread."""
    write(out, form, map(solve_range, cut(path, form, rows)))


def by_pool(path: str, out: Path, form: str, rows: int, workers: int) -> None:
    """Solves a file by a `multiprocessing.Pool`; chunks go to it as ranges, and rows come back through pipes."""
    # spawn: its processes are children of this one, so that their CPU time is told when they have ended.
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        write(out, form, pool.imap(solve_range, cut(path, form, rows)))
        pool.close()
        pool.join()


def digest(path: Path, form: str) -> str:
    """Returns what tells the rows of an output file from others, times left out."""
    found = hashlib.sha256()
    with path.open("rb") as file:
        for lines in iter(lambda: file.readlines(READ_BYTES), []):
            text = b"".join(lines)
            found.update(_TIMES[form].sub(rb"\1", text) if form in _TIMES else text)
    return found.hexdigest()
