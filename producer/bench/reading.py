"""Reading: from text in memory, and from files, to packed puzzles."""

import contextlib
import resource
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

from producer.bench.timing import median_s
from producer.readers.cutter import Cutter
from producer.readers.feed import BLOCK_BYTES
from producer.readers.reading import Reading
from producer.readers.sources import Source
from solver_core.rows import LineReader, RowBuffer

# As many rows as a chunk of a large batch has.
CHUNK_ROWS = 100_000


@dataclass(frozen=True, slots=True)
class Measured:
    """One measurement, as `--json` prints it.

    `parse` is native reading of plain lines alone, text and rows in memory; `files` the whole way from the files to
    packed chunks, whatever their form.
    """

    rows: int
    bytes: int
    repeats: int
    parse_rows_per_second: float
    files_rows_per_second: float
    files_bytes_per_second: float
    peak_memory_bytes: int


def measure(sources: Sequence[Source], reading: Reading, repeats: int) -> Measured:
    """Measures how fast the sources are read, on one thread (and one that reads ahead, from files).

    Raises:
        ValueError: there is no row to measure.
    """
    rows, times = 0, []
    for _ in range(repeats):
        began = time.perf_counter()
        rows = _read_files(sources, reading)
        times.append(time.perf_counter() - began)
    if not rows:
        raise ValueError("there is no row to measure")
    size = sum(source.size() or 0 for source in sources)
    files_s = statistics.median(times)
    # Before the text is held as a whole, for that is the figure that must stay flat.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    parse = _measure_parse(sources[0], repeats)
    return Measured(rows, size, repeats, parse, rows / files_s, size / files_s, peak)


def _read_files(sources: Sequence[Source], reading: Reading) -> int:
    total = 0
    with contextlib.closing(Cutter(sources, reading)) as rows:
        while not rows.ended:
            chunk = rows.cut(CHUNK_ROWS, wait_s=1.0)
            total += chunk.count if chunk else 0
    return total


def _measure_parse(source: Source, repeats: int) -> float:
    """Rows a second of the first lines of a source, taken for one puzzle each."""
    text = b""
    with contextlib.closing(source.blocks(BLOCK_BYTES)) as blocks:
        while len(text) < BLOCK_BYTES and (block := next(blocks, b"")):
            text += block
    text = text[: text.rfind(b"\n") + 1] or text
    count = 0

    def read() -> None:
        nonlocal count
        buffer = RowBuffer()
        LineReader(0).read(text, 0, True, sys.maxsize, buffer)
        count = len(buffer)

    seconds = median_s(read, 20 * repeats)
    return count / seconds
