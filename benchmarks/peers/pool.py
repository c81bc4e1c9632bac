"""`multiprocessing.Pool`: ranges go to it, rows come back through pipes, in order (`imap`)."""

from pathlib import Path

from producer.bench import plain


def run(path: str, out: Path, form: str, workers: int, rows: int) -> None:
    """Solves a file."""
    plain.by_pool(path, out, form, rows, workers)
