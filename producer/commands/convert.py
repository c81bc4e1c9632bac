"""`gridmill convert`: writes puzzles in another format, without solving them."""

from dataclasses import replace
from pathlib import Path

import click

from producer.batch import COMPANIONS, expected_rows
from producer.cli import say
from producer.commands import options
from producer.commands.check import exit_code
from producer.commands.solve import progress_bar
from producer.convert import COLUMNS, convert
from producer.journal import beside
from producer.readers.reading import Reading
from producer.readers.sources import find_sources
from producer.shape import TABULAR, Shape
from producer.writers import STDOUT, format_of, is_stream

# Without solving there are no solutions to write: a line is the puzzle.
PUZZLES = {"lines": "puzzles"}


@click.command("convert")
@click.argument("inputs", metavar="INPUT...", nargs=-1, required=True)
@click.option("-o", "out", metavar="OUT", default=STDOUT, help="A file, or - for stdout (the default).")
@options.format_name
@options.columns
@options.reading
@options.fresh
@options.strict
@options.quiet
def command(
    inputs: tuple[str, ...],
    out: str,
    format_name: str | None,
    columns: tuple[str, ...],
    reading: Reading,
    fresh: bool,
    strict: bool,
    quiet: bool,
) -> int:
    """Writes the puzzles of INPUT in another format, without solving them."""
    options.not_a_folder(out)
    chosen = format_of(out, format_name)
    shape = Shape(chosen, columns or None, reading.keep)
    if chosen in TABULAR and not columns:
        shape = replace(shape, columns=(*COLUMNS, *reading.keep))
    shape = replace(shape, format=PUZZLES.get(chosen, chosen))
    companions = [] if is_stream(out) else [Path(out), *(beside(Path(out), suffix) for suffix in COMPANIONS)]
    sources = find_sources(inputs, companions)
    with progress_bar("rows", expected_rows(sources), quiet) as progress:
        done = convert(sources, out, shape, reading, fresh=fresh, strict=strict, progress=progress)
    for fault in done.faults:
        say(fault)
    if not quiet:
        where = "stdout" if out == STDOUT else out
        click.echo(f"{done.rows:,} row{'s' * (done.rows != 1)}, {done.invalid:,} invalid -> {where}", err=True)
    return exit_code(done)
