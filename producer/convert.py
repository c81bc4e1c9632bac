"""Rows read and not solved: what is wrong with them, and in another format."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from producer.batch import open_target
from producer.chunk import Chunk
from producer.dispatch import Gathered
from producer.gather import Gatherer
from producer.journal import Journal, beside, fingerprint
from producer.readers.cutter import Cutter
from producer.readers.reading import Reading
from producer.readers.sources import Source
from producer.shape import Shape
from producer.writers import is_stream
from solver_core.errors import BatchError
from solver_core.result import Status
from solver_core.rows import LineTally, count_given, remarks, unsolved

# The columns of rows that were not solved; `solution` is the given one.
COLUMNS = ("id", "source", "line", "label", "puzzle", "solution", "note")
CHUNK_ROWS = 8192


@dataclass(slots=True)
class Checked:
    """What a look at sources found.

    Attributes:
        rows: all rows.
        invalid: those that are no puzzles.
        given: those with a given solution.
        differing: those whose given solution is none.
        lines: what the lines were.
        faults: what was wrong with sources, one line each.
    """

    rows: int = 0
    invalid: int = 0
    given: int = 0
    differing: int = 0
    lines: LineTally = field(default_factory=LineTally)
    faults: list[str] = field(default_factory=list)


def check(sources: Sequence[Source], reading: Reading, remark: Callable[[str], None]) -> Checked:
    """Reads all sources and adds up what they hold; `remark` is told each row with a note (`source:line: note`)."""
    checked = Checked()
    with contextlib.closing(Cutter(sources, reading)) as rows:
        for chunk in _chunks(rows):
            checked.rows += chunk.count
            invalid, noted = remarks(chunk.rows, chunk.work)
            checked.invalid += invalid
            for source, line, note in noted:
                remark(f"{sources[source].name}:{line}: {note}")
            given, differing = count_given(chunk.rows, chunk.work)
            checked.given += given
            checked.differing += differing
        checked.lines, checked.faults = rows.lines(), rows.faults
    return checked


def convert(
    sources: Sequence[Source],
    out: str,
    shape: Shape,
    reading: Reading,
    *,
    fresh: bool,
    strict: bool,
    progress: Callable[[int], None],
) -> Checked:
    """Writes all rows of the sources without solving them.

    Raises:
        BadLineError: `strict`, and a line is no puzzle; nothing is kept.
        BatchError: the journal of an earlier run does not fit, or another run works on `out`.
        OSError: the output cannot be written.
    """
    prints = [] if is_stream(out) else fingerprint(sources)
    subject = shape.subject() | {"convert": True, "from": reading.form, "column": reading.column, "input": prints}
    with contextlib.ExitStack() as stack:
        target = stack.enter_context(open_target(out, subject, sources, fresh=fresh, shape=shape))
        rows = stack.enter_context(contextlib.closing(Cutter(sources, reading)))
        gatherer = Gatherer(target, shape, [source.name for source in sources], strict=strict, progress=progress)
        if rows.skip(target.rows) < target.rows:
            raise BatchError(f"the input has fewer rows than {beside(Path(out), 'journal')} says are done")
        gatherer.gather(Gathered(chunk, unsolved(chunk.rows, chunk.work), []) for chunk in _chunks(rows))
        target.finish()
        if isinstance(target, Journal):
            target.forget()
    summary = gatherer.summary
    invalid = summary.status_counts.get(Status.INVALID.word, 0)
    return Checked(summary.rows, invalid, summary.given, summary.differing, rows.lines(), rows.faults)


def _chunks(rows: Cutter) -> Iterator[Chunk]:
    while not rows.ended:
        chunk = rows.cut(CHUNK_ROWS, wait_s=1.0)
        if chunk is not None:
            yield chunk
