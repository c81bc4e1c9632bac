"""Puts answered chunks into the output, in order, and adds up what they hold."""

import csv
import io
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from producer.dispatch import Gathered
from producer.files_plane import expanded
from producer.jobs import Queens, answer_jobs
from producer.shape import Shape
from producer.summary import Summary
from producer.twins import Columns
from producer.writers import Target
from solver_core.errors import GridmillError
from solver_core.range_chunk import is_json, unpack_range_answer, unpack_range_work
from solver_core.result import Status

STRICT = Status.INVALID.word


class BadLineError(GridmillError):
    """With `--strict`: a line is no puzzle; the batch ends there."""


class Gatherer:
    """Formats the rows of one batch and writes them to a target.

    Attributes:
        summary: what was written so far, earlier runs included.
        settle: fills in the results of puzzles that are the same as others, and says which these are.
        queens: counts queens, for jobs among puzzles; None where there are none.
    """

    def __init__(
        self,
        target: Target,
        shape: Shape,
        sources: Sequence[str],
        *,
        strict: bool = False,
        progress: Callable[[int], None] = lambda _: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepares to write.

        Args:
            target: where rows go; it may have some already.
            shape: how rows are written.
            sources: names of the sources, by their index.
            strict: end at the first row that is `invalid`.
            progress: told how many rows are written, all in all.
            clock: tells seconds.
        """
        self.summary = Summary.from_state(target.state)
        self._target = target
        self._shape = shape
        self._sources = list(sources)
        self._strict = strict
        self.settle: Callable[[Gathered], tuple[Gathered, Columns | None]] = lambda item: (item, None)
        self._progress = progress
        self.queens: Queens | None = None
        self._clock = clock
        self._began = clock() - self.summary.wall_s

    def gather(self, answered: Iterable[Gathered]) -> None:
        """Writes all chunks.

        Raises:
            BadLineError: `strict`, and a row is invalid.
            OSError: the target cannot be written.
        """
        head = self._shape.header()
        if head and not self._target.state:  # an earlier run that kept anything has written it
            self._target.write(head, 0, self.summary.state)
        for item in answered:
            self.summary.wall_s = self._clock() - self._began
            if is_json(item.answer):
                self._join(item)
            else:
                self._write(item)
            self._progress(self._target.rows)
        self.summary.wall_s = self._clock() - self._began

    def _write(self, item: Gathered) -> None:
        """Writes the rows of a chunk whose results are here."""
        item, twins = self.settle(item)
        chunk = expanded(item.chunk, self._sources)
        first_id = chunk.name.start + 1
        text = self._shape.rows(first_id, self._sources, chunk.rows, chunk.work, item.answer, twins)
        self.summary.add(chunk, item.answer, item.workers)
        if self.queens and self._shape.format == "jsonl":
            text, jobs, time_ns = answer_jobs(text, self.queens)
            self.summary.add_jobs(jobs, time_ns)
        if self._strict and self.summary.status_counts.get(STRICT):
            raise BadLineError(self._first_bad_row(Gathered(chunk, item.answer, item.workers)))
        self._target.write(text, chunk.count, self.summary.state)

    def _join(self, item: Gathered) -> None:
        """Puts a part file in its place."""
        answer = unpack_range_answer(item.answer)
        work = unpack_range_work(item.chunk.work)
        self.summary.add_sums(item.chunk, answer.statuses, answer.kernel_ns, answer.slowest, answer.given, item.workers)
        self._target.join(Path(work.parts) / answer.part, answer.part_bytes, item.chunk.count, self.summary.state)

    def _first_bad_row(self, item: Gathered) -> str:
        shape = Shape("csv")
        text = shape.header() + shape.rows(1, self._sources, item.chunk.rows, item.chunk.work, item.answer)
        rows = csv.DictReader(io.StringIO(text.decode()))
        bad = next(row for row in rows if row["status"] == STRICT)
        return f"{bad['source']}:{bad['line']}: {bad['note']}"
