"""What a chunk and its results look like on the wire. Numbers are little endian; nothing else is ever sent.

Every payload begins with the same header of 20 bytes:

| offset | bytes | field | holds |
|---|---|---|---|
| 0 | 4 | magic | `GMPZ` puzzles, `GMRS` results, `GMRW` rows, `GMQW` queens work, `GMQA` queens answers |
| 4 | 2 | version | 1 |
| 6 | 2 | flags | 0 |
| 8 | 4 | count | entries in the body |
| 12 | 4 | body_bytes | length of the body; the payload is 20 bytes longer |
| 16 | 4 | crc32 | CRC-32 of bytes 0 to 15 and the body |

A varint is LEB128: seven bits a byte, lowest first, the top bit says that more follow. The bodies:

puzzles
    41 bytes each: two cells a byte, the first in the low half; 0 empty, 1-9, 15 in a line that could not be read.
results
    The status (1 byte, `result.Status`). Unless unfinished, invalid or failed: varints solutions, guesses, time_ns.
    If there is a solution: 41 bytes as above. With 128 added to the status all solutions follow, 41 bytes each.
rows
    Varints source and line; 1 byte: 0 puzzle, 1 puzzle with label (varint length, text), 2 unreadable (reason and raw
    text, each varint length, text).
queens work
    Once: n, depth (1 byte each), `most` (8 bytes; 0 counts, else at most so many are listed). For each prefix: depth
    bytes, the 0-based columns of the first rows.
queens answers
    Once: n, depth. For each prefix: its depth bytes again, done (1 byte), solutions (8 bytes), time_ns (8 bytes),
    length of the list (4 bytes), the list: n bytes a solution.

Row i of a chunk, its puzzle i and its result i belong together: there is no other numbering. All functions that read
a payload raise `ChunkError` where it is not what it says it is.
"""

from collections.abc import Iterable

from solver_core import _native
from solver_core._native import (
    WIRE_VERSION,
    examine_results,
    merge_results,
    pack_puzzles,
    slice_puzzles,
    tally,
    unfinished,
    unpack_puzzles,
)
from solver_core.result import Result, Status

__all__ = [
    "WIRE_VERSION",
    "examine",
    "failed_answer",
    "merge_answers",
    "pack_puzzles",
    "pack_results",
    "slice_puzzles",
    "slice_work",
    "tally",
    "unfinished",
    "unpack_puzzles",
    "unpack_results",
]

# Names that all kinds of work share; for N-Queens they stand in `queens_chunk.py`.
slice_work = slice_puzzles
examine = examine_results
merge_answers = merge_results


def pack_results(results: Iterable[Result]) -> bytes:
    """Returns the payload of these results."""
    return _native.pack_results([(r.status, r.solutions, r.guesses, r.time_ns, r.solution) for r in results])


def unpack_results(payload: bytes) -> list[Result]:
    """Returns the results of a payload."""
    return [
        Result(Status(status), solutions, solution, guesses, time_ns)
        for status, solutions, guesses, time_ns, solution in _native.unpack_results(payload)
    ]


def failed_answer(_work: bytes) -> bytes:
    """Returns the answer to a puzzle that was alone in its chunk and ended its worker each time."""
    return pack_results([Result(Status.FAILED, 0, b"", 0, 0)])
