"""A batch from its sources to its output: the table of contents of `gridmill solve`."""

import contextlib
import functools
import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from producer import parquet, twins
from producer.dispatch import Dispatcher, Rows, Wire
from producer.files_plane import LARGEST_RANGE_ROWS, PartsFolder, RangeCutter, RangeWire, can_be_joined, is_plain
from producer.gather import BadLineError, Gatherer
from producer.jobs import Counted
from producer.journal import Journal, beside, fingerprint
from producer.link import Link
from producer.pace import ChunkSize, Lease
from producer.patience import Patience
from producer.readers.cutter import Cutter
from producer.readers.reading import Reading
from producer.readers.sources import Source
from producer.shape import PARQUET, Shape
from producer.summary import Summary
from producer.writers import Stream, Target, is_stream, packer_of, write_whole
from solver_core import chunk as puzzles_wire
from solver_core.chunk import WIRE_VERSION
from solver_core.errors import BatchError
from solver_core.rows import LineTally
from worker.app import SOLVE_CHUNK, settings
from worker.store import RUN_KEEP_S, new_batch_id

# Solutions of a chunk when all are listed, and what one takes on the wire.
LIST_BYTES = 2 << 20
SOLUTION_BYTES = 41
# A line of a puzzle; what is gzip holds about three times as much.
LINE_BYTES = 82
GZIP_FACTOR = 3
COMPANIONS = ("partial", "journal", "summary.json")


# Opens the line to a cluster, once the output is known to be writable.
Linked = Callable[[], contextlib.AbstractContextManager[Link]]


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of every puzzle; all of it shapes rows."""

    limit: int
    max_guesses: int
    solver: str
    listed: bool = False

    def subject(self) -> dict[str, Any]:
        """Returns what a journal must know to tell this question from another."""
        answer = {"limit": self.limit, "max_guesses": self.max_guesses, "solver": self.solver}
        return answer | {"list": self.listed}

    def meta(self, keep_s: float) -> dict[str, Any]:
        """Returns what workers must know."""
        return {
            "wire": WIRE_VERSION,
            "kind": "sudoku",
            "keep_s": keep_s,
            "limit": self.limit,
            "max_guesses": self.max_guesses,
            "solver": self.solver,
            "listed": self.listed,
        }


@dataclass(frozen=True, slots=True)
class Manner:
    """How a batch is run; none of it shapes rows."""

    chunk_rows: int | None
    patience_s: float
    fresh: bool
    strict: bool
    say: Callable[[str], None]
    progress: Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a batch: its sums, and what was wrong with its sources."""

    summary: Summary
    faults: list[str]


def solve(
    sources: Sequence[Source],
    out: str,
    shape: Shape,
    question: Question,
    manner: Manner,
    link: Linked,
    reading: Reading = Reading(),  # noqa: B008 - it is frozen
    queens: Callable[[Link, Manner, int], Sequence[Counted]] | None = None,
) -> Outcome:
    """Solves all puzzles of the sources and writes their rows.

    Args:
        sources: where puzzles come from.
        out: a file, or `-`.
        shape: how rows are written.
        question: what is asked of every puzzle.
        manner: how to run.
        link: opens the line to a cluster; not called before the output is known to be writable.
        reading: how the sources are to be read.
        queens: counts queens on a cluster, for jobs among puzzles.

    Raises:
        BatchError: the journal of an earlier run does not fit, or another run works on `out`.
        BrokerError: trouble on the way; what is done is kept.
        BadLineError: `manner.strict`, and a line is no puzzle; nothing is kept.
        OSError: the output cannot be written.
    """
    prints = [] if is_stream(out) else fingerprint(sources)
    subject = shape.subject() | question.subject() | {"from": reading.form, "column": reading.column, "input": prints}
    with contextlib.ExitStack() as stack:
        target = stack.enter_context(open_target(out, subject, sources, fresh=manner.fresh, shape=shape))
        line = stack.enter_context(link())
        plane = _plane(line, target, sources, shape, reading, manner)
        cut, wire, size = _on_plane(plane, sources, out, shape, question, reading, manner, stack)
        rows: Cutter | RangeCutter | twins.Twins = cut
        gatherer = Gatherer(
            target, shape, [source.name for source in sources], strict=manner.strict, progress=manner.progress
        )
        if queens:
            gatherer.queens = functools.partial(queens, line, manner)
        if shape.dedup:
            rows = known = stack.enter_context(_twins(cut, shape.dedup, out, question, target))
            gatherer.settle = known.settle
        if rows.skip(target.rows) < target.rows:
            raise BatchError(f"the input has fewer rows than {beside(Path(out), 'journal')} says are done")
        meta = question.meta(RUN_KEEP_S)
        dispatcher = dispatch(line, SOLVE_CHUNK, meta, rows, wire, manner, size=size, idle=target.tick)
        try:
            gatherer.gather(dispatcher.run())
        except BadLineError:
            if isinstance(target, Journal):
                target.discard()
            raise
        finally:
            with contextlib.suppress(Exception):  # the error on its way tells more than this one
                dispatcher.withdraw()
        finish(target, gatherer, dispatcher, out, rows.lines(), prints, plane)
    return Outcome(gatherer.summary, rows.faults)


