"""`gridmill metrics`: what the cluster does, for Prometheus."""

import threading

import click

from producer.cli import say
from producer.commands import options
from producer.metrics import serve
from worker.broker import connect, without_password
from worker.store import Store

# A scrape must end before Prometheus gives it up, which it does after 10 s.
BROKER_S = 3.0


@click.command("metrics")
@click.option("--port", type=click.IntRange(1, 65535), default=9540, show_default=True, help="Port to listen on.")
@click.option("--address", default="127.0.0.1", show_default=True, help="Address to listen on; 0.0.0.0: all.")
@options.broker
def command(port: int, address: str, broker: str | None) -> None:
    """Serves metrics of the cluster to Prometheus, until it is told to stop (Ctrl-C, SIGTERM)."""
    url = options.required_broker(broker)
    serve(Store(connect(url, timeout_s=BROKER_S, retries=0)), address, port)
    say(f"metrics of the broker at {without_password(url)}: http://{address}:{port}/metrics")
    threading.Event().wait()
