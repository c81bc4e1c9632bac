"""`multiprocessing.Pool` with gridmill's own trick: part files, which the parent joins inside the operating system.

What is left of the difference is Celery and the guarantees: nothing here survives a death.
"""

import multiprocessing
import os
from pathlib import Path

from producer.bench import plain
from solver_core.rows import format_header


def leave_part(work: plain.Range) -> tuple[str, int]:
    """Solves a range into a file beside its input; returns its path and length."""
    path = f"{work.path}.{work.first_id}"
    return path, Path(path).write_bytes(plain.solve_range(work))


def run(path: str, out: Path, form: str, workers: int, rows: int) -> None:
    """Solves a file."""
    with multiprocessing.get_context("spawn").Pool(workers) as pool, out.open("wb", buffering=0) as file:
        file.write(format_header(form).encode())
        for part, length in pool.imap(leave_part, plain.cut(path, form, rows)):
            left = length
            with Path(part).open("rb") as source:
                while left:
                    left -= os.copy_file_range(source.fileno(), file.fileno(), left)
            Path(part).unlink()
        pool.close()
        pool.join()
