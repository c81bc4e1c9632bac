"""CPU time by stage: the steps of the pipeline, one after the other in this process, over the same chunks.

Every step calls what producer and workers call, with a real broker in between, and is charged with the CPU time of this
process meanwhile; `transport` also with that of the broker. What a run costs beyond their sum, Celery, Python between
the steps, waiting, and what cores do to each other's caches, is `rest`.
"""

import contextlib
import os
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from producer.batch import Question
from producer.bench.plain import LIMIT
from producer.bench.processes import cpu_s
from producer.chunk import Chunk
from producer.cluster import PrivateBroker, run_folder
from producer.files_plane import PartsFolder, RangeCutter, RangeWire
from producer.journal import Journal, fingerprint
from producer.readers.sources import Source
from producer.shape import Shape
from producer.summary import Summary
from solver_core import chunk as puzzles_wire
from solver_core._native import crc32
from solver_core.chunk import tally, unpack_puzzles
from solver_core.range_chunk import RangeAnswer, pack, unpack_range_answer, unpack_range_work
from solver_core.rows import LineReader, RowBuffer, count_given
from solver_core.solvers import DEFAULT_SOLVER, MAX_GUESSES, SOLVERS
from worker.broker import connect
from worker.store import RUN_KEEP_S, ChunkName, Store, new_batch_id

STAGES = ("read", "parse", "pack", "transport", "kernel", "check", "format", "write")
BLOCK_BYTES = 1 << 20


class Clock:
    """Adds up the CPU seconds of this process by stage."""

    def __init__(self) -> None:
        self.cpu_s: defaultdict[str, float] = defaultdict(float)

    @contextlib.contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        """Charges a stage with what this process uses while this lasts."""
        began = time.process_time()
        yield
        self.cpu_s[stage] += time.process_time() - began


