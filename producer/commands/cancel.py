"""`gridmill cancel`: takes a submitted batch back."""

import click

from producer.cli import OK
from producer.commands import options
from producer.link import attach
from producer.submitted import meta_of


@click.command("cancel")
@click.argument("batch", metavar="ID")
@options.broker
def command(batch: str, broker: str | None) -> int:
    """Takes the submitted batch ID back, with all that was solved of it; workers stop at what they have of it."""
    store = attach(options.required_broker(broker)).store
    meta_of(store, batch)
    store.cancel(batch)
    click.echo(f"{batch} is cancelled", err=True)
    return OK
