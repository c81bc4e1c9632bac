"""`gridmill queens`: counts by first-row column, or lists every solution."""

import contextlib
import json
import re
from collections.abc import Callable, Iterator

import click

from producer.batch import Manner, dispatch, open_target
from producer.cli import OK, say
from producer.commands import options
from producer.commands.solve import progress_bar
from producer.dispatch import Gathered, Rows
from producer.journal import Journal
from producer.link import Link, linked
from producer.pace import ChunkSize
from producer.queens import Counts, PrefixCutter, estimate_s, gather_counts, gather_lists, rows_of
from producer.writers import STDOUT, Target, format_of
from solver_core import queens_chunk
from solver_core._native import QUEENS_COUNTS, board_bytes
from solver_core.chunk import WIRE_VERSION
from solver_core.queens import MAX_N
from worker.app import QUEENS_CHUNK
from worker.store import RUN_KEEP_S

Linked = Callable[[], contextlib.AbstractContextManager[Link]]

FORMS = ("columns", "board", "jsonl")
ENDLESS = 2**63 - 1
ASK_BYTES = 10**9
# A number above this is no longer exact for readers that hold JSON numbers as doubles.
EXACT_JSON = 2**53
PIECES_A_PROCESS = 20
# Below this no machine takes an hour.
LONG_N = 19


class BoardSizes(click.ParamType[range]):
    """`8`, or `8-16`."""

    name = "N[-M]"

    def convert(self, value: str | range, param: click.Parameter | None, ctx: click.Context | None) -> range:
        """Reads the sizes."""
        if isinstance(value, range):
            return value
        match = re.fullmatch(r"(\d{1,9})(?:-(\d{1,9}))?", value, re.ASCII)
        if not match:
            self.fail(
                f"{value!r} is no size of a board: a whole number from 1 to {MAX_N}, or a range such as 8-16",
                param,
                ctx,
            )
        low, high = int(match[1]), int(match[2] or match[1])
        if not 1 <= low <= high <= MAX_N:
            self.fail(f"{value!r}: a board has a size from 1 to {MAX_N}", param, ctx)
        return range(low, high + 1)


@click.command("queens", context_settings={"ignore_unknown_options": True})
@click.argument("sizes", metavar="N[-M]", type=BoardSizes())
@click.option("-o", "out", metavar="OUT", help="Write a row a column (csv, jsonl); with --list the solutions.")
@click.option("--list", "listing", is_flag=True, help="List every solution, in lexicographic order, into OUT.")
@click.option("--as", "form", type=click.Choice(FORMS), default="columns", show_default=True, help="Form of a list.")
@click.option("--first", type=click.IntRange(1), metavar="K", help="List no more than K solutions.")
@click.option("--yes", is_flag=True, help="List even more than 1 GB.")
@options.broker
@options.workers
@options.chunk
@options.patience
@options.fresh
@options.quiet
def command(
    sizes: range,
    out: str | None,
    listing: bool,
    form: str,
    first: int | None,
    yes: bool,
    broker: str | None,
    workers: int,
    chunk_rows: int | None,
    patience_s: float,
    fresh: bool,
    quiet: bool,
) -> int:
    """Counts the solutions of N-Queens for N (to M), by the column of the queen in the first row."""
    if out is not None:
        options.not_a_folder(out)
    manner = Manner(chunk_rows, patience_s, fresh, strict=False, say=say, progress=lambda _done: None)
    link = lambda: linked(broker, workers)  # noqa: E731
    if not listing:
        if not quiet:
            _say_how_long(sizes[-1], workers)
        _count(sizes, out, manner, link, quiet)
        return OK
    if out is None:
        raise click.UsageError("a list needs -o OUT (- for stdout)")
    if len(sizes) > 1:
        raise click.UsageError("a list is of one board; name one N")
    most = first or ENDLESS
    _ask_first(sizes[0], form, most, yes)
    _list(sizes[0], out, form, most, manner, link, quiet)
    return OK


