"""`gridmill queens`: counts by first-row column, or lists every solution."""

import re

import click

from producer.batch import Manner
from producer.cli import OK, say
from producer.commands import options
from producer.commands.solve import progress_bar
from producer.counts import Counts, estimate_s
from producer.link import linked
from producer.queens import count_boards, list_board
from producer.writers import STDOUT, format_of
from solver_core._native import QUEENS_COUNTS, board_bytes
from solver_core.queens import MAX_N

FORMS = ("columns", "board", "jsonl")
ENDLESS = 2**63 - 1
ASK_BYTES = 10**9
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
            self.fail(f"{value!r} is neither a whole number from 1 to {MAX_N} nor a range such as 8-16", param, ctx)
        low, high = int(match[1]), int(match[2] or match[1])
        if not 1 <= low <= high <= MAX_N:
            self.fail(f"{value!r}: a board has a size from 1 to {MAX_N}", param, ctx)
        return range(low, high + 1)


# An N such as -1 is a wrong size, not an unknown option.
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

    if not listing:
        format_name = format_of(out, None) if out else "csv"
        if format_name not in ("csv", "jsonl"):
            raise click.UsageError("counts are written as csv or jsonl")
        if not quiet:
            _say_how_long(sizes[-1], workers)
        counts = count_boards(
            sizes,
            out,
            format_name,
            manner,
            lambda: linked(broker, workers),
            lambda n: progress_bar("prefixes", n, quiet),
        )
        if not quiet and out != STDOUT:
            _print_table(counts)
        return OK

    if out is None:
        raise click.UsageError("a list needs -o OUT (- for stdout)")
    if len(sizes) > 1:
        raise click.UsageError("a list is of one board; name one N")
    most = first or ENDLESS
    _ask_first(sizes[0], form, most, yes)
    written = list_board(
        sizes[0], out, form, most, manner, lambda: linked(broker, workers), lambda n: progress_bar("prefixes", n, quiet)
    )
    if not quiet:
        click.echo(f"{written:,} solutions of {sizes[0]} queens -> {'stdout' if out == STDOUT else out}", err=True)
    return OK


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
    published = QUEENS_COUNTS[n]
    return ", as published (A000170)" if total == published else f", but {published:,} are published (A000170)"


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
        told = f"the list would take {size / 1e9:,.1f} GB; say --yes if you want it, or --first K for less"
        raise click.UsageError(told)
