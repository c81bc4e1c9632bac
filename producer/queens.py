"""N-Queens batches from board to output: counts by first-row column, and lists of solutions."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from producer.batch import Linked, Manner, dispatch, open_target
from producer.counts import Counts
from producer.dispatch import Gathered
from producer.jobs import Counted
from producer.journal import Journal
from producer.link import Link
from producer.pace import ChunkSize
from producer.prefixes import PrefixCutter
from producer.writers import Target
from solver_core import queens_chunk
from solver_core._native import write_boards
from solver_core.chunk import WIRE_VERSION
from solver_core.queens_chunk import unpack_answers
from worker.app import QUEENS_CHUNK
from worker.store import RUN_KEEP_S

PIECES_A_PROCESS = 20

Progress = Callable[[float], contextlib.AbstractContextManager[Callable[[int], None]]]


def count_boards(
    boards: Sequence[int], out: str | None, format_name: str, manner: Manner, link: Linked, bar: Progress
) -> Counts:
    """Counts the solutions of boards; with `out` every step is kept, and the table is written there.

    Raises:
        BatchError: the journal of an earlier run does not fit, or another run works on `out`.
        BrokerError: trouble on the way.
        KernelError: a prefix ends its worker each time.
        OSError: the output cannot be written.
    """
    subject = {"queens": [boards[0], boards[-1]], "format": format_name}
    with contextlib.ExitStack() as stack:
        target = stack.enter_context(open_target(out, subject, (), fresh=manner.fresh)) if out else None
        counts = Counts(boards, target.state if target else {})
        rows = PrefixCutter(boards, start=target.rows if target else 0)
        progress = stack.enter_context(bar(rows.total))
        done = target.rows if target else 0
        for item in _answered(rows, manner, link, target):
            counts.add(item)
            done += item.chunk.count
            if target:
                target.write(b"", item.chunk.count, counts.state)
            progress(done)
        if target:
            if not target.state.get("written"):
                target.write(counts.table(format_name).encode(), 0, lambda: {**counts.state(), "written": True})
            _finish(target)
    return counts


def count_on(line: Link, manner: Manner, n: int) -> list[Counted]:
    """Counts the solutions of one board on a line that is open, by first-row column.

    Raises:
        BrokerError, KernelError: as `count_boards`.
    """
    unseen = replace(manner, chunk_rows=None, progress=lambda _done: None)
    counts = count_boards(
        [n], None, "jsonl", unseen, lambda: contextlib.nullcontext(line), lambda _total: contextlib.nullcontext(_pass)
    )
    return [Counted(column.solutions, column.time_ns) for column in counts.boards[n]]


def _pass(_done: int) -> None:
    """Shows no progress."""


def list_board(n: int, out: str, form: str, most: int, manner: Manner, link: Linked, bar: Progress) -> int:
    """Lists the solutions of a board in lexicographic order, up to `most`; returns how many the output has.

    Raises:
        BatchError, BrokerError, KernelError, OSError: as `count_boards`.
    """
    subject = {"queens": [n, n], "list": form, "first": most}
    with open_target(out, subject, (), fresh=manner.fresh) as target:
        written = int(target.state.get("solutions", 0))
        rows = PrefixCutter([n], most=most, start=target.rows)
        rows.ended |= written >= most
        with bar(rows.total) as progress:
            for item in _answered(rows, manner, link, target):
                # Chunks that were on their way together know nothing of each other: they may hold more than `most`.
                listed = b"".join(answer.listed for answer in unpack_answers(item.answer))[: (most - written) * n]
                text = write_boards(n, listed, form, written == 0)
                written += len(listed) // n
                kept = {"solutions": written}
                target.write(text, item.chunk.count, lambda kept=kept: kept)  # type: ignore[misc]
                progress(target.rows)
                if written >= most:
                    break
        _finish(target)
    return written


def _answered(rows: PrefixCutter, manner: Manner, link: Linked, target: Target | None) -> Iterator[Gathered]:
    if rows.ended:
        return
    meta = {"wire": WIRE_VERSION, "kind": "queens", "keep_s": RUN_KEEP_S}
    size = ChunkSize(manner.chunk_rows, rows.total, first=1, shares=PIECES_A_PROCESS)
    with link() as line:
        idle = target.tick if target else lambda: None
        dispatcher = dispatch(line, QUEENS_CHUNK, meta, rows, queens_chunk, manner, size=size, idle=idle)
        try:
            yield from dispatcher.run()
        finally:
            with contextlib.suppress(Exception):  # the error on its way tells more than this one
                dispatcher.withdraw()


def _finish(target: Target) -> None:
    target.finish()
    if isinstance(target, Journal):
        target.forget()
