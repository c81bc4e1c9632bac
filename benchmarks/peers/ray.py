"""Ray tasks on one node; a window of object references."""

from pathlib import Path

import ray

from benchmarks.peers.windowed import in_order
from producer.bench import plain


def run(path: str, out: Path, form: str, workers: int, rows: int) -> None:
    """Solves a file."""
    ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    solve = ray.remote(plain.solve_range)
    plain.write(out, form, in_order(solve.remote, ray.get, plain.cut(path, form, rows), workers))
    ray.shutdown()
