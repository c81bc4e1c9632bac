"""`gridmill check`: reads and says what is there, and what cannot be read."""

import json
from dataclasses import asdict

import click

from producer.cli import OK, SOME_ROWS, WRONG_USE, say
from producer.commands import options
from producer.convert import Checked, check
from producer.readers.reading import Reading
from producer.readers.sources import find_sources

SHOWN = 20


@click.command("check")
@click.argument("inputs", metavar="INPUT...", nargs=-1, required=True)
@options.reading
@click.option("--all", "show_all", is_flag=True, help=f"Show every remark, not only the first {SHOWN}.")
@options.as_json
@options.quiet
def command(inputs: tuple[str, ...], reading: Reading, show_all: bool, as_json: bool, quiet: bool) -> int:
    """Reads INPUT without solving it, and says what it holds and what cannot be read."""
    shown: list[str] = []
    more = 0

    def remark(text: str) -> None:
        nonlocal more
        if not show_all and len(shown) >= SHOWN:
            more += 1
        elif as_json:
            shown.append(text)
        else:
            shown.append("")
            click.echo(text)

    checked = check(find_sources(inputs), reading, remark)
    for fault in checked.faults:
        say(fault)
    if as_json:
        click.echo(json.dumps(report(checked) | {"remarks": shown, "remarks_not_shown": more}))
    else:
        if more:
            click.echo(f"and {more:,} more (--all shows them)")
        if not quiet:
            click.echo(told(checked))
    return exit_code(checked)


def report(checked: Checked) -> dict[str, object]:
    """Returns what was found, as JSON has it."""
    return asdict(checked) | {"lines": checked.lines._asdict()}


def told(checked: Checked) -> str:
    """Returns what was found, in two lines."""
    good = checked.rows - checked.invalid
    given = f", {checked.given:,} with a solution" if checked.given else ""
    given += f", of which {checked.differing:,} are none" if checked.differing else ""
    kinds = ", ".join(
        f"{count:,} {name}" for name, count in checked.lines._asdict().items() if name != "total" and count
    )
    lines = checked.lines.total
    return (
        f"{checked.rows:,} row{'s' * (checked.rows != 1)}: {good:,} puzzle{'s' * (good != 1)}, "
        f"{checked.invalid:,} invalid{given}\n"
        f"{lines:,} line{'s' * (lines != 1)}: {kinds or 'nothing'}"
    )


def exit_code(checked: Checked) -> int:
    """Returns what the process ends with."""
    if checked.faults:
        return WRONG_USE
    return SOME_ROWS if checked.invalid else OK
