"""gridmill as on a cluster: workers that see no folder of the producer's, all rows through the broker."""

from pathlib import Path

from benchmarks.peers.gridmill_files import solve
from producer.cluster import LocalCluster, run_folder


def run(path: str, out: Path, form: str, workers: int, rows: int) -> None:  # noqa: ARG001 - chunks fit themselves
    """Solves a file."""
    with run_folder() as folder, LocalCluster(folder, workers) as local:
        solve(path, out, form, "redis", [], local.broker.url)
