"""Dask's distributed scheduler with local worker processes of one thread each; a window of futures."""

from pathlib import Path

from distributed import Client, LocalCluster

from benchmarks.peers.windowed import in_order
from producer.bench import plain


def run(path: str, out: Path, form: str, workers: int, rows: int) -> None:
    """Solves a file."""
    with (
        LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        texts = in_order(
            lambda work: client.submit(plain.solve_range, work, pure=False),
            lambda future: future.result(),
            plain.cut(path, form, rows),
            workers,
        )
        plain.write(out, form, texts)
