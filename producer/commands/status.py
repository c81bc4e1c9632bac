"""`gridmill status`: how far a submitted batch is."""

import json

import click

from producer.cli import OK
from producer.commands import options
from producer.link import attach
from producer.submitted import meta_of, state_of


@click.command("status")
@click.argument("batch", metavar="ID")
@options.broker
@options.as_json
def command(batch: str, broker: str | None, as_json: bool) -> int:
    """Tells how far the submitted batch ID is."""
    store = attach(options.required_broker(broker)).store
    state = state_of(store, batch, meta_of(store, batch))
    if as_json:
        click.echo(json.dumps(state))
    else:
        share = 100 * state["rows_done"] // state["rows"] if state["rows"] else 100
        click.echo(
            f"{batch}: {state['rows_done']:,} of {state['rows']:,} rows ({share} %), "
            f"{state['chunks_done']:,} of {state['chunks']:,} chunks; "
            f"submitted {state['submitted']} from {state['host']}"
        )
    return OK
