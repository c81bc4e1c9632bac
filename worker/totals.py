"""What a cluster has done so far: the counters that `gridmill metrics` shows.

They are fields of one hash in the broker. A worker adds what an answer holds in the same step that puts the answer
(`store.py`), so that one which comes late or twice does not count; work that had to be done twice counts twice. Kinds
are `sudoku` and `queens`.

| field                | counts                                                                       |
|----------------------|------------------------------------------------------------------------------|
| `chunks_done:KIND`   | chunks that were answered                                                    |
| `kernel_ns:KIND`     | kernel time of these answers                                                 |
| `puzzles:STATUS`     | rows that were answered, by status; `failed` ones are made by a producer     |
| `prefixes`           | prefixes that were answered                                                  |
| `chunks_resent`      | chunks that a producer has sent again                                        |
| `chunks_begun_again` | chunks begun though begun before: a process died or failed, or two had it    |
| `chunks_refused`     | ranges of files that a worker handed back; the rows then travel as puzzles   |
| `chunks_unreadable`  | payloads that were not what they said they are                               |
| `chunks_poisonous`   | chunks given up as their processes died of them, or failed, again and again  |
"""

from collections.abc import Mapping
from typing import NamedTuple

from solver_core.chunk import tally
from solver_core.queens_chunk import unpack_answers
from solver_core.range_chunk import is_json, unpack_range_answer
from solver_core.result import Status

KINDS = ("sudoku", "queens")
STATUSES = tuple(status.word for status in Status if status not in (Status.UNFINISHED, Status.FAILED))
FIELDS = (
    *(f"{name}:{kind}" for name in ("chunks_done", "kernel_ns") for kind in KINDS),
    *(f"puzzles:{status}" for status in STATUSES),
    *("prefixes", "chunks_resent", "chunks_begun_again", "chunks_refused", "chunks_unreadable", "chunks_poisonous"),
)


class Added(NamedTuple):
    """What an answer adds up to: its unfinished rows, and what it adds to the totals."""

    unfinished: int
    counts: dict[str, int]


def of_sudoku(answer: bytes) -> Added:
    """Adds up an answer to puzzles, of either plane.

    Raises:
        ChunkError: it is none.
    """
    if is_json(answer):
        given = unpack_range_answer(answer)
        if given.refused:
            return Added(0, {"chunks_refused": 1})
        rows, kernel_ns = list(given.statuses), given.kernel_ns
    else:
        rows, kernel_ns, _ = tally(answer)
    counts = {f"puzzles:{word}": rows[Status[word.upper()]] for word in STATUSES}
    return Added(rows[Status.UNFINISHED], _done("sudoku", kernel_ns) | counts)


def of_queens(answer: bytes) -> Added:
    """Adds up an answer to prefixes.

    Raises:
        ChunkError: it is none.
    """
    given = unpack_answers(answer)
    done = sum(one.done for one in given)
    counts = _done("queens", sum(one.time_ns for one in given)) | {"prefixes": done}
    return Added(len(given) - done, counts)


def read(found: Mapping[bytes, bytes]) -> dict[str, int]:
    """Returns all totals of a hash as the broker has it; what is missing, or no number, is 0."""
    return {field: _number(found.get(field.encode(), b"")) for field in FIELDS}


def _done(kind: str, kernel_ns: int) -> dict[str, int]:
    return {f"chunks_done:{kind}": 1, f"kernel_ns:{kind}": kernel_ns}


def _number(text: bytes) -> int:
    return int(text) if text.isdigit() and len(text) < 20 else 0  # 64 bits
