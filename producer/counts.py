"""Counts of N-Queens solutions by board and first-row column, as they come in and as they are written."""

import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from producer.dispatch import Gathered
from solver_core.queens import QUEENS_COUNTS, count
from solver_core.queens_chunk import unpack_answers, unpack_work

COLUMNS = ("n", "column", "solutions", "time_ns")
# A number above this is no longer exact for readers that hold JSON numbers as doubles.
EXACT_JSON = 2**53
PROBE_N = 15
# Solutions of 27 queens are 10.5 times those of 26, and the factor grows slowly.
GROWTH = 11.0


@dataclass(slots=True)
class Column:
    """Solutions with the first queen in this column, and the kernel time it took to count them."""

    solutions: int = 0
    time_ns: int = 0


class Counts:
    """What is counted so far.

    Attributes:
        boards: the columns of each board, by n.
    """

    def __init__(self, boards: Iterable[int], state: dict[str, Any]) -> None:
        """Begins with nothing, or goes on from what a journal kept."""
        kept = state.get("boards", {})
        self.boards = {n: [Column(*column) for column in kept.get(str(n), [(0, 0)] * n)] for n in boards}

    def state(self) -> dict[str, Any]:
        """Returns what a journal is to keep."""
        return {
            "boards": {
                str(n): [(column.solutions, column.time_ns) for column in columns] for n, columns in self.boards.items()
            }
        }

    def add(self, item: Gathered) -> None:
        """Adds the answers of a chunk to their columns and to the mirrored ones, which share the time."""
        n = unpack_work(item.chunk.work).n
        columns = self.boards[n]
        for answer in unpack_answers(item.answer):
            column, mirrored = columns[answer.prefix[0]], columns[n - 1 - answer.prefix[0]]
            column.solutions += answer.solutions
            column.time_ns += answer.time_ns
            if mirrored is not column:
                mirrored.solutions += answer.solutions
                mirrored.time_ns += answer.time_ns // 2
                column.time_ns -= answer.time_ns // 2

    def total(self, n: int) -> int:
        """Returns the solutions of a board."""
        return sum(column.solutions for column in self.boards[n])

    def rows(self) -> Iterator[tuple[int, int, int, int]]:
        """Yields the rows of output, as of `COLUMNS`."""
        for n, columns in self.boards.items():
            for place, column in enumerate(columns):
                yield n, place, column.solutions, column.time_ns

    def table(self, format_name: str) -> str:
        """Returns the rows as text in the format `csv` or `jsonl`; in JSON a number above 2^53 is text."""
        if format_name == "csv":
            lines = [",".join(COLUMNS)] + [",".join(map(str, row)) for row in self.rows()]
        else:
            exact = ([number if number <= EXACT_JSON else str(number) for number in row] for row in self.rows())
            lines = [json.dumps(dict(zip(COLUMNS, row, strict=True))) for row in exact]
        return "\n".join(lines) + "\n"


def estimate_s(n: int, processes: int) -> float:
    """Estimates how long counting a board of n takes on so many processes like this one.

    Time grows about as the number of solutions does; the rate is measured here, on a board of 15.
    """
    began = time.perf_counter()
    count(PROBE_N)
    rate = QUEENS_COUNTS[PROBE_N] / (time.perf_counter() - began)
    known = min(n, len(QUEENS_COUNTS) - 1)
    solutions = QUEENS_COUNTS[known] * GROWTH ** (n - known)
    return float(solutions / rate / processes)
