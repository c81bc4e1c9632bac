"""Jobs for queens among puzzles: JSON lines with `{"kind": "nqueens", "n": 12}` beside `{"kind": "sudoku", ...}`.

Such a job is a row like any other, which says why it is no puzzle, until it is written: then it is counted, by the
workers, and its record takes the place of the row.
"""

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from producer.counts import EXACT_JSON
from producer.readers.reading import QUEENS_JOB
from solver_core.result import Status

# What a record shares with the row in whose place it stands.
_SHARED = ("id", "source", "line")


class Counted(NamedTuple):
    """Solutions with the first queen in a column, and the time it took to count them."""

    solutions: int
    time_ns: int


Queens = Callable[[int], Sequence[Counted]]


def answer_jobs(text: bytes, queens: Queens) -> tuple[bytes, int, int]:
    """Puts records in the place of rows that are jobs.

    Args:
        text: rows in the format `jsonl`, with the usual columns at least.
        queens: counts the solutions of so many queens, by first-row column.

    Returns:
        The rows, how many of them were jobs, and the time they took in ns.
    """
    if QUEENS_JOB.encode() not in text:
        return text, 0, 0
    lines, answered, time_ns = [], 0, 0
    for line in text.splitlines(keepends=True):
        row = json.loads(line)
        job = _job_in(row)
        if job is None:
            lines.append(line)
            continue
        columns = queens(job)
        answered += 1
        spent_ns = sum(column.time_ns for column in columns)
        time_ns += spent_ns
        record = {key: row[key] for key in _SHARED if key in row} | {
            "kind": "nqueens",
            "n": job,
            "status": Status.SOLVED.word,
            "solutions": _exact(sum(column.solutions for column in columns)),
            "columns": [_exact(column.solutions) for column in columns],
            "time_ns": max(1, spent_ns),
        }
        lines.append(json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
    return b"".join(lines), answered, time_ns


def _job_in(row: dict[str, Any]) -> int | None:
    """The n of a row that is a job."""
    note = row.get("note") or ""
    if not note.startswith(f"{QUEENS_JOB}: "):
        return None
    n: int = json.loads(note.removeprefix(f"{QUEENS_JOB}: "))["n"]
    return n


def _exact(number: int) -> int | str:
    """A number above 2^53 is text: readers that hold numbers as doubles would round it."""
    return number if number <= EXACT_JSON else str(number)
