"""`gridmill submit`: leaves a batch with a cluster."""

import click

from producer.batch import Manner, expected_rows
from producer.cli import OK, WRONG_USE, say
from producer.commands import options
from producer.commands.solve import progress_bar
from producer.link import attach
from producer.readers.reading import Reading
from producer.readers.sources import find_sources
from producer.submitted import submit


@click.command("submit")
@click.argument("inputs", metavar="INPUT...", nargs=-1, required=True)
@options.question
@options.reading
@options.broker
@options.chunk
@options.patience
@options.quiet
def command(
    inputs: tuple[str, ...],
    limit: int,
    max_guesses: int,
    solver: str,
    listed: bool,
    reading: Reading,
    broker: str | None,
    chunk_rows: int | None,
    patience_s: float,
    quiet: bool,
) -> int:
    """Leaves the puzzles of INPUT with a cluster, and prints the id of the batch alone on stdout."""
    url = options.required_broker(broker)
    sources = find_sources(inputs)
    with progress_bar("rows", expected_rows(sources), quiet) as progress:
        manner = Manner(chunk_rows, patience_s, fresh=False, strict=False, say=say, progress=progress)
        submitted = submit(attach(url), sources, options.asked(limit, max_guesses, solver, listed), manner, reading)
    click.echo(submitted.batch)
    for fault in submitted.faults:
        say(fault)
    if not quiet:
        click.echo(f"{submitted.rows:,} rows in {submitted.chunks:,} chunks; collect them: ", err=True, nl=False)
        click.echo(f"gridmill gather {submitted.batch} -o OUT", err=True)
    return WRONG_USE if submitted.faults else OK
