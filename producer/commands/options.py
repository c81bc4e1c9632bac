"""Options that several commands share."""

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from producer.batch import Question
from producer.cli import say
from producer.readers.reading import FORMS, Reading
from producer.shape import names_in
from producer.writers import FORMATS
from solver_core.errors import BrokerError
from solver_core.solvers import DEFAULT_SOLVER, MAX_GUESSES, SOLVERS
from worker.app import settings
from worker.broker import has_password, read_url
from worker.supervisor import cpus

MOST = 2**32 - 1  # solutions and guesses travel in 32 bits
MOST_LISTED = 1_000_000  # solutions of one puzzle travel in one piece: 41 MB of them
LISTING_SOLVERS = ("lanes", "solo")

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def _together(*options: Decorator) -> Decorator:
    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def _chunk_rows(_context: click.Context, _option: click.Parameter, value: str) -> int | None:
    if value == "auto":
        return None
    if value.isascii() and value.isdigit() and 1 <= int(value) <= MOST:
        return int(value)
    raise click.BadParameter(f"{value!r} is neither `auto` nor a number of rows from 1")


def _broker(_context: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    given = value or settings.broker
    if not given:
        return None
    try:
        url = read_url(given)
    except BrokerError as error:
        raise click.UsageError(str(error)) from None
    if value and not value.startswith("@") and has_password(url):
        say("a password on the command line can be seen by others; use GRIDMILL_BROKER or --broker @FILE")
    return url


broker = click.option(
    "--broker",
    metavar="URL",
    callback=_broker,
    help="Broker of a cluster, or @FILE that holds its URL; also GRIDMILL_BROKER.",
)
workers = click.option(
    "--workers",
    type=click.IntRange(1, 1024),
    default=cpus,
    show_default="CPUs",
    help="Local worker processes, without --broker only.",
)
question = _together(
    click.option(
        "--limit",
        type=click.IntRange(1, MOST),
        default=2,
        show_default=True,
        help="Stop after N solutions of a puzzle: 2 tells unique from multiple, 1 finds the first only.",
    ),
    click.option(
        "--max-guesses",
        type=click.IntRange(0, MOST),
        default=MAX_GUESSES,
        show_default=True,
        help="Give up on a puzzle after N guesses.",
    ),
    click.option("--solver", type=click.Choice(list(SOLVERS)), default=DEFAULT_SOLVER, show_default=True),
    click.option("--list", "listed", is_flag=True, help="Write every solution up to --limit, one row each."),
)
chunk = click.option(
    "--chunk", "chunk_rows", metavar="auto|N", default="auto", callback=_chunk_rows, help="Rows of a chunk."
)
patience = click.option(
    "--patience",
    "patience_s",
    type=click.FloatRange(0),
    default=600,
    show_default=True,
    help="Seconds to wait for a broker that has gone away.",
)
format_name = click.option(
    "--format",
    "format_name",
    type=click.Choice(FORMATS),
    help="Default: from OUT's suffix, csv on stdout.",
)
columns = click.option(
    "--columns",
    metavar="NAMES",
    default="",
    callback=lambda _context, _option, value: names_in(value),
    help="Columns to write, in this order, with commas between.",
)


def reading(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options that say how INPUT is read; the command gets them together, as `reading`."""

    @functools.wraps(command)
    def with_reading(*, form: str | None, column: str | None, keep: str, **others: Any) -> Any:
        return command(reading=Reading(form, column, names_in(keep)), **others)

    return _together(
        click.option("--from", "form", type=click.Choice(FORMS), help="Form of INPUT; default: told by its content."),
        click.option("--column", metavar="NAME", help="Column of the puzzles: its name, or its number from 1."),
        click.option("--keep", metavar="NAMES", default="", help="Fields of INPUT to carry through, after `note`."),
    )(with_reading)


fresh = click.option("--fresh", is_flag=True, help="Begin anew, whatever an old journal says.")
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
quiet = click.option("--quiet", is_flag=True, help="Say nothing but errors.")
strict = click.option("--strict", is_flag=True, help="Stop at the first bad line.")


def asked(limit: int, max_guesses: int, solver: str, listed: bool) -> Question:
    """Returns what is asked of every puzzle.

    Raises:
        click.UsageError: these do not go together.
    """
    if listed and solver not in LISTING_SOLVERS:
        raise click.UsageError(f"--list needs --solver {' or '.join(LISTING_SOLVERS)}, not {solver}")
    if listed and limit > MOST_LISTED:
        raise click.UsageError(f"--list needs a --limit of at most {MOST_LISTED:,}")
    return Question(limit, max_guesses, solver, listed)


def required_broker(url: str | None) -> str:
    """Returns the URL.

    Raises:
        click.UsageError: there is none.
    """
    if url is None:
        raise click.UsageError("name the broker of a cluster with --broker or GRIDMILL_BROKER (gridmill up starts one)")
    return url


def not_a_folder(out: str) -> str:
    """Returns OUT if it is no folder.

    Raises:
        click.UsageError: it is one.
    """
    if Path(out).is_dir() or out.endswith("/"):
        raise click.UsageError(f"{out} is a folder; name a file")
    return out