def _count(
    sizes: range,
    out: str | None,
    manner: Manner,
    link: Linked,
    quiet: bool,
) -> None:
    format_name = format_of(out, None) if out is not None else None
    subject = {"queens": [sizes[0], sizes[-1]], "format": format_name}
    with contextlib.ExitStack() as stack:
        target = stack.enter_context(open_target(out, subject, (), fresh=manner.fresh)) if out is not None else None
        counts = Counts.of(sizes, target.state if target else {})
        rows = PrefixCutter(sizes, start=target.rows if target else 0)
        progress = stack.enter_context(progress_bar("prefixes", rows.total, quiet))
        if not rows.ended:
            tick = target.tick if target else lambda: None
            with link() as line, _dispatched(line, rows, rows.total, manner, tick) as gathered:
                gather_counts(gathered, counts, target, progress)
        if target:
            _finish(target, _table(counts, format_name or "csv"), counts)
    if not quiet and out != STDOUT:
        _print_table(counts)


def _list(
    n: int,
    out: str,
    form: str,
    most: int,
    manner: Manner,
    link: Linked,
    quiet: bool,
) -> None:
    subject = {"queens": [n, n], "list": form, "first": most}
    with open_target(out, subject, (), fresh=manner.fresh) as target:
        rows = PrefixCutter([n], most=most, start=target.rows)
        with progress_bar("prefixes", rows.total, quiet) as progress:
            written = int(target.state.get("solutions", 0))
            if not rows.ended and written < most:
                with link() as line, _dispatched(line, rows, rows.total, manner, target.tick) as gathered:
                    written = gather_lists(gathered, n, form, most, target, progress)
        target.finish()
        if isinstance(target, Journal):
            target.forget()
    if not quiet:
        click.echo(f"{written:,} solutions of {n} queens -> {'stdout' if out == STDOUT else out}", err=True)


@contextlib.contextmanager
def _dispatched(
    line: Link, rows: Rows, total: int, manner: Manner, tick: Callable[[], object]
) -> Iterator[Iterator[Gathered]]:
    meta = {"wire": WIRE_VERSION, "kind": "queens", "keep_s": RUN_KEEP_S}
    size = ChunkSize(manner.chunk_rows, total, first=1, shares=PIECES_A_PROCESS)
    dispatcher = dispatch(line, QUEENS_CHUNK, meta, rows, queens_chunk, manner, size=size, idle=tick)
    try:
        yield dispatcher.run()
    finally:
        with contextlib.suppress(Exception):
            dispatcher.withdraw()


def _finish(target: Target, text: str, counts: Counts) -> None:
    target.write(text.encode(), 0, counts.state)
    target.finish()
    if isinstance(target, Journal):
        target.forget()


def _table(counts: Counts, format_name: str) -> str:
    names = ("n", "column", "solutions", "time_ns")
    if format_name == "csv":
        lines = [",".join(names)] + [",".join(map(str, row)) for row in rows_of(counts)]
    else:
        lines = [json.dumps(dict(zip(names, map(_exact, row), strict=True))) for row in rows_of(counts)]
    return "\n".join(lines) + "\n"


def _exact(number: int) -> int | str:
    return number if number <= EXACT_JSON else str(number)


def _print_table(counts: Counts) -> None:
    for n, columns in counts.boards.items():
        width = max(len("solutions"), *(len(f"{column.solutions:,}") for column in columns))
        click.echo(f"{'n':>3} {'column':>6} {'solutions':>{width}} {'time':>10}")
        for place, column in enumerate(columns):
            click.echo(f"{n:>3} {place:>6} {column.solutions:>{width},} {column.time_ns / 1e9:>8.3f} s")
        total = counts.total(n)
        click.echo(f"{n} queens: {total:,} solutions{_verdict(n, total)}")


def _verdict(n: int, total: int) -> str:
    if n >= len(QUEENS_COUNTS):
        return ", no published count to compare with"
    return (
        ", as published (A000170)"
        if total == QUEENS_COUNTS[n]
        else f", but {QUEENS_COUNTS[n]:,} are published (A000170)"
    )


def _say_how_long(n: int, processes: int) -> None:
    if n < LONG_N:
        return
    hours = estimate_s(n, processes) / 3600
    if hours >= 1:
        how_long = f"{hours:,.0f} hours" if hours < 10_000 else f"{hours / 8766:,.0f} years"
        say(f"counting {n} queens takes about {how_long} on {processes} processes like this one")


def _ask_first(n: int, form: str, most: int, yes: bool) -> None:
    solutions = min(most, QUEENS_COUNTS[n]) if n < len(QUEENS_COUNTS) else most
    size = solutions * board_bytes(n, form)
    if size > ASK_BYTES and not yes:
        raise click.UsageError(
            f"the list would take {size / 1e9:,.1f} GB; say --yes if you want it, or --first K for less"
        )
