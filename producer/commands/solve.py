"""`gridmill solve`: the main job."""

import contextlib
import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import click

from producer.batch import COMPANIONS, Linked, Manner, Outcome, Question, expected_rows, solve
from producer.cli import OK, SOME_ROWS, WRONG_USE, say
from producer.commands import options
from producer.drawing import draw
from producer.folder import is_folder, jobs
from producer.journal import beside
from producer.link import Link, linked
from producer.queens import count_on
from producer.readers.reading import Reading
from producer.readers.sources import TYPED, Source, find_sources
from producer.shape import Shape
from producer.summary import one_line
from producer.twins import MODES
from producer.writers import STDOUT, format_of, is_stream
from solver_core.result import Status
from solver_core.sudoku import cells_of
from solver_core.sudoku import solve as solve_one

Progress = contextlib.AbstractContextManager[Callable[[int], None]]

UNANSWERED = (Status.INVALID.word, Status.GAVE_UP.word, Status.FAILED.word)


@click.command("solve")
@click.argument("inputs", metavar="INPUT...", nargs=-1, required=True)
@click.option("-o", "out", metavar="OUT", default=STDOUT, help="A file, a folder/, or - for stdout (the default).")
@options.question
@options.format_name
@options.columns
@options.reading
@click.option(
    "--dedup", type=click.Choice(MODES), help="Solve equal puzzles once; canonical: also moved and relabelled."
)
@options.broker
@options.workers
@options.chunk
@options.patience
@options.fresh
@options.strict
@options.quiet
def command(
    inputs: tuple[str, ...],
    out: str,
    limit: int,
    max_guesses: int,
    solver: str,
    listed: bool,
    format_name: str | None,
    columns: tuple[str, ...],
    reading: Reading,
    dedup: str | None,
    broker: str | None,
    workers: int,
    chunk_rows: int | None,
    patience_s: float,
    fresh: bool,
    strict: bool,
    quiet: bool,
) -> int:
    """Solves the puzzles of INPUT: files, folders, globs, - for stdin, or a puzzle of 81 characters typed in."""
    question = options.asked(limit, max_guesses, solver, listed)
    if dedup and listed:
        raise click.UsageError("--list and --dedup do not go together")
    in_folder = is_folder(out)
    if not in_folder and Path(out).is_dir():
        raise click.UsageError(f"{out} is a folder; name a file, or {out}/ for one output for each input")
    shape = Shape(
        format_name or "csv" if in_folder else format_of(out, format_name), columns or None, reading.keep, listed, dedup
    )
    straight = not in_folder and is_stream(out)
    companions = [] if straight else [Path(out), *(beside(Path(out), suffix) for suffix in COMPANIONS)]
    sources = find_sources(inputs, companions)
    is_shown = out == STDOUT and sys.stdout.isatty()
    if broker is None and [source.name for source in sources] == [TYPED] and is_shown and not listed:
        return _draw(sources[0], question)
    shared = [] if straight else [Path(out).parent, *(source.path.parent for source in sources if source.path)]
    todo = [(sources, out)]
    if in_folder:
        todo = [(job.sources, str(job.out)) for job in jobs(sources, Path(out), shape.format)]
    code = OK
    with shared_link(lambda: linked(broker, workers, shared)) as link:
        for part, target in todo:
            with progress_bar("puzzles", expected_rows(part), quiet or is_shown) as progress:
                manner = Manner(chunk_rows, patience_s, fresh, strict, say, progress)
                outcome = solve(part, target, shape, question, manner, link, reading, count_on)
            code = max(code, report(outcome, target, quiet))
    return code


@contextlib.contextmanager
def shared_link(open_link: Linked) -> Iterator[Linked]:
    """One line to a cluster for several batches, opened when the first one asks for it."""
    with contextlib.ExitStack() as stack:
        opened: list[Link] = []

        def link() -> contextlib.AbstractContextManager[Link]:
            if not opened:
                opened.append(stack.enter_context(open_link()))
            return contextlib.nullcontext(opened[0])

        yield link


def _draw(typed: Source, question: Question) -> int:
    """One puzzle, and a person who looks at it: no broker and no row, but a grid."""
    text = typed.text or ""
    result = solve_one(text, limit=question.limit, max_guesses=question.max_guesses, solver=question.solver)
    click.echo(draw(cells_of(text), result))
    return SOME_ROWS if result.status.word in UNANSWERED else OK


def progress_bar(what: str, total: float, quiet: bool) -> Progress:
    """A progress bar where there is a terminal to show it on."""
    if quiet or not sys.stderr.isatty():
        return contextlib.nullcontext(lambda _done: None)
    # Loaded by name: its library takes a tenth of a second that a run in a pipe need not spend.
    bar = importlib.import_module("producer.progress").bar
    shown: contextlib.AbstractContextManager[Callable[[int], None]] = bar(
        what, None if total == float("inf") else total
    )
    return shown


def report(outcome: Outcome, out: str, quiet: bool) -> int:
    """Tells how a batch ended; returns the exit code."""
    for fault in outcome.faults:
        say(fault)
    if not quiet:
        click.echo(one_line(outcome.summary, "stdout" if out == STDOUT else out), err=True)
    if outcome.faults:
        return WRONG_USE
    return SOME_ROWS if any(outcome.summary.status_counts.get(word) for word in UNANSWERED) else OK
