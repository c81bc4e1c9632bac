"""`gridmill`: the command line. Only here, and in `commands/`, is anything printed; only here does a process exit.

Exit codes: 0 every puzzle has an answer; 1 some rows are invalid, gave up or failed; 2 wrong use, input that cannot be
read or output that cannot be written; 3 trouble on the way, what is done is kept; 130 interrupted.
"""

import errno
import importlib
import importlib.metadata
import os
import signal
import sys
import traceback
from collections.abc import Callable
from typing import NoReturn

import click

from solver_core.errors import BatchError, BrokerError, ChunkError, GridmillError, KernelError

OK, SOME_ROWS, WRONG_USE, TROUBLE, INTERRUPTED = 0, 1, 2, 3, 130

# Command -> module, loaded when it is called for: Celery alone takes a third of a second to import.
COMMANDS = {
    "solve": "producer.commands.solve",
    "queens": "producer.commands.queens",
    "check": "producer.commands.check",
    "convert": "producer.commands.convert",
    "submit": "producer.commands.submit",
    "gather": "producer.commands.gather",
    "status": "producer.commands.status",
    "batches": "producer.commands.batches",
    "cancel": "producer.commands.cancel",
    "worker": "producer.commands.worker",
    "up": "producer.commands.up",
    "metrics": "producer.commands.metrics",
    "bench": "producer.commands.bench",
    "doctor": "producer.commands.doctor",
}


class Interrupted(KeyboardInterrupt):
    """SIGTERM or SIGHUP came."""


class LazyGroup(click.Group):
    """A group whose commands are loaded by name."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Returns the names, in the order in which they are of use."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Loads a command."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(COMMANDS[cmd_name]).command
        return command


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--debug", is_flag=True, help="Show tracebacks.")
@click.version_option(importlib.metadata.version("gridmill"), prog_name="gridmill")
def cli(debug: bool) -> None:
    """Solves very large batches of Sudoku puzzles, and counts or lists N-Queens solutions."""


def say(text: str) -> None:
    """Tells the person something, on stderr."""
    click.echo(f"gridmill: {text}", err=True)


def main() -> NoReturn:
    """Runs the command line and exits."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:  # nohup means what it says
            signal.signal(number, _interrupt)
    code = run([argument for argument in sys.argv[1:] if argument != "--debug"])  # wherever it stands
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _leave_stdout()
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Runs the command line in this process; returns the exit code."""
    return _run(lambda: _invoke(arguments))


def _invoke(arguments: list[str]) -> int | None:
    # Not by way of click's own main, which ends the process with 1 where nobody reads the output any more.
    with cli.make_context("gridmill", arguments) as context:
        code: int | None = cli.invoke(context)
        return code


def _run(command: Callable[[], int | None]) -> int:  # noqa: PLR0911 - a table of errors and their codes
    debug = "--debug" in sys.argv
    try:
        return command() or OK
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return WRONG_USE
    except click.ClickException as error:
        say(error.format_message())
        return WRONG_USE
    except (KeyboardInterrupt, click.Abort) as stopped:
        notes = getattr(stopped, "__notes__", [])
        say("; ".join(["interrupted", *notes]))
        return INTERRUPTED
    except BrokenPipeError:
        _leave_stdout()
        return OK
    except Exception as error:
        if debug:
            traceback.print_exc()
        return _told(error)


def _told(error: Exception) -> int:
    """Tells an error in one line; returns its exit code."""
    text = " ".join(str(error).split()) or type(error).__name__
    notes = getattr(error, "__notes__", [])
    match error:
        case BrokerError() | BatchError(locked=True) | KernelError() | ChunkError():
            code = TROUBLE
        case GridmillError() | ValueError():
            code = WRONG_USE
        case OSError():
            text = f"{error.filename or 'output'}: {error.strerror or text}"
            code = TROUBLE if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO) else WRONG_USE
        case _:
            text = f"this should not have happened: {type(error).__name__}: {text} (--debug shows where)"
            code = TROUBLE
    say("; ".join([text, *notes]))
    return code


def _interrupt(number: int, _frame: object) -> None:
    raise Interrupted(signal.Signals(number).name)


def _leave_stdout() -> None:
    """Nobody reads any more: what is still in the buffer has nowhere to go."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
