"""joblib with its default processes (loky); results as a generator, so that rows are written while more are made."""

from pathlib import Path

from joblib import Parallel, delayed

from producer.bench import plain


def run(path: str, out: Path, form: str, workers: int, rows: int) -> None:
    """Solves a file."""
    parallel = Parallel(n_jobs=workers, return_as="generator", batch_size=1, pre_dispatch="4*n_jobs")
    plain.write(out, form, parallel(delayed(plain.solve_range)(work) for work in plain.cut(path, form, rows)))