class Steps:
    """The steps of one batch in one process."""

    def __init__(self, path: Path, form: str, chunk_rows: int, store: Store, journal: Journal) -> None:
        self.clock = Clock()
        self._source = Source(str(path), path)
        self._shape = Shape(form)
        self._chunk_rows = chunk_rows
        self._store = store
        self._journal = journal
        self._batch = new_batch_id()
        self._meta = Question(LIMIT, MAX_GUESSES, DEFAULT_SOLVER).meta(RUN_KEEP_S)
        self._summary = Summary()

    def files(self) -> None:
        """Walks through a batch on the `files` plane."""
        clock, wire = self.clock, RangeWire()
        parts = PartsFolder(self._journal.out)
        parts.make()
        cutter = RangeCutter([self._source], self._shape, parts.path)
        self._begin()
        while not cutter.ended:
            with clock("read"):
                chunk = cutter.cut(self._chunk_rows, 0)
            if chunk is None:
                break
            work = unpack_range_work(self._sent(chunk))
            with clock("read"), Path(work.path).open("rb") as file:
                text = os.pread(file.fileno(), work.length, work.offset)
                crc32(text, 0, len(text))
            puzzles, rows = self._parsed(text, work.place, work.rows)
            results = self._solved(puzzles)
            with clock("format"):
                rendered = self._shape.rows(work.first_id, [work.source], rows, puzzles, results)
            part = parts.path / str(chunk.name)
            with clock("write"):
                part.write_bytes(rendered)
            with clock("check"):
                counts, kernel_ns, _ = tally(results)
                given = count_given(rows, puzzles)
            answer = self._answered(
                chunk.name, pack(RangeAnswer(part.name, len(rendered), tuple(counts), kernel_ns, (), given))
            )
            with clock("check"):
                wire.examine(chunk.work, answer)
                told = unpack_range_answer(answer)
                self._summary.add_sums(chunk, told.statuses, told.kernel_ns, (), told.given, [])
            with clock("write"):
                self._journal.join(part, len(rendered), chunk.count, self._summary.state)
        self._end()
        parts.remove()

    def redis(self) -> None:
        """Walks through a batch on the `redis` plane."""
        reader, buffer, row = LineReader(0), RowBuffer(), 0
        self._begin()
        with self._source.open_raw() as file:
            left, block = b"", b"-"
            while block:
                with self.clock("read"):
                    block = file.read(BLOCK_BYTES)
                    text, at = left + block, 0
                while True:
                    with self.clock("parse"):
                        at = reader.read(text, at, not block, self._chunk_rows - len(buffer), buffer)
                    is_full = len(buffer) == self._chunk_rows
                    if is_full or (len(buffer) and not block):
                        with self.clock("pack"):
                            chunk = Chunk(ChunkName(row, row + len(buffer)), *buffer.take())
                        row = chunk.name.stop
                        self._carry(chunk)
                    if not is_full:
                        break
                left = text[at:]
        self._end()

    def _carry(self, chunk: Chunk) -> None:
        """Takes a chunk of puzzles to a worker and back into the output."""
        clock = self.clock
        answer = self._answered(chunk.name, self._solved(self._sent(chunk)))
        with clock("check"):
            puzzles_wire.examine(chunk.work, answer)
            self._summary.add(chunk, answer, [])
        with clock("format"):
            text = self._shape.rows(chunk.name.start + 1, [self._source.name], chunk.rows, chunk.work, answer)
        with clock("write"):
            self._journal.write(text, chunk.count, self._summary.state)

    def _begin(self) -> None:
        with self.clock("read"):
            fingerprint([self._source])
        with self.clock("write"):
            self._journal.write(self._shape.header(), 0, self._summary.state)

    def _end(self) -> None:
        with self.clock("transport"):
            self._store.end_run(self._batch, [])
        with self.clock("write"):
            self._journal.finish()

    def _sent(self, chunk: Chunk) -> bytes:
        """Returns the payload as a worker gets it."""
        with self.clock("transport"):
            self._store.put(self._batch, self._meta, [(chunk.name, chunk.work)], RUN_KEEP_S)
            begun = self._store.begin(self._batch, chunk.name, "bench")
        assert begun is not None, "nobody but this process takes it away"
        return begun.payload

    def _answered(self, name: ChunkName, answer: bytes) -> bytes:
        """Returns the answer as the producer gets it."""
        with self.clock("transport"):
            self._store.finish(self._batch, name, "bench", answer, RUN_KEEP_S)
            self._store.wait_done(self._batch, 1)
            found = self._store.answers(self._batch, [name])[0]
            self._store.drop(self._batch, [name])
        assert found is not None, "nobody but this process takes it away"
        return found

    def _parsed(self, text: bytes, place: tuple[int, bool, bool, bool], count: int) -> tuple[bytes, bytes]:
        buffer = RowBuffer()
        with self.clock("parse"):
            LineReader(0, place).read(text, 0, True, count, buffer)
        with self.clock("pack"):
            return buffer.take()

    def _solved(self, puzzles: bytes) -> bytes:
        with self.clock("pack"):
            cells = unpack_puzzles(puzzles)
        with self.clock("kernel"):
            return SOLVERS[DEFAULT_SOLVER](cells, LIMIT, MAX_GUESSES, None)


def measure_stages(path: Path, out: Path, form: str, plane: str, chunk_rows: int) -> dict[str, float]:
    """Returns the CPU seconds of each stage for all rows of a file with one puzzle a line."""
    subject: dict[str, Any] = {}
    with run_folder() as folder, Journal(out, subject, fresh=True) as journal:
        broker = PrivateBroker(folder, durable=False)
        broker.start()
        try:
            client = connect(broker.url)
            pid = client.info("server")["process_id"]
            steps = Steps(path, form, chunk_rows, Store(client), journal)
            began = cpu_s(pid)
            steps.files() if plane == "files" else steps.redis()
            steps.clock.cpu_s["transport"] += cpu_s(pid) - began
        finally:
            broker.stop()
        journal.forget()
    return {stage: steps.clock.cpu_s[stage] for stage in STAGES}
