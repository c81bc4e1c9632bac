"""`gridmill doctor`: is everything fit?"""

import json
from dataclasses import asdict

import click

from producer.cli import OK, TROUBLE
from producer.commands import options
from producer.doctor import examine


@click.command("doctor")
@options.broker
@options.as_json
def command(broker: str | None, as_json: bool) -> int:
    """Looks at the broker and its workers, or at this machine alone, and says what to do."""
    checks = examine(broker)
    if as_json:
        click.echo(json.dumps([asdict(check) for check in checks]))
    else:
        for check in checks:
            click.echo(f"{'ok ' if check.ok else 'BAD'} {check.name}: {check.found}")
            if check.advice:
                click.echo(f"    -> {check.advice}")
    return OK if all(check.ok for check in checks) else TROUBLE
