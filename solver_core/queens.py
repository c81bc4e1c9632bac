"""The Python face of the N-Queens kernel: counts and lists below a prefix, and whole chunks of prefixes."""

from collections.abc import Mapping
from typing import Any

from solver_core._native import QUEENS_COUNTS, QUEENS_MAX_N, Stop, queens_count, queens_list, queens_prefixes
from solver_core.isa import isa
from solver_core.queens_chunk import Answer, pack_answers, unpack_work

__all__ = ["MAX_N", "QUEENS_COUNTS", "answer", "count", "list_solutions", "prefixes"]

prefixes = queens_prefixes
MAX_N = QUEENS_MAX_N


def count(n: int, prefix: bytes = b"") -> int:
    """Returns how many solutions begin with the columns of `prefix` in their first rows.

    Raises:
        ValueError: n is not 1 to 32, or the prefix has a column that is not on the board.
    """
    counted = queens_count(n, prefix, isa())
    assert counted is not None  # nobody can stop it
    return counted[0]


def list_solutions(n: int, prefix: bytes = b"", most: int = 2**64 - 1) -> list[bytes]:
    """Returns the solutions that begin with `prefix`, in lexicographic order: n 0-based columns each.

    Raises:
        ValueError: n is not 1 to 32, or the prefix has a column that is not on the board.
    """
    listed = queens_list(n, prefix, most, isa())
    assert listed is not None  # nobody can stop it
    return [listed[0][at : at + n] for at in range(0, len(listed[0]), n)]


def answer(payload: bytes, _meta: Mapping[str, Any], stop: Stop) -> bytes:
    """Counts or lists below the prefixes of a chunk.

    Args:
        payload: a `queens work` payload, which says all there is to know.
        stop: ends the work; prefixes not finished by then are not `done` in the answer.

    Returns:
        A `queens answers` payload, as many answers as prefixes.

    Raises:
        ChunkError: the payload is none of queens work.
        KernelError: native code failed.
    """
    work = unpack_work(payload)
    answers = []
    for prefix in work.prefixes:
        if work.most:
            listed = queens_list(work.n, prefix, work.most, isa(), stop)
            found = listed and Answer(prefix, True, len(listed[0]) // work.n, listed[1], listed[0])
        else:
            counted = queens_count(work.n, prefix, isa(), stop)
            found = counted and Answer(prefix, True, *counted)
        answers.append(found or Answer(prefix, done=False))
    return pack_answers(work.n, answers)