def _plane(
    line: Link, target: Target, sources: Sequence[Source], shape: Shape, reading: Reading, manner: Manner
) -> str:
    """Returns the plane: `files` where workers may see the producer's folders and can do all the work themselves."""
    # With `strict` the first bad line is found in results, which on the files plane stay with the worker.
    fit = line.shares_files and not manner.strict and can_be_joined(shape, target)
    return "files" if fit and all(is_plain(source, reading) for source in sources) else "redis"


def _on_plane(
    plane: str,
    sources: Sequence[Source],
    out: str,
    shape: Shape,
    question: Question,
    reading: Reading,
    manner: Manner,
    stack: contextlib.ExitStack,
) -> tuple[Cutter | RangeCutter, Wire, ChunkSize]:
    """Returns how the rows of the sources are cut and carried on a plane, and how large chunks are there."""
    expected = expected_rows(sources)
    parts = PartsFolder(Path(out))
    if plane == "redis":
        if not is_stream(out):
            parts.remove()  # of a run that was killed and that had the other plane
        rows = stack.enter_context(contextlib.closing(Cutter(sources, reading)))
        return rows, puzzles_wire, chunk_size(manner.chunk_rows, expected, question)
    parts.make()
    stack.callback(parts.remove)
    size = ChunkSize(manner.chunk_rows, expected, largest=LARGEST_RANGE_ROWS)
    return RangeCutter(sources, shape, parts.path), RangeWire(), size


@contextlib.contextmanager
def _twins(
    rows: Cutter | RangeCutter, mode: str, out: str, question: Question, target: Target
) -> Iterator[twins.Twins]:
    """The rows with copies taken out; the index lies beside OUT and stays there until OUT is done."""
    assert isinstance(rows, Cutter), "workers that read by themselves know of no copies"
    with contextlib.ExitStack() as stack:
        if isinstance(target, Journal):
            path = beside(Path(out), twins.SUFFIX)
        else:
            path = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="gridmill-"))) / twins.SUFFIX
        asked = twins.Question(question.solver, question.limit, question.max_guesses)
        with contextlib.closing(twins.Twins(rows, mode, path, asked, target.rows)) as found:
            if isinstance(target, Journal):
                target.before_commit = found.commit
            yield found
        # Not after an error: the next run goes on with it.
        twins.forget_index(path)


def chunk_size(fixed: int | None, expected: float, question: Question) -> ChunkSize:
    """Returns how large chunks are; where solutions are listed, no list may be larger than a payload should be."""
    if not question.listed:
        return ChunkSize(fixed, expected)
    most = max(1, LIST_BYTES // (SOLUTION_BYTES * question.limit))
    return ChunkSize(fixed and min(fixed, most), expected, largest=most)


@contextlib.contextmanager
def open_target(
    out: str, subject: dict[str, Any], sources: Sequence[Source], *, fresh: bool, shape: Shape | None = None
) -> Iterator[Target]:
    """Opens the output: a file with a journal, or a stream; `shape` tells whether it must be sealed at the end.

    Raises:
        BatchError: the journal of an earlier run does not fit, another run works on `out`, or standard input would
            have to be read again.
        OSError: the output cannot be written.
    """
    if is_stream(out):
        with Stream(out) as stream:
            yield stream
        return
    pack, seal = packer_of(out), None
    if shape is not None and shape.format == PARQUET:
        pack, seal = parquet.packer(), parquet.sealer(shape)
    with Journal(Path(out), subject, fresh=fresh, pack=pack, seal=seal) as journal:
        once = [source.name for source in sources if not source.can_be_read_again()]
        if journal.resumed and once:
            raise BatchError(f"{once[0]} cannot be read a second time to go on with {out}; begin anew with --fresh")
        yield journal


def finish(
    target: Target,
    gatherer: Gatherer,
    dispatcher: Dispatcher,
    out: str,
    lines: LineTally,
    prints: list[dict[str, Any]],
    plane: str,
) -> None:
    """Gives the output its name, and writes its summary beside it."""
    target.finish()
    if isinstance(target, Journal):
        PartsFolder(Path(out)).remove()  # while the journal still tells of the run, should it be killed just now
        gatherer.summary.resent_chunks += dispatcher.resent
        report = gatherer.summary.report(lines=lines, isa=sorted(dispatcher.isas), plane=plane, source_prints=prints)
        write_whole(beside(Path(out), "summary.json"), json.dumps(report, indent=2) + "\n")
        target.forget()


def dispatch(
    line: Link,
    task: str,
    meta: dict[str, Any],
    rows: Rows,
    wire: Wire,
    manner: Manner,
    *,
    size: ChunkSize,
    idle: Callable[[], object] = lambda: None,
    batch: str | None = None,
) -> Dispatcher:
    """Returns a dispatcher for a batch; with an id for one that was submitted."""
    batch_id = batch or new_batch_id()
    return Dispatcher(
        batch_id,
        meta,
        rows=rows,
        wire=wire,
        store=line.store,
        send=line.sender(batch_id, task, meta.get("max_guesses")),
        patience=Patience(manner.patience_s, say=manner.say, meanwhile=line.mend),
        size=size,
        lease=Lease(settings.lease_s),
        say=manner.say,
        mend=line.mend,
        idle=idle,
        submitted=batch is not None,
    )


def expected_rows(sources: Sequence[Source]) -> float:
    """Estimates how many rows there are; infinite if nobody knows."""
    total = 0.0
    for source in sources:
        size = source.size()
        if size is None:
            return float("inf")
        total += size * (GZIP_FACTOR if source.name.endswith(".gz") else 1) / LINE_BYTES
    return total
