"""`gridmill up`: a private broker and workers in the foreground."""

import os
import time
from pathlib import Path

import click

from producer.cli import INTERRUPTED, say
from producer.cluster import LocalCluster, hold
from producer.commands import options
from solver_core.errors import BatchError

LOOK_EVERY_S = 1.0


@click.command("up")
@options.workers
def command(workers: int) -> int:
    """Runs a private broker and workers until Ctrl-C; batches stay in its folder for the next time."""
    folder = state_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)
    url_file = folder / "broker.url"
    try:
        with hold(folder / "lock"):
            _serve(folder, url_file, workers)
    except BlockingIOError:
        raise BatchError(f"gridmill up is running already; its broker: @{url_file}", locked=True) from None
    return INTERRUPTED


def _serve(folder: Path, url_file: Path, workers: int) -> None:
    """Serves until Ctrl-C."""
    try:
        with LocalCluster(folder, workers, durable=True) as cluster:
            with open(os.open(url_file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:  # noqa: PTH123
                file.write(cluster.broker.url + "\n")
            click.echo(f"a broker and {workers} worker processes are up; in another shell:")
            click.echo(f"  export GRIDMILL_BROKER=@{url_file}")
            click.echo("Ctrl-C ends them.")
            while True:
                if cluster.mend():
                    say(f"something had died and was started again; see {folder}/*.log")
                time.sleep(LOOK_EVERY_S)
    except KeyboardInterrupt:
        pass
    finally:
        url_file.unlink(missing_ok=True)


def state_folder() -> Path:
    """Returns the folder of the broker of `up`, after the XDG base directory specification."""
    base = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local/state")
    return Path(base) / "gridmill"
