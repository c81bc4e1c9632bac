"""`gridmill worker`: a supervised Celery worker."""

import logging
import os

import click

from producer.commands import options
from worker.supervisor import Supervisor, cpus


@click.command("worker")
@click.option("-c", "concurrency", type=click.IntRange(1, 1024), default=cpus, show_default="CPUs", help="Processes.")
@click.option("--loglevel", type=click.Choice(["DEBUG", "INFO", "WARNING", "ERROR"]), default="INFO", show_default=True)
@options.broker
def command(concurrency: int, loglevel: str, broker: str | None) -> int:
    """Works for a cluster until it is told to stop (Ctrl-C, SIGTERM); what it has begun it finishes or gives back."""
    os.environ["GRIDMILL_BROKER"] = options.required_broker(broker)
    logging.basicConfig(level=loglevel, format="%(asctime)s %(levelname)s %(message)s")
    return Supervisor(concurrency, loglevel).run()
