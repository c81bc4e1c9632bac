"""`gridmill batches`: which batches are with a cluster."""

import json

import click

from producer.cli import OK
from producer.commands import options
from producer.link import attach
from producer.submitted import is_whole, state_of


@click.command("batches")
@options.broker
@options.as_json
def command(broker: str | None, as_json: bool) -> int:
    """Lists the submitted batches, oldest first."""
    store = attach(options.required_broker(broker)).store
    states = [state_of(store, batch, meta) for batch, meta in store.batches().items() if is_whole(meta)]
    if as_json:
        click.echo(json.dumps(states))
        return OK
    for state in states:
        click.echo(f"{state['batch']}  {state['rows_done']:,} of {state['rows']:,} rows  {', '.join(state['sources'])}")
    if not states:
        click.echo("no batches")
    return OK
